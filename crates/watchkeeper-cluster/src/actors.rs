//! The actors, each a function that adds one controller to a manager.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use watchkeeper_controller::Failure;
use watchkeeper_manager::Manager;

pub use self::claims::claims;
pub use self::cron_job::cron_job;
pub use self::daemon_set::daemon_set;
pub use self::deployment::deployment;
pub use self::disruption::disruption;
pub use self::endpoint_slice::endpoint_slice;
pub use self::endpoint_slice_mirroring::endpoint_slice_mirroring;
pub use self::endpoints::endpoints;
pub use self::garbage::garbage_collector;
pub use self::job::job;
pub use self::kubelet::kubelet;
pub use self::namespace::namespace;
pub use self::node::{FakeNode, node};
pub use self::pod_gc::{ENDED_PODS, pod_gc};
pub use self::replicaset::replica_set;
pub use self::scheduler::scheduler;
pub use self::service_account::service_account;
pub use self::stateful_set::stateful_set;
pub use self::taint_eviction::taint_eviction;
pub use self::ttl_after_finished::ttl_after_finished;

mod claims;
mod cron_job;
mod daemon_set;
mod deployment;
mod disruption;
mod endpoint_slice;
mod endpoint_slice_mirroring;
mod endpoints;
mod fit;
mod garbage;
mod hash;
mod job;
mod kubelet;
mod namespace;
mod node;
mod pod_gc;
mod replicaset;
mod revisions;
mod scheduler;
mod service_account;
mod state;
mod stateful_set;
mod taint_eviction;
mod template;
mod ttl_after_finished;

/// One of the actors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// [`namespace`]
    Namespace,
    /// [`garbage_collector`]
    GarbageCollector,
    /// [`deployment`]
    Deployment,
    /// [`replica_set`]
    ReplicaSet,
    /// [`daemon_set`]
    DaemonSet,
    /// [`stateful_set`]
    StatefulSet,
    /// [`job`]
    Job,
    /// [`ttl_after_finished`]
    TtlAfterFinished,
    /// [`cron_job`]
    CronJob,
    /// [`pod_gc`], which keeps [`ENDED_PODS`]
    PodGc,
    /// [`endpoint_slice`]
    EndpointSlice,
    /// [`endpoints`]
    Endpoints,
    /// [`endpoint_slice_mirroring`]
    EndpointSliceMirroring,
    /// [`claims`]
    Claims,
    /// [`disruption`]
    Disruption,
    /// [`taint_eviction`]
    TaintEviction,
    /// [`scheduler`]
    Scheduler,
    /// [`node`]
    Node,
    /// [`kubelet`]
    Kubelet,
    /// [`service_account`]
    ServiceAccount,
}

impl Actor {
    /// Every actor.
    pub const ALL: [Self; 20] = [
        Self::Namespace,
        Self::GarbageCollector,
        Self::Deployment,
        Self::ReplicaSet,
        Self::DaemonSet,
        Self::StatefulSet,
        Self::Job,
        Self::TtlAfterFinished,
        Self::CronJob,
        Self::PodGc,
        Self::EndpointSlice,
        Self::Endpoints,
        Self::EndpointSliceMirroring,
        Self::Claims,
        Self::Disruption,
        Self::TaintEviction,
        Self::Scheduler,
        Self::Node,
        Self::Kubelet,
        Self::ServiceAccount,
    ];

    /// What it is called, such as `garbage-collector`.
    ///
    /// ```
    /// use watchkeeper_cluster::actors::Actor;
    ///
    /// assert_eq!(Actor::ReplicaSet.name(), "replicaset");
    /// assert_eq!("replicaset".parse(), Ok(Actor::ReplicaSet));
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Namespace => "namespace",
            Self::GarbageCollector => "garbage-collector",
            Self::Deployment => "deployment",
            Self::ReplicaSet => "replicaset",
            Self::DaemonSet => "daemonset",
            Self::StatefulSet => "statefulset",
            Self::Job => "job",
            Self::TtlAfterFinished => "ttl-after-finished",
            Self::CronJob => "cronjob",
            Self::PodGc => "pod-gc",
            Self::EndpointSlice => "endpointslice",
            Self::Endpoints => "endpoints",
            Self::EndpointSliceMirroring => "endpointslicemirroring",
            Self::Claims => "claims",
            Self::Disruption => "disruption",
            Self::TaintEviction => "taint-eviction",
            Self::Scheduler => "scheduler",
            Self::Node => "node",
            Self::Kubelet => "kubelet",
            Self::ServiceAccount => "service-account",
        }
    }

    /// Adds it to `manager`. Scheduler, node and kubelet work on `nodes`; `root_ca` is the certificate
    /// (PEM) that each namespace's `kube-root-ca.crt` carries.
    pub fn add(self, manager: &Manager, nodes: &[FakeNode], root_ca: Option<&str>) {
        match self {
            Self::Namespace => namespace(manager),
            Self::GarbageCollector => garbage_collector(manager),
            Self::Deployment => deployment(manager),
            Self::ReplicaSet => replica_set(manager),
            Self::DaemonSet => daemon_set(manager),
            Self::StatefulSet => stateful_set(manager),
            Self::Job => job(manager),
            Self::TtlAfterFinished => ttl_after_finished(manager),
            Self::CronJob => cron_job(manager),
            Self::PodGc => pod_gc(manager, ENDED_PODS),
            Self::EndpointSlice => endpoint_slice(manager),
            Self::Endpoints => endpoints(manager),
            Self::EndpointSliceMirroring => endpoint_slice_mirroring(manager),
            Self::Claims => claims(manager),
            Self::Disruption => disruption(manager),
            Self::TaintEviction => taint_eviction(manager),
            Self::Scheduler => scheduler(manager, nodes),
            Self::Node => node(manager, nodes),
            Self::Kubelet => kubelet(manager, nodes),
            Self::ServiceAccount => service_account(manager, root_ca.map(str::to_owned)),
        }
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Actor {
    type Err = UnknownActor;

    fn from_str(name: &str) -> Result<Self, UnknownActor> {
        let found = Self::ALL.into_iter().find(|actor| actor.name() == name);
        found.ok_or_else(|| UnknownActor(name.to_owned()))
    }
}

/// No actor is called so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownActor(String);

impl fmt::Display for UnknownActor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Actor::ALL.map(Actor::name).join(", ");
        write!(f, "there is no actor {:?}; there are {names}", self.0)
    }
}

impl std::error::Error for UnknownActor {}

/// Adds every actor to `manager`: what makes an API server a cluster.
///
/// `root_ca` is the certificate (PEM) that each namespace's `kube-root-ca.crt` carries.
pub fn all(manager: &Manager, nodes: &[FakeNode], root_ca: Option<String>) {
    for actor in Actor::ALL {
        actor.add(manager, nodes, root_ca.as_deref());
    }
}

/// What went away meanwhile needs nothing more: the watch tells so in a moment.
fn unless_gone<K>(result: watchkeeper_api::Result<K>) -> Result<(), Failure> {
    match result {
        Err(error) if !error.is_not_found() => Err(error.into()),
        _ => Ok(()),
    }
}

/// The time of an exponential backoff: nothing at first, then `first` seconds, doubled each time up to `most`.
fn doubled(first: u64, times: i32, most: u64) -> Duration {
    let times = u32::try_from(times).unwrap_or(0);
    let Some(doublings) = times.checked_sub(1) else { return Duration::ZERO };
    Duration::from_secs(first.saturating_mul(1 << doublings.min(32)).min(most))
}
