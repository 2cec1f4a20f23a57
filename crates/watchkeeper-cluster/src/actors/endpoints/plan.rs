//! What the endpoints of a service shall say.

use std::sync::Arc;

use watchkeeper_api::core::v1::{
    EndpointAddress, EndpointPort, EndpointSubset, Endpoints, Pod, Service, ServicePort,
};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{IStr, List, Map, Object, Time};

use super::subsets::{repack, shorten};
use crate::actors::endpoint_slice::{arrange, endpoint, moments};
use crate::actors::replicaset::ready_since;

/// The label that says who sees to them, and our name there.
const MANAGED_BY: &str = "endpoints.kubernetes.io/managed-by";
const US: &str = "endpoint-controller";
/// The annotation that says that some addresses are left out, and its value.
const OVER_CAPACITY: &str = "endpoints.kubernetes.io/over-capacity";
const SHORTENED: &str = "truncated";

/// The endpoints as they are to be written; `None` if they say already what they shall. `moment` is when that happened
/// which they tell.
pub(crate) fn plan(
    service: &Service,
    pods: &[Arc<Pod>],
    current: Option<&Endpoints>,
    moment: Option<Time>,
) -> Option<Endpoints> {
    let mut subsets = subsets_of(service, pods);
    let mut wanted = current.cloned().unwrap_or_else(|| empty(service));
    wanted.metadata.labels = labels(service);
    match shorten(&mut subsets) {
        true => _ = wanted.metadata.annotations.insert(OVER_CAPACITY, SHORTENED),
        false => _ = wanted.metadata.annotations.remove(OVER_CAPACITY),
    }
    let says_it_all = |current: &Endpoints| {
        current.metadata == wanted.metadata && say_the_same(&current.subsets, &subsets)
    };
    if current.is_some_and(says_it_all) {
        return None;
    }
    wanted.subsets = subsets.into();
    moments::tell(&mut wanted.metadata.annotations, moment);
    Some(wanted)
}

/// Whether subsets say what these do, which are in order: in any order, and of any version of a pod.
fn say_the_same(current: &[EndpointSubset], wanted: &[EndpointSubset]) -> bool {
    let current: Vec<EndpointSubset> = current.iter().cloned().map(of_no_version).collect();
    current == wanted || repack(&current) == wanted
}

fn of_no_version(mut subset: EndpointSubset) -> EndpointSubset {
    for address in subset.addresses.iter_mut().chain(&mut subset.not_ready_addresses) {
        if let Some(target) = &mut address.target_ref {
            target.resource_version = IStr::default();
        }
    }
    subset
}

fn empty(service: &Service) -> Endpoints {
    let metadata = ObjectMeta {
        name: service.metadata.name.clone(),
        namespace: service.metadata.namespace.clone(),
        ..ObjectMeta::default()
    };
    Endpoints { metadata, ..Endpoints::default() }
}

/// The labels: those of the service, and who sees to it.
fn labels(service: &Service) -> Map {
    let mut labels = service.metadata.labels.clone();
    labels.remove(arrange::HEADLESS);
    if endpoint::is_headless(service) {
        labels.insert(arrange::HEADLESS, "");
    }
    labels.insert(MANAGED_BY, US);
    labels
}

fn subsets_of(service: &Service, pods: &[Arc<Pod>]) -> Vec<EndpointSubset> {
    let all: Vec<EndpointSubset> = pods.iter().flat_map(|pod| of_pod(service, pod)).collect();
    repack(&all)
}

/// A subset for each port of a pod. One that is asked to go is not told of, unless the service wants all.
fn of_pod(service: &Service, pod: &Pod) -> Vec<EndpointSubset> {
    let wants_all = service.spec.publish_not_ready_addresses;
    let belongs = endpoint::belongs(pod) && (wants_all || !pod.is_deleting());
    let Some(address) = address(service, pod).filter(|_| belongs) else { return Vec::new() };
    let here = List::from([address]);
    let (addresses, not_ready_addresses) = match wants_all || ready_since(pod).is_some() {
        true => (here, List::new()),
        false => (List::new(), here),
    };
    let subset = EndpointSubset { addresses, not_ready_addresses, ports: List::new() };
    let with = |ports| EndpointSubset { ports, ..subset.clone() };
    ports(service, pod).into_iter().map(with).collect()
}

/// Each port by itself. A headless service may have none at all.
fn ports(service: &Service, pod: &Pod) -> Vec<List<EndpointPort>> {
    if service.spec.ports.is_empty() && service.spec.cluster_ip == "None" {
        return vec![List::new()];
    }
    let port = |asked: &ServicePort| {
        Some(List::from([EndpointPort {
            name: asked.name.clone(),
            port: endpoint::find_port(pod, asked)?,
            protocol: asked.protocol.clone(),
            app_protocol: asked.app_protocol.clone(),
        }]))
    };
    service.spec.ports.iter().filter_map(port).collect()
}

/// The pod's first address of the kind that the service has first.
fn address(service: &Service, pod: &Pod) -> Option<EndpointAddress> {
    let wanted = family(service, pod);
    let mut addresses = pod.status.pod_ips.iter().map(|ip| &ip.ip);
    Some(EndpointAddress {
        ip: addresses.find(|ip| endpoint::address_type(ip) == wanted)?.clone(),
        hostname: endpoint::hostname(pod, service).unwrap_or_default(),
        node_name: Some(pod.spec.node_name.clone()).filter(|name| !name.is_empty()),
        target_ref: Some(Box::new(endpoint::reference(pod))),
    })
}

fn family<'a>(service: &'a Service, pod: &Pod) -> &'a str {
    let spec = &service.spec;
    match (spec.ip_families.first(), spec.cluster_ip.as_str()) {
        (Some(family), _) => family.as_str(),
        (None, "" | "None") => endpoint::address_type(&pod.status.pod_ip),
        (None, ip) => endpoint::address_type(ip),
    }
}
