//! What a daemon set does to its pods.

use watchkeeper_api::apps::v1::DaemonSet;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Error, Object};
use watchkeeper_controller::{Context, EventType, Failure, slow_start};

use super::placement::pod_of;
use super::plan::{BURST, Orders};

/// Makes and removes pods as ordered. One failure does not keep the others from being seen to.
pub(super) async fn carry_out(
    set: &DaemonSet,
    orders: Orders,
    hash: &str,
    ctx: &Context,
) -> Result<(), Failure> {
    for (pod, node) in &orders.ended {
        tell_ended(set, pod, node, ctx);
    }
    let nodes = &orders.create;
    let (_, mut ended) = slow_start(nodes.len().min(BURST), |place| {
        let pod = pod_of(set, &nodes[place], hash);
        async move { tell_made(set, ctx.create(&pod).await, ctx) }
    })
    .await;
    for pod in orders.delete.iter().take(BURST) {
        ended = ended.and(tell_removed(set, pod, ctx.delete(&**pod).await, ctx));
    }
    Ok(ended?)
}

fn tell_ended(set: &DaemonSet, pod: &Pod, node: &str, ctx: &Context) {
    let (type_, reason, what, order) = if pod.status.phase == "Failed" {
        (EventType::Warning, "FailedDaemonPod", "failed", "kill")
    } else {
        (EventType::Normal, "SucceededDaemonPod", "succeeded", "delete")
    };
    let key = pod.key();
    let message = format!("Found {what} daemon pod {key} on node {node}, will try to {order} it");
    ctx.event(set, type_, reason, message);
}

fn tell_made(set: &DaemonSet, made: Result<Pod, Error>, ctx: &Context) -> Result<(), Error> {
    match made {
        Ok(pod) => {
            let message = format!("Created pod: {}", pod.name());
            ctx.event(set, EventType::Normal, "SuccessfulCreate", message);
            Ok(())
        }
        // The set goes soon, too.
        Err(error) if error.cause("NamespaceTerminating").is_some() => Ok(()),
        Err(error) => {
            ctx.event(set, EventType::Warning, "FailedCreate", format!("Error creating: {error}"));
            Err(error)
        }
    }
}

fn tell_removed(
    set: &DaemonSet,
    pod: &Pod,
    removed: Result<(), Error>,
    ctx: &Context,
) -> Result<(), Error> {
    match &removed {
        Ok(()) => {
            let message = format!("Deleted pod: {}", pod.name());
            ctx.event(set, EventType::Normal, "SuccessfulDelete", message);
        }
        Err(error) => {
            ctx.event(set, EventType::Warning, "FailedDelete", format!("Error deleting: {error}"));
        }
    }
    removed
}
