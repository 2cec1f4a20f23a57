//! The kubelet actor: pods placed on its nodes get an address, start, become ready, and end.
//!
//! Nothing is run and nothing is pulled; the container ids say `fake://`. What containers do, and when, is told by
//! annotations (`script`). From where the containers are ([`roles`]) follows what they do next ([`moves`]) and what is
//! told of their pod: its [`phase`] and its [`conditions`], with what happened as a [`report`]; [`stage`] decides.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_api::{Object, ObjectKey};
use watchkeeper_cache::{Change, Subscription, Watch};
use watchkeeper_client::DeleteOptions;
use watchkeeper_controller::{Action, Context, Failure, Request};
use watchkeeper_manager::Manager;

use self::address::Addresses;
use self::report::Report;
use self::stage::{Host, Stage};
use super::node::{FakeNode, loss};

mod address;
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
    let freed = release_on_delete(&pods, hosts.clone());
    let known = pods.clone();
    manager
        .controller("kubelet", &pods)
        .watches(nodes.when(matters), move |node: &Node| pods_on(&known, node))
        .workers(4)
        .with(Kubelet { pods, nodes, hosts, _freed: freed })
        .reconcile(Kubelet::reconcile);
}

/// Whether a node is lost, given up, or back.
fn matters(change: &Change<Node>) -> bool {
    let state = |node: &Node| (loss::is_lost(node), loss::is_given_up(node));
    match change {
        Change::Updated { old, new } => state(old) != state(new),
        _ => false,
    }
}

fn pods_on(pods: &Watch<Pod>, node: &Node) -> Vec<ObjectKey> {
    let all = pods.peek_all().into_iter();
    all.filter(|pod| *pod.spec.node_name == *node.name()).map(|pod| pod.key()).collect()
}

/// The nodes by name: their own addresses and those of their pods.
#[derive(Debug)]
struct Hosts(BTreeMap<String, (String, Addresses)>);

impl Hosts {
    fn new(nodes: &[FakeNode]) -> Self {
        let host =
            |node: &FakeNode| (node.name(), (node.address(), Addresses::of_node(node.index())));
        Self(nodes.iter().map(host).collect())
    }
}

/// The address of a pod is free again when the pod is gone.
fn release_on_delete(pods: &Watch<Pod>, hosts: Arc<Mutex<Hosts>>) -> Subscription {
    pods.subscribe(move |change: &Change<Pod>| {
        if let Change::Deleted { .. } = change {
            let pod = change.object();
            let mut hosts = hosts.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, addresses)) = hosts.0.get_mut(&*pod.spec.node_name) {
                addresses.release(pod.uid());
            }
        }
    })
}

#[derive(Debug)]
struct Kubelet {
    pods: Watch<Pod>,
    nodes: Watch<Node>,
    hosts: Arc<Mutex<Hosts>>,
    _freed: Subscription,
}

impl Kubelet {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(pod) = self.pods.get(&request).await? else { return Ok(Action::done()) };
        match self.stage(&pod, &ctx)? {
            None | Some(Stage::Rest) => {}
            Some(Stage::Wait(until)) => return Ok(Action::after(until.since(ctx.now()))),
            Some(Stage::Tell(report)) => tell(&pod, *report, &ctx).await?,
            Some(Stage::Remove) => remove(&pod, &ctx).await?,
        }
        Ok(Action::done())
    }

    /// The pod's next stage; `None` where its node is not one of ours.
    fn stage(&self, pod: &Pod, ctx: &Context) -> Result<Option<Stage>, Failure> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((ip, addresses)) = hosts.0.get_mut(&*pod.spec.node_name) else {
            return Ok(None);
        };
        let node = self.nodes.peek(&*pod.spec.node_name);
        if let Some(node) = node.as_deref().filter(|node| loss::is_lost(node)) {
            return Ok(Some(stage::lost(pod, node, ctx.now())));
        }
        if !stage::is_alive(pod) {
            addresses.release(pod.uid());
        } else if !pod.status.pod_ip.is_empty() {
            addresses.learn(pod.uid(), &pod.status.pod_ip);
        }
        if pod.is_deleting() || !stage::is_alive(pod) {
            return Ok(Some(stage::last(pod, ctx.now())));
        }
        let Some(pod_ip) = addresses.assign(pod.uid()) else {
            return Err(Failure::from(format!("{}: no pod address is free", pod.spec.node_name)));
        };
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
