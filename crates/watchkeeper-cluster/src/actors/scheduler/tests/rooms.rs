//! What nodes have is read once, and again when they change.

use super::*;
use crate::actors::scheduler::rooms::Rooms;

#[test]
fn what_a_node_has_is_that_of_its_last_state() {
    let mut rooms = Rooms::default();
    let mut nodes = ["a", "b"].map(|name| node(name, json!({})));
    rooms.read(&nodes);
    let cpus = |rooms: &Rooms| ["a", "b", "c"].map(|name| rooms.of(name, "cpu"));
    assert_eq!(cpus(&rooms), [4_000, 4_000, 0]);
    let mut bigger = Node::clone(&nodes[0]);
    bigger.status.allocatable.insert("cpu", "8");
    nodes[0] = Arc::new(bigger);
    rooms.read(&nodes);
    assert_eq!(cpus(&rooms), [8_000, 4_000, 0]);
    rooms.read(&nodes[..1]);
    assert_eq!(cpus(&rooms), [8_000, 0, 0]);
}
