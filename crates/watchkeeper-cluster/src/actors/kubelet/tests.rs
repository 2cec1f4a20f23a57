//! A pod's life on a node that runs nothing, without a server.

use serde_json::{Value, json};
use watchkeeper_api::Time;
use watchkeeper_api::core::v1::{Container, ContainerStatus, Pod};

use super::address::Addresses;
use super::conditions::condition;
use super::report::Report;
use super::stage::{Host, Stage, next};
use crate::actors::FakeNode;

mod conditions;
mod ends;
mod init;
mod life;

const HOST: Host<'_> = Host { ip: "10.0.0.2", pod_ip: "10.244.0.2", ready_since: None };

fn pod() -> Pod {
    let mut pod = Pod::default();
    pod.metadata.uid = "u".into();
    pod.spec.containers.push(Container { name: "nginx".into(), ..Container::default() });
    pod
}

/// A pod with this spec, of which these annotations tell.
fn scripted(annotations: &Value, spec: &Value) -> Pod {
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "a", "namespace": "default", "uid": "u", "annotations": annotations},
        "spec": spec,
    });
    watchkeeper_api::json::from_slice(pod.to_string().as_bytes()).expect("a pod")
}

/// Containers of these names.
fn named(names: &[&str]) -> Value {
    names.iter().map(|name| json!({"name": name})).collect()
}

fn at(seconds: i64) -> Time {
    Time::from_unix(seconds)
}

/// Follows a pod from one second to another: a line for each thing that is told of it.
fn follow(pod: &mut Pod, from: i64, to: i64) -> Vec<String> {
    let (mut now, mut lines) = (at(from), Vec::new());
    loop {
        match next(pod, HOST, now) {
            Stage::Tell(report) => {
                pod.status = report.status;
                lines.push(format!("{} {}", now.unix(), line(pod)));
            }
            Stage::Wait(until) if until <= at(to) => now = until,
            Stage::Wait(_) | Stage::Remove | Stage::Rest => return lines,
        }
    }
}

/// The phase of a pod, whether it is ready, and its containers.
fn line(pod: &Pod) -> String {
    let is_ready = condition(&pod.status, "Ready").is_some_and(|ready| ready.status == "True");
    let ready = if is_ready { " ready" } else { "" };
    let init = pod.status.init_container_statuses.iter();
    let containers: Vec<String> = init.chain(&pod.status.container_statuses).map(how).collect();
    format!("{}{ready} {}", pod.status.phase, containers.join(" "))
}

/// Why a container waits, that it runs, or what it returned; and how often it was started anew.
fn how(container: &ContainerStatus) -> String {
    let state = match (&container.state.waiting, &container.state.terminated) {
        (Some(waiting), _) => waiting.reason.to_string(),
        (None, Some(end)) => end.exit_code.to_string(),
        (None, None) => "runs".to_owned(),
    };
    match container.restart_count {
        0 => format!("{}={state}", container.name),
        times => format!("{}={state}*{times}", container.name),
    }
}

/// What is told next.
#[track_caller]
fn told(pod: &Pod, now: i64) -> Report {
    match next(pod, HOST, at(now)) {
        Stage::Tell(report) => *report,
        other => panic!("nothing is told: {other:?}"),
    }
}

fn reasons(report: &Report) -> Vec<&'static str> {
    report.told.iter().map(|(_, reason, _)| *reason).collect()
}

#[test]
fn a_placed_pod_starts_with_an_address_and_is_ready() {
    let report = told(&pod(), 5);
    let status = &report.status;
    assert_eq!(
        (&*status.phase, &*status.pod_ip, &*status.host_ip),
        ("Running", "10.244.0.2", "10.0.0.2")
    );
    assert_eq!(status.start_time, Some(at(5)));
    let container = &status.container_statuses[0];
    assert!(container.ready && status.init_container_statuses.is_empty());
    assert_eq!(&*container.container_id, "fake://u-0");
    let conditions: Vec<String> =
        status.conditions.iter().map(|is| format!("{}={}", is.type_, is.status)).collect();
    let expected = [
        "PodReadyToStartContainers=True",
        "Initialized=True",
        "Ready=True",
        "ContainersReady=True",
    ];
    assert_eq!(conditions, expected);
    assert_eq!(reasons(&report), ["Pulled", "Created", "Started"]);
}

#[test]
fn a_running_pod_rests() {
    let mut pod = pod();
    pod.status.phase = "Running".into();
    assert_eq!(next(&pod, HOST, at(5)), Stage::Rest);
}

#[test]
fn a_pod_on_the_host_network_has_the_hosts_address() {
    let mut pod = pod();
    pod.spec.host_network = true;
    assert_eq!(&*told(&pod, 5).status.pod_ip, "10.0.0.2");
}

#[test]
fn addresses_are_unique_remembered_and_freed() {
    let mut addresses = Addresses::of_node(3);
    assert_eq!(addresses.assign("a").as_deref(), Some("10.244.3.2"));
    assert_eq!(addresses.assign("b").as_deref(), Some("10.244.3.3"));
    assert_eq!(addresses.assign("a").as_deref(), Some("10.244.3.2"));
    addresses.release("a");
    assert_eq!(addresses.assign("c").as_deref(), Some("10.244.3.2"));
    addresses.learn("d", "10.244.3.4");
    assert_eq!(addresses.assign("e").as_deref(), Some("10.244.3.5"));
    assert_eq!(Addresses::of_node(255).assign("a").as_deref(), Some("10.244.255.2"));
    assert_eq!(Addresses::of_node(256).assign("a").as_deref(), Some("10.245.0.2"));
    assert_eq!(Addresses::of_node(FakeNode::MOST - 1).assign("a").as_deref(), Some("10.255.183.2"));
}

#[test]
fn a_full_node_has_no_address_left() {
    let mut addresses = Addresses::of_node(0);
    for pod in 0..253 {
        assert!(addresses.assign(&pod.to_string()).is_some());
    }
    assert_eq!(addresses.assign("one too many"), None);
}
