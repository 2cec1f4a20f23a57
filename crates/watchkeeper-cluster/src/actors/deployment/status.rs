//! A deployment's status, told from its replica sets.

use watchkeeper_api::apps::v1::{Deployment, DeploymentCondition, DeploymentStatus};
use watchkeeper_api::{IStr, Time};

use super::plan::{Sets, bounds, desired, wanted};

/// The status that the sets justify. Times of conditions move only when something changed.
pub(crate) fn status(deployment: &Deployment, sets: &Sets, now: Time) -> DeploymentStatus {
    let sum = |count: fn(&watchkeeper_api::apps::v1::ReplicaSet) -> i32| -> i32 {
        sets.all().fold(0, |sum, set| sum.saturating_add(count(set)))
    };
    let asked: i32 = sum(wanted);
    let available = sum(|set| set.status.available_replicas);
    let new = sets.new.as_ref();
    let mut status = DeploymentStatus {
        observed_generation: deployment.metadata.generation,
        replicas: sum(|set| set.status.replicas),
        updated_replicas: new.map_or(0, |set| set.status.replicas),
        ready_replicas: sum(|set| set.status.ready_replicas),
        available_replicas: available,
        unavailable_replicas: (asked - available).max(0),
        collision_count: deployment.status.collision_count,
        conditions: deployment.status.conditions.clone(),
        ..DeploymentStatus::default()
    };
    let availability = available_condition(deployment, available);
    set_condition(&mut status, availability, now, false);
    if let Some(progress) = progress_condition(deployment, sets, &status) {
        let moved = progressed(&deployment.status, &status);
        set_condition(&mut status, progress, now, moved);
    }
    status
}

/// Whether a rollout has come to its end (`DeploymentComplete`).
pub(crate) fn complete(deployment: &Deployment, status: &DeploymentStatus) -> bool {
    let desired = desired(deployment);
    status.updated_replicas == desired
        && status.replicas == desired
        && status.available_replicas == desired
        && status.observed_generation >= deployment.metadata.generation
}

fn progressed(old: &DeploymentStatus, new: &DeploymentStatus) -> bool {
    new.updated_replicas > old.updated_replicas
        || new.replicas - new.updated_replicas < old.replicas - old.updated_replicas
        || new.ready_replicas > old.ready_replicas
        || new.available_replicas > old.available_replicas
}

fn available_condition(deployment: &Deployment, available: i32) -> DeploymentCondition {
    let enough = available >= desired(deployment) - bounds(deployment).unavailable;
    let (value, reason, message) = if enough {
        ("True", "MinimumReplicasAvailable", "Deployment has minimum availability.")
    } else {
        ("False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability.")
    };
    condition("Available", value, reason, message.into())
}

fn progress_condition(
    deployment: &Deployment,
    sets: &Sets,
    status: &DeploymentStatus,
) -> Option<DeploymentCondition> {
    let set = sets.new.as_ref()?;
    let name = &set.metadata.name;
    Some(if complete(deployment, status) {
        let message = format!("ReplicaSet \"{name}\" has successfully progressed.");
        condition("Progressing", "True", "NewReplicaSetAvailable", message.into())
    } else if find(status, "Progressing").is_none() {
        let message = format!("Created new replica set \"{name}\"");
        condition("Progressing", "True", "NewReplicaSetCreated", message.into())
    } else if progressed(&deployment.status, status) {
        let message = format!("ReplicaSet \"{name}\" is progressing.");
        condition("Progressing", "True", "ReplicaSetUpdated", message.into())
    } else {
        return None;
    })
}

fn condition(type_: &str, value: &str, reason: &str, message: IStr) -> DeploymentCondition {
    DeploymentCondition {
        type_: type_.into(),
        status: value.into(),
        reason: reason.into(),
        message,
        ..DeploymentCondition::default()
    }
}

fn find<'a>(status: &'a DeploymentStatus, type_: &str) -> Option<&'a DeploymentCondition> {
    status.conditions.iter().find(|condition| condition.type_ == type_)
}

/// Puts `fresh` in its place. The transition time moves with the value; the update time with
/// anything else, or when `touched`.
fn set_condition(
    status: &mut DeploymentStatus,
    mut fresh: DeploymentCondition,
    now: Time,
    touched: bool,
) {
    let old = find(status, &fresh.type_).cloned();
    fresh.last_transition_time = Some(now);
    fresh.last_update_time = Some(now);
    if let Some(old) = &old {
        let same = old.status == fresh.status
            && old.reason == fresh.reason
            && old.message == fresh.message;
        if old.status == fresh.status {
            fresh.last_transition_time = old.last_transition_time;
        }
        if same && !touched {
            fresh.last_update_time = old.last_update_time;
        }
    }
    let type_ = fresh.type_.clone();
    let kept = status.conditions.iter().filter(|condition| condition.type_ != type_).cloned();
    status.conditions = kept.chain([fresh]).collect();
    status.conditions.sort_by(|a, b| a.type_.cmp(&b.type_));
}
