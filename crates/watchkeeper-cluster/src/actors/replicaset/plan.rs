//! What to do next for a replica set: which pods are its own, and how many are missing or too many.

use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::apps::v1::ReplicaSet;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::selector::Selector;
use watchkeeper_api::{Object, Time};

use crate::actors::state::has_ended;

/// The most pods that one look makes or removes (upstream's `BurstReplicas`).
pub(crate) const BURST: usize = 500;

/// The pods around a replica set, by what is to be done with them.
#[derive(Debug, Default)]
pub(crate) struct Claim {
    /// Owned, matching, and neither finished nor going.
    pub(crate) active: Vec<Arc<Pod>>,
    /// How many are owned and matching, and going, though they have not finished.
    pub(crate) terminating: usize,
    /// At work, and to be adopted or released: matching and nobody's, or owned and no longer matching.
    pub(crate) unsettled: Vec<Arc<Pod>>,
}

/// What a set lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nothing.
    Nothing,
    /// So many pods more.
    More(usize),
    /// So many pods less.
    Fewer(usize),
}

/// Sorts pods, its own and those that are nobody's, by their relation to `set`.
pub(crate) fn claim(set: &ReplicaSet, selector: &Selector, pods: Vec<Arc<Pod>>) -> Claim {
    let mut claim = Claim::default();
    for pod in pods {
        let owner = pod.controller().map(|owner| owner.uid == set.uid());
        match (owner, selector.selects(&*pod)) {
            (Some(true), true) if is_active(&pod) => claim.active.push(pod),
            (Some(true), true) => claim.terminating += usize::from(!has_ended(&pod)),
            (Some(true), false) | (None, true) if is_active(&pod) && !set.is_deleting() => {
                claim.unsettled.push(pod);
            }
            _ => {}
        }
    }
    claim
}

/// What a set with so many active pods lacks.
pub(crate) fn need(set: &ReplicaSet, active: usize) -> Need {
    let wanted = usize::try_from(set.spec.replicas.unwrap_or(1)).unwrap_or(0);
    match wanted.abs_diff(active).min(BURST) {
        0 => Need::Nothing,
        more if wanted > active => Need::More(more),
        fewer => Need::Fewer(fewer),
    }
}

/// Neither finished nor asked to go (upstream's `IsPodActive`).
pub(crate) fn is_active(pod: &Pod) -> bool {
    !has_ended(pod) && !pod.is_deleting()
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
    let seconds = u64::try_from(min_ready_seconds).unwrap_or(0);
    if seconds == 0 {
        return Some(None);
    }
    // One that does not say since when it is ready is never so for long enough, and is looked at again.
    let due = since.unwrap_or(now) + Duration::from_secs(seconds);
    Some(Some(due).filter(|due| *due > now))
}
