//! The nodes, and which addresses their pods have.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use watchkeeper_api::Object;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_cache::{Change, Subscription, Watch};

use super::address::Addresses;
use super::stage;
use crate::actors::node::FakeNode;
use crate::actors::state::each_change;

/// The nodes by name: their own addresses and those of their pods.
#[derive(Debug)]
pub(super) struct Hosts(BTreeMap<String, (String, Addresses)>);

impl Hosts {
    pub(super) fn new(nodes: &[FakeNode]) -> Self {
        let host =
            |node: &FakeNode| (node.name(), (node.address(), Addresses::of_node(node.index())));
        Self(nodes.iter().map(host).collect())
    }

    /// The address of a node and those of its pods; `None` if it is not one of ours.
    pub(super) fn of(&mut self, node: &str) -> Option<(&str, &mut Addresses)> {
        self.0.get_mut(node).map(|(ip, addresses)| (ip.as_str(), addresses))
    }

    /// Takes in what became of a pod: its address is free again when it has ended, or is gone.
    fn observe(&mut self, change: &Change<Pod>) {
        let pod = change.object();
        let former = change.old().filter(|old| old.metadata.uid != pod.metadata.uid);
        if let Some(former) = former {
            self.release(former);
        }
        if change.is_deleted() || !stage::is_alive(pod) {
            self.release(pod);
        } else if let Some((_, addresses)) = self.of(&pod.spec.node_name) {
            addresses.learn(pod.uid(), &pod.status.pod_ip);
        }
    }

    fn release(&mut self, pod: &Pod) {
        if let Some((_, addresses)) = self.of(&pod.spec.node_name) {
            addresses.release(pod.uid());
        }
    }
}

/// Notes who has which address, also of pods that ran before this kubelet was there, for as long as this is kept.
pub(super) fn follow(pods: &Watch<Pod>, hosts: Arc<Mutex<Hosts>>) -> Subscription {
    pods.subscribe_with(each_change("the addresses of pods"), move |change: &Change<Pod>| {
        hosts.lock().unwrap_or_else(PoisonError::into_inner).observe(change);
    })
}
