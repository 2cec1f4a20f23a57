//! The taint eviction actor: pods leave a node that does not bear them any more.
//!
//! Upstream's taint eviction controller: a pod goes at once from a node with taints of the effect `NoExecute` that it
//! does not tolerate, and after a time if it tolerates them for that long only, as every pod does a node that is lost
//! (the server's admission sees to these five minutes). The time begins when the actor sees taint and pod together; it
//! keeps that to itself, so after a restart the time begins anew.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use watchkeeper_api::core::v1::{Node, Pod, PodCondition};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{IStr, ObjectKey, Time};
use watchkeeper_cache::{Change, Watch};
use watchkeeper_controller::{Action, Context, EventType, Failure, Request};
use watchkeeper_manager::Manager;

use self::plan::{Eviction, Plan, Stage};
use super::pod_gc::condition;
use super::unless_gone;

mod plan;

#[cfg(test)]
mod tests;

/// Adds the taint eviction actor to `manager`.
pub fn taint_eviction(manager: &Manager) {
    let pods = manager.watch::<Pod>();
    let nodes = manager.watch::<Node>();
    let by_node = pods.index(node_of);
    manager
        .controller("taint-eviction-controller", pods.when(matters))
        .watches(nodes.when(turned), move |node: &Node| by_node.keys(&*node.metadata.name))
        .workers(4)
        .with(Evictions { pods, nodes, known: Mutex::default() })
        .reconcile(Evictions::reconcile);
}

/// The node that a pod is on.
fn node_of(pod: &Pod) -> Option<IStr> {
    Some(pod.spec.node_name.clone()).filter(|name| !name.is_empty())
}

/// Whether the change of a pod may be about what it tolerates where it is.
fn matters(change: &Change<Pod>) -> bool {
    match change {
        Change::Updated { old, new } => {
            old.metadata.uid != new.metadata.uid
                || old.spec.node_name != new.spec.node_name
                || old.spec.tolerations != new.spec.tolerations
        }
        Change::Added { .. } | Change::Deleted { .. } => node_of(change.object()).is_some(),
    }
}

/// Whether the change of a node may be about its pods. One that is new may have been there before, with taints; what
/// was to come on one that is gone comes.
fn turned(change: &Change<Node>) -> bool {
    match change {
        Change::Added { .. } => true,
        Change::Updated { old, new } => plan::taints(old).ne(plan::taints(new)),
        Change::Deleted { .. } => false,
    }
}

#[derive(Debug)]
struct Evictions {
    pods: Watch<Pod>,
    nodes: Watch<Node>,
    /// Those that are to come, by their pods.
    known: Mutex<BTreeMap<ObjectKey, Eviction>>,
}

impl Evictions {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let pod = self.pods.get(&request).await?;
        let now = ctx.now();
        let plan = self.plan(&request, pod.as_deref(), now);
        if plan.is_cancelled {
            tell(&request, "Cancelling deletion of", &ctx);
        }
        if plan.begins {
            tell(&request, "Marking for deletion", &ctx);
        }
        match (pod, plan.eviction.map(|eviction| eviction.stage)) {
            (_, Some(Stage::Waits(until))) => return Ok(Action::after(until.since(now))),
            (Some(pod), Some(Stage::Begun)) => {
                evict(&pod, &ctx).await?;
                self.known().remove(&request.key);
            }
            (_, None) | (None, Some(Stage::Begun)) => {}
        }
        Ok(Action::done())
    }

    /// Decides what becomes of the pod, and keeps it in mind.
    fn plan(&self, key: &ObjectKey, pod: Option<&Pod>, now: Time) -> Plan {
        let node = pod.and_then(|pod| self.nodes.peek(&*pod.spec.node_name));
        let mut known = self.known();
        let plan = plan::plan(pod, node.as_deref(), known.get(key), now);
        match &plan.eviction {
            Some(eviction) => _ = known.insert(key.clone(), eviction.clone()),
            None => _ = known.remove(key),
        }
        plan
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<ObjectKey, Eviction>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells what is done about the pod of this name, which may be gone: upstream's events know no more of it, either.
fn tell(key: &ObjectKey, what: &str, ctx: &Context) {
    let metadata = ObjectMeta {
        name: key.name.clone(),
        namespace: key.namespace.clone(),
        ..ObjectMeta::default()
    };
    let pod = Pod { metadata, ..Pod::default() };
    ctx.event(&pod, EventType::Normal, "TaintManagerEviction", format!("{what} Pod {key}"));
}

/// Says why the pod goes, so that its workload can tell this from a failure, and deletes it.
async fn evict(pod: &Arc<Pod>, ctx: &Context) -> Result<(), Failure> {
    let now = ctx.now();
    let why = PodCondition {
        type_: plan::CONDITION.into(),
        status: "True".into(),
        reason: plan::REASON.into(),
        message: "Taint manager: deleting due to NoExecute taint".into(),
        observed_generation: pod.metadata.generation,
        ..PodCondition::default()
    };
    let told = ctx.edit_status(pod, |status| condition::set(&mut status.conditions, why, now));
    unless_gone(told.await)?;
    ctx.delete(pod).await?;
    Ok(())
}
