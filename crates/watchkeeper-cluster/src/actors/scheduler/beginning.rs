//! The nodes that a cluster begins with.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use watchkeeper_api::core::v1::Node;
use watchkeeper_api::{MicroTime, Object};

use crate::actors::FakeNode;
use crate::actors::node::{NOT_READY, loss};
use crate::actors::state::is_node_ready;

/// How long they are waited for. They may never come: nobody has to be there who registers them.
const PATIENCE: Duration = Duration::from_secs(60);

/// The nodes without which no pod is refused: until they are there, pods would only be told that the cluster starts.
#[derive(Debug)]
pub(super) struct Beginning(Mutex<Awaited>);

#[derive(Debug)]
struct Awaited {
    /// The nodes that have not been ready yet.
    nodes: BTreeSet<String>,
    /// When they were missed first.
    since: Option<MicroTime>,
}

impl Beginning {
    /// A beginning with these nodes.
    pub(super) fn with(nodes: &[FakeNode]) -> Self {
        let nodes = nodes.iter().map(FakeNode::name).collect();
        Self(Mutex::new(Awaited { nodes, since: None }))
    }

    /// How long they are waited for yet, now that a pod needs one; `None` once each of them has been ready, or is lost,
    /// or they took too long.
    pub(super) fn rest(&self, nodes: &[Arc<Node>], now: MicroTime) -> Option<Duration> {
        let mut awaited = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if awaited.nodes.is_empty() {
            return None;
        }
        for node in nodes.iter().filter(|node| is_open(node) || loss::is_lost(node)) {
            awaited.nodes.remove(node.name());
        }
        let since = *awaited.since.get_or_insert(now);
        let rest = PATIENCE.saturating_sub(now.since(since));
        if rest.is_zero() {
            awaited.nodes.clear();
        }
        (!awaited.nodes.is_empty()).then_some(rest)
    }
}

/// Whether the node is ready and has been welcomed.
fn is_open(node: &Node) -> bool {
    is_node_ready(node) && !node.spec.taints.iter().any(|taint| taint.key == NOT_READY)
}
