//! The scheduler actor: each pod that asks for the default scheduler gets a node.
//!
//! Upstream's scheduler, as far as pods have to be somewhere or must not be: its filters, what it says when all nodes
//! are refused, and what brings a refused pod back. Of the nodes that take a pod it chooses as [`plan::place`] says.

use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::core::v1::{
    Binding, Node, ObjectReference, PersistentVolumeClaim, Pod, PodCondition,
};
use watchkeeper_api::meta::v1::{ObjectMeta, Status};
use watchkeeper_api::{MicroTime, Object};
use watchkeeper_cache::Watch;
use watchkeeper_client::Api;
use watchkeeper_controller::{Action, Context, EventType, Failure, Feed, Request};
use watchkeeper_manager::Manager;

use self::beginning::Beginning;
use self::desk::Desk;
use self::refusal::Refusal;
use super::state::has_ended;
use super::unless_gone;
use crate::actors::FakeNode;
use crate::actors::pod_gc::condition;

mod asks;
mod beginning;
mod claims;
mod company;
mod desk;
mod ledger;
mod plan;
mod refusal;
mod rooms;
mod surroundings;
mod waiting;

#[cfg(test)]
mod tests;

/// The scheduler that pods ask for unless they say otherwise.
const NAME: &str = "default-scheduler";

/// Adds the scheduler to `manager`.
///
/// One worker: each placement counts the ones before it. No pod is refused before each of `nodes` has
/// been ready once, unless that takes longer than a minute: until then it would only be told that the cluster is
/// starting.
pub fn scheduler(manager: &Manager, nodes: &[FakeNode]) {
    let beginning = Beginning::with(nodes);
    let pods = manager.watch::<Pod>();
    let nodes = manager.watch::<Node>();
    let volume_claims = manager.watch::<PersistentVolumeClaim>();
    let desk = Arc::new(Desk::new(&pods));
    let (users, told) = (pods.clone(), desk.clone());
    let (opened, followed) = (desk.clone(), desk.clone());
    manager
        .controller(NAME, pods.when(desk::concerns))
        .watches(nodes.when(desk::opens), move |_: &Node| opened.wake_all())
        .watches(&volume_claims, move |claim: &PersistentVolumeClaim| {
            let users = claims::users(&users, claim);
            told.wake(&users);
            users
        })
        .source("the pods of all nodes", move |feed: Feed| followed.clone().follow(feed))
        .with(Scheduler { pods, nodes, claims: volume_claims, beginning, desk })
        .reconcile(Scheduler::reconcile);
}

fn is_waiting(pod: &Pod) -> bool {
    let ours = pod.spec.scheduler_name.is_empty() || pod.spec.scheduler_name == NAME;
    let is_held = !pod.spec.scheduling_gates.is_empty();
    ours && !is_held && pod.spec.node_name.is_empty() && !pod.is_deleting() && !has_ended(pod)
}

#[derive(Debug)]
struct Scheduler {
    pods: Watch<Pod>,
    nodes: Watch<Node>,
    claims: Watch<PersistentVolumeClaim>,
    beginning: Beginning,
    desk: Arc<Desk>,
}

/// Why a pod has no node.
#[derive(Debug)]
enum Unplaced {
    /// The cluster starts: it is tried again after this long at the latest.
    Early(Duration),
    /// No node takes it.
    Refused(Refusal),
}

impl Scheduler {
    /// The queue knows no priorities where a seed orders it: pods of a higher one are asked for here. One that cannot
    /// be bound keeps nobody: its own request brings it back.
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(pod) = self.pods.get(&request).await? else { return Ok(Action::done()) };
        if !self.wants_node(&pod) {
            return Ok(Action::done());
        }
        for other in self.desk.before(&pod, ctx.micro_now()) {
            let is_due = self.desk.notes().waiting.is_due(&other, ctx.micro_now());
            if is_due
                && self.wants_node(&other)
                && let Err(failure) = self.schedule(&other, &ctx).await
            {
                self.desk.set_aside(&other, ctx.micro_now());
                tracing::warn!(pod = %other.key(), %failure, "a pod of a higher priority is left");
            }
        }
        let rest = self.desk.notes().waiting.rest(&pod, ctx.micro_now());
        if let Some(rest) = rest {
            return Ok(Action::after(rest));
        }
        self.schedule(&pod, &ctx).await
    }

    fn wants_node(&self, pod: &Pod) -> bool {
        is_waiting(pod) && !self.desk.notes().ledger.has(pod.uid())
    }

    async fn schedule(&self, pod: &Arc<Pod>, ctx: &Context) -> Result<Action, Failure> {
        match self.place(pod, ctx.micro_now()) {
            Ok(node) => {
                if let Some(node) = bind(pod, node, ctx).await? {
                    self.desk.bound(pod, &node);
                }
            }
            Err(Unplaced::Early(rest)) => return Ok(Action::after(rest)),
            Err(Unplaced::Refused(refusal)) => self.refuse(pod, &refusal, ctx).await?,
        }
        Ok(Action::done())
    }

    /// The node for a pod whose claims all have their volumes. That there is none is noted in the same moment: what
    /// helps the pod from then on wakes it, also while it is told.
    fn place(&self, pod: &Arc<Pod>, now: MicroTime) -> Result<String, Unplaced> {
        let mut notes = self.desk.notes();
        let nodes = self.nodes.peek_all();
        let placed = match claims::missing(pod, &self.claims) {
            Some(why) if !nodes.is_empty() => Err(Refusal::at_once(pod, &why, nodes.len())),
            _ => plan::place(pod, &nodes, &mut notes.ledger),
        };
        placed.map_err(|refusal| {
            let early = self.beginning.rest(&nodes, now);
            // Nobody would ever take out what is noted of a pod that has gone.
            match (self.desk.waits(pod), early) {
                (true, Some(_)) => notes.waiting.hold(pod, refusal.help, now),
                (true, None) => notes.waiting.refuse(pod, refusal.help, now),
                (false, _) => {}
            }
            early.map_or(Unplaced::Refused(refusal), Unplaced::Early)
        })
    }

    /// Says on the pod and in an event why no node takes it.
    async fn refuse(
        &self,
        pod: &Arc<Pod>,
        refusal: &Refusal,
        ctx: &Context,
    ) -> Result<(), Failure> {
        let fresh = PodCondition {
            type_: "PodScheduled".into(),
            status: "False".into(),
            reason: "Unschedulable".into(),
            message: refusal.message.as_str().into(),
            observed_generation: pod.metadata.generation,
            ..PodCondition::default()
        };
        let now = ctx.now();
        let told =
            ctx.edit_status(pod, |status| condition::set(&mut status.conditions, fresh, now));
        unless_gone(told.await)?;
        ctx.event(&**pod, EventType::Warning, "FailedScheduling", &refusal.message);
        Ok(())
    }
}

/// Binds a pod. Tells the node that it has, another one if somebody else was first, and none when the pod has gone.
async fn bind(pod: &Pod, node: String, ctx: &Context) -> Result<Option<String>, Failure> {
    let binding = Binding {
        metadata: ObjectMeta {
            name: pod.metadata.name.clone(),
            namespace: pod.metadata.namespace.clone(),
            uid: pod.metadata.uid.clone(),
            ..ObjectMeta::default()
        },
        target: ObjectReference {
            kind: "Node".into(),
            name: node.as_str().into(),
            ..Default::default()
        },
    };
    // The ledger has what is bound. A copy would ask the server for each pod, as the answer has no version.
    let client = ctx.client().clone().unobserved();
    let api = client.api::<Pod>().namespace(pod.namespace().unwrap_or_default());
    let sent = api.create_subresource::<Status>(pod.name(), "binding", &binding).await;
    let bound = match sent {
        Ok(_) => node.clone(),
        Err(error) if error.is_not_found() => return Ok(None),
        // It may have been carried out all the same, and nobody else asks.
        Err(error) => node_of(pod, &api).await.ok_or(error)?,
    };
    if bound == node {
        let message = format!("Successfully assigned {} to {node}", pod.key());
        ctx.event(pod, EventType::Normal, "Scheduled", &message);
    }
    Ok(Some(bound))
}

/// The node of this very pod, as the server has it.
async fn node_of(pod: &Pod, api: &Api<Pod>) -> Option<String> {
    let now = api.get_opt(pod.name()).await.ok()??;
    let is_bound = now.metadata.uid == pod.metadata.uid && !now.spec.node_name.is_empty();
    is_bound.then(|| now.spec.node_name.to_string())
}
