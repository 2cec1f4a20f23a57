//! What a fake node says of itself, and what is said of one that is lost.

use watchkeeper_api::Time;
use watchkeeper_api::core::v1::Node;

use super::FakeNode;
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
