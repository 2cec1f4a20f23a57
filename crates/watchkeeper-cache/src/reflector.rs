//! Follows the server: asks for everything, then for what changes, and asks again when that fails.
//!
//! [`state`] decides; this file asks and waits. Its two halves run in one task and are joined by a queue,
//! mostly a [`DeltaQueue`](crate::DeltaQueue): one reads from the server, the other applies to the copy.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;
use tracing::Instrument as _;

use crate::classic::{Popped, Queue, ReflectorStore, Refused};
use crate::core::Core;
use crate::delta::{Delta, Replacement};
use crate::item::Item;
use crate::store::Store;
use crate::sync::sleep_until;

pub(crate) mod backoff;
pub(crate) mod malformed;
pub(crate) mod message;
pub(crate) mod spans;
pub(crate) mod state;

use message::{Input, ListCall, Next, Page, Trouble, Unreadable, WatchCall};
use spans::{Spans, Subject};
use state::State;

/// Deltas between the two halves at most.
pub(crate) const IN_FLIGHT: usize = 1024;

/// Somewhere to list and watch objects (upstream: `ListerWatcher`).
pub(crate) trait ListerWatcher<K: Item>: Send + Sync + 'static {
    type Events: Events<K>;

    /// Lists a page. Objects that `known` has in the same version are taken from there.
    fn list(
        &self,
        call: &ListCall,
        known: &Store<K>,
    ) -> impl Future<Output = Result<Page<K>, Trouble>> + Send;

    /// Opens a watch.
    fn watch(
        &self,
        call: &WatchCall,
        known: &Store<K>,
    ) -> impl Future<Output = Result<Self::Events, Trouble>> + Send;
}

/// An open watch.
pub(crate) trait Events<K>: Send {
    /// What the watch says next; [`Input::Closed`] at its end.
    ///
    /// # Cancel safety
    /// Nothing is lost when the future is dropped.
    fn next(&mut self) -> impl Future<Output = Input<K>> + Send;
}

/// Who keeps the time of a reflector and is told how it is doing.
pub(crate) trait Onlooker<K>: Send + Sync {
    /// What need not be made anew, since it is there.
    fn known(&self) -> &Store<K>;
    /// What is followed, for its spans.
    fn subject(&self) -> Subject;
    /// The time since the beginning.
    fn now(&self) -> Duration;
    fn at(&self, time: Duration) -> Instant;
    /// The server said something.
    fn heard(&self);
    /// Something happened that does not happen all the time.
    fn report(&self, state: &mut State<K>);
    /// An object could not be read, as was reported.
    fn set_aside(&self, which: &Unreadable);
}

impl<K: Item> Onlooker<K> for Core<K> {
    fn known(&self) -> &Store<K> {
        &self.store
    }

    fn subject(&self) -> Subject {
        let resource = self.scope.kind().group_resource();
        Subject { resource, namespace: self.scope.namespace.clone() }
    }

    fn now(&self) -> Duration {
        self.now()
    }

    fn at(&self, time: Duration) -> Instant {
        self.at(time)
    }

    fn heard(&self) {
        self.heard();
    }

    fn report(&self, state: &mut State<K>) {
        self.report(state);
    }

    fn set_aside(&self, which: &Unreadable) {
        self.set_aside(which);
    }
}

/// Keeps the copy up to date until its last handle is dropped, which closes `handles`.
pub(crate) async fn follow<K: Item>(
    core: Arc<Core<K>>,
    from: impl ListerWatcher<K>,
    queue: impl Queue<K>,
    state: State<K>,
    handles: oneshot::Receiver<()>,
) {
    let counting = Counting { core: &core, queue: &queue };
    tokio::select! {
        biased;
        // Nothing is ever sent: this is the end of the last handle.
        _ = handles => {}
        () = apply(&core, &queue) => {}
        () = reflect(&*core, &from, state, &counting) => {}
    }
}

/// Tells how much waits as it comes: while a handler holds the copy up, nothing leaves the queue.
struct Counting<'a, K: Item, Q> {
    core: &'a Core<K>,
    queue: &'a Q,
}

impl<K: Item, Q: Queue<K>> ReflectorStore<K> for Counting<'_, K, Q> {
    async fn push(&self, delta: Delta<K>) -> Result<(), Refused> {
        let pushed = self.queue.push(delta).await;
        self.core.queued(|| self.queue.len());
        pushed
    }

    fn transforms(&self) -> bool {
        self.queue.transforms()
    }

    async fn push_list(&self, list: Replacement<K>, kept: &Store<K>) -> Result<(), Refused> {
        let pushed = self.queue.push_list(list, kept).await;
        if pushed.is_ok() && !Q::IN_ORDER {
            // What leaves such a queue does not say where a list ends.
            self.core.has_listed();
        }
        self.core.queued(|| self.queue.len());
        pushed
    }

    async fn closed(&self) {
        self.queue.closed().await;
    }
}

/// From the server into a queue or a store.
///
/// A list and the opening of a watch are in boxes: a copy mostly waits for the next event, and would hold room for
/// the largest of what it may wait for as long as it lives, some ten kilobytes.
pub(crate) async fn reflect<K: Item, L: ListerWatcher<K>>(
    core: &impl Onlooker<K>,
    from: &L,
    mut state: State<K>,
    queue: &impl ReflectorStore<K>,
) {
    let mut kept = Kept::of(core.known(), queue.transforms());
    let mut next = state.start();
    core.report(&mut state);
    let (mut events, mut spans) = (None, Spans::of(core.subject()));
    loop {
        if !matches!(next, Next::Read { .. }) {
            events = None;
            spans.watch_ends();
        }
        let input = match &next {
            Next::List(call) => {
                if call.more.is_empty() {
                    kept.list_begins();
                }
                let listing = Box::pin(from.list(call, kept.store()));
                listed(listing.instrument(spans.list(call)).await)
            }
            Next::Watch(call) => {
                if call.initial_events {
                    kept.list_begins();
                } else {
                    kept.list_ends();
                }
                let opening = Box::pin(from.watch(call, kept.store()));
                opened_watch(opening.instrument(spans.watch(call)).await, &mut events)
            }
            Next::Read { until } => read(events.as_mut(), until.map(|until| core.at(until))).await,
            Next::Sleep { until } => {
                core.report(&mut state);
                sleep_until(core.at(*until)).await;
                Input::Woken
            }
        };
        if !matches!(input, Input::Woken | Input::Failed(_)) {
            core.heard();
        }
        spans.heard(&input);
        let (before, routine) = (state.place(), is_routine(&input));
        let unreadable = unreadable_in(&input);
        let step = state.step(input, core.now());
        if !routine || state.place() != before || state.malformed().is_changed() {
            core.report(&mut state);
        }
        let set_aside = unreadable.iter().filter(|which| state.malformed().has(which));
        set_aside.for_each(|which| core.set_aside(which));
        let of_one = step.emit.as_ref().filter(|delta| delta.is_of_one());
        let is_end =
            of_one.map(|delta| matches!(delta, Delta::Deleted(_) | Delta::Vanished { .. }));
        if let Some(delta) = step.emit
            && let Err(refused) = push(delta, queue, &mut kept).await
        {
            if refused.is_closed() {
                return;
            }
            // The rest goes on (C-19), and does not wait for what is left out.
            tracing::error!(error = %refused, "a change is left out");
            if let (Some(is_end), Some(version)) = (is_end, state.how_far()) {
                let left_out = match refused.key().filter(|_| !is_end) {
                    Some(key) => Delta::Unreadable { key: key.clone(), version },
                    None => Delta::Bookmark(version),
                };
                // A queue that is closed says so again.
                _ = queue.push(left_out).await;
            }
        }
        next = step.next;
        tokio::task::coop::consume_budget().await;
    }
}

async fn push<K: Item>(
    delta: Delta<K>,
    queue: &impl ReflectorStore<K>,
    kept: &mut Kept<'_, K>,
) -> Result<(), Refused> {
    match delta {
        Delta::Replaced(list) => {
            let pushed = queue.push_list(list, kept.store()).await;
            kept.has_listed |= pushed.is_ok();
            kept.list_ends();
            pushed
        }
        delta => queue.push(delta).await,
    }
}

/// What need not be made anew, since it is there.
///
/// Before a queue that transforms, that is what was stored as the list under way began: whatever comes from
/// here is known by its being the same value, also when the store has gone on. Events have another version than
/// what they change, so none is looked for while no list is under way.
struct Kept<'a, K: Item> {
    known: &'a Store<K>,
    at_the_beginning: Option<Store<K>>,
    /// What is stored came through the queue.
    has_listed: bool,
}

impl<'a, K: Item> Kept<'a, K> {
    fn of(known: &'a Store<K>, transforms: bool) -> Self {
        Self { known, at_the_beginning: transforms.then(Store::new), has_listed: false }
    }

    fn store(&self) -> &Store<K> {
        self.at_the_beginning.as_ref().unwrap_or(self.known)
    }

    fn list_begins(&self) {
        let items = if self.has_listed { self.known.list() } else { Vec::new() };
        self.hold(items);
    }

    fn list_ends(&self) {
        self.hold(Vec::new());
    }

    fn hold(&self, items: Vec<Arc<K>>) {
        if let Some(store) = &self.at_the_beginning {
            store.apply(Delta::Replaced(Replacement { items, ..Replacement::default() }));
        }
    }
}

/// What happens all the time and says nothing about how it goes.
const fn is_routine<K>(input: &Input<K>) -> bool {
    matches!(input, Input::Event(..) | Input::Elsewhere(..) | Input::Bookmark { .. })
}

/// The objects that could not be read.
fn unreadable_in<K>(input: &Input<K>) -> Vec<Unreadable> {
    match input {
        Input::Page(page) => page.unreadable.clone(),
        Input::Unreadable(which) => vec![which.clone()],
        _ => Vec::new(),
    }
}

fn listed<K>(answer: Result<Page<K>, Trouble>) -> Input<K> {
    answer.map_or_else(Input::Failed, Input::Page)
}

fn opened_watch<K, E>(answer: Result<E, Trouble>, events: &mut Option<E>) -> Input<K> {
    match answer {
        Ok(opened) => {
            *events = Some(opened);
            Input::Opened
        }
        Err(trouble) => Input::Failed(trouble),
    }
}

async fn read<K, E: Events<K>>(events: Option<&mut E>, until: Option<Instant>) -> Input<K> {
    let Some(events) = events else { return Input::Closed };
    let Some(until) = until else { return events.next().await };
    tokio::select! {
        biased;
        input = events.next() => input,
        () = sleep_until(until) => Input::Woken,
    }
}

/// From the queue into the copy, with the resyncs that are due in between.
pub(crate) async fn apply<K: Item, Q: Queue<K>>(core: &Core<K>, queue: &Q) {
    loop {
        core.room().await;
        if core.next_resync().is_some_and(|due| due <= core.now()) {
            // Not left to the race below, which a queue that is never empty wins.
            core.take(Delta::Sync);
            core.room().await;
        }
        let resync = core.next_resync().map(|due| core.at(due));
        let popped = tokio::select! {
            biased;
            popped = queue.next() => popped,
            () = at(resync) => continue,
            // A listener came whose resync may be due earlier.
            () = core.hub_changed.notified() => continue,
        };
        core.queued(|| queue.len());
        match popped {
            Some(Popped::Delta { delta: Delta::Bookmark(version), .. }) if !Q::IN_ORDER => {
                core.come_to(version, queue.has_synced());
            }
            Some(Popped::Delta { delta, .. }) => core.take(delta),
            Some(Popped::Deltas(deltas)) => core.take_deltas(deltas),
            None => return,
        }
        tokio::task::coop::consume_budget().await;
    }
}

pub(crate) async fn at(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests;
