//! Whether a rollout gets on, is over, or has taken too long.

use std::time::Duration;

use watchkeeper_api::apps::v1::{Deployment, DeploymentCondition, DeploymentStatus};
use watchkeeper_api::{IStr, Object, Time};

use super::conditions::{self, PROGRESSING, REPLICA_FAILURE, condition, find};
use super::plan::{Sets, desired};
use super::status;

/// The reason of a rollout that is over.
const AVAILABLE: &str = "NewReplicaSetAvailable";
const TIMED_OUT: &str = "ProgressDeadlineExceeded";
const PAUSED: &str = "DeploymentPaused";

/// How long a rollout may stand still; `None` where it may for ever, and is not told of.
pub(crate) fn deadline(deployment: &Deployment) -> Option<Duration> {
    let seconds = deployment.spec.progress_deadline_seconds.filter(|most| *most != i32::MAX)?;
    Some(Duration::from_secs(u64::try_from(seconds).unwrap_or(0)))
}

/// Tells of progress, where somebody wants to know.
pub(crate) fn note(
    deployment: &mut Deployment,
    value: &str,
    reason: &str,
    message: impl Into<IStr>,
    now: Time,
) {
    if deadline(deployment).is_some() {
        let fresh = condition(PROGRESSING, value, reason, message, now);
        conditions::set(&mut deployment.status, fresh);
    }
}

/// Tells that the deployment was paused, or goes on: the time that it stood still does not count. That it took too
/// long before is not forgotten.
pub(crate) fn note_pause(deployment: &mut Deployment, now: Time) {
    let known = find(&deployment.status, PROGRESSING);
    let was = |reason: &str| known.is_some_and(|condition| condition.reason == *reason);
    if was(TIMED_OUT) {
        return;
    }
    match (deployment.spec.paused, was(PAUSED)) {
        (true, false) => note(deployment, "Unknown", PAUSED, "Deployment is paused", now),
        (false, true) => {
            note(deployment, "Unknown", "DeploymentResumed", "Deployment is resumed", now);
        }
        _ => {}
    }
}

/// Tells of the current set of a deployment whose progress was not told of yet.
pub(crate) fn note_found(deployment: &mut Deployment, set: &str, now: Time) {
    if find(&deployment.status, PROGRESSING).is_none() {
        let message = format!("Found new replica set \"{set}\"");
        note(deployment, "True", "FoundNewReplicaSet", message, now);
    }
}

/// Whether a rollout has come to its end (`DeploymentComplete`).
pub(crate) fn complete(deployment: &Deployment, status: &DeploymentStatus) -> bool {
    let counts = [status.updated_replicas, status.replicas, status.available_replicas];
    counts == [desired(deployment); 3]
        && status.observed_generation >= deployment.metadata.generation
}

/// The status of a deployment that rolls out its template, `deployment` being as it was when it was last told.
pub(crate) fn status(deployment: &Deployment, sets: &Sets, now: Time) -> DeploymentStatus {
    let mut status = status::counted(deployment, sets, now);
    match deadline(deployment) {
        None => conditions::remove(&mut status, PROGRESSING),
        Some(deadline) => judge(deployment, sets, &mut status, deadline, now),
    }
    match failure(sets) {
        None => conditions::remove(&mut status, REPLICA_FAILURE),
        Some(failure) => conditions::set(&mut status, failure),
    }
    status
}

fn judge(
    deployment: &Deployment,
    sets: &Sets,
    status: &mut DeploymentStatus,
    deadline: Duration,
    now: Time,
) {
    let known = find(&deployment.status, PROGRESSING);
    let is_over = known.is_some_and(|known| known.reason == AVAILABLE);
    if is_over && status.replicas == status.updated_replicas {
        // What happens to pods after a rollout is none of its business.
        return;
    }
    let what = match &sets.new {
        Some(set) => format!("ReplicaSet \"{}\"", set.name()),
        None => format!("Deployment \"{}\"", deployment.name()),
    };
    if complete(deployment, status) {
        let message = format!("{what} has successfully progressed.");
        conditions::set(status, condition(PROGRESSING, "True", AVAILABLE, message, now));
    } else if has_moved(&deployment.status, status) {
        let message = format!("{what} is progressing.");
        let mut fresh = condition(PROGRESSING, "True", "ReplicaSetUpdated", message, now);
        if let Some(known) = known.filter(|known| known.status == "True") {
            fresh.last_transition_time = known.last_transition_time;
        }
        // Each step forward is dated although the reason stays: the deadline counts from there.
        conditions::remove(status, PROGRESSING);
        conditions::set(status, fresh);
    } else if is_late(status, deadline, now) {
        let message = format!("{what} has timed out progressing.");
        conditions::set(status, condition(PROGRESSING, "False", TIMED_OUT, message, now));
    }
}

fn has_moved(old: &DeploymentStatus, new: &DeploymentStatus) -> bool {
    new.updated_replicas > old.updated_replicas
        || new.replicas - new.updated_replicas < old.replicas - old.updated_replicas
        || new.ready_replicas > old.ready_replicas
        || new.available_replicas > old.available_replicas
}

fn is_late(status: &DeploymentStatus, deadline: Duration, now: Time) -> bool {
    let Some(known) = find(status, PROGRESSING) else { return false };
    if known.reason == AVAILABLE {
        return false;
    }
    let is_past = |since: Time| since + deadline < now;
    known.reason == TIMED_OUT || known.last_update_time.is_none_or(is_past)
}

/// When a rollout that stands still will have taken too long; `None` for one of which nothing more is to be told.
pub(crate) fn late_at(deployment: &Deployment) -> Option<Time> {
    let deadline = deadline(deployment)?;
    let known = find(&deployment.status, PROGRESSING)?;
    if known.reason == AVAILABLE || known.reason == TIMED_OUT {
        return None;
    }
    // At the deadline it is not past yet.
    Some(known.last_update_time? + deadline + Duration::from_secs(1))
}

/// What keeps a set from having its pods, the current one before the others.
fn failure(sets: &Sets) -> Option<DeploymentCondition> {
    let mut failures = sets.new.iter().chain(&sets.old).flat_map(|set| &set.status.conditions);
    let failure = failures.find(|condition| condition.type_ == REPLICA_FAILURE)?;
    Some(DeploymentCondition {
        type_: failure.type_.clone(),
        status: failure.status.clone(),
        last_update_time: failure.last_transition_time,
        last_transition_time: failure.last_transition_time,
        reason: failure.reason.clone(),
        message: failure.message.clone(),
    })
}
