//! What to do next for a daemon set: which nodes lack a pod, and which pods are too many.

use std::sync::Arc;

use watchkeeper_api::apps::v1::DaemonSet;
use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_api::{Object, Time};

use super::backoff::Backoff;
use super::placement::{Daemons, Place, place};
use super::rollout;
use crate::actors::replicaset::{available_at, ready_since};
use crate::actors::revisions::HASH_LABEL;

/// The most pods that one look makes or removes (upstream's `BurstReplicas`).
pub(crate) const BURST: usize = 250;

/// What is to be done.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    /// The nodes that get a pod.
    pub(crate) create: Vec<String>,
    /// The pods that go.
    pub(crate) delete: Vec<Arc<Pod>>,
    /// Those of them that have come to an end, which is told, with their nodes.
    pub(crate) ended: Vec<(Arc<Pod>, String)>,
    /// When to look again.
    pub(crate) wait: Option<Time>,
}

/// What a look goes by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) set: &'a DaemonSet,
    pub(crate) nodes: &'a [Arc<Node>],
    pub(crate) daemons: &'a Daemons,
    /// The hash of the set's template.
    pub(crate) hash: &'a str,
    pub(crate) now: Time,
}

impl View<'_> {
    /// Whether the pod was made from the set's template.
    pub(crate) fn is_updated(&self, pod: &Pod) -> bool {
        pod.label(HASH_LABEL) == Some(self.hash)
    }

    pub(crate) fn is_available(&self, pod: &Pod) -> bool {
        available_at(pod, self.set.spec.min_ready_seconds, self.now) == Some(None)
    }
}

/// One pod on each node that wants one, and none where none may be.
pub(crate) fn manage(view: View<'_>, backoff: &mut Backoff) -> Orders {
    let mut orders = Orders::default();
    for node in view.nodes {
        let (place, pods) = (place(view.set, node), view.daemons.on(node.name()));
        match place {
            Place::Wanted if pods.is_empty() => orders.create.push(node.name().to_owned()),
            Place::Closed => orders.delete.extend(staying(pods)),
            Place::Wanted | Place::Kept => {
                let running = orders.sort_out(pods, node.name(), view.now, backoff);
                let surges = rollout::bounds(view.set, 1).surge > 0;
                if surges && running.is_empty() && place == Place::Wanted {
                    orders.create.push(node.name().to_owned());
                } else if surges {
                    orders.prune(view, running);
                } else {
                    orders.delete.extend(running.into_iter().skip(1));
                }
            }
        }
    }
    orders.delete.extend(lost(view));
    orders
}

/// The pods that nobody has asked to go.
fn staying(pods: &[Arc<Pod>]) -> impl Iterator<Item = Arc<Pod>> {
    pods.iter().filter(|pod| !pod.is_deleting()).cloned()
}

/// The pods that wait for a node which is gone: nobody else would see to them.
fn lost(view: View<'_>) -> impl Iterator<Item = Arc<Pod>> {
    let is_gone = move |name: &str| !view.nodes.iter().any(|node| node.name() == name);
    let lost = view.daemons.iter().filter(move |(node, _)| is_gone(node));
    let pods = lost.flat_map(|(_, pods)| staying(pods));
    pods.filter(|pod| pod.spec.node_name.is_empty())
}

impl Orders {
    /// Orders that pods which have ended go, as soon as that may be. Returns the others.
    fn sort_out(
        &mut self,
        pods: &[Arc<Pod>],
        node: &str,
        now: Time,
        backoff: &mut Backoff,
    ) -> Vec<Arc<Pod>> {
        let mut running = Vec::new();
        for pod in staying(pods) {
            let ended = match pod.status.phase.as_ref() {
                "Failed" => backoff.replace(node, now),
                "Succeeded" => Ok(()),
                _ => {
                    running.push(pod);
                    continue;
                }
            };
            match ended {
                Ok(()) => {
                    self.ended.push((pod.clone(), node.to_owned()));
                    self.delete.push(pod);
                }
                Err(until) => self.wait = self.wait.into_iter().chain([until]).min(),
            }
        }
        running
    }

    /// With a surge two pods may be on a node: one of the new template that is not available yet, beside a
    /// former one that is ready. Of each the oldest counts.
    fn prune(&mut self, view: View<'_>, running: Vec<Arc<Pod>>) {
        let (new, old): (Vec<_>, Vec<_>) =
            running.into_iter().partition(|pod| view.is_updated(pod));
        let (mut new, mut old) = (new.into_iter(), old.into_iter());
        let (first_new, first_old) = (new.next(), old.next());
        self.delete.extend(new.chain(old));
        if let (Some(new), Some(old)) = (first_new, first_old)
            && (ready_since(&old).is_none() || view.is_available(&new))
        {
            self.delete.push(old);
        }
    }
}
