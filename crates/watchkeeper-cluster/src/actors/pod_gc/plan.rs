//! Which pods nobody will ever finish.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_api::{Object, Time};

/// How long a node has to be gone before its pods go (upstream's `quarantineTime`).
const QUARANTINE: Duration = Duration::from_secs(40);
/// The taint of a node that is off for sure (`core/v1` `TaintNodeOutOfService`).
const OUT_OF_SERVICE: &str = "node.kubernetes.io/out-of-service";

/// The nodes that pods name and nobody knows, with the time at which that was seen first.
#[derive(Debug, Default)]
pub(crate) struct Missing(BTreeMap<String, Time>);

impl Missing {
    /// Notes what is missing now, and says which nodes have been missing long enough to be asked for.
    pub(crate) fn look(
        &mut self,
        pods: &[Arc<Pod>],
        nodes: &[Arc<Node>],
        now: Time,
    ) -> Vec<String> {
        let known = |name: &str| nodes.iter().any(|node| node.name() == name);
        let named = pods.iter().map(|pod| &*pod.spec.node_name).filter(|name| !name.is_empty());
        let mut missing: BTreeMap<String, Time> = BTreeMap::new();
        for name in named {
            if !missing.contains_key(name) && !known(name) {
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
    let evicted = |pod: &Pod| pod.status.phase == "Failed" && pod.status.reason == "Evicted";
    ended.sort_by_key(|pod| (!evicted(pod), pod.creation_timestamp(), pod.key()));
    ended.truncate(ended.len() - most);
    ended
}

/// Whether the pod was asked to go, and nobody is there to end it: it has no node, or one that is off.
pub(crate) fn is_abandoned(pod: &Pod, nodes: &[Arc<Node>]) -> bool {
    if !pod.is_deleting() {
        return false;
    }
    let mut nodes = nodes.iter();
    pod.spec.node_name.is_empty()
        || nodes.find(|node| node.name() == &*pod.spec.node_name).is_some_and(|node| is_off(node))
}

fn is_off(node: &Node) -> bool {
    let ready = |type_: &str, status: &str| type_ == "Ready" && status == "True";
    let ready = node.status.conditions.iter().any(|is| ready(&is.type_, &is.status));
    !ready && node.spec.taints.iter().any(|taint| taint.key == OUT_OF_SERVICE)
}
