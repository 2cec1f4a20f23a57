//! This process's own writes, handed to every copy they may concern.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Weak};

use watchkeeper_api::ObjectKey;
use watchkeeper_client::{WriteIntent, WriteObserver, WriteOutcome};

use crate::core::Core;
use crate::error::Result;
use crate::floors::Outcome;
use crate::item::Item;
use crate::lock::lock;
use crate::status::Status;
use crate::sync::Mutex;
use crate::version::Version;

/// A copy whose type of object is not known here.
pub(crate) trait AnyCore: Send + Sync {
    /// The resource that it is a copy of: `deployments.apps`, whatever the version.
    fn resource(&self) -> String;
    fn begin_write(&self, ticket: u64, key: Option<ObjectKey>);
    fn finish_write(&self, ticket: u64, outcome: &Outcome);
    fn status(&self) -> Status;
    fn synced(&self) -> Pin<Box<dyn Future<Output = Result<()>> + Send + '_>>;
    /// Whether what follows the server panicked.
    fn has_crashed(&self) -> bool;
}

impl<K: Item> AnyCore for Core<K> {
    fn resource(&self) -> String {
        self.scope.kind.group_resource()
    }

    fn begin_write(&self, ticket: u64, key: Option<ObjectKey>) {
        self.begin_write(ticket, key);
    }

    fn finish_write(&self, ticket: u64, outcome: &Outcome) {
        self.finish_write(ticket, outcome);
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
    /// The resource of each write under way.
    open: BTreeMap<u64, String>,
    /// The newest version written of each resource: what a copy made later must not be older than.
    newest: BTreeMap<String, Version>,
    next: u64,
}

impl Writes {
    pub(crate) fn register<K: Item>(&self, core: &Arc<Core<K>>) {
        let copy: Weak<dyn AnyCore> = Arc::downgrade(core) as Weak<dyn AnyCore>;
        let mut state = lock(&self.state);
        let copies = state.copies.entry(core.resource()).or_default();
        copies.retain(|copy| copy.strong_count() > 0);
        copies.push(copy);
    }

    /// The newest version of a resource that this process wrote; empty if none.
    pub(crate) fn newest(&self, resource: &str) -> String {
        lock(&self.state).newest.get(resource).map_or_else(String::new, Version::to_string)
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
        if write.dry_run {
            return ticket;
        }
        let resource = write.kind.group_resource();
        let copies = state.copies_of(&resource);
        state.open.insert(ticket, resource);
        // Under the lock, so that copies hear of tickets in their order.
        let key = write.name.map(|name| ObjectKey::new(write.namespace, name));
        for copy in copies {
            copy.begin_write(ticket, key.clone());
        }
        ticket
    }

    fn finish(&self, ticket: u64, outcome: &WriteOutcome<'_>) {
        let (outcome, copies) = {
            let mut state = lock(&self.state);
            let Some(resource) = state.open.remove(&ticket) else { return };
            let outcome = outcome_of(outcome);
            if let Outcome::Stored { version, .. } = &outcome
                && let Some(version) = Version::parse(version)
            {
                let newest = state.newest.entry(resource.clone()).or_insert(version);
                *newest = version.max(*newest);
            }
            (outcome, state.copies_of(&resource))
        };
        for copy in copies {
            copy.finish_write(ticket, &outcome);
        }
    }
}

impl State {
    fn copies_of(&self, resource: &str) -> Vec<Arc<dyn AnyCore>> {
        let copies = self.copies.get(resource).into_iter().flatten();
        copies.filter_map(Weak::upgrade).collect()
    }
}

fn outcome_of(outcome: &WriteOutcome<'_>) -> Outcome {
    match *outcome {
        WriteOutcome::Stored { namespace, name, uid, resource_version } => Outcome::Stored {
            key: ObjectKey::new(namespace, name),
            uid: uid.to_owned(),
            version: resource_version.to_owned(),
        },
        WriteOutcome::Deleted { namespace, name, uid } => {
            Outcome::Deleted { key: ObjectKey::new(namespace, name), uid: uid.to_owned() }
        }
        WriteOutcome::Absent => Outcome::Absent,
        WriteOutcome::Refused | WriteOutcome::Unknown => Outcome::Nothing,
    }
}

impl std::fmt::Debug for Writes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Writes({} under way)", lock(&self.state).open.len())
    }
}
