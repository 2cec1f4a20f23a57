//! What a fake node says of itself.

use watchkeeper_api::Time;

use super::FakeNode;

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
