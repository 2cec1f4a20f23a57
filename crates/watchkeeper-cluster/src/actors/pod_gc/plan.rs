//! Which pods nobody will ever finish.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_api::{Object, Time};

use crate::actors::state::is_node_ready;

/// How long a node has to be gone before its pods go (upstream's `quarantineTime`).
const QUARANTINE: Duration = Duration::from_secs(40);
/// The taint of a node that is off for sure (`core/v1` `TaintNodeOutOfService`).
const OUT_OF_SERVICE: &str = "node.kubernetes.io/out-of-service";

/// The nodes that pods name and nobody knows, with the time at which that was seen first.
#[derive(Debug, Default)]
pub(crate) struct Missing(BTreeMap<String, Time>);

/// Nodes by their names.
pub(crate) type Nodes<'a> = BTreeMap<&'a str, &'a Node>;

/// Lists the nodes by their names.
pub(crate) fn by_name(nodes: &[Arc<Node>]) -> Nodes<'_> {
    nodes.iter().map(|node| (node.name(), &**node)).collect()
}

impl Missing {
    /// Notes what is missing now, and says which nodes have been missing long enough to be asked for.
    pub(crate) fn look(&mut self, pods: &[Arc<Pod>], nodes: &Nodes<'_>, now: Time) -> Vec<String> {
        let named = pods.iter().map(|pod| &*pod.spec.node_name).filter(|name| !name.is_empty());
        let mut missing: BTreeMap<String, Time> = BTreeMap::new();
        for name in named {
            if !nodes.contains_key(name) && !missing.contains_key(name) {
                let since = self.0.get(name).copied().unwrap_or(now);
                missing.insert(name.to_owned(), since);
            }
        }
        self.0 = missing;
        let long = |since: Time| now.since(since) >= QUARANTINE;
        self.0.iter().filter(|(_, since)| long(**since)).map(|(name, _)| name.clone()).collect()
    }
}

/// The oldest of the pods that ended, as far as there are more than `most`; evicted ones first.
pub(crate) fn surplus(pods: &[Arc<Pod>], most: usize) -> Vec<Arc<Pod>> {
    let ended = |pod: &&Arc<Pod>| !matches!(&*pod.status.phase, "Pending" | "Running" | "Unknown");
    let mut ended: Vec<Arc<Pod>> = pods.iter().filter(ended).cloned().collect();
    if most == 0 || ended.len() <= most {
        return Vec::new();
    }
    in_order(&mut ended);
    ended.truncate(ended.len() - most);
    ended
}

/// The pods that were asked to go and are on a node that is off, where nobody will end them.
pub(crate) fn stranded(pods: &[Arc<Pod>], nodes: &Nodes<'_>) -> Vec<Arc<Pod>> {
    let is_off = |pod: &Pod| nodes.get(&*pod.spec.node_name).is_some_and(|node| is_off(node));
    let stranded = pods.iter().filter(|pod| pod.is_deleting() && is_off(pod));
    let mut stranded: Vec<Arc<Pod>> = stranded.cloned().collect();
    in_order(&mut stranded);
    stranded
}

/// The pods of a node.
pub(crate) fn of_node(pods: &[Arc<Pod>], node: &str) -> Vec<Arc<Pod>> {
    pods.iter().filter(|pod| *pod.spec.node_name == *node).cloned().collect()
}

/// The pods that were asked to go and have no node that could see to it.
pub(crate) fn unplaced(pods: &[Arc<Pod>]) -> Vec<Arc<Pod>> {
    let unplaced = pods.iter().filter(|pod| pod.is_deleting() && pod.spec.node_name.is_empty());
    unplaced.cloned().collect()
}

/// Evicted ones first, then the oldest.
fn in_order(pods: &mut [Arc<Pod>]) {
    let evicted = |pod: &Pod| pod.status.phase == "Failed" && pod.status.reason == "Evicted";
    pods.sort_by_key(|pod| {
        (!evicted(pod), pod.creation_timestamp(), pod.metadata.name.clone(), pod.key())
    });
}

fn is_off(node: &Node) -> bool {
    !is_node_ready(node) && node.spec.taints.iter().any(|taint| taint.key == OUT_OF_SERVICE)
}
