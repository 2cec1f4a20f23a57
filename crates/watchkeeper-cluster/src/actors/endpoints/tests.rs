//! What endpoints say of the pods of a service.

use std::sync::Arc;

use watchkeeper_api::core::v1::{EndpointAddress, EndpointSubset, Endpoints, Pod, Service};
use watchkeeper_api::{Object, Time, json};

use super::plan::plan;

mod subsets;

const SPEC: &str = r#"{"clusterIP": "10.96.0.7", "ipFamilies": ["IPv4"], "selector": {"app": "web"},
    "ports": [{"name": "http", "protocol": "TCP", "port": 80, "targetPort": "web"},
        {"name": "admin", "protocol": "TCP", "port": 81, "targetPort": 8081}]}"#;

fn service(spec: &str) -> Service {
    let text = format!(
        r#"{{"apiVersion": "v1", "kind": "Service",
            "metadata": {{"name": "web", "namespace": "default", "uid": "s", "labels": {{"app": "web"}}}},
            "spec": {spec}}}"#
    );
    json::from_slice(text.as_bytes()).expect("a service")
}

/// A service that wants all pods to be told, ready or not.
fn eager() -> Service {
    let mut service = service(SPEC);
    service.spec.publish_not_ready_addresses = true;
    service
}

/// `3` is a pod with the address `10.0.0.3` that is ready and calls its port 8080 `web`; `waiting`, `leaving` and
/// `ended` say what they say, and a number that the port is another.
fn pod(text: &str) -> Arc<Pod> {
    let mut words = text.split(' ');
    let number = words.next().unwrap_or_default();
    let (mut status, mut phase, mut port, mut is_leaving) = ("True", "Running", "8080", false);
    for word in words {
        match word {
            "waiting" => status = "False",
            "leaving" => is_leaving = true,
            "ended" => phase = "Succeeded",
            other => port = other,
        }
    }
    let text = format!(
        r#"{{"apiVersion": "v1", "kind": "Pod",
            "metadata": {{"name": "web-{number}", "namespace": "default", "uid": "p{number}"}},
            "spec": {{"nodeName": "node-0", "containers": [{{"name": "c",
                "ports": [{{"name": "web", "protocol": "TCP", "containerPort": {port}}}]}}]}},
            "status": {{"phase": "{phase}", "podIP": "10.0.0.{number}",
                "podIPs": [{{"ip": "10.0.0.{number}"}}, {{"ip": "fd00::{number}"}}],
                "conditions": [{{"type": "Ready", "status": "{status}"}}]}}}}"#
    );
    let mut pod: Pod = json::from_slice(text.as_bytes()).expect("a pod");
    pod.metadata.deletion_timestamp = is_leaving.then(|| Time::from_unix(0));
    Arc::new(pod)
}

fn pods(text: &str) -> Vec<Arc<Pod>> {
    text.split(", ").filter(|line| !line.is_empty()).map(pod).collect()
}

/// Endpoints that there were none of before.
fn made(service: &Service, text: &str) -> Endpoints {
    plan(service, &pods(text), None, None).expect("they are to be made")
}

/// `3 not 4 at http:8080` for each subset.
fn told(subsets: &[EndpointSubset]) -> String {
    let all = |addresses: &[EndpointAddress]| {
        let numbers = addresses.iter().map(|address| address.ip.rsplit('.').next());
        numbers.map(Option::unwrap_or_default).collect::<Vec<_>>().join(" ")
    };
    let subset = |subset: &EndpointSubset| {
        let ports = subset.ports.iter().map(|port| format!("{}:{}", port.name, port.port));
        let ports = ports.collect::<Vec<_>>().join(" ");
        let (ready, others) = (all(&subset.addresses), all(&subset.not_ready_addresses));
        format!("{ready} not {others} at {ports}")
    };
    subsets.iter().map(subset).collect::<Vec<_>>().join(" | ")
}

#[test]
fn addresses_with_the_same_ports_are_together() {
    let found = made(&service(SPEC), "3, 1, 2 waiting");
    assert_eq!(told(&found.subsets), "1 3 not 2 at admin:8081 http:8080");
    let found = made(&service(SPEC), "1, 3 9090");
    assert_eq!(
        told(&found.subsets),
        "1 3 not  at admin:8081 | 1 not  at http:8080 | 3 not  at http:9090"
    );
    assert_eq!(told(&made(&service(SPEC), "").subsets), "");
}

#[test]
fn pods_that_go_or_have_ended_are_not_told_of() {
    let text = "1, 2 leaving, 3 ended, 4 waiting";
    let found = made(&service(SPEC), text);
    assert_eq!(told(&found.subsets), "1 not 4 at admin:8081 http:8080");
    let found = made(&eager(), text);
    assert_eq!(told(&found.subsets), "1 2 4 not  at admin:8081 http:8080");
}

#[test]
fn an_address_says_whose_it_is() {
    let mut pod = pod("1");
    Arc::make_mut(&mut pod).spec.hostname = "zero".into();
    let address = |pod: &Arc<Pod>| {
        let found = plan(&service(SPEC), std::slice::from_ref(pod), None, None);
        found.expect("they are to be made").subsets[0].addresses[0].clone()
    };
    let found = address(&pod);
    let target = found.target_ref.as_deref().expect("a pod");
    assert_eq!((&*target.kind, &*target.name, &*target.uid), ("Pod", "web-1", "p1"));
    assert_eq!((found.node_name.as_deref(), &*found.hostname), (Some("node-0"), ""));
    Arc::make_mut(&mut pod).spec.subdomain = "web".into();
    assert_eq!(&*address(&pod).hostname, "zero");
}

#[test]
fn addresses_are_of_the_first_kind_that_the_service_has() {
    let first = |spec: &str| {
        let found = made(&service(spec), "1");
        found.subsets[0].addresses[0].ip.to_string()
    };
    let ports = r#""ports": [{"protocol": "TCP", "port": 80, "targetPort": 80}]"#;
    for (spec, expected) in [
        (r#""clusterIP": "fd00::7", "ipFamilies": ["IPv6", "IPv4"]"#, "fd00::1"),
        (r#""clusterIP": "10.96.0.7", "ipFamilies": ["IPv4", "IPv6"]"#, "10.0.0.1"),
        (r#""clusterIP": "fd00::7""#, "fd00::1"),
        (r#""clusterIP": "None""#, "10.0.0.1"),
    ] {
        assert_eq!(first(&format!("{{{spec}, {ports}}}")), expected, "{spec}");
    }
}

#[test]
fn labels_are_those_of_the_service_and_who_sees_to_it() {
    let found = made(&service(SPEC), "1");
    let labels: Vec<(&str, &str)> = found.labels().collect();
    let managed_by = ("endpoints.kubernetes.io/managed-by", "endpoint-controller");
    assert_eq!(labels, [("app", "web"), managed_by]);
    assert_eq!((found.name(), found.namespace()), ("web", Some("default")));
    let found = made(&service(r#"{"clusterIP": "None", "selector": {"app": "web"}}"#), "1");
    assert_eq!(found.label("service.kubernetes.io/headless"), Some(""));
    assert_eq!(told(&found.subsets), "1 not  at ", "a headless service needs no ports");
}

#[test]
fn what_says_it_all_is_not_written() {
    let web = service(SPEC);
    let mut current = made(&web, "1, 3 9090");
    let look = |current: &Endpoints, text: &str| {
        let found = plan(&web, &pods(text), Some(current), Some(Time::from_unix(0)));
        found.map(|found| told(&found.subsets))
    };
    assert_eq!(look(&current, "1, 3 9090"), None);
    assert_eq!(look(&current, "1"), Some("1 not  at admin:8081 http:8080".to_owned()));
    current.subsets.edit(|subsets| {
        subsets.reverse();
        let target = subsets[0].addresses[0].target_ref.as_mut().expect("a pod");
        target.resource_version = "7".into();
    });
    assert_eq!(look(&current, "1, 3 9090"), None, "in another order, of another version");
    current.metadata.labels.insert("of", "others");
    assert!(look(&current, "1, 3 9090").is_some(), "labels follow the service");
}

#[test]
fn what_is_written_tells_its_moment_and_keeps_what_others_noted() {
    let web = service(SPEC);
    let mut current = made(&web, "1");
    current.metadata.annotations.insert("note", "keep");
    let annotations = |text: &str, moment| {
        let found = plan(&web, &pods(text), Some(&current), moment).expect("it changes");
        let told = found.annotations().map(|(name, value)| format!("{name}={value}"));
        told.collect::<Vec<_>>().join(" ")
    };
    let at = "endpoints.kubernetes.io/last-change-trigger-time=1970-01-01T00:00:00Z";
    assert_eq!(annotations("2", Some(Time::from_unix(0))), format!("{at} note=keep"));
    assert_eq!(annotations("2", None), "note=keep");
}

#[test]
fn too_many_addresses_are_left_out_and_it_says_so() {
    let annotation = "endpoints.kubernetes.io/over-capacity";
    let web = service(SPEC);
    let many: Vec<String> = (0..1_001).map(|number| number.to_string()).collect();
    let many = pods(&many.join(", "));
    let found = plan(&web, &many, None, None).expect("they are to be made");
    assert_eq!(found.subsets[0].addresses.len(), 1_000);
    assert_eq!(found.annotation(annotation), Some("truncated"));
    assert_eq!(plan(&web, &many, Some(&found), None), None, "there is nothing to add");
    let fewer = plan(&web, &many[1..], Some(&found), None).expect("they fit");
    assert_eq!((fewer.subsets[0].addresses.len(), fewer.annotation(annotation)), (1_000, None));
    assert_eq!(plan(&web, &many[1..], Some(&fewer), None), None);
}

#[test]
fn a_port_that_a_pod_does_not_have_is_left_out() {
    let mut pod = pod("1");
    Arc::make_mut(&mut pod).spec.containers.clear();
    let found = plan(&service(SPEC), &[pod], None, None).expect("they are to be made");
    assert_eq!(told(&found.subsets), "1 not  at admin:8081");
}
