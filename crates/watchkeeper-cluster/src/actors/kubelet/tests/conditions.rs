//! What the conditions of a pod say, and when they are looked at again.

use watchkeeper_api::core::v1::{Node, NodeCondition, PodCondition};

use super::*;
use crate::actors::kubelet::stage;

/// A condition in a line.
fn said(pod: &Pod, type_: &str) -> String {
    let said = condition(&pod.status, type_).expect("the condition");
    format!("{} {}: {}", said.status, said.reason, said.message)
}

#[test]
fn a_pod_says_for_which_containers_it_waits() {
    let spec = json!({
        "restartPolicy": "Never",
        "initContainers": named(&["one", "two"]), "containers": named(&["a", "b"]),
    });
    let mut pod = scripted(&json!({"two.fake-kubelet/exit-code": "1"}), &spec);
    follow(&mut pod, 0, 0);
    let initialized = "False ContainersNotInitialized: containers with incomplete status: ";
    assert_eq!(said(&pod, "Initialized"), format!("{initialized}[one two]"));
    let unready = "False ContainersNotReady: containers with unready status: [a b]";
    assert_eq!([said(&pod, "Ready"), said(&pod, "ContainersReady")], [unready, unready]);
    assert_eq!(said(&pod, "PodReadyToStartContainers"), "True : ");
    follow(&mut pod, 1, 9);
    assert_eq!(&*pod.status.phase, "Failed");
    assert_eq!(said(&pod, "Initialized"), format!("{initialized}[two]"));
    assert_eq!(said(&pod, "Ready"), "False PodFailed: ");
    assert_eq!(said(&pod, "PodReadyToStartContainers"), "False : ");
}

#[test]
fn a_pod_that_has_succeeded_says_so() {
    let spec = json!({"restartPolicy": "Never", "containers": named(&["a"])});
    let mut pod = scripted(&json!({}), &spec);
    follow(&mut pod, 0, 9);
    assert_eq!(said(&pod, "Initialized"), "True PodCompleted: ");
    assert_eq!(said(&pod, "Ready"), "False PodCompleted: ");
}

#[test]
fn a_condition_keeps_the_time_at_which_it_became_so() {
    let script = json!({"b.fake-kubelet/ends-after": "5"});
    let mut pod = scripted(&script, &json!({"containers": named(&["a", "b"])}));
    follow(&mut pod, 0, 5);
    let since = ["Initialized", "Ready"]
        .map(|type_| condition(&pod.status, type_).and_then(|is| is.last_transition_time));
    assert_eq!(since, [Some(at(0)), Some(at(5))]);
}

#[test]
fn a_gate_is_waited_for() {
    let gates = json!([{"conditionType": "example.com/gate"}]);
    let mut pod =
        scripted(&json!({}), &json!({"readinessGates": gates, "containers": named(&["a"])}));
    assert_eq!(follow(&mut pod, 0, 9), ["0 Running a=runs"]);
    let missing =
        "corresponding condition of pod readiness gate \"example.com/gate\" does not exist.";
    assert_eq!(said(&pod, "Ready"), format!("False ReadinessGatesNotReady: {missing}"));
    assert_eq!(said(&pod, "ContainersReady"), "True : ");
    let gate = |status: &str| PodCondition {
        type_: "example.com/gate".into(),
        status: status.into(),
        ..PodCondition::default()
    };
    pod.status.conditions.push(gate("True"));
    assert_eq!(follow(&mut pod, 9, 20), ["9 Running ready a=runs"]);
    pod.status.conditions.retain(|is| is.type_ != "example.com/gate");
    pod.status.conditions.push(gate("False"));
    assert_eq!(follow(&mut pod, 20, 30), ["20 Running a=runs"]);
}

fn node(ready: &str) -> Node {
    let mut node = Node::default();
    node.status.conditions.push(NodeCondition {
        type_: "Ready".into(),
        status: ready.into(),
        ..NodeCondition::default()
    });
    node
}

#[test]
fn pods_of_a_node_that_is_given_up_are_not_ready_until_it_is_back() {
    let mut pod = scripted(&json!({}), &json!({"containers": named(&["a"])}));
    follow(&mut pod, 0, 9);
    assert_eq!(stage::lost(&pod, &node("True"), at(10)), Stage::Rest, "it is still waited for");
    let Stage::Tell(report) = stage::lost(&pod, &node("Unknown"), at(60)) else {
        panic!("it is told")
    };
    assert_eq!(reasons(&report), ["NodeNotReady"]);
    pod.status = report.status;
    assert_eq!([line(&pod), said(&pod, "Ready")], ["Running a=runs", "False : "]);
    assert_eq!(stage::lost(&pod, &node("Unknown"), at(70)), Stage::Rest, "it is told once");
    pod.metadata.deletion_timestamp = Some(at(70));
    assert_eq!(stage::lost(&pod, &node("Unknown"), at(70)), Stage::Rest, "nobody stops it");
    pod.metadata.deletion_timestamp = None;

    let back = |since| next(&pod, Host { ready_since: Some(at(since)), ..HOST }, at(90));
    assert_eq!(back(5), Stage::Rest, "somebody else may have said so");
    let Stage::Tell(report) = back(80) else { panic!("it is told") };
    pod.status = report.status;
    assert_eq!(line(&pod), "Running ready a=runs");
}
