//! The scheduler actor: each pod that asks for the default scheduler gets a node.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use watchkeeper_api::core::v1::{
    Binding, Node, ObjectReference, PersistentVolumeClaim, Pod, PodCondition,
};
use watchkeeper_api::meta::v1::{ObjectMeta, Status};
use watchkeeper_api::{IStr, Object, ObjectKey};
use watchkeeper_cache::{Index, Watch};
use watchkeeper_controller::{Action, Context, EventType, Failure, Request};
use watchkeeper_manager::Manager;

use crate::actors::FakeNode;
use crate::actors::node::NOT_READY;

mod claims;
mod plan;

#[cfg(test)]
mod tests;

/// The scheduler that pods ask for unless they say otherwise.
const NAME: &str = "default-scheduler";

/// Adds the scheduler to `manager`.
///
/// One worker: each placement counts the ones before it. No pod is refused before each of `nodes` has
/// been ready once: until then it would only be told that the cluster is starting.
pub fn scheduler(manager: &Manager, nodes: &[FakeNode]) {
    let awaited = Mutex::new(nodes.iter().map(FakeNode::name).collect());
    let pods = manager.watch::<Pod>();
    let nodes = manager.watch::<Node>();
    let volume_claims = manager.watch::<PersistentVolumeClaim>();
    let (waiting, users) = (pods.clone(), pods.clone());
    manager
        .controller(NAME, &pods)
        .watches(&nodes, move |_: &Node| unplaced(&waiting))
        .watches(&volume_claims, move |claim: &PersistentVolumeClaim| claims::users(&users, claim))
        .with(Watches {
            by_node: pods.index(node_of),
            pods,
            nodes,
            claims: volume_claims,
            awaited,
            placed: Mutex::default(),
        })
        .reconcile(Watches::reconcile);
}

/// The node of a pod that has one.
fn node_of(pod: &Pod) -> Option<IStr> {
    Some(pod.spec.node_name.clone()).filter(|node| !node.is_empty())
}

/// The pods that wait for a node, which a change of a node may help.
fn unplaced(pods: &Watch<Pod>) -> Vec<ObjectKey> {
    pods.peek_all().into_iter().filter(|pod| is_waiting(pod)).map(|pod| pod.key()).collect()
}

fn is_waiting(pod: &Pod) -> bool {
    let ours = pod.spec.scheduler_name.is_empty() || pod.spec.scheduler_name == NAME;
    let finished = pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
    ours && pod.spec.node_name.is_empty() && !pod.is_deleting() && !finished
}

#[derive(Debug)]
struct Watches {
    pods: Watch<Pod>,
    by_node: Index<Pod, IStr>,
    nodes: Watch<Node>,
    claims: Watch<PersistentVolumeClaim>,
    /// The nodes of the beginning that have not been ready yet.
    awaited: Mutex<BTreeSet<String>>,
    /// The pods whose placement the watch has not shown yet: what answers a binding has no version to wait
    /// for.
    placed: Mutex<BTreeMap<ObjectKey, Placed>>,
}

/// A pod that has been bound.
#[derive(Debug)]
struct Placed {
    uid: IStr,
    node: IStr,
}

impl Watches {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(pod) = self.pods.get(&request).await? else { return Ok(Action::done()) };
        let is_placed = |placed: &Placed| placed.uid == pod.metadata.uid;
        if !is_waiting(&pod) || self.placed().get(&pod.key()).is_some_and(is_placed) {
            return Ok(Action::done());
        }
        self.pods.caught_up().await?;
        match self.place(&pod) {
            Ok(node) => {
                bind(&pod, &node, &ctx).await?;
                let placed = Placed { uid: pod.metadata.uid.clone(), node: node.as_str().into() };
                self.placed().insert(pod.key(), placed);
            }
            // The node that is awaited brings the pod back.
            Err(_) if !self.is_complete() => {}
            Err(reason) => refuse(&pod, &reason, &ctx).await?,
        }
        Ok(Action::done())
    }

    /// The node for a pod whose claims all have their volumes.
    fn place(&self, pod: &Pod) -> Result<String, String> {
        let nodes = self.nodes.peek_all();
        match claims::missing(pod, &self.claims) {
            Some(why) if !nodes.is_empty() => {
                Err(format!("0/{} nodes are available: {why}.", nodes.len()))
            }
            _ => {
                let unseen = self.unseen();
                let unseen = |node: &str| unseen.get(node).copied().unwrap_or(0);
                plan::place(pod, &nodes, |node| self.by_node.found(node).len() + unseen(node))
            }
        }
    }

    /// Whether every node of the beginning has been ready.
    fn is_complete(&self) -> bool {
        let mut awaited = self.awaited.lock().unwrap_or_else(PoisonError::into_inner);
        if !awaited.is_empty() {
            for node in self.nodes.peek_all().iter().filter(|node| is_open(node)) {
                awaited.remove(node.name());
            }
        }
        awaited.is_empty()
    }

    /// How many pods each node has beside those that the watch shows there.
    fn unseen(&self) -> BTreeMap<IStr, usize> {
        let mut unseen = BTreeMap::new();
        // Of those that do not stay the watch has shown the placement, or the end.
        self.placed().retain(|key, placed| {
            let waits =
                |pod: Arc<Pod>| pod.metadata.uid == placed.uid && pod.spec.node_name.is_empty();
            let stays = self.pods.peek(key.clone()).is_some_and(waits);
            if stays {
                *unseen.entry(placed.node.clone()).or_default() += 1;
            }
            stays
        });
        unseen
    }

    fn placed(&self) -> MutexGuard<'_, BTreeMap<ObjectKey, Placed>> {
        self.placed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the node is ready and has been welcomed.
fn is_open(node: &Node) -> bool {
    plan::is_ready(node) && !node.spec.taints.iter().any(|taint| taint.key == NOT_READY)
}

async fn bind(pod: &Pod, node: &str, ctx: &Context) -> Result<(), Failure> {
    let binding = Binding {
        metadata: ObjectMeta {
            name: pod.metadata.name.clone(),
            namespace: pod.metadata.namespace.clone(),
            uid: pod.metadata.uid.clone(),
            ..ObjectMeta::default()
        },
        target: ObjectReference { kind: "Node".into(), name: node.into(), ..Default::default() },
    };
    let api = ctx.client().api::<Pod>().namespace(pod.namespace().unwrap_or_default());
    let _: Status = api.create_subresource(pod.name(), "binding", &binding).await?;
    let message = format!("Successfully assigned {} to {node}", pod.key());
    ctx.event(pod, EventType::Normal, "Scheduled", &message);
    Ok(())
}

/// Says on the pod and in an event why no node takes it.
async fn refuse(pod: &Arc<Pod>, reason: &str, ctx: &Context) -> Result<(), Failure> {
    let now = ctx.now();
    ctx.edit_status(pod, |status| {
        let same = |condition: &&PodCondition| condition.type_ == "PodScheduled";
        if status.conditions.iter().find(same).is_some_and(|old| *old.message == *reason) {
            return;
        }
        let fresh = PodCondition {
            type_: "PodScheduled".into(),
            status: "False".into(),
            reason: "Unschedulable".into(),
            message: reason.into(),
            last_transition_time: Some(now),
            ..PodCondition::default()
        };
        let others = status.conditions.iter().filter(|old| !same(old)).cloned();
        status.conditions = others.chain([fresh]).collect();
    })
    .await?;
    ctx.event(&**pod, EventType::Warning, "FailedScheduling", reason);
    Ok(())
}
