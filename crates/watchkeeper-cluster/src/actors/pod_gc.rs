//! The pod garbage collector: pods that nobody will end are ended for them.
//!
//! Upstream's pod GC: the oldest of too many pods that have ended, pods of nodes that are gone, and pods that were
//! asked to go and have no node that could see to it. It looks at all pods every twenty seconds.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use watchkeeper_api::core::v1::{Node, Pod, PodCondition};
use watchkeeper_api::{Error, Object, ObjectKey};
use watchkeeper_cache::{Change, Watch};
use watchkeeper_client::DeleteOptions;
use watchkeeper_controller::{Action, Context, Failure, Feed};
use watchkeeper_manager::Manager;

use self::plan::{Missing, by_name};
use super::state::has_ended;

pub(super) mod condition;
mod plan;

#[cfg(test)]
mod tests;

/// How many pods that have ended are kept (what kube-controller-manager keeps).
pub const ENDED_PODS: usize = 12_500;

/// How often it looks (upstream's `gcCheckPeriod`).
const PERIOD: Duration = Duration::from_secs(20);

/// Adds the pod garbage collector to `manager`. Of the pods that have ended it keeps `ended`, or all of them if that
/// is zero; [`ENDED_PODS`] is what upstream keeps.
pub fn pod_gc(manager: &Manager, ended: usize) {
    let pods = manager.watch::<Pod>();
    let nodes = manager.watch::<Node>();
    let sweeper =
        Sweeper { pods: pods.clone(), nodes: nodes.clone(), ended, missing: Mutex::default() };
    manager
        .controller("pod-garbage-collector", pods.when(|_: &Change<Pod>| false))
        .watches(&nodes, |_: &Node| None::<ObjectKey>)
        .source("the beginning", async |feed: Feed| {
            feed.request("all pods");
            feed.told_all();
            Ok::<(), Infallible>(())
        })
        .with(sweeper)
        .reconcile(async |sweeper, _request, ctx| sweeper.sweep(&ctx).await);
}

#[derive(Debug)]
struct Sweeper {
    pods: Watch<Pod>,
    nodes: Watch<Node>,
    ended: usize,
    missing: Mutex<Missing>,
}

impl Sweeper {
    /// One look at all pods. What fails for one keeps none of the others, and is met again by the next look.
    async fn sweep(&self, ctx: &Context) -> Result<Action, Failure> {
        self.pods.caught_up().await?;
        let (pods, nodes) = (self.pods.peek_all(), self.nodes.peek_all());
        let nodes = by_name(&nodes);
        end_all(&plan::surplus(&pods, self.ended), None, ctx).await;
        end_all(&plan::stranded(&pods, &nodes), None, ctx).await;
        let missing = {
            let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
            missing.look(&pods, &nodes, ctx.now())
        };
        for node in missing {
            // The copy may be behind, and pods do not come back.
            match ctx.client().api::<Node>().get_opt(&node).await {
                Ok(None) => end_all(&plan::of_node(&pods, &node), Some(&gone()), ctx).await,
                Ok(Some(_)) => {}
                Err(error) => tracing::warn!(node, %error, "a node could not be looked for"),
            }
        }
        end_all(&plan::unplaced(&pods), None, ctx).await;
        Ok(Action::after(PERIOD))
    }
}

/// What is told of the pods of a node that is gone.
fn gone() -> PodCondition {
    PodCondition {
        type_: "DisruptionTarget".into(),
        status: "True".into(),
        reason: "DeletionByPodGC".into(),
        message: "PodGC: node no longer exists".into(),
        ..PodCondition::default()
    }
}

async fn end_all(pods: &[Arc<Pod>], why: Option<&PodCondition>, ctx: &Context) {
    for pod in pods {
        if let Err(error) = end(pod, why, ctx).await {
            tracing::warn!(pod = %pod.key(), %error, "a pod could not be ended");
        }
    }
}

/// Says that the pod has failed, as nobody else will, and deletes it at once.
async fn end(pod: &Arc<Pod>, why: Option<&PodCondition>, ctx: &Context) -> Result<(), Error> {
    if !has_ended(pod) {
        let (now, generation) = (ctx.now(), pod.metadata.generation);
        let told = ctx.edit_status(pod, |status| {
            status.phase = "Failed".into();
            status.observed_generation = generation;
            if let Some(why) = why {
                let why = PodCondition { observed_generation: generation, ..why.clone() };
                condition::set(&mut status.conditions, why, now);
            }
        });
        match told.await {
            Err(error) if !error.is_not_found() => return Err(error),
            _ => {}
        }
    }
    let options = DeleteOptions::only(pod.uid()).grace_period(0);
    match ctx.client().api_for(&**pod).delete(pod.name(), &options).await {
        Err(error) if !error.is_not_found() && !error.is_conflict() => Err(error),
        _ => Ok(()),
    }
}
