//! What a fake node says of itself, and what is said of one that is lost.

use watchkeeper_api::Time;
use watchkeeper_api::core::v1::{Node, NodeCondition};

use super::FakeNode;
use super::heal::mend;
use super::loss::{self, Loss};

#[test]
fn nodes_are_numbered_and_distinct() {
    let nodes = FakeNode::first(2);
    assert_eq!(nodes.iter().map(FakeNode::name).collect::<Vec<_>>(), ["node-0", "node-1"]);
    assert_ne!(nodes[0].address(), nodes[1].address());
    let many = FakeNode::first(u16::MAX);
    assert_eq!(many.len(), usize::from(FakeNode::MOST), "ranges of addresses end there");
    let addresses: std::collections::BTreeSet<_> = many.iter().map(FakeNode::address).collect();
    assert_eq!(addresses.len(), many.len());
    assert_eq!([many[249].address(), many[250].address()], ["10.0.0.251", "10.0.1.2"]);
}

#[test]
fn a_node_is_ready_and_has_room() {
    let node = FakeNode::first(1)[0].object(Time::from_unix(0));
    assert!(node.status.conditions.iter().any(|c| c.type_ == "Ready" && c.status == "True"));
    assert_eq!(
        node.status.allocatable.get("pods").map(ToString::to_string).as_deref(),
        Some("250")
    );
}

fn at(seconds: i64) -> Time {
    Time::from_unix(seconds)
}

fn lost() -> Node {
    let mut node = FakeNode::first(1)[0].object(at(0));
    node.metadata.annotations.insert("fake-kubelet/lost", "true");
    node
}

#[test]
fn a_node_is_lost_if_it_says_so() {
    let mut node = lost();
    assert!(loss::is_lost(&node));
    node.metadata.annotations.insert("fake-kubelet/lost", "false");
    assert!(!loss::is_lost(&node));
    node.metadata.annotations.remove("fake-kubelet/lost");
    assert!(!loss::is_lost(&node));
}

#[test]
fn a_lost_node_is_waited_for_and_given_up() {
    let mut node = lost();
    assert_eq!(loss::ready_since(&node), Some(at(0)));
    assert_eq!(loss::next(&node, Some(at(10)), at(20)), Loss::Wait(at(60)));
    let Loss::GiveUp(status) = loss::next(&node, Some(at(10)), at(60)) else {
        panic!("it is given up")
    };
    node.status = *status;
    assert!(loss::is_given_up(&node) && loss::ready_since(&node).is_none());
    for condition in &node.status.conditions {
        assert_eq!((&*condition.status, &*condition.reason), ("Unknown", "NodeStatusUnknown"));
        assert_eq!(condition.last_transition_time, Some(at(60)));
        assert_eq!(condition.last_heartbeat_time, Some(at(0)), "it was heard of then");
    }
    let Loss::Taint(taints) = loss::next(&node, Some(at(10)), at(60)) else {
        panic!("it is tainted")
    };
    node.spec.taints = taints;
    let taints: Vec<String> =
        node.spec.taints.iter().map(|taint| format!("{}:{}", taint.key, taint.effect)).collect();
    let expected =
        ["node.kubernetes.io/unreachable:NoSchedule", "node.kubernetes.io/unreachable:NoExecute"];
    assert_eq!(taints, expected);
    assert_eq!(loss::next(&node, Some(at(10)), at(600)), Loss::Rest);
}

#[test]
fn a_node_that_was_never_heard_of_is_given_up_at_once() {
    assert!(matches!(loss::next(&lost(), None, at(0)), Loss::GiveUp(_)));
}

/// Upstream's words for what no kubelet has ever told.
#[test]
fn a_lost_node_that_never_told_whether_it_is_ready_is_given_up_once() {
    let mut node = lost();
    node.metadata.creation_timestamp = Some(at(0));
    node.status.conditions.retain(|condition| condition.type_ == "DiskPressure");
    let Loss::GiveUp(status) = loss::next(&node, Some(at(10)), at(60)) else {
        panic!("it is given up")
    };
    node.status = *status;
    let told = node.status.conditions.iter().map(|one| format!("{} {}", one.type_, one.reason));
    let expected = [
        "DiskPressure NodeStatusUnknown",
        "Ready NodeStatusNeverUpdated",
        "MemoryPressure NodeStatusNeverUpdated",
        "PIDPressure NodeStatusNeverUpdated",
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
    assert_eq!(node.status.conditions[1].last_heartbeat_time, Some(at(0)));
    assert!(matches!(loss::next(&node, Some(at(10)), at(60)), Loss::Taint(_)));
}

#[test]
fn a_node_that_is_back_keeps_what_others_said_of_it() {
    let fake = &FakeNode::first(1)[0];
    let mut node = fake.object(at(0));
    node.status.allocatable.insert("cpu", "64");
    node.status.conditions.push(NodeCondition { type_: "Foreign".into(), ..Default::default() });
    node.status.capacity = watchkeeper_api::Map::default();
    for condition in node.status.conditions.iter_mut().filter(|one| one.type_ == "Ready") {
        condition.status = "Unknown".into();
    }
    mend(&mut node.status, fake.status(at(100)));
    let cpu = node.status.allocatable.get("cpu").map(ToString::to_string);
    assert_eq!(cpu.as_deref(), Some("64"));
    assert_eq!(node.status.capacity.get("cpu").map(ToString::to_string).as_deref(), Some("32"));
    let told = node.status.conditions.iter().map(|one| {
        let since = one.last_transition_time.map(Time::unix);
        (one.type_.to_string(), one.status.to_string(), since)
    });
    let of = |type_: &str, status: &str, since: Option<i64>| {
        (type_.to_owned(), status.to_owned(), since)
    };
    let expected = [
        of("MemoryPressure", "False", Some(0)),
        of("DiskPressure", "False", Some(0)),
        of("PIDPressure", "False", Some(0)),
        of("Ready", "True", Some(100)),
        of("Foreign", "", None),
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
}
