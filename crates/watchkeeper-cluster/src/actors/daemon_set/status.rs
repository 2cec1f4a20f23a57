//! A daemon set's status, told from its nodes and pods.

use watchkeeper_api::apps::v1::DaemonSetStatus;
use watchkeeper_api::{Object, Time};

use super::placement::{Place, place};
use super::plan::View;
use crate::actors::replicaset::{available_at, ready_since};

/// The status that the pods justify, and when a ready pod is next due to become available. On each node the
/// oldest pod counts; the other one of a surge is waited for as well.
pub(crate) fn status(view: View<'_>) -> (DaemonSetStatus, Option<Time>) {
    let set = view.set;
    let mut status = DaemonSetStatus {
        observed_generation: set.generation(),
        collision_count: set.status.collision_count,
        conditions: set.status.conditions.clone(),
        ..DaemonSetStatus::default()
    };
    for node in view.nodes {
        let pod = view.daemons.on(node.name()).first();
        if place(set, node) != Place::Wanted {
            status.number_misscheduled += i32::from(pod.is_some());
            continue;
        }
        status.desired_number_scheduled += 1;
        let Some(pod) = pod else { continue };
        status.current_number_scheduled += 1;
        status.updated_number_scheduled += i32::from(view.is_updated(pod));
        status.number_ready += i32::from(ready_since(pod).is_some());
        status.number_available += i32::from(view.is_available(pod));
    }
    status.number_unavailable = status.desired_number_scheduled - status.number_available;
    let pods = view.daemons.iter().flat_map(|(_, pods)| pods);
    let due = pods.filter_map(|pod| available_at(pod, set.spec.min_ready_seconds, view.now));
    (status, due.flatten().min())
}
