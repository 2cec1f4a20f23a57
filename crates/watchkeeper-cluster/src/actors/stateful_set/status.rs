//! A stateful set's status, told from its pods.

use std::sync::Arc;

use watchkeeper_api::apps::v1::{StatefulSet, StatefulSetStatus};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Object, Time};

use super::history::Revisions;
use crate::actors::replicaset::available_at;
use crate::actors::revisions::HASH_LABEL;

/// The status that the pods justify, and when a ready pod is next due to become available.
pub(crate) fn status(
    set: &StatefulSet,
    pods: &[Arc<Pod>],
    revisions: &Revisions,
    now: Time,
) -> (StatefulSetStatus, Option<Time>) {
    let (current, update) = (revisions.current.name(), revisions.update.name());
    let of = |revision: &str| {
        let counts =
            |pod: &&Arc<Pod>| !pod.is_deleting() && pod.label(HASH_LABEL) == Some(revision);
        count(pods.iter().filter(counts))
    };
    let running = pods.iter().filter(|pod| pod.status.phase == "Running");
    let due: Vec<Option<Time>> =
        running.filter_map(|pod| available_at(pod, set.spec.min_ready_seconds, now)).collect();
    let mut status = StatefulSetStatus {
        observed_generation: set.generation(),
        replicas: count(pods.iter()),
        ready_replicas: count(due.iter()),
        available_replicas: count(due.iter().filter(|due| due.is_none())),
        current_replicas: of(current),
        updated_replicas: of(update),
        current_revision: current.into(),
        update_revision: update.into(),
        collision_count: Some(set.status.collision_count.unwrap_or(0)),
        conditions: set.status.conditions.clone(),
    };
    complete(set, &mut status);
    (status, due.into_iter().flatten().min())
}

/// A rollout is over when all pods are there, ready and of the newest revision.
fn complete(set: &StatefulSet, status: &mut StatefulSetStatus) {
    let wanted = set.spec.replicas.unwrap_or(1);
    let all = [status.updated_replicas, status.ready_replicas, status.replicas];
    if set.spec.update_strategy.type_ != "OnDelete" && all == [wanted; 3] {
        status.current_replicas = status.updated_replicas;
        status.current_revision = status.update_revision.clone();
    }
}

fn count<T>(of: impl Iterator<Item = T>) -> i32 {
    i32::try_from(of.count()).unwrap_or(i32::MAX)
}
