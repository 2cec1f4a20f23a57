//! The pod garbage collector: pods that nobody will end are ended for them.
//!
//! Upstream's pod GC: the oldest of too many pods that have ended, pods of nodes that are gone, and pods that were
//! asked to go and have no node that could see to it. It looks at all pods every twenty seconds.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use watchkeeper_api::core::v1::{Node, Pod, PodCondition};
use watchkeeper_api::{Object, ObjectKey, Time};
use watchkeeper_cache::{Change, Watch};
use watchkeeper_client::DeleteOptions;
use watchkeeper_controller::{Action, Context, Failure, Feed};
use watchkeeper_manager::Manager;

use self::plan::Missing;

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
    /// One look at all pods. Any failure is met again by the next one.
    async fn sweep(&self, ctx: &Context) -> Result<Action, Failure> {
        self.pods.caught_up().await?;
        let (pods, nodes) = (self.pods.peek_all(), self.nodes.peek_all());
        for pod in plan::surplus(&pods, self.ended) {
            end(&pod, None, ctx).await?;
        }
        let missing = {
            let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
            missing.look(&pods, &nodes, ctx.now())
        };
        for node in missing {
            // The copy may be behind, and pods do not come back.
            if ctx.client().api::<Node>().get_opt(&node).await?.is_none() {
                for pod in pods.iter().filter(|pod| *pod.spec.node_name == *node) {
                    end(pod, Some(disruption(ctx.now(), pod)), ctx).await?;
                }
            }
        }
        for pod in pods.iter().filter(|pod| plan::is_abandoned(pod, &nodes)) {
            end(pod, None, ctx).await?;
        }
        Ok(Action::after(PERIOD))
    }
}

fn disruption(now: Time, pod: &Pod) -> PodCondition {
    PodCondition {
        type_: "DisruptionTarget".into(),
        status: "True".into(),
        reason: "DeletionByPodGC".into(),
        message: "PodGC: node no longer exists".into(),
        observed_generation: pod.metadata.generation,
        last_transition_time: Some(now),
        ..PodCondition::default()
    }
}

/// Says that the pod has failed, as nobody else will, and deletes it at once.
async fn end(pod: &Arc<Pod>, why: Option<PodCondition>, ctx: &Context) -> Result<(), Failure> {
    let ended = pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
    if !ended {
        let told = ctx.edit_status(pod, |status| {
            status.phase = "Failed".into();
            if let Some(why) = why {
                status.conditions.retain(|condition| condition.type_ != why.type_);
                status.conditions.push(why);
            }
        });
        super::unless_gone(told.await)?;
    }
    let options = DeleteOptions::only(pod.uid()).grace_period(0);
    match ctx.client().api_for(&**pod).delete(pod.name(), &options).await {
        Err(error) if !error.is_not_found() && !error.is_conflict() => Err(error.into()),
        _ => Ok(()),
    }
}
