//! The actors, each a function that adds one controller to a manager.

use watchkeeper_controller::Failure;
use watchkeeper_manager::Manager;

pub use self::deployment::deployment;
pub use self::garbage::garbage_collector;
pub use self::kubelet::kubelet;
pub use self::namespace::namespace;
pub use self::node::{FakeNode, node};
pub use self::replicaset::replica_set;
pub use self::scheduler::scheduler;
pub use self::service_account::service_account;

mod deployment;
mod garbage;
mod kubelet;
mod namespace;
mod node;
mod replicaset;
mod scheduler;
mod service_account;

/// Adds every actor to `manager`: what makes an API server a cluster.
///
/// `root_ca` is the certificate (PEM) that each namespace's `kube-root-ca.crt` carries.
pub fn all(manager: &Manager, nodes: &[FakeNode], root_ca: Option<String>) {
    namespace(manager);
    garbage_collector(manager);
    deployment(manager);
    replica_set(manager);
    scheduler(manager, nodes);
    node(manager, nodes);
    kubelet(manager, nodes);
    service_account(manager, root_ca);
}

/// What went away meanwhile needs nothing more: the watch tells so in a moment.
fn unless_gone<K>(result: watchkeeper_api::Result<K>) -> Result<(), Failure> {
    match result {
        Err(error) if !error.is_not_found() => Err(error.into()),
        _ => Ok(()),
    }
}
