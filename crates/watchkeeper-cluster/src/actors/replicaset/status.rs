//! A replica set's status, told from its pods and from what became of the last work on them.

use watchkeeper_api::apps::v1::{ReplicaSet, ReplicaSetCondition, ReplicaSetStatus};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{List, Object, Time};

use super::plan::{Claim, available_at};
use super::work::Refused;

/// The condition that pods could not be made or removed.
const FAILURE: &str = "ReplicaFailure";

/// The status that the pods justify, and when a ready pod is next due to become available.
pub(crate) fn status(
    set: &ReplicaSet,
    claim: &Claim,
    refused: Option<&Refused>,
    now: Time,
) -> (ReplicaSetStatus, Option<Time>) {
    let template = &set.spec.template.metadata.labels;
    let is_labelled =
        |pod: &Pod| template.iter().all(|(key, value)| pod.metadata.labels.get(key) == Some(value));
    let active = claim.active.iter();
    let due: Vec<Option<Time>> =
        active.filter_map(|pod| available_at(pod, set.spec.min_ready_seconds, now)).collect();
    let status = ReplicaSetStatus {
        observed_generation: set.generation(),
        replicas: count(claim.active.len()),
        fully_labeled_replicas: count(claim.active.iter().filter(|pod| is_labelled(pod)).count()),
        ready_replicas: count(due.len()),
        available_replicas: count(due.iter().filter(|due| due.is_none()).count()),
        terminating_replicas: Some(count(claim.terminating)),
        conditions: conditions(set, refused, now),
    };
    (status, due.into_iter().flatten().min())
}

/// The condition stays as it was first told, until all goes well.
fn conditions(set: &ReplicaSet, refused: Option<&Refused>, now: Time) -> List<ReplicaSetCondition> {
    let mut conditions = set.status.conditions.clone();
    let stands = conditions.iter().any(|condition| condition.type_ == FAILURE);
    match refused {
        Some(refused) if !stands => conditions.push(ReplicaSetCondition {
            type_: FAILURE.into(),
            status: "True".into(),
            last_transition_time: Some(now),
            reason: refused.reason().into(),
            message: refused.to_string().into(),
        }),
        None if stands => conditions.retain(|condition| condition.type_ != FAILURE),
        _ => {}
    }
    conditions
}

fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
