//! What pods and their service say of an endpoint.

use watchkeeper_api::core::v1::{Node, ObjectReference, Pod, Service, ServicePort};
use watchkeeper_api::discovery::v1::{Endpoint, EndpointConditions, EndpointPort};
use watchkeeper_api::{IStr, IntOrString, List, Object};

use crate::actors::replicaset::ready_since;
use crate::actors::state::{has_ended, is_sidecar};

/// The label of a node that says in which zone it is.
pub(crate) const ZONE: &str = "topology.kubernetes.io/zone";

/// By what endpoints of a slice are told apart.
pub(crate) type Identity = (Vec<IStr>, Option<IStr>, IStr);

pub(crate) fn identity(endpoint: &Endpoint) -> Identity {
    let pod = endpoint.target_ref.as_ref().map(|pod| pod.name.clone()).unwrap_or_default();
    (endpoint.addresses.to_vec(), endpoint.hostname.clone(), pod)
}

/// Whether two endpoints that are told to be one say the same, whoever they are for and whatever version of its pod
/// one of them knew.
pub(crate) fn is_alike(a: &Endpoint, b: &Endpoint) -> bool {
    let of_no_version = |endpoint: &Endpoint| {
        let target = endpoint.target_ref.as_deref().cloned();
        target.map(|target| ObjectReference { resource_version: IStr::default(), ..target })
    };
    a.conditions == b.conditions
        && a.node_name == b.node_name
        && a.zone == b.zone
        && (a.target_ref == b.target_ref || of_no_version(a) == of_no_version(b))
}

/// The kinds of addresses that the service has.
pub(crate) fn address_types(service: &Service) -> Vec<&'static str> {
    let spec = &service.spec;
    let has = |family: &str| spec.ip_families.iter().any(|known| known == family);
    let families = ["IPv4", "IPv6"].into_iter().filter(|family| has(family)).collect::<Vec<_>>();
    match spec.cluster_ip.as_str() {
        _ if !families.is_empty() => families,
        "" | "None" => vec!["IPv4", "IPv6"],
        ip => vec![address_type(ip)],
    }
}

pub(crate) fn address_type(ip: &str) -> &'static str {
    if ip.contains(':') { "IPv6" } else { "IPv4" }
}

pub(crate) fn is_headless(service: &Service) -> bool {
    matches!(service.spec.cluster_ip.as_str(), "" | "None")
}

/// Whether the pod has an address, and not come to its end.
pub(crate) fn belongs(pod: &Pod) -> bool {
    let addressed = !pod.status.pod_ip.is_empty() || !pod.status.pod_ips.is_empty();
    addressed && !has_ended(pod)
}

/// The endpoint of a pod among addresses of this kind; `None` if it has none.
pub(crate) fn endpoint(
    pod: &Pod,
    node: Option<&Node>,
    service: &Service,
    type_: &str,
) -> Option<Endpoint> {
    let addresses = pod.status.pod_ips.iter().map(|ip| &ip.ip);
    let addresses: List<IStr> = addresses.filter(|ip| address_type(ip) == type_).cloned().collect();
    if addresses.is_empty() {
        return None;
    }
    let (serving, terminating) = (ready_since(pod).is_some(), pod.is_deleting());
    let ready = service.spec.publish_not_ready_addresses || (serving && !terminating);
    Some(Endpoint {
        addresses,
        conditions: EndpointConditions {
            ready: Some(ready),
            serving: Some(serving),
            terminating: Some(terminating),
        },
        hostname: hostname(pod, service),
        target_ref: Some(Box::new(reference(pod))),
        node_name: Some(pod.spec.node_name.clone()).filter(|name| !name.is_empty()),
        zone: node
            .and_then(|node| node.label(ZONE))
            .filter(|zone| !zone.is_empty())
            .map(IStr::from),
        ..Endpoint::default()
    })
}

/// The name of a pod as a host of the service, if it is one.
pub(crate) fn hostname(pod: &Pod, service: &Service) -> Option<IStr> {
    let named = !pod.spec.hostname.is_empty() && pod.spec.subdomain == *service.name();
    named.then(|| pod.spec.hostname.clone())
}

pub(crate) fn reference(pod: &Pod) -> ObjectReference {
    ObjectReference {
        kind: "Pod".into(),
        namespace: pod.metadata.namespace.clone(),
        name: pod.metadata.name.clone(),
        uid: pod.metadata.uid.clone(),
        ..ObjectReference::default()
    }
}

/// The ports of the service as this pod has them, in a stable order. Without a port of the name that is
/// asked for there is none.
pub(crate) fn ports(service: &Service, pod: &Pod) -> Vec<EndpointPort> {
    let port = |asked: &ServicePort| {
        Some(EndpointPort {
            name: Some(asked.name.clone()),
            protocol: Some(asked.protocol.clone()),
            port: Some(find_port(pod, asked)?),
            app_protocol: asked.app_protocol.clone(),
        })
    };
    let mut ports: Vec<EndpointPort> = service.spec.ports.iter().filter_map(port).collect();
    sort(&mut ports);
    ports
}

/// Sorts ports, so that those of two slices can be compared.
pub(crate) fn sort(ports: &mut [EndpointPort]) {
    ports.sort_by(|a, b| {
        let rank = |port: &EndpointPort| {
            (port.name.clone(), port.port, port.protocol.clone(), port.app_protocol.clone())
        };
        rank(a).cmp(&rank(b))
    });
}

/// The number of the port that the service asks for on this pod.
pub(crate) fn find_port(pod: &Pod, asked: &ServicePort) -> Option<i32> {
    let name = match &asked.target_port {
        IntOrString::Int(number) => return Some(*number),
        IntOrString::String(name) => name,
    };
    let sidecars = pod.spec.init_containers.iter().filter(|container| is_sidecar(container));
    let ports = pod.spec.containers.iter().chain(sidecars).flat_map(|container| &*container.ports);
    let mut ports = ports.filter(|port| port.name == *name && port.protocol == asked.protocol);
    ports.next().map(|port| port.container_port)
}
