//! What each node has for its pods, read once for as long as the node stays as it is.

use std::collections::BTreeMap;
use std::sync::Arc;

use watchkeeper_api::core::v1::Node;
use watchkeeper_api::{IStr, Object};

use super::asks::{Amounts, room};

/// What the nodes have, by their names.
#[derive(Debug, Default)]
pub(crate) struct Rooms(BTreeMap<IStr, Room>);

#[derive(Debug)]
struct Room {
    /// The node that was read. It is kept, so that no other one can be taken for it.
    node: Arc<Node>,
    amounts: Amounts,
}

impl Rooms {
    /// Reads the nodes that are not as they were, and forgets those that are not there any more.
    pub(crate) fn read(&mut self, nodes: &[Arc<Node>]) {
        for node in nodes {
            let known = self.0.get(node.name());
            if known.is_none_or(|known| !Arc::ptr_eq(&known.node, node)) {
                let read = Room { node: node.clone(), amounts: room(node) };
                self.0.insert(node.metadata.name.clone(), read);
            }
        }
        // All that are there are known: with more of them some have gone.
        if self.0.len() > nodes.len() {
            self.0.retain(|_, room| nodes.iter().any(|node| Arc::ptr_eq(node, &room.node)));
        }
    }

    /// How much a node has of a resource.
    pub(crate) fn of(&self, node: &str, resource: &str) -> i64 {
        let room = self.0.get(node).and_then(|room| room.amounts.get(resource));
        room.copied().unwrap_or(0)
    }
}
