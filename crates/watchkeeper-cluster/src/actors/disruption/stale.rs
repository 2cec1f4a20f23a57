//! Pods of which was told that they go, and which are there still.

use std::time::Duration;

use watchkeeper_api::core::v1::{Pod, PodCondition};
use watchkeeper_api::{Object, Time};
use watchkeeper_cache::{Change, Watch};
use watchkeeper_controller::{Action, Context, Failure, Request};

use crate::actors::pod_gc::condition;
use crate::actors::state::has_ended;
use crate::actors::unless_gone;

const TYPE: &str = "DisruptionTarget";
/// How long such a pod may take to be asked to go (upstream's `stalePodDisruptionTimeout`).
const PATIENCE: Duration = Duration::from_secs(2 * 60);

/// Whether the change of a pod may be about that.
pub(super) fn matters(change: &Change<Pod>) -> bool {
    !change.is_deleted() && due(change.object()).is_some()
}

pub(super) async fn reconcile(
    pods: &Watch<Pod>,
    request: Request,
    ctx: Context,
) -> Result<Action, Failure> {
    let Some(pod) = pods.get(&request).await? else { return Ok(Action::done()) };
    let (due, now) = (due(&pod), ctx.now());
    match due {
        None => {}
        Some(due) if due > now => return Ok(Action::after(due.since(now))),
        Some(_) => {
            let fresh = PodCondition {
                type_: TYPE.into(),
                status: "False".into(),
                observed_generation: pod.metadata.generation,
                ..PodCondition::default()
            };
            let told =
                ctx.edit_status(&pod, |status| condition::set(&mut status.conditions, fresh, now));
            unless_gone(told.await)?;
        }
    }
    Ok(Action::done())
}

/// When it is taken back that the pod goes; `None` if nothing of the kind is said, or it does go. What a kubelet says
/// may take as long as it takes.
pub(super) fn due(pod: &Pod) -> Option<Time> {
    if pod.is_deleting() || has_ended(pod) {
        return None;
    }
    let told = pod.status.conditions.iter().find(|one| one.type_ == TYPE)?;
    let holds = told.status == "True" && told.reason != "TerminationByKubelet";
    holds.then(|| told.last_transition_time.unwrap_or_default() + PATIENCE)
}
