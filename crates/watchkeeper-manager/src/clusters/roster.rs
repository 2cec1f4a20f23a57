//! Which clusters there are: told by providers, read by everybody.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError};

use tokio::time::Instant;
use watchkeeper_client::Client;

use super::Cluster;
use super::state::{State, Step};
use crate::sync::{Mutex, MutexGuard, Notify};

/// Who tells of clusters that come and go: a [`Provider`](super::Provider), or whoever has one from
/// [`Clusters::roster`](super::Clusters::roster), such as a controller of the objects that stand for clusters.
/// Clones tell of the same clusters.
#[derive(Clone)]
pub struct Roster {
    pub(super) shared: Arc<Shared>,
}

#[derive(Default)]
pub(super) struct Shared {
    state: Mutex<State<Client>>,
    /// Those that run.
    running: Mutex<BTreeMap<String, Cluster>>,
    /// For the one who starts and stops them.
    pub(super) told: Notify,
    /// For whoever waits for something.
    pub(super) changed: Notify,
}

impl Roster {
    /// A cluster is there, and `client` leads to it. Nothing changes if it is known in this `version`; if it is
    /// known in another one, as it has other credentials, it is ended and begun anew.
    ///
    /// Returns at once, with whether anything changes.
    #[expect(clippy::must_use_candidate, reason = "who tells need not know whether it is news")]
    pub fn engage(&self, name: &str, version: &str, client: &Client) -> bool {
        let is_new = self.shared.state().engage(name, version, client.clone());
        self.shared.tell_if(is_new)
    }

    /// A cluster is not there any more: what runs of it is ended, with time to finish what is under way.
    ///
    /// Returns at once, with whether anything changes.
    #[expect(clippy::must_use_candidate, reason = "who tells need not know whether it is news")]
    pub fn disengage(&self, name: &str) -> bool {
        let was_there = self.shared.state().disengage(name);
        self.shared.tell_if(was_there)
    }
}

impl Shared {
    fn tell_if(&self, changed: bool) -> bool {
        if changed {
            self.told.notify_one();
            self.changed.notify_waiters();
        }
        changed
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State<Client>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn running(&self) -> MutexGuard<'_, BTreeMap<String, Cluster>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn next(&self, now: Instant) -> Option<Step<Client>> {
        self.state().next(now)
    }

    pub(super) fn ended(&self, name: &str, result: Result<(), String>, now: Instant) {
        self.state().ended(name, result, now);
        self.changed.notify_waiters();
    }

    /// Shows a cluster to everybody, until what is returned is dropped.
    pub(super) fn show(self: &Arc<Self>, cluster: Cluster) -> Shown {
        let name = cluster.name().to_owned();
        self.running().insert(name.clone(), cluster);
        self.changed.notify_waiters();
        Shown { name, shared: Arc::clone(self) }
    }

    /// Nothing runs any more; who engages again begins anew.
    pub(super) fn clear(&self) {
        self.state().clear();
        self.changed.notify_waiters();
    }
}

/// A cluster that runs.
pub(super) struct Shown {
    name: String,
    shared: Arc<Shared>,
}

impl Drop for Shown {
    fn drop(&mut self) {
        // Dropped without the lock: what it holds is other people's.
        let gone = self.shared.running().remove(&self.name);
        drop(gone);
        self.shared.changed.notify_waiters();
    }
}

impl fmt::Debug for Roster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.shared.state();
        f.debug_list().entries(state.lives().map(|(name, _, _)| name)).finish()
    }
}
