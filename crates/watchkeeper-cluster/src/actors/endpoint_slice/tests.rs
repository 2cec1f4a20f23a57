//! Endpoints of pods, and how they are spread over slices.

use std::sync::Arc;

use watchkeeper_api::core::v1::{Node, Pod, Service};
use watchkeeper_api::discovery::v1::{Endpoint, EndpointSlice};
use watchkeeper_api::{Object, json};

use super::arrange::{Group, MOST, arrange, reuse};
use super::changes::Changes;
use super::endpoint;

mod hints;
mod moments;
mod topology;

fn service(spec: &str) -> Service {
    let text = format!(
        r#"{{"apiVersion": "v1", "kind": "Service",
            "metadata": {{"name": "web", "namespace": "default", "uid": "s", "labels": {{"app": "web"}}}},
            "spec": {spec}}}"#
    );
    json::from_slice(text.as_bytes()).expect("a service")
}

const SPEC: &str = r#"{"clusterIP": "10.96.0.7", "ipFamilies": ["IPv4"], "selector": {"app": "web"},
    "ports": [{"name": "http", "protocol": "TCP", "port": 80, "targetPort": "web"},
        {"name": "admin", "protocol": "TCP", "port": 81, "targetPort": 8081}]}"#;

/// A pod with an address, and the port that it names `web` on this number.
fn pod(number: usize, port: i32) -> Pod {
    let text = format!(
        r#"{{"apiVersion": "v1", "kind": "Pod",
            "metadata": {{"name": "web-{number:03}", "namespace": "default", "uid": "p{number}"}},
            "spec": {{"nodeName": "node-0", "containers": [{{"name": "c",
                "ports": [{{"name": "web", "protocol": "TCP", "containerPort": {port}}}]}}]}},
            "status": {{"phase": "Running", "podIP": "10.244.0.{number}",
                "podIPs": [{{"ip": "10.244.0.{number}"}}, {{"ip": "fd00::{number}"}}],
                "conditions": [{{"type": "Ready", "status": "True"}}]}}}}"#
    );
    json::from_slice(text.as_bytes()).expect("a pod")
}

fn endpoint_of(pod: &Pod) -> Endpoint {
    endpoint::endpoint(pod, None, &service(SPEC), "IPv4").expect("an address")
}

fn group(pods: impl IntoIterator<Item = usize>) -> Group {
    let endpoints = pods.into_iter().map(|number| endpoint_of(&pod(number, 8080)));
    Group {
        ports: endpoint::ports(&service(SPEC), &pod(0, 8080)),
        endpoints: endpoints.map(|endpoint| (endpoint::identity(&endpoint), endpoint)).collect(),
    }
}

/// The slices as they are after the changes; new ones get the next number as a name.
fn apply(slices: &[Arc<EndpointSlice>], changes: Changes) -> Vec<Arc<EndpointSlice>> {
    let gone =
        |slice: &Arc<EndpointSlice>| changes.delete.iter().any(|gone| gone.name() == slice.name());
    let changed = |slice: &Arc<EndpointSlice>| {
        let update = changes.update.iter().find(|(was, _)| was.name() == slice.name());
        update.map_or_else(|| slice.clone(), |(_, slice)| Arc::new(slice.clone()))
    };
    let kept = slices.iter().filter(|slice| !gone(slice)).map(changed);
    let mut after: Vec<Arc<EndpointSlice>> = kept.collect();
    for mut slice in changes.create {
        slice.metadata.name = format!("web-{}", after.len()).as_str().into();
        after.push(Arc::new(slice));
    }
    after
}

fn sizes(slices: &[Arc<EndpointSlice>]) -> Vec<usize> {
    slices.iter().map(|slice| slice.endpoints.len()).collect()
}

fn arranged(slices: &[Arc<EndpointSlice>], groups: Vec<Group>) -> Changes {
    let mut changes = arrange(&service(SPEC), "IPv4", groups, slices);
    reuse(&service(SPEC), &mut changes);
    changes
}

fn made(pods: impl IntoIterator<Item = usize>) -> Vec<Arc<EndpointSlice>> {
    apply(&[], arranged(&[], vec![group(pods)]))
}

#[test]
fn an_endpoint_says_how_its_pod_is() {
    let conditions = |pod: &Pod, service: &Service| {
        let conditions =
            endpoint::endpoint(pod, None, service, "IPv4").expect("an address").conditions;
        [conditions.ready, conditions.serving, conditions.terminating]
            .map(Option::unwrap_or_default)
    };
    let normal = service(SPEC);
    let mut eager = service(SPEC);
    eager.spec.publish_not_ready_addresses = true;
    let good = pod(2, 8080);
    assert_eq!(conditions(&good, &normal), [true, true, false]);
    let mut going = good.clone();
    going.metadata.deletion_timestamp = Some(watchkeeper_api::Time::from_unix(0));
    assert_eq!(conditions(&going, &normal), [false, true, true]);
    let mut unready = good;
    unready.status.conditions.clear();
    assert_eq!(conditions(&unready, &normal), [false, false, false]);
    assert_eq!(conditions(&unready, &eager), [true, false, false]);
}

#[test]
fn an_endpoint_says_where_its_pod_is() {
    let mut web = service(SPEC);
    let mut node = Node::default();
    node.metadata.labels.insert("topology.kubernetes.io/zone", "north");
    let mut pod = pod(2, 8080);
    pod.spec.hostname = "zero".into();
    let of = |pod: &Pod, web: &Service, type_| endpoint::endpoint(pod, Some(&node), web, type_);
    let found = of(&pod, &web, "IPv4").expect("an address");
    assert_eq!(*found.addresses, ["10.244.0.2"]);
    assert_eq!(*of(&pod, &web, "IPv6").expect("an address").addresses, ["fd00::2"]);
    assert_eq!(
        (found.zone.as_deref(), found.node_name.as_deref()),
        (Some("north"), Some("node-0"))
    );
    let target = found.target_ref.as_deref().expect("a pod");
    assert_eq!((&*target.kind, &*target.name, &*target.uid), ("Pod", "web-002", "p2"));
    assert_eq!(found.hostname, None, "it is no host of this service");
    pod.spec.subdomain = "web".into();
    assert_eq!(of(&pod, &web, "IPv4").expect("an address").hostname.as_deref(), Some("zero"));
    web.metadata.name = "other".into();
    assert_eq!(of(&pod, &web, "IPv4").expect("an address").hostname, None);
}

#[test]
fn ports_are_those_of_the_pod() {
    let ports = |port| -> Vec<(String, i32)> {
        let ports = endpoint::ports(&service(SPEC), &pod(0, port));
        let port = |port: &watchkeeper_api::discovery::v1::EndpointPort| {
            (port.name.as_deref().unwrap_or_default().to_owned(), port.port.unwrap_or_default())
        };
        ports.iter().map(port).collect()
    };
    assert_eq!(ports(8080), [("admin".to_owned(), 8081), ("http".to_owned(), 8080)]);
    let mut unnamed = pod(0, 8080);
    unnamed.spec.containers.clear();
    let left = endpoint::ports(&service(SPEC), &unnamed);
    assert_eq!(left.len(), 1, "nothing is called web");
}

#[test]
fn the_kinds_of_addresses_are_the_services_own() {
    let types = |spec: &str| endpoint::address_types(&service(spec));
    assert_eq!(types(SPEC), ["IPv4"]);
    assert_eq!(
        types(r#"{"clusterIP": "fd00::1", "ipFamilies": ["IPv6", "IPv4"]}"#),
        ["IPv4", "IPv6"]
    );
    assert_eq!(types(r#"{"clusterIP": "fd00::1"}"#), ["IPv6"]);
    assert_eq!(types(r#"{"clusterIP": "None"}"#), ["IPv4", "IPv6"]);
}

#[test]
fn a_pod_belongs_as_long_as_it_has_an_address_and_has_not_ended() {
    let mut web = pod(2, 8080);
    assert!(endpoint::belongs(&web));
    web.status.phase = "Failed".into();
    assert!(!endpoint::belongs(&web));
    assert!(!endpoint::belongs(&Pod::default()));
}

#[test]
fn a_slice_leads_to_its_service() {
    let slices = made(0..3);
    assert_eq!(sizes(&slices), [3]);
    let slice = &slices[0];
    let owner = slice.controller().expect("an owner");
    assert_eq!((owner.kind, owner.name, owner.uid), ("Service", "web", "s"));
    let labels: Vec<(&str, &str)> = slice.labels().collect();
    let expected = [
        ("app", "web"),
        ("endpointslice.kubernetes.io/managed-by", "endpointslice-controller.k8s.io"),
        ("kubernetes.io/service-name", "web"),
    ];
    assert_eq!(labels, expected);
    assert_eq!((&*slice.metadata.generate_name, &*slice.address_type), ("web-", "IPv4"));
    let headless = service(r#"{"clusterIP": "None", "selector": {"app": "web"}}"#);
    let changes = arrange(&headless, "IPv4", Vec::new(), &[]);
    assert_eq!(changes.create[0].label("service.kubernetes.io/headless"), Some(""));
}

#[test]
fn a_slice_holds_a_hundred() {
    assert_eq!(sizes(&made(0..250)), [MOST, MOST, 50]);
}

#[test]
fn what_is_as_it_should_be_is_not_written() {
    let slices = made(0..150);
    assert_eq!(arranged(&slices, vec![group(0..150)]), Changes::default());
}

#[test]
fn only_slices_that_change_anyhow_are_filled_up() {
    let slices = made(0..150);
    let changes = arranged(&slices, vec![group(1..151)]);
    assert_eq!((changes.update.len(), changes.create.len()), (1, 0));
    assert_eq!(sizes(&apply(&slices, changes)), [100, 50], "the first had room");
}

#[test]
fn what_is_left_goes_into_the_slice_that_it_fits_best() {
    let slices = made(0..150);
    let changes = arranged(&slices, vec![group(0..160)]);
    assert_eq!((changes.update.len(), changes.create.len()), (1, 0));
    assert_eq!(sizes(&apply(&slices, changes)), [100, 60]);
    let changes = arranged(&slices, vec![group(0..210)]);
    assert_eq!((changes.update.len(), changes.create.len()), (0, 1), "sixty do not fit");
}

#[test]
fn an_empty_slice_stays_when_the_last_endpoint_goes_and_is_used_again() {
    let slices = made(0..2);
    let changes = arranged(&slices, vec![group(0..0)]);
    let slices = apply(&slices, changes);
    assert_eq!((sizes(&slices), slices[0].ports.len()), (vec![0], 0));
    assert_eq!(arranged(&slices, Vec::new()), Changes::default());
    let changes = arranged(&slices, vec![group(0..2)]);
    assert_eq!((changes.update.len(), changes.create.len(), changes.delete.len()), (1, 0, 0));
    assert_eq!(sizes(&apply(&slices, changes)), [2]);
}

#[test]
fn pods_with_other_ports_have_a_slice_of_their_own() {
    let mut other = group(0..0);
    let moved = pod(9, 9090);
    other.ports = endpoint::ports(&service(SPEC), &moved);
    let moved = endpoint_of(&moved);
    other.endpoints.insert(endpoint::identity(&moved), moved);
    let slices = apply(&[], arranged(&[], vec![group(0..3), other]));
    assert_eq!(sizes(&slices), [3, 1]);
    assert_eq!(
        slices[1].ports.iter().filter_map(|port| port.port).collect::<Vec<_>>(),
        [8081, 9090]
    );
}

#[test]
fn a_slice_of_a_service_that_was_there_before_goes() {
    let mut slice = (*made(0..2)[0]).clone();
    slice.metadata.owner_references.edit(|owners| owners[0].uid = "former".into());
    let changes = arranged(&[Arc::new(slice)], vec![group(0..2)]);
    assert_eq!((changes.create.len(), changes.update.len(), changes.delete.len()), (1, 0, 1));
}

#[test]
fn whoever_an_endpoint_is_for_it_stays_where_it_is() {
    let mut slice = (*made(0..2)[0]).clone();
    slice.endpoints[0].hints = Some(Box::default());
    assert_eq!(arranged(&[Arc::new(slice.clone())], vec![group(0..2)]), Changes::default());
    let changes = arranged(&[Arc::new(slice)], vec![group(0..3)]);
    assert!(changes.update[0].1.endpoints[0].hints.is_some(), "others see to hints");
}

#[test]
fn labels_follow_those_of_the_service() {
    let slices = made(0..2);
    let mut renamed = service(SPEC);
    renamed.metadata.labels.insert("tier", "front");
    let changes = arrange(&renamed, "IPv4", vec![group(0..2)], &slices);
    assert_eq!(changes.update.len(), 1);
    assert_eq!(changes.update[0].1.label("tier"), Some("front"));
}
