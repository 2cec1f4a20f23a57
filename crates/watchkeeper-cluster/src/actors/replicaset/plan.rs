//! What to do next for a replica set: which pods are its own, how many are missing or too many,
//! and which go first.

use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::apps::v1::{ReplicaSet, ReplicaSetStatus};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::selector::Selector;
use watchkeeper_api::{Object, Time};

/// The most pods that one look makes or removes (upstream's `BurstReplicas`).
pub(crate) const BURST: usize = 500;

/// The pods around a replica set, by what is to be done with them.
#[derive(Debug, Default)]
pub(crate) struct Claim {
    /// Owned, matching, and neither finished nor going.
    pub(crate) active: Vec<Arc<Pod>>,
    /// Owned and matching, but finished or going.
    pub(crate) inactive: Vec<Arc<Pod>>,
    /// Matching and nobody's: to be adopted.
    pub(crate) orphans: Vec<Arc<Pod>>,
    /// Owned but no longer matching: to be released.
    pub(crate) strangers: Vec<Arc<Pod>>,
}

/// Sorts pods, its own and those that are nobody's, by their relation to `set`.
pub(crate) fn claim(set: &ReplicaSet, selector: &Selector, pods: Vec<Arc<Pod>>) -> Claim {
    let mut claim = Claim::default();
    for pod in pods {
        let matches = selector.selects(&*pod);
        let owner_uid = pod.controller().map(|owner| owner.uid.to_owned());
        match owner_uid {
            Some(uid) if uid != set.uid() => {}
            Some(_) if !matches => claim.strangers.push(pod),
            Some(_) if is_active(&pod) => claim.active.push(pod),
            Some(_) => claim.inactive.push(pod),
            None if matches && is_active(&pod) && !set.is_deleting() => claim.orphans.push(pod),
            None => {}
        }
    }
    claim
}

/// Neither finished nor asked to go (upstream's `IsPodActive`).
pub(crate) fn is_active(pod: &Pod) -> bool {
    let finished = pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
    !finished && !pod.is_deleting()
}

/// Whether the pod's `Ready` condition is true, and since when.
pub(crate) fn ready_since(pod: &Pod) -> Option<Option<Time>> {
    pod.status
        .conditions
        .iter()
        .find(|condition| condition.type_ == "Ready" && condition.status == "True")
        .map(|condition| condition.last_transition_time)
}

/// When a ready pod counts as available: after `min_ready_seconds` of readiness. `None` where it
/// is not ready, `Some(None)` where it is available already.
pub(crate) fn available_at(pod: &Pod, min_ready_seconds: i32, now: Time) -> Option<Option<Time>> {
    let since = ready_since(pod)?;
    let due = since
        .map(|since| since + Duration::from_secs(u64::try_from(min_ready_seconds).unwrap_or(0)));
    Some(due.filter(|due| min_ready_seconds > 0 && *due > now))
}

/// The pods that a set with too many gives up, `excess` of them: those not yet placed, then not
/// yet running, then not yet ready, then the youngest (upstream's `ActivePodsWithRanks`).
pub(crate) fn victims(mut active: Vec<Arc<Pod>>, excess: usize) -> Vec<Arc<Pod>> {
    if excess == 0 {
        return Vec::new();
    }
    let rank = |pod: &Arc<Pod>| {
        let phase = match pod.status.phase.as_ref() {
            "Pending" | "" => 0,
            "Unknown" => 1,
            _ => 2,
        };
        (!pod.spec.node_name.is_empty(), phase, ready_since(pod).is_some())
    };
    active.sort_by(|a, b| {
        rank(a)
            .cmp(&rank(b))
            .then_with(|| b.creation_timestamp().cmp(&a.creation_timestamp()))
            .then_with(|| a.name().cmp(b.name()))
    });
    active.truncate(excess);
    active
}

/// The status that the pods justify, and when a ready pod is next due to become available.
pub(crate) fn status(
    set: &ReplicaSet,
    selector: &Selector,
    claim: &Claim,
    now: Time,
) -> (ReplicaSetStatus, Option<Time>) {
    let template = &set.spec.template.metadata.labels;
    let labelled =
        |pod: &&Arc<Pod>| template.iter().all(|(key, value)| pod.label(key) == Some(value));
    let due: Vec<Option<Time>> = claim
        .active
        .iter()
        .filter_map(|pod| available_at(pod, set.spec.min_ready_seconds, now))
        .collect();
    debug_assert!(claim.active.iter().all(|pod| selector.selects(&**pod)));
    let status = ReplicaSetStatus {
        observed_generation: set.generation(),
        replicas: count(claim.active.len()),
        fully_labeled_replicas: count(claim.active.iter().filter(labelled).count()),
        ready_replicas: count(due.len()),
        available_replicas: count(due.iter().filter(|due| due.is_none()).count()),
        conditions: set.status.conditions.clone(),
        ..ReplicaSetStatus::default()
    };
    (status, due.into_iter().flatten().min())
}

fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
