//! How long the nodes of the beginning are waited for.

use watchkeeper_api::MicroTime;

use super::*;
use crate::actors::FakeNode;
use crate::actors::scheduler::beginning::Beginning;

fn at(seconds: i64) -> MicroTime {
    MicroTime::from_unix_micros(seconds * 1_000_000)
}

fn ready(name: &str, spec: Value) -> Arc<Node> {
    let mut node = node(name, spec);
    let status = json!({"conditions": [{"type": "Ready", "status": "True"}]});
    let ready: Node = read(&json!({"apiVersion": "v1", "kind": "Node", "status": status}));
    Arc::make_mut(&mut node).status = ready.status;
    node
}

#[test]
fn each_node_is_waited_for_until_it_was_ready_once() {
    let beginning = Beginning::with(&FakeNode::first(2));
    assert_eq!(beginning.rest(&[], at(5)), Some(Duration::from_secs(60)));
    let taint = json!({"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"});
    let tainted = json!({"taints": [taint]});
    let nodes = [ready("node-0", json!({})), ready("node-1", tainted)];
    assert_eq!(beginning.rest(&nodes, at(10)), Some(Duration::from_secs(55)));
    assert_eq!(beginning.rest(&[ready("node-1", json!({}))], at(20)), None, "node-0 was ready");
    assert_eq!(beginning.rest(&[], at(20)), None, "it has begun for good");
}

/// The cluster may have been kept in this state.
#[test]
fn a_node_that_is_lost_is_not_waited_for() {
    let beginning = Beginning::with(&FakeNode::first(1));
    let mut lost = node("node-0", json!({}));
    Arc::make_mut(&mut lost).metadata.annotations.insert("fake-kubelet/lost", "true");
    assert_eq!(beginning.rest(&[lost], at(0)), None);
}

/// Nobody has to be there who registers them.
#[test]
fn nodes_that_do_not_come_are_given_up() {
    let beginning = Beginning::with(&FakeNode::first(1));
    assert!(beginning.rest(&[], at(0)).is_some());
    assert!(beginning.rest(&[], at(59)).is_some());
    assert_eq!(beginning.rest(&[], at(60)), None);
}

#[test]
fn a_cluster_without_nodes_has_begun() {
    assert_eq!(Beginning::with(&[]).rest(&[], at(0)), None);
}
