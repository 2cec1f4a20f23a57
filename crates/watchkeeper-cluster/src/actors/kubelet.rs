//! The kubelet actor: pods placed on its nodes get an address, start, become ready, and end.
//!
//! Nothing is run and nothing is pulled; the container ids say `fake://`. What containers do, and when, is told by
//! annotations (`script`). From where the containers are ([`roles`]) follows what they do next ([`moves`]) and what is
//! told of their pod: its [`phase`] and its [`conditions`], with what happened as a [`report`]; [`stage`] decides.

use std::sync::{Arc, Mutex, PoisonError};

use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_api::{Object, ObjectKey};
use watchkeeper_cache::{Change, Subscription, Watch};
use watchkeeper_client::DeleteOptions;
use watchkeeper_controller::{Action, Context, Failure, Request};
use watchkeeper_manager::Manager;

use self::hosts::Hosts;
use self::report::Report;
use self::stage::{Host, Stage};
use super::node::{FakeNode, loss};
use super::state::is_node_ready;

mod address;
mod hosts;
mod script;
mod roles;
mod backoff;
mod container;
mod moves;
mod phase;
mod conditions;
mod report;
mod stage;

#[cfg(test)]
mod tests;

/// Adds one kubelet for all of `nodes` to `manager`.
///
/// Nothing is run. Init containers take their turns of a second each, containers that may come to an end
/// (`restartPolicy` `Never` or `OnFailure`) run for a second, and the others for ever. All of them succeed. Annotations
/// of a pod, and so of the template that it is made from, say otherwise:
///
/// | annotation | says |
/// |---|---|
/// | `fake-kubelet/starts-after` | how many seconds it takes before the containers run for the first time; or `never` |
/// | `fake-kubelet/ready-after` | how many seconds they run before they are ready, each time they are started; or `never`, which also takes the readiness from those that have it |
/// | `fake-kubelet/ends-after` | how many seconds they run, each time they are started; or `never` |
/// | `fake-kubelet/exit-code` | what they return, 0 unless it says so |
/// | `fake-kubelet/reason` | why they end, such as `OOMKilled` (which is code 137) |
/// | `fake-kubelet/stop-code` | what they return when the pod is deleted, 143 unless it says so |
///
/// They are about the containers of `spec.containers`. `NAME.fake-kubelet/ends-after`, and so on, is about the
/// container of that name alone, and the only way to tell something of an init container. Where one is told when or
/// how to end it does so, whatever its policy.
///
/// A node with the annotation `fake-kubelet/lost` has no kubelet ([`node`](super::node())).
pub fn kubelet(manager: &Manager, nodes: &[FakeNode]) {
    let pods = manager.watch::<Pod>();
    let hosts = Arc::new(Mutex::new(Hosts::new(nodes)));
    let nodes = manager.watch::<Node>();
    let addressed = hosts::follow(&pods, hosts.clone());
    let known = pods.clone();
    manager
        .controller("kubelet", &pods)
        .watches(nodes.when(matters), move |node: &Node| pods_on(&known, node))
        .workers(4)
        .with(Kubelet { pods, nodes, hosts, addressed })
        .reconcile(Kubelet::reconcile);
}

/// Whether a node is lost, given up, or back: one that was lost may have been deleted, and is registered anew before it
/// says that it is ready.
fn matters(change: &Change<Node>) -> bool {
    let state = |node: &Node| (loss::is_lost(node), loss::is_given_up(node), is_node_ready(node));
    match change {
        Change::Added { initial, .. } => !initial,
        Change::Updated { old, new } => state(old) != state(new),
        Change::Deleted { .. } => false,
    }
}

fn pods_on(pods: &Watch<Pod>, node: &Node) -> Vec<ObjectKey> {
    let all = pods.peek_all().into_iter();
    all.filter(|pod| *pod.spec.node_name == *node.name()).map(|pod| pod.key()).collect()
}

#[derive(Debug)]
struct Kubelet {
    pods: Watch<Pod>,
    nodes: Watch<Node>,
    hosts: Arc<Mutex<Hosts>>,
    /// Tells `hosts` of the addresses that pods have.
    addressed: Subscription,
}

impl Kubelet {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        // An address that is free as far as was told may be that of a pod of which nothing was told yet.
        if !self.addressed.synced().await {
            return Ok(Action::done());
        }
        let Some(pod) = self.pods.get(&request).await? else { return Ok(Action::done()) };
        match self.stage(&pod, &ctx)? {
            None | Some(Stage::Rest) => {}
            Some(Stage::Wait(until)) => return Ok(Action::after(until.since(ctx.now()))),
            Some(Stage::Tell(report)) => tell(&pod, *report, &ctx).await?,
            Some(Stage::Remove) => remove(&pod, &ctx).await?,
        }
        Ok(Action::done())
    }

    /// The pod's next stage; `None` where its node is not one of ours, or the pod has just gone.
    fn stage(&self, pod: &Pod, ctx: &Context) -> Result<Option<Stage>, Failure> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((ip, addresses)) = hosts.of(&pod.spec.node_name) else { return Ok(None) };
        let node = self.nodes.peek(&*pod.spec.node_name);
        if let Some(node) = node.as_deref().filter(|node| loss::is_lost(node)) {
            return Ok(Some(stage::lost(pod, node, ctx.now())));
        }
        if !stage::is_alive(pod) {
            // Others may wait for it: this may be known here before it is told.
            addresses.release(pod.uid());
        }
        if pod.is_deleting() || !stage::is_alive(pod) {
            return Ok(Some(stage::last(pod, ctx.now())));
        }
        let mut pod_ip = String::new();
        if stage::wants_address(pod) {
            // Nobody would be told any more that the address of one that has left the copy is free.
            let now = self.pods.peek(pod.key());
            if now.is_none_or(|now| now.metadata.uid != pod.metadata.uid) {
                return Ok(None);
            }
            let none = || format!("{}: no pod address is free", pod.spec.node_name);
            pod_ip = addresses.assign(pod.uid()).ok_or_else(none)?;
        }
        let ready_since = node.as_deref().and_then(loss::ready_since);
        let host = Host { ip, pod_ip: &pod_ip, ready_since };
        Ok(Some(stage::next(pod, host, ctx.now())))
    }
}

async fn tell(pod: &Arc<Pod>, report: Report, ctx: &Context) -> Result<(), Failure> {
    ctx.edit_status(pod, |current| *current = report.status).await?;
    for (type_, reason, message) in report.told {
        ctx.event(&**pod, type_, reason, message);
    }
    Ok(())
}

/// The kubelet's last word: no grace, and only this very pod.
async fn remove(pod: &Pod, ctx: &Context) -> Result<(), Failure> {
    let api = ctx.client().api::<Pod>().namespace(pod.namespace().unwrap_or_default());
    let options = DeleteOptions::only(pod.uid()).grace_period(0);
    match api.delete(pod.name(), &options).await {
        Err(error) if !error.is_not_found() && !error.is_conflict() => Err(error.into()),
        _ => Ok(()),
    }
}
