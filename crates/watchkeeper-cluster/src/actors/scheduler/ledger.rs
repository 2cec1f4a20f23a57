//! What the pods of each node take together, so that nobody has to look at them one by one.

use std::collections::BTreeMap;
use std::sync::Arc;

use watchkeeper_api::IStr;
use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_cache::Change;

use super::asks::{Amounts, Asks, Port};
use super::company::{Circle, Companies};
use super::rooms::Rooms;
use crate::actors::state::has_ended;

/// The sums of all nodes.
///
/// It follows the copy of the pods, and knows beside them those that were bound and whose placement the copy does
/// not show yet: what answers a binding has no version to wait for.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    nodes: BTreeMap<IStr, Load>,
    /// The pods that have a node and have not ended, by uid.
    pods: BTreeMap<IStr, Placed>,
    companies: Companies,
    rooms: Rooms,
}

#[derive(Debug)]
struct Placed {
    pod: Arc<Pod>,
    node: IStr,
    asks: Asks,
}

/// What the pods of a node take.
#[derive(Debug, Default)]
pub(crate) struct Load {
    pub(crate) pods: usize,
    amounts: Amounts,
    ports: BTreeMap<Port, usize>,
    priorities: BTreeMap<i32, usize>,
}

/// What a change did to the nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Motion {
    /// A pod left its node, or takes less of it.
    pub(crate) left: bool,
    /// A pod has a node now, or other labels.
    pub(crate) came: bool,
}

impl Ledger {
    /// Takes in what became of a pod. One that the copy shows without a node may have been bound already.
    pub(crate) fn observe(&mut self, change: &Change<Pod>) -> Motion {
        let pod = change.object();
        let other = change.old().filter(|old| old.metadata.uid != pod.metadata.uid);
        let replaced = other.is_some_and(|old| self.remove(&old.metadata.uid));
        if change.is_deleted() || has_ended(pod) {
            return Motion { left: self.remove(&pod.metadata.uid) || replaced, came: false };
        }
        if pod.spec.node_name.is_empty() {
            return Motion { left: replaced, came: false };
        }
        let asks = Asks::of(pod);
        let known = self.pods.get(&pod.metadata.uid);
        let labels = |known: &Placed| known.pod.metadata.labels == pod.metadata.labels;
        let less = |known: &Placed| known.asks != asks || !labels(known);
        // One that was bound here has been known since, but nobody was told.
        let was_unplaced = change.old().is_some_and(|old| old.spec.node_name.is_empty());
        let motion = Motion {
            left: replaced || known.is_some_and(less),
            came: was_unplaced || known.is_none_or(|known| !labels(known)),
        };
        self.insert(pod, pod.spec.node_name.clone(), asks);
        motion
    }

    /// Notes that a pod was bound.
    pub(crate) fn place(&mut self, pod: &Arc<Pod>, node: &str) {
        self.insert(pod, node.into(), Asks::of(pod));
    }

    /// Whether the pod of this uid has a node.
    pub(crate) fn has(&self, uid: &str) -> bool {
        self.pods.contains_key(uid)
    }

    /// What the pods of a node take; `None` if it has none.
    pub(crate) fn load(&self, node: &str) -> Option<&Load> {
        self.nodes.get(node)
    }

    /// Takes note of what these nodes have, which are all that there are.
    pub(crate) fn read(&mut self, nodes: &[Arc<Node>]) {
        self.rooms.read(nodes);
    }

    /// How much a node has of a resource, whatever is taken of it.
    pub(crate) fn room(&self, node: &str, resource: &str) -> i64 {
        self.rooms.of(node, resource)
    }

    /// How many pods of a circle each node has. The first time all pods are looked at, and from then on it is kept.
    pub(crate) fn counts(&mut self, circle: &Circle) -> BTreeMap<IStr, usize> {
        let pods = self.pods.values().map(|placed| (&*placed.pod, &placed.node));
        self.companies.counts(circle, pods).clone()
    }

    /// Who keeps whom away.
    pub(crate) fn companies(&self) -> &Companies {
        &self.companies
    }

    fn insert(&mut self, pod: &Arc<Pod>, node: IStr, asks: Asks) {
        self.remove(&pod.metadata.uid);
        self.nodes.entry(node.clone()).or_default().add(&asks);
        self.companies.add(pod, &node);
        self.pods.insert(pod.metadata.uid.clone(), Placed { pod: pod.clone(), node, asks });
    }

    fn remove(&mut self, uid: &str) -> bool {
        let Some(Placed { pod, node, asks }) = self.pods.remove(uid) else { return false };
        self.companies.remove(&pod, &node);
        if let Some(load) = self.nodes.get_mut(&node) {
            load.subtract(&asks);
            if load.pods == 0 {
                self.nodes.remove(&node);
            }
        }
        true
    }
}

impl Load {
    /// How much of a resource is taken.
    pub(crate) fn of(&self, resource: &str) -> i64 {
        self.amounts.get(resource).copied().unwrap_or(0)
    }

    /// Whether a port is taken that excludes this one.
    pub(crate) fn excludes(&self, port: &Port) -> bool {
        self.ports.keys().any(|taken| taken.excludes(port))
    }

    /// Whether a pod here is of less priority.
    pub(crate) fn has_below(&self, priority: i32) -> bool {
        self.priorities.first_key_value().is_some_and(|(lowest, _)| *lowest < priority)
    }

    fn add(&mut self, asks: &Asks) {
        self.pods += 1;
        for (name, amount) in &asks.amounts {
            let sum = self.amounts.entry(name.clone()).or_default();
            *sum = sum.saturating_add(*amount);
        }
        for port in &asks.ports {
            *self.ports.entry(port.clone()).or_default() += 1;
        }
        *self.priorities.entry(asks.priority).or_default() += 1;
    }

    fn subtract(&mut self, asks: &Asks) {
        self.pods = self.pods.saturating_sub(1);
        for (name, amount) in &asks.amounts {
            if let Some(sum) = self.amounts.get_mut(name) {
                *sum = sum.saturating_sub(*amount);
            }
        }
        for port in &asks.ports {
            lessen(&mut self.ports, port);
        }
        lessen(&mut self.priorities, &asks.priority);
    }
}

/// One less of it, and none at all after the last.
pub(super) fn lessen<K: Ord>(counts: &mut BTreeMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count = count.saturating_sub(1);
        if *count == 0 {
            counts.remove(key);
        }
    }
}
