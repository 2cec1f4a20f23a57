//! The conditions of a deployment, and when their times move.

use watchkeeper_api::apps::v1::{DeploymentCondition, DeploymentStatus};
use watchkeeper_api::{IStr, Time};

pub(crate) const AVAILABLE: &str = "Available";
pub(crate) const PROGRESSING: &str = "Progressing";
pub(crate) const REPLICA_FAILURE: &str = "ReplicaFailure";

/// A condition of this moment.
pub(crate) fn condition(
    type_: &str,
    value: &str,
    reason: &str,
    message: impl Into<IStr>,
    now: Time,
) -> DeploymentCondition {
    DeploymentCondition {
        type_: type_.into(),
        status: value.into(),
        reason: reason.into(),
        message: message.into(),
        last_update_time: Some(now),
        last_transition_time: Some(now),
    }
}

pub(crate) fn find<'a>(
    status: &'a DeploymentStatus,
    type_: &str,
) -> Option<&'a DeploymentCondition> {
    status.conditions.iter().find(|condition| condition.type_ == *type_)
}

pub(crate) fn remove(status: &mut DeploymentStatus, type_: &str) {
    status.conditions.retain(|condition| condition.type_ != *type_);
}

/// Puts `fresh` in the place of the one of its type. One that has the same value and reason already stays as it
/// is, message and times and all; the transition time moves with the value alone.
///
/// They are in the order of their types, which is upstream's after a rollout. Upstream has the one that was set
/// last at the end, so that their order tells what happened before.
pub(crate) fn set(status: &mut DeploymentStatus, mut fresh: DeploymentCondition) {
    if let Some(known) = find(status, &fresh.type_)
        && known.status == fresh.status
    {
        if known.reason == fresh.reason {
            return;
        }
        fresh.last_transition_time = known.last_transition_time;
    }
    remove(status, &fresh.type_);
    status.conditions.push(fresh);
    status.conditions.sort_by(|a, b| a.type_.cmp(&b.type_));
}
