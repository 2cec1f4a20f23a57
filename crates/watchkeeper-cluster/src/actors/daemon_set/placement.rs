//! Which nodes a daemon set is for, and the pods that it makes for them.

use std::collections::BTreeMap;
use std::sync::Arc;

use watchkeeper_api::apps::v1::DaemonSet;
use watchkeeper_api::core::v1::{
    Node, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, Pod, PodSpec, Toleration,
};
use watchkeeper_api::{List, Object};

use crate::actors::fit;
use crate::actors::revisions::HASH_LABEL;
use crate::actors::state::has_ended;
use crate::actors::template::pod_from;

/// The annotation of a set and the label of its pods from before there were revisions.
const TEMPLATE_GENERATION: &str = "deprecated.daemonset.template.generation";
const TEMPLATE_GENERATION_LABEL: &str = "pod-template-generation";

/// What may befall a node without its daemons having to go: taint and effect.
const TOLERATED: [(&str, &str); 6] = [
    ("node.kubernetes.io/not-ready", "NoExecute"),
    ("node.kubernetes.io/unreachable", "NoExecute"),
    ("node.kubernetes.io/disk-pressure", "NoSchedule"),
    ("node.kubernetes.io/memory-pressure", "NoSchedule"),
    ("node.kubernetes.io/pid-pressure", "NoSchedule"),
    ("node.kubernetes.io/unschedulable", "NoSchedule"),
];
/// The same for daemons in the network of their node.
const OFF_NETWORK: (&str, &str) = ("node.kubernetes.io/network-unavailable", "NoSchedule");

/// What a node is to a daemon set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A pod has to be there.
    Wanted,
    /// A pod that is there may stay; none is made.
    Kept,
    /// No pod may be there.
    Closed,
}

/// What `node` is to `set`.
pub(crate) fn place(set: &DaemonSet, node: &Node) -> Place {
    let spec = &set.spec.template.spec;
    let is_named = spec.node_name.is_empty() || *spec.node_name == *node.name();
    if !is_named || !fit::is_selected(spec, node) {
        return Place::Closed;
    }
    let tolerations = tolerations(spec);
    let bears = |effects: &[&str]| fit::untolerated(&tolerations, node, effects).is_none();
    match () {
        () if bears(&["NoSchedule", "NoExecute"]) => Place::Wanted,
        () if bears(&["NoExecute"]) => Place::Kept,
        () => Place::Closed,
    }
}

/// The tolerations of the set's pods: its template's, and what every daemon tolerates.
fn tolerations(spec: &PodSpec) -> List<Toleration> {
    let network = spec.host_network.then_some(OFF_NETWORK);
    let all = TOLERATED.into_iter().chain(network).map(|(key, effect)| Toleration {
        key: key.into(),
        operator: "Exists".into(),
        effect: effect.into(),
        ..Toleration::default()
    });
    let own = spec.tolerations.iter().filter(|own| {
        // One for a time only would let the daemon be evicted: the lasting one takes its place.
        !all.clone().any(|one| Toleration { toleration_seconds: None, ..(*own).clone() } == one)
    });
    own.cloned().chain(all.clone()).collect::<Vec<_>>().into()
}

/// The set's pod for a node; the server completes the name, and the scheduler finds no other node for it.
pub(crate) fn pod_of(set: &DaemonSet, node: &str, hash: &str) -> Pod {
    let mut pod = pod_from(set, &set.spec.template);
    pod.metadata.labels.insert(HASH_LABEL, hash);
    let generation = set.annotation(TEMPLATE_GENERATION).and_then(|text| text.parse::<i64>().ok());
    if let Some(generation) = generation {
        let generation = generation.to_string();
        pod.metadata.labels.insert(TEMPLATE_GENERATION_LABEL, generation.as_str());
    }
    pod.spec.tolerations = tolerations(&pod.spec).into();
    let affinity = pod.spec.affinity.get_or_insert_default();
    let affinity = affinity.node_affinity.get_or_insert_default();
    affinity.required_during_scheduling_ignored_during_execution = Some(Box::new(only(node)));
    pod
}

/// Selects this very node. The set's own affinity has been asked before.
fn only(node: &str) -> NodeSelector {
    let name = NodeSelectorRequirement {
        key: fit::NAME.into(),
        operator: "In".into(),
        values: [node.into()].into(),
    };
    let term = NodeSelectorTerm { match_fields: [name].into(), ..NodeSelectorTerm::default() };
    NodeSelector { node_selector_terms: [term].into() }
}

/// The node that a daemon is on, or is for.
fn target(pod: &Pod) -> Option<&str> {
    if !pod.spec.node_name.is_empty() {
        return Some(&pod.spec.node_name);
    }
    let terms = fit::required(&pod.spec)?.node_selector_terms.iter();
    let names = terms.flat_map(|term| term.match_fields.iter()).filter(|field| {
        field.key == fit::NAME && field.operator == "In" && field.values.len() == 1
    });
    names.filter_map(|field| field.values.first()).map(|name| &**name).next()
}

/// A set's pods by node. On each those with a node come first, then the oldest.
#[derive(Debug, Default)]
pub(crate) struct Daemons(BTreeMap<String, Vec<Arc<Pod>>>);

impl Daemons {
    /// Sorts the pods of a set by node. One that has ended and is asked to go is as good as gone.
    pub(crate) fn of(pods: Vec<Arc<Pod>>) -> Self {
        let mut nodes: BTreeMap<String, Vec<Arc<Pod>>> = BTreeMap::new();
        for pod in pods {
            if let Some(node) = target(&pod).filter(|_| !has_ended(&pod) || !pod.is_deleting()) {
                nodes.entry(node.to_owned()).or_default().push(pod);
            }
        }
        for pods in nodes.values_mut() {
            pods.sort_by(|a, b| {
                let rank = |pod: &Pod| {
                    let created = pod.metadata.creation_timestamp;
                    (pod.spec.node_name.is_empty(), created, pod.metadata.name.clone())
                };
                rank(a).cmp(&rank(b))
            });
        }
        Self(nodes)
    }

    /// The pods on a node.
    pub(crate) fn on(&self, node: &str) -> &[Arc<Pod>] {
        self.0.get(node).map_or(&[], Vec::as_slice)
    }

    /// All nodes that have pods, with them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &[Arc<Pod>])> {
        self.0.iter().map(|(node, pods)| (node.as_str(), pods.as_slice()))
    }
}
