//! How each cluster is doing.

use std::fmt;

use watchkeeper_controller::ControllerStatus;

use super::Cluster;
use super::state::Life;

/// How a cluster is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterStatus {
    /// Which one.
    pub name: String,
    /// What it is doing.
    pub phase: ClusterPhase,
    /// What it waits for, or what its last failure said; empty if it works.
    pub why: String,
    /// Its controllers, if it runs.
    pub controllers: Vec<ControllerStatus>,
}

/// What a cluster is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ClusterPhase {
    /// It is known, and nobody runs it yet.
    Idle,
    /// Its caches are filled, or a controller waits for one that the server refuses.
    Starting,
    /// Its caches are full, and its controllers work.
    Working,
    /// It finishes what is under way, as it has left or is replaced.
    Leaving,
    /// It failed, and is begun again.
    Failed,
}

impl ClusterStatus {
    pub(super) fn of(
        name: &str,
        life: &Life,
        why: Option<&str>,
        running: Option<&Cluster>,
    ) -> Self {
        let late = running.map(Cluster::waits_for);
        let (phase, why) = match (life, late) {
            (Life::Down, _) => (ClusterPhase::Idle, String::new()),
            (Life::Resting { .. }, _) => (ClusterPhase::Failed, why.unwrap_or_default().to_owned()),
            (Life::Leaving, _) => (ClusterPhase::Leaving, String::new()),
            (Life::Up { .. }, Some(late)) if late.is_empty() => {
                (ClusterPhase::Working, String::new())
            }
            (Life::Up { .. }, late) => {
                (ClusterPhase::Starting, late.unwrap_or_default().join("; "))
            }
        };
        let controllers = running.map_or_else(Vec::new, |cluster| cluster.controllers());
        let controllers = controllers.iter().map(|controller| controller.status()).collect();
        Self { name: name.to_owned(), phase, why, controllers }
    }
}

/// `north: works`, or what it waits for.
impl fmt::Display for ClusterStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, why, .. } = self;
        match self.phase {
            ClusterPhase::Idle => write!(f, "{name}: nobody runs it"),
            ClusterPhase::Starting => write!(f, "{name}: waits for {why}"),
            ClusterPhase::Working => write!(f, "{name}: works"),
            ClusterPhase::Leaving => write!(f, "{name}: finishes what is under way"),
            ClusterPhase::Failed => write!(f, "{name}: is begun again, as it failed: {why}"),
        }
    }
}
