//! This process's own writes, handed to every copy they may concern.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Weak};

use watchkeeper_api::ObjectKey;
use watchkeeper_client::{Labels, Verb, WriteIntent, WriteObserver, WriteOutcome};

use crate::core::Core;
use crate::error::Result;
use crate::floors::{Outcome, Touched};
use crate::item::Item;
use crate::lock::lock;
use crate::selection::Selected;
use crate::status::Status;
use crate::sync::Mutex;
use crate::version::Version;

/// A copy whose type of object is not known here.
pub(crate) trait AnyCore: Send + Sync {
    /// The resource that it is a copy of: `deployments.apps`, whatever the version.
    fn resource(&self) -> String;
    fn begin_write(&self, ticket: u64, touched: Touched);
    fn finish_write(&self, ticket: u64, outcome: Outcome);
    /// Whether an object is selected as it was stored.
    fn selects(&self, key: &ObjectKey, uid: &str, labels: Option<Labels<'_>>) -> Selected;
    fn status(&self) -> Status;
    fn synced(&self) -> Pin<Box<dyn Future<Output = Result<()>> + Send + '_>>;
    /// Whether what follows the server panicked.
    fn has_crashed(&self) -> bool;
}

impl<K: Item> AnyCore for Core<K> {
    fn resource(&self) -> String {
        self.scope.kind.group_resource()
    }

    fn begin_write(&self, ticket: u64, touched: Touched) {
        self.begin_write(ticket, touched);
    }

    fn finish_write(&self, ticket: u64, outcome: Outcome) {
        self.finish_write(ticket, outcome);
    }

    fn selects(&self, key: &ObjectKey, uid: &str, labels: Option<Labels<'_>>) -> Selected {
        self.selects(key, uid, labels)
    }

    fn status(&self) -> Status {
        self.status()
    }

    fn synced(&self) -> Pin<Box<dyn Future<Output = Result<()>> + Send + '_>> {
        Box::pin(self.synced())
    }

    fn has_crashed(&self) -> bool {
        self.has_crashed()
    }
}

/// The writes under way and the copies of each resource.
#[derive(Default)]
pub(crate) struct Writes {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    copies: BTreeMap<String, Vec<Weak<dyn AnyCore>>>,
    /// The resource of each write under way, and what it may change.
    open: BTreeMap<u64, (String, Touched)>,
    /// What a copy made later must not be older than, by resource.
    written: BTreeMap<String, Since>,
    next: u64,
}

/// How new the first list of a copy must be, to have the writes that were over when it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Since {
    #[default]
    Ever,
    Version(Version),
    /// As new as there is: of some write no answer told the version.
    Now,
}

impl Writes {
    /// Tells a copy of the writes that are under way, and of each that begins from now on. What it has to know
    /// of those that are over is told by how new its first list must be.
    pub(crate) fn register<K: Item>(&self, core: &Arc<Core<K>>) -> Since {
        let copy: Weak<dyn AnyCore> = Arc::downgrade(core) as Weak<dyn AnyCore>;
        let resource = core.resource();
        let mut state = lock(&self.state);
        for (ticket, (of, touched)) in &state.open {
            if *of == resource {
                core.begin_write(*ticket, touched.clone());
            }
        }
        let since = state.written.get(&resource).copied().unwrap_or_default();
        let copies = state.copies.entry(resource).or_default();
        copies.retain(|copy| copy.strong_count() > 0);
        copies.push(copy);
        since
    }

    /// Every copy there is, by resource, in the order of making.
    pub(crate) fn copies(&self) -> Vec<Arc<dyn AnyCore>> {
        let state = lock(&self.state);
        state.copies.values().flatten().filter_map(Weak::upgrade).collect()
    }
}

impl WriteObserver for Writes {
    fn begin(&self, write: &WriteIntent<'_>) -> u64 {
        let mut state = lock(&self.state);
        let ticket = state.next;
        state.next += 1;
        if write.dry_run || stores_nothing(write) {
            return ticket;
        }
        let (resource, touched) = (write.kind.group_resource(), touched_by(write));
        let copies = state.copies_of(&resource);
        state.open.insert(ticket, (resource, touched.clone()));
        // Under the lock, so that copies hear of tickets in their order.
        for copy in copies {
            copy.begin_write(ticket, touched.clone());
        }
        ticket
    }

    fn finish(&self, ticket: u64, outcome: &WriteOutcome<'_>) {
        let (touched, copies) = {
            let mut state = lock(&self.state);
            let Some((resource, touched)) = state.open.remove(&ticket) else { return };
            let written = state.written.entry(resource.clone()).or_default();
            *written = since(outcome).max(*written);
            (touched, state.copies_of(&resource))
        };
        for copy in copies {
            copy.finish_write(ticket, outcome_of(outcome, &touched, &*copy));
        }
    }
}

impl State {
    fn copies_of(&self, resource: &str) -> Vec<Arc<dyn AnyCore>> {
        let copies = self.copies.get(resource).into_iter().flatten();
        copies.filter_map(Weak::upgrade).collect()
    }
}

/// What a write may change.
fn touched_by(write: &WriteIntent<'_>) -> Touched {
    match write.name {
        Some(name) => Touched::One(ObjectKey::new(write.namespace, name)),
        None if write.verb == Verb::Create => Touched::New(write.namespace.to_owned()),
        None => Touched::Many(write.namespace.to_owned()),
    }
}

/// Whether it changes no object, although it is no read.
fn stores_nothing(write: &WriteIntent<'_>) -> bool {
    let passing = ["attach", "exec", "portforward", "proxy", "token"];
    write.subresource.is_some_and(|subresource| passing.contains(&subresource))
}

/// How new a copy must be that is to have a write.
fn since(outcome: &WriteOutcome<'_>) -> Since {
    match outcome {
        WriteOutcome::Stored { resource_version, .. } => {
            Version::parse(resource_version).map_or(Since::Now, Since::Version)
        }
        WriteOutcome::Refused => Since::Ever,
        WriteOutcome::Deleted { .. } | WriteOutcome::Absent | WriteOutcome::Unknown => Since::Now,
    }
}

/// What became of a write, for one copy.
fn outcome_of(outcome: &WriteOutcome<'_>, touched: &Touched, copy: &dyn AnyCore) -> Outcome {
    match *outcome {
        WriteOutcome::Stored { namespace, name, uid, resource_version, labels } => {
            let key = ObjectKey::new(namespace, name);
            let selected = copy.selects(&key, uid, labels);
            let (uid, version) = (uid.to_owned(), resource_version.to_owned());
            Outcome::Stored { key, uid, version, selected }
        }
        WriteOutcome::Deleted { namespace, name, uid } => {
            Outcome::Deleted { key: ObjectKey::new(namespace, name), uid: uid.to_owned() }
        }
        WriteOutcome::Absent => Outcome::Absent,
        WriteOutcome::Refused => Outcome::Nothing,
        WriteOutcome::Unknown => Outcome::Unknown(touched.clone()),
    }
}

impl std::fmt::Debug for Writes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Writes({} under way)", lock(&self.state).open.len())
    }
}
