//! A deployment's status, told from its replica sets.

use watchkeeper_api::Time;
use watchkeeper_api::apps::v1::{Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet};

use super::conditions::{self, AVAILABLE, condition};
use super::plan::{Sets, bounds, desired, narrow, total, wanted};

/// The status that the sets justify, but for the progress of a rollout.
pub(crate) fn counted(deployment: &Deployment, sets: &Sets, now: Time) -> DeploymentStatus {
    let sum = |count: fn(&ReplicaSet) -> i32| total(sets.all(), count);
    let available = sum(|set| set.status.available_replicas);
    let mut status = DeploymentStatus {
        observed_generation: deployment.metadata.generation,
        replicas: narrow(sum(|set| set.status.replicas)),
        updated_replicas: sets.new.as_ref().map_or(0, |set| set.status.replicas),
        ready_replicas: narrow(sum(|set| set.status.ready_replicas)),
        available_replicas: narrow(available),
        unavailable_replicas: narrow(sum(wanted) - available),
        terminating_replicas: terminating(sets),
        collision_count: deployment.status.collision_count,
        conditions: deployment.status.conditions.clone(),
    };
    conditions::set(&mut status, availability(deployment, available, now));
    status
}

/// How many pods are going. Nobody knows while a set that has been looked at does not tell.
fn terminating(sets: &Sets) -> Option<i32> {
    sets.all().try_fold(0_i32, |sum, set| match set.status.terminating_replicas {
        None if set.status.observed_generation == 0 => Some(sum),
        told => Some(sum.saturating_add(told?)),
    })
}

fn availability(deployment: &Deployment, available: i64, now: Time) -> DeploymentCondition {
    let least = desired(deployment) - bounds(deployment).unavailable;
    let (value, reason, message) = if available >= i64::from(least) {
        ("True", "MinimumReplicasAvailable", "Deployment has minimum availability.")
    } else {
        ("False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability.")
    };
    condition(AVAILABLE, value, reason, message, now)
}
