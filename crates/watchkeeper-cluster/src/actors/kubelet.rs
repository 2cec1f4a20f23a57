//! The kubelet actor: pods placed on its nodes get an address, become ready, and end when asked.
//!
//! Nothing is run and nothing is pulled; the container ids say `fake://`. When containers come to their end,
//! and how, is told by annotations (`ends`).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use watchkeeper_api::Object;
use watchkeeper_api::core::v1::{ContainerStatus, Pod, PodStatus};
use watchkeeper_cache::{Change, Subscription, Watch};
use watchkeeper_client::DeleteOptions;
use watchkeeper_controller::{Action, Context, EventType, Failure, Request};
use watchkeeper_manager::Manager;

use self::address::Addresses;
use self::stage::Stage;
use super::node::FakeNode;

mod address;
mod container;
mod ends;
mod stage;

#[cfg(test)]
mod tests;

/// Adds one kubelet for all of `nodes` to `manager`.
pub fn kubelet(manager: &Manager, nodes: &[FakeNode]) {
    let pods = manager.watch::<Pod>();
    let hosts = Arc::new(Mutex::new(Hosts::new(nodes)));
    let freed = release_on_delete(&pods, hosts.clone());
    manager
        .controller("kubelet", &pods)
        .workers(4)
        .with(Kubelet { pods, hosts, _freed: freed })
        .reconcile(Kubelet::reconcile);
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
    hosts: Arc<Mutex<Hosts>>,
    _freed: Subscription,
}

impl Kubelet {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(pod) = self.pods.get(&request).await? else { return Ok(Action::done()) };
        match self.stage(&pod, &ctx)? {
            None | Some(Stage::Rest) => {}
            Some(Stage::Wait(until)) => return Ok(Action::after(until.since(ctx.now()))),
            Some(Stage::Start(status)) => start(&pod, *status, &ctx).await?,
            Some(Stage::End(status)) => end(&pod, *status, &ctx).await?,
            Some(Stage::Stop(status)) => stop(&pod, *status, &ctx).await?,
            Some(Stage::Remove) => remove(&pod, &ctx).await?,
        }
        Ok(Action::done())
    }

    /// The pod's next stage; `None` where its node is not one of ours.
    fn stage(&self, pod: &Pod, ctx: &Context) -> Result<Option<Stage>, Failure> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((host_ip, addresses)) = hosts.0.get_mut(&*pod.spec.node_name) else {
            return Ok(None);
        };
        if !stage::is_alive(pod) {
            addresses.release(pod.uid());
        } else if !pod.status.pod_ip.is_empty() {
            addresses.learn(pod.uid(), &pod.status.pod_ip);
        }
        if pod.is_deleting() || !stage::is_alive(pod) {
            return Ok(Some(stage::last(pod, ctx.now())));
        }
        let Some(address) = addresses.assign(pod.uid()) else {
            return Err(Failure::from(format!("{}: no pod address is free", pod.spec.node_name)));
        };
        Ok(Some(stage::next(pod, host_ip, &address, ctx.now())))
    }
}

async fn start(pod: &Arc<Pod>, status: PodStatus, ctx: &Context) -> Result<(), Failure> {
    ctx.edit_status(pod, |current| *current = status).await?;
    for container in &*pod.spec.containers {
        let message = format!("Container image \"{}\" already present on machine", container.image);
        ctx.event(&**pod, EventType::Normal, "Pulled", &message);
        let message = format!("Created container: {}", container.name);
        ctx.event(&**pod, EventType::Normal, "Created", &message);
        let message = format!("Started container {}", container.name);
        ctx.event(&**pod, EventType::Normal, "Started", &message);
    }
    Ok(())
}

async fn end(pod: &Arc<Pod>, status: PodStatus, ctx: &Context) -> Result<(), Failure> {
    let waits = |status: &ContainerStatus| status.state.waiting.is_some();
    let backs_off = status.container_statuses.iter().any(waits);
    ctx.edit_status(pod, |current| *current = status).await?;
    if backs_off {
        let place =
            format!("{}_{}({})", pod.name(), pod.namespace().unwrap_or_default(), pod.uid());
        for container in &*pod.spec.containers {
            let name = &container.name;
            let message = format!("Back-off restarting failed container {name} in pod {place}");
            ctx.event(&**pod, EventType::Warning, "BackOff", &message);
        }
    }
    Ok(())
}

async fn stop(pod: &Arc<Pod>, status: PodStatus, ctx: &Context) -> Result<(), Failure> {
    tell_stopping(pod, ctx);
    ctx.edit_status(pod, |current| *current = status).await?;
    Ok(())
}

fn tell_stopping(pod: &Pod, ctx: &Context) {
    for container in &*pod.spec.containers {
        let message = format!("Stopping container {}", container.name);
        ctx.event(pod, EventType::Normal, "Killing", &message);
    }
}

/// The kubelet's last word: no grace, and only this very pod.
async fn remove(pod: &Pod, ctx: &Context) -> Result<(), Failure> {
    if stage::is_alive(pod) {
        tell_stopping(pod, ctx);
    }
    let api = ctx.client().api::<Pod>().namespace(pod.namespace().unwrap_or_default());
    let options = DeleteOptions::only(pod.uid()).grace_period(0);
    match api.delete(pod.name(), &options).await {
        Err(error) if !error.is_not_found() && !error.is_conflict() => Err(error.into()),
        _ => Ok(()),
    }
}
