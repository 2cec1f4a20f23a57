//! What a controller listens to, which changes while it runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};
use watchkeeper_api::{Error, Result};
use watchkeeper_cache::Status;

use crate::feed::{Channel, Feed};
use crate::request::Request;
use crate::share::{Gains, Only};
use crate::source::{Connection, Wire, WireOptions};

/// How often it is told what is waited for.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// One source of a controller, to [remove](crate::ControllerHandle::remove) it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(u64);

/// How a source is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceStatus {
    /// Which one.
    pub id: SourceId,
    /// The kind that it tells of, or the name that it was given.
    pub name: String,
    /// Whether it has told all there was when it began.
    pub told_all: bool,
    /// How the copies underneath are doing; none for what is not a watch.
    pub copies: Vec<Status>,
}

#[derive(Default)]
pub(crate) struct Sources {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    entries: BTreeMap<SourceId, Entry>,
    next: u64,
}

struct Entry {
    wire: Arc<dyn Wire>,
    connection: Option<Arc<Connection>>,
    told_all: bool,
}

impl Entry {
    fn is_of(&self, connection: &Arc<Connection>) -> bool {
        self.connection.as_ref().is_some_and(|found| Arc::ptr_eq(found, connection))
    }
}

impl Sources {
    /// Adds a source; who runs the controller connects it.
    pub(crate) fn add(&self, wire: Arc<dyn Wire>) -> SourceId {
        let mut state = self.lock();
        let id = SourceId(state.next);
        state.next += 1;
        state.entries.insert(id, Entry { wire, connection: None, told_all: false });
        drop(state);
        self.changed.notify_one();
        id
    }

    /// Takes a source out: it tells nothing any more, and its watch ends if nobody else holds it.
    pub(crate) fn remove(&self, id: SourceId) -> bool {
        // Dropped without the lock: what it holds is other people's.
        let removed = self.lock().entries.remove(&id);
        self.changed.notify_one();
        removed.is_some()
    }

    /// A reconcile of it begins.
    pub(crate) fn began(&self, request: &Request) {
        for entry in self.lock().entries.values() {
            entry.wire.began(request);
        }
    }

    /// Connects what is not connected.
    pub(crate) fn connect(&self, channel: &Channel, options: &WireOptions) {
        let waiting: Vec<_> = {
            let state = self.lock();
            let waiting = state.entries.iter().filter(|(_, entry)| entry.connection.is_none());
            waiting.map(|(id, entry)| (*id, Arc::clone(&entry.wire))).collect()
        };
        for (id, wire) in waiting {
            // All there is comes again from what is reconciled alone.
            let WireOptions { failures, .. } = options.clone();
            let options = if id == SourceId(0) {
                options.clone()
            } else {
                WireOptions { failures, ..WireOptions::default() }
            };
            let connection = wire.connect(Feed::new(&wire.name(), channel.clone()), options);
            let connection = Some(Arc::new(connection));
            if let Some(entry) = self.lock().entries.get_mut(&id) {
                entry.connection = connection;
            }
        }
    }

    /// Connects what is added, and has it told again what of it was gained, as long as this is polled.
    pub(crate) async fn tend(&self, channel: &Channel, options: &WireOptions, mut gains: Gains) {
        loop {
            self.connect(channel, options);
            tokio::select! {
                biased;
                () = self.changed.notified() => {}
                () = self.note_told() => {}
                gained = gains.next() => self.tell_again(channel, gained),
            }
        }
    }

    /// Has every source tell what there is in these shards; one that cannot is to be connected anew.
    fn tell_again(&self, channel: &Channel, gained: BTreeSet<u32>) {
        let only = Only { gained: Some(Arc::new(gained)), ..channel.only.clone() };
        let channel = Channel { only, ..channel.clone() };
        let wires: Vec<_> = {
            let state = self.lock();
            state.entries.iter().map(|(id, entry)| (*id, Arc::clone(&entry.wire))).collect()
        };
        for (id, wire) in wires {
            if !wire.tell_again(&Feed::new(&wire.name(), channel.clone())) {
                // Dropped without the lock: what it holds is other people's.
                let connection = {
                    let mut state = self.lock();
                    state.entries.get_mut(&id).and_then(|entry| entry.connection.take())
                };
                drop(connection);
            }
        }
    }

    /// The run is over.
    pub(crate) fn disconnect(&self) {
        let connections: Vec<_> = {
            let mut state = self.lock();
            let entries = state.entries.values_mut();
            entries
                .filter_map(|entry| {
                    entry.told_all = false;
                    entry.connection.take()
                })
                .collect()
        };
        drop(connections);
    }

    /// Waits until every source has told all there was. One that the server refuses is waited for as long as
    /// it takes.
    ///
    /// # Errors
    /// One has ended, or takes longer than `limit` although the server does not refuse it.
    pub(crate) async fn all_told(
        &self,
        controller: &str,
        limit: Duration,
        channel: &Channel,
        options: &WireOptions,
    ) -> Result<()> {
        let mut patience = Patience { limit, since: BTreeMap::new() };
        let mut tell_at = Instant::now() + TELL_EVERY;
        loop {
            self.connect(channel, options);
            let late = self.late();
            if late.is_empty() {
                return Ok(());
            }
            if let Some(lost) = patience.lost_with(&late) {
                return Err(self.failed(
                    controller,
                    &format!("was not synced within {limit:?}"),
                    lost,
                ));
            }
            let look_again = patience.ends(&late).map_or(tell_at, |end| end.min(tell_at));
            tokio::select! {
                biased;
                // Of any: behind one that is refused the time of those that have told all goes on otherwise.
                (connection, told) = first_told(&late) => {
                    if !told && self.late().iter().any(|(_, late)| Arc::ptr_eq(late, connection)) {
                        return Err(self.failed(controller, "stopped", connection));
                    }
                    self.mark_told(connection);
                }
                () = self.changed.notified() => {}
                () = sleep_until(look_again) => if look_again == tell_at {
                    tell_at += TELL_EVERY;
                    let waiting_for = self.waiting_for().join("; ");
                    tracing::warn!(controller, waiting_for, "not all sources have told what there is");
                },
            }
        }
    }

    /// The sources that have not told all, and why.
    pub(crate) fn waiting_for(&self) -> Vec<String> {
        let waiting = self.status().into_iter().filter(|source| !source.told_all);
        waiting.map(|source| source.to_string()).collect()
    }

    pub(crate) fn status(&self) -> Vec<SourceStatus> {
        let entries: Vec<_> = {
            let state = self.lock();
            let entries = state.entries.iter();
            entries
                .map(|(id, e)| (*id, Arc::clone(&e.wire), e.connection.clone(), e.told_all))
                .collect()
        };
        let status = entries.into_iter().map(|(id, wire, connection, told_all)| SourceStatus {
            id,
            name: wire.name(),
            told_all,
            copies: connection.map_or_else(Vec::new, |connection| connection.status()),
        });
        status.collect()
    }

    /// Which source it is and how it is doing.
    fn failed(&self, controller: &str, why: &str, connection: &Arc<Connection>) -> Error {
        let wire = {
            let state = self.lock();
            let found = state.entries.values().find(|entry| entry.is_of(connection));
            found.map(|entry| Arc::clone(&entry.wire))
        };
        let (name, copies) =
            (wire.map(|wire| wire.name()).unwrap_or_default(), connection.status());
        let (what, status) = match &*copies {
            [] => ("source", name),
            copies => ("watch", told_of(copies)),
        };
        Error::other(format!("controller {controller}: a {what} {why}: {status}"))
    }

    /// Completes when another source has told all; never if there is none that will.
    async fn note_told(&self) {
        let mut late = self.late();
        loop {
            if late.is_empty() {
                return std::future::pending().await;
            }
            let (connection, told) = first_told(&late).await;
            if told {
                return self.mark_told(connection);
            }
            let ended = Arc::clone(connection);
            late.retain(|(_, connection)| !Arc::ptr_eq(connection, &ended));
        }
    }

    fn mark_told(&self, connection: &Arc<Connection>) {
        if let Some(entry) = self.lock().entries.values_mut().find(|entry| entry.is_of(connection))
        {
            entry.told_all = true;
        }
    }

    fn late(&self) -> Vec<(SourceId, Arc<Connection>)> {
        let state = self.lock();
        let late = state.entries.iter().filter(|(_, entry)| !entry.told_all);
        late.filter_map(|(id, entry)| Some((*id, Arc::clone(entry.connection.as_ref()?)))).collect()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The one that comes first, and whether it has told all there was, or will not any more. There has to be one.
async fn first_told(late: &[(SourceId, Arc<Connection>)]) -> (&Arc<Connection>, bool) {
    let told = late
        .iter()
        .map(|(_, connection)| Box::pin(async move { (connection, connection.all_told().await) }));
    let (first, _, _) = futures_util::future::select_all(told).await;
    first
}

/// How long each source is waited for: from when it was seen refused last.
struct Patience {
    limit: Duration,
    since: BTreeMap<SourceId, Instant>,
}

impl Patience {
    /// The source that took too long.
    fn lost_with<'c>(
        &mut self,
        late: &'c [(SourceId, Arc<Connection>)],
    ) -> Option<&'c Arc<Connection>> {
        let now = Instant::now();
        for (id, connection) in late {
            let since = self.since.entry(*id).or_insert(now);
            if is_refused(&connection.status()) {
                *since = now;
            }
            if now.saturating_duration_since(*since) >= self.limit {
                return Some(connection);
            }
        }
        None
    }

    /// When it ends with the first of them; never if that is beyond time.
    fn ends(&self, late: &[(SourceId, Arc<Connection>)]) -> Option<Instant> {
        let since = late.iter().filter_map(|(id, _)| self.since.get(id));
        since.filter_map(|since| since.checked_add(self.limit)).min()
    }
}

/// Whether only the server's refusal is in the way.
fn is_refused(copies: &[Status]) -> bool {
    let mut late = copies.iter().filter(|status| !status.synced).peekable();
    late.peek().is_some() && late.all(|status| status.refused)
}

/// The copies that are not synced; all of them if each is.
fn told_of(copies: &[Status]) -> String {
    let late: Vec<_> = copies.iter().filter(|status| !status.synced).collect();
    let told = if late.is_empty() { copies.iter().collect() } else { late };
    told.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl fmt::Display for SourceStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.copies {
            [] => f.write_str(&self.name),
            copies => f.write_str(&told_of(copies)),
        }
    }
}

impl fmt::Debug for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.status().into_iter().map(|source| source.name).collect();
        write!(f, "Sources({})", names.join(", "))
    }
}
