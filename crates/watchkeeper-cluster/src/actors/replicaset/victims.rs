//! Which pods go first where there are too many.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{IStr, MicroTime, Object, Time};

use super::plan::{is_active, ready_since};
use crate::actors::state::is_sidecar;

/// The annotation that says how much it costs to remove a pod, compared with the others of its set
/// (upstream: `PodDeletionCost`).
const COST: &str = "controller.kubernetes.io/pod-deletion-cost";

/// How many related pods are at work on each node.
#[derive(Debug, Default)]
pub(crate) struct Crowds(BTreeMap<IStr, usize>);

impl Crowds {
    /// Counts a related pod.
    pub(crate) fn add(&mut self, pod: &Pod) {
        if is_active(pod) {
            *self.0.entry(pod.spec.node_name.clone()).or_default() += 1;
        }
    }

    fn around(&self, pod: &Pod) -> usize {
        self.0.get(&pod.spec.node_name).copied().unwrap_or(0)
    }
}

/// What a pod is worth, by what counts most. The least goes first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Worth {
    is_placed: bool,
    phase: u8,
    is_ready: bool,
    cost: i32,
    crowd: Reverse<usize>,
    /// For how long it has been ready, on some scale. One that does not say so is worth least.
    ready_for: Option<i64>,
    /// The most that one of its containers was started anew, and one of its sidecars.
    restarts: Reverse<(i32, i32)>,
    /// How old it is, on the same scale.
    age: Option<i64>,
    /// What is left decides nothing, but always the same.
    tie: IStr,
}

/// The pods that a workload with too many gives up, `excess` of them (upstream's `ActivePods`).
pub(crate) fn victims(mut active: Vec<Arc<Pod>>, excess: usize) -> Vec<Arc<Pod>> {
    if excess == 0 {
        return Vec::new();
    }
    let scale = |since: Time| -since.unix();
    active.sort_by_cached_key(|pod| worth(pod, scale));
    active.truncate(excess);
    active
}

/// The pods that a replica set with too many gives up, `excess` of them (upstream's `ActivePodsWithRanks`).
///
/// Ages that differ by less than the double count as the same, and the uid decides, so that it is not always
/// the zone that came last which loses its pods. Upstream compares restarts before that only of pods that became
/// ready at the same moment, which is no order of all pods; here they always come before the uid.
pub(crate) fn ranked(
    mut active: Vec<Arc<Pod>>,
    excess: usize,
    crowds: &Crowds,
    now: MicroTime,
) -> Vec<Arc<Pod>> {
    if excess >= active.len() {
        return active;
    }
    active.sort_by_cached_key(|pod| Worth {
        cost: cost(pod),
        crowd: Reverse(crowds.around(pod)),
        tie: pod.metadata.uid.clone(),
        ..worth(pod, |since| magnitude(since, now))
    });
    active.truncate(excess);
    active
}

fn worth(pod: &Pod, scale: impl Fn(Time) -> i64) -> Worth {
    let ready = ready_since(pod);
    Worth {
        is_placed: !pod.spec.node_name.is_empty(),
        phase: match pod.status.phase.as_str() {
            "Running" => 2,
            "Unknown" => 1,
            _ => 0,
        },
        is_ready: ready.is_some(),
        cost: 0,
        crowd: Reverse(0),
        ready_for: ready.flatten().map(&scale),
        restarts: Reverse(restarts(pod)),
        age: pod.creation_timestamp().map(&scale),
        tie: pod.metadata.name.clone(),
    }
}

/// What the pod says that its removal costs. What is no number, or is spelt with a plus or leading zeros, counts
/// as nothing.
fn cost(pod: &Pod) -> i32 {
    let Some(text) = pod.annotation(COST) else { return 0 };
    let is_plain = text == "0" || !text.starts_with(['+', '0']);
    text.parse().ok().filter(|_| is_plain).unwrap_or(0)
}

/// The most restarts of a container, and of a sidecar.
fn restarts(pod: &Pod) -> (i32, i32) {
    let is_beside = |name: &IStr| {
        let mut containers = pod.spec.init_containers.iter();
        containers.any(|container| container.name == *name && is_sidecar(container))
    };
    let containers = pod.status.container_statuses.iter();
    let sidecars = pod.status.init_container_statuses.iter();
    (
        containers.map(|container| container.restart_count).max().unwrap_or(0),
        sidecars
            .filter(|container| is_beside(&container.name))
            .map(|container| container.restart_count)
            .max()
            .unwrap_or(0),
    )
}

/// How long ago it was as a power of two (of nanoseconds, as upstream counts); nothing is less than a moment that
/// is not over.
fn magnitude(since: Time, now: MicroTime) -> i64 {
    let micros = now.unix_micros().saturating_sub(MicroTime::from(since).unix_micros());
    let nanos = u64::try_from(micros).unwrap_or(0).saturating_mul(1_000);
    nanos.checked_ilog2().map_or(-1, i64::from)
}
