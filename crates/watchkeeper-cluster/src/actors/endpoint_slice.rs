//! The endpoint slice actor: the addresses behind each service.
//!
//! Upstream's endpoint slice controller (`discovery.k8s.io/v1`): a slice for each kind of address and each set of
//! ports, at most a hundred endpoints in one, changed as little as may be.

use std::sync::Arc;

use watchkeeper_api::core::v1::{Node, Pod, Service};
use watchkeeper_api::discovery::v1::EndpointSlice;
use watchkeeper_api::{Object, ObjectKey};
use watchkeeper_cache::Watch;
use watchkeeper_controller::{Action, Context, EventType, Failure, Request};
use watchkeeper_manager::Manager;

use self::arrange::{Changes, Group, MANAGED_BY, SERVICE_NAME, US};
use super::unless_gone;

mod arrange;
mod endpoint;

#[cfg(test)]
mod tests;

/// Adds the endpoint slice actor to `manager`.
pub fn endpoint_slice(manager: &Manager) {
    let services = manager.watch::<Service>();
    let pods = manager.watch::<Pod>();
    let nodes = manager.watch::<Node>();
    let slices = manager.watch::<EndpointSlice>();
    let known = services.clone();
    manager
        .controller("endpointslice-controller", &services)
        .watches(&pods, move |pod: &Pod| services_of(&known, pod))
        .watches(&slices, service_of)
        // Only to be there: a pod's node is known before the pod runs.
        .watches(&nodes, |_: &Node| None::<ObjectKey>)
        .workers(2)
        .with(Watches { services, pods, nodes, slices })
        .reconcile(Watches::reconcile);
}

/// The services that select a pod.
fn services_of(services: &Watch<Service>, pod: &Pod) -> Vec<ObjectKey> {
    let nearby = services.peek_in(pod.namespace().unwrap_or_default()).into_iter();
    nearby.filter(|service| selects(service, pod)).map(|service| service.key()).collect()
}

/// Whether the service asks for pods and this is one. Without a selector somebody else sees to its slices.
fn selects(service: &Service, pod: &Pod) -> bool {
    let selector = &service.spec.selector;
    !selector.is_empty() && selector.iter().all(|(key, value)| pod.label(key) == Some(value))
}

/// The service of a slice of ours.
fn service_of(slice: &EndpointSlice) -> Option<ObjectKey> {
    let name = slice.label(SERVICE_NAME).filter(|_| slice.label(MANAGED_BY) == Some(US))?;
    Some(ObjectKey::new(slice.namespace().unwrap_or_default(), name))
}

#[derive(Debug)]
struct Watches {
    services: Watch<Service>,
    pods: Watch<Pod>,
    nodes: Watch<Node>,
    slices: Watch<EndpointSlice>,
}

impl Watches {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(service) = self.services.get(&request).await? else { return Ok(Action::done()) };
        if service.spec.selector.is_empty() || service.spec.type_ == "ExternalName" {
            return Ok(Action::done());
        }
        self.slices.caught_up().await?;
        let pods = self.pods.peek_in(request.namespace()).into_iter();
        let pods: Vec<Arc<Pod>> = pods.filter(|pod| selects(&service, pod)).collect();
        let types = endpoint::address_types(&service);
        let slices = self.slices.peek_in(request.namespace()).into_iter();
        let (slices, obsolete): (Vec<_>, Vec<_>) = slices
            .filter(|slice| service_of(slice).as_ref() == Some(&request.key))
            .filter(|slice| !slice.is_deleting())
            .partition(|slice| types.contains(&slice.address_type.as_str()));
        let mut all = Changes { delete: obsolete, ..Changes::default() };
        for type_ in types {
            let groups = self.groups(&service, &pods, type_);
            let of_type = slices.iter().filter(|slice| slice.address_type == type_);
            let of_type: Vec<Arc<EndpointSlice>> = of_type.cloned().collect();
            all.add(arrange::arrange(&service, type_, groups, &of_type));
        }
        let written = write(&service, all, &ctx).await;
        let written = written.and_then(|()| self.placed(&service, &pods));
        if let Err(failure) = written {
            let message =
                format!("Error updating Endpoint Slices for Service {request}: {failure}");
            ctx.event(&*service, EventType::Warning, "FailedToUpdateEndpointSlices", message);
            return Err(failure);
        }
        Ok(Action::done())
    }

    /// The endpoints of the pods, those with the same ports together. A pod whose node is not there is left out.
    fn groups(&self, service: &Service, pods: &[Arc<Pod>], type_: &str) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for pod in pods.iter().filter(|pod| endpoint::belongs(pod)) {
            let ports = endpoint::ports(service, pod);
            let known = groups.iter().position(|group| group.ports == ports);
            let place = known.unwrap_or_else(|| {
                groups.push(Group { ports, ..Group::default() });
                groups.len() - 1
            });
            let node = self.nodes.peek(&*pod.spec.node_name);
            if node.is_none() && !service.spec.publish_not_ready_addresses {
                continue;
            }
            if let Some(endpoint) = endpoint::endpoint(pod, node.as_deref(), service, type_) {
                groups[place].endpoints.insert(endpoint::identity(&endpoint), endpoint);
            }
        }
        groups
    }

    /// Whether the nodes of all pods are there; else the service is looked at again.
    fn placed(&self, service: &Service, pods: &[Arc<Pod>]) -> Result<(), Failure> {
        let belong = |pod: &&Arc<Pod>| endpoint::belongs(pod);
        let lost = |pod: &&Arc<Pod>| self.nodes.peek(&*pod.spec.node_name).is_none();
        match pods.iter().filter(belong).find(lost) {
            Some(pod) if !service.spec.publish_not_ready_addresses => {
                let (name, node) = (pod.name(), &pod.spec.node_name);
                let service = service.key();
                let why =
                    format!("skipping Pod {name} for Service {service}: Node {node} Not Found");
                Err(Failure::from(why))
            }
            _ => Ok(()),
        }
    }
}

async fn write(service: &Service, changes: Changes, ctx: &Context) -> Result<(), Failure> {
    // The garbage collector takes the slices of a service that goes.
    for slice in changes.create.iter().filter(|_| !service.is_deleting()) {
        match ctx.create(slice).await {
            Err(error) if error.cause("NamespaceTerminating").is_some() => return Ok(()),
            made => _ = made?,
        }
    }
    for (was, slice) in changes.update {
        ctx.edit(&was, |current: &mut EndpointSlice| *current = slice).await?;
    }
    for slice in &changes.delete {
        unless_gone(ctx.delete(slice).await)?;
    }
    Ok(())
}
