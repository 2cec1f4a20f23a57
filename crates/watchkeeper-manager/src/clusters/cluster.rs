//! One of several clusters, while it is engaged.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use watchkeeper_controller::ControllerPhase;

use super::Clusters;
use crate::Manager;

/// One of several clusters, while it is engaged: a [`Manager`] of its own, with a name.
///
/// Its [client](Manager::client) and its [cache](Manager::cache) are those of this cluster. What is
/// [added](Manager::add) to it begins when its caches are synced, and ends with it. The manager that engaged it
/// lends its clock, its grace period, its metrics, its limits, and its lease. Probes, metrics and webhooks are
/// answered by that manager alone: a check that is added here is asked by nobody.
///
/// A clone that is kept beyond the cluster's end reads what was there last, and nothing is started in it.
#[derive(Clone)]
pub struct Cluster {
    name: Arc<str>,
    manager: Manager,
    others: Clusters,
}

impl Cluster {
    pub(super) fn new(name: &str, manager: Manager, others: Clusters) -> Self {
        Self { name: name.into(), manager, others }
    }

    /// What the provider calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All clusters that are engaged with this one, to read in one and write in another.
    #[must_use]
    pub const fn others(&self) -> &Clusters {
        &self.others
    }

    /// What keeps it from working: watches without their first list, controllers that wait.
    pub(super) fn waits_for(&self) -> Vec<String> {
        let status = self.cache().status();
        let late = status.iter().filter(|status| !status.synced).map(ToString::to_string);
        let controllers = self.controllers();
        let waiting = controllers.iter().map(|controller| controller.status());
        let waiting = waiting.filter(|status| {
            matches!(status.phase, ControllerPhase::Idle | ControllerPhase::Waiting)
        });
        late.chain(waiting.map(|status| status.to_string())).collect()
    }

    /// Completes when nothing keeps it from working; never if its caches end before.
    pub(super) async fn works(&self) {
        if self.cache().synced().await.is_err() {
            return std::future::pending().await;
        }
        for controller in self.controllers() {
            controller.working().await;
        }
    }
}

impl Deref for Cluster {
    type Target = Manager;

    fn deref(&self) -> &Manager {
        &self.manager
    }
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cluster({})", self.name)
    }
}
