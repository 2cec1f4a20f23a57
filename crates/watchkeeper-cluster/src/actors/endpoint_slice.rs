//! The endpoint slice actor: the addresses behind each service.
//!
//! Upstream's endpoint slice controller (`discovery.k8s.io/v1`): a slice for each kind of address and each set of
//! ports, at most a hundred endpoints in one, changed as little as may be. A service may ask for hints, by which each
//! endpoint is for a zone or a node.

use std::sync::Arc;

use watchkeeper_api::core::v1::{Node, Pod, Service};
use watchkeeper_api::discovery::v1::EndpointSlice;
use watchkeeper_api::{Object, ObjectKey};
use watchkeeper_cache::Watch;
use watchkeeper_controller::{Action, Context, EventType, Failure, Request};
use watchkeeper_manager::Manager;

use self::arrange::{Group, MANAGED_BY, SERVICE_NAME, US};
use self::changes::Changes;
use self::hinter::Hinter;
use self::moments::{Moments, Seen};

pub(super) mod arrange;
pub(super) mod changes;
pub(super) mod endpoint;
mod hinter;
mod hints;
pub(super) mod moments;
mod topology;

#[cfg(test)]
mod tests;

/// Adds the endpoint slice actor to `manager`.
pub fn endpoint_slice(manager: &Manager) {
    let services = manager.watch::<Service>();
    let pods = manager.watch::<Pod>();
    let nodes = manager.watch::<Node>();
    let slices = manager.watch::<EndpointSlice>();
    let known = services.clone();
    let hinter = Arc::new(Hinter::new(nodes.clone()));
    let asked = hinter.clone();
    manager
        .controller("endpointslice-controller", &services)
        .watches(&pods, move |pod: &Pod| services_of(&known, pod))
        .watches(&slices, |slice: &EndpointSlice| service_of(slice, US))
        // A pod's node is known before the pod runs: nothing else has to be done about one that is new.
        .watches(nodes.when(hinter::matters), move |_: &Node| asked.overloaded())
        .workers(2)
        .with(Watches { services, pods, nodes, slices, hinter, moments: Moments::default() })
        .reconcile(Watches::reconcile);
}

/// The services that select a pod.
pub(super) fn services_of(services: &Watch<Service>, pod: &Pod) -> Vec<ObjectKey> {
    let nearby = services.peek_in(pod.namespace().unwrap_or_default()).into_iter();
    nearby.filter(|service| selects(service, pod)).map(|service| service.key()).collect()
}

/// Whether the service asks for pods and this is one.
pub(super) fn selects(service: &Service, pod: &Pod) -> bool {
    let selector = &service.spec.selector;
    !selector.is_empty() && selector.iter().all(|(key, value)| pod.label(key) == Some(value))
}

/// Whether what is behind the service are pods. Without a selector somebody else says what is.
pub(super) fn has_pods(service: &Service) -> bool {
    !service.spec.selector.is_empty() && service.spec.type_ != "ExternalName"
}

/// The service of a slice that this manager sees to.
pub(super) fn service_of(slice: &EndpointSlice, manager: &str) -> Option<ObjectKey> {
    let name = slice.label(SERVICE_NAME).filter(|_| slice.label(MANAGED_BY) == Some(manager))?;
    Some(ObjectKey::new(slice.namespace().unwrap_or_default(), name))
}

#[derive(Debug)]
struct Watches {
    services: Watch<Service>,
    pods: Watch<Pod>,
    nodes: Watch<Node>,
    slices: Watch<EndpointSlice>,
    hinter: Arc<Hinter>,
    moments: Moments,
}

impl Watches {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(service) = self.services.get(&request).await? else {
            self.moments.forget(&request);
            self.hinter.forget(&request);
            return Ok(Action::done());
        };
        if !has_pods(&service) {
            return Ok(Action::done());
        }
        self.slices.caught_up().await?;
        let pods = self.pods.peek_in(request.namespace()).into_iter();
        let pods: Vec<Arc<Pod>> = pods.filter(|pod| selects(&service, pod)).collect();
        let seen = Seen::of(&service, &pods);
        let changes = self.changes(&service, &pods, &ctx);
        let changes = changes.dated(self.moments.first_new(&request, &seen));
        let mut written = changes.write(&*service, &ctx).await;
        if written.is_ok() {
            // What could not be written is told with the next try.
            self.moments.keep(&request, seen);
            written = self.placed(&service, &pods);
        }
        if let Err(failure) = written {
            let message =
                format!("Error updating Endpoint Slices for Service {request}: {failure}");
            ctx.event(&*service, EventType::Warning, "FailedToUpdateEndpointSlices", message);
            return Err(failure);
        }
        Ok(Action::done())
    }

    /// What is to be written of the slices of a service.
    fn changes(&self, service: &Service, pods: &[Arc<Pod>], ctx: &Context) -> Changes {
        let (key, types) = (service.key(), endpoint::address_types(service));
        let slices = self.slices.peek_in(&key.namespace).into_iter();
        let (slices, obsolete): (Vec<_>, Vec<_>) = slices
            .filter(|slice| service_of(slice, US).as_ref() == Some(&key))
            .filter(|slice| !slice.is_deleting())
            .partition(|slice| types.contains(&slice.address_type.as_str()));
        for slice in &obsolete {
            self.hinter.remove(&key, &slice.address_type);
        }
        let mut all = Changes { delete: obsolete, ..Changes::default() };
        for type_ in types {
            let groups = self.groups(service, pods, type_);
            let of_type = slices.iter().filter(|slice| slice.address_type == type_);
            let of_type: Vec<Arc<EndpointSlice>> = of_type.cloned().collect();
            let mut changes = arrange::arrange(service, type_, groups, &of_type);
            self.hinter.hint(service, type_, &mut changes, &of_type, ctx);
            arrange::reuse(service, &mut changes);
            all.add(changes);
        }
        all
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
