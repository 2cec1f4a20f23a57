//! Where a pod goes.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use watchkeeper_api::Object;
use watchkeeper_api::core::v1::{Node, Pod, Taint, Toleration};

use super::asks::Asks;
use super::ledger::Ledger;
use super::refusal::{Objection, Refusal, Tally};
use super::surroundings::Surroundings;
use crate::actors::fit;

/// The effects of taints that keep pods away.
const CLOSING: [&str; 2] = ["NoSchedule", "NoExecute"];

/// Chooses the node for a pod: of those that take it the one that it prefers, then the one with the fewest pods, then
/// by name. The nodes come in the order of their names.
///
/// # Errors
///
/// What upstream's scheduler says of a pod that no node takes.
pub(crate) fn place(
    pod: &Pod,
    nodes: &[Arc<Node>],
    ledger: &mut Ledger,
) -> Result<String, Refusal> {
    if nodes.is_empty() {
        return Err(Refusal::without_nodes());
    }
    let named = fit::named(&pod.spec);
    if named.as_ref().is_some_and(BTreeSet::is_empty) {
        return Err(Refusal::at_once(pod, "pod affinity terms conflict", nodes.len()));
    }
    ledger.read(nodes);
    let (asks, around) = (Asks::of(pod), Surroundings::of(pod, nodes, ledger));
    let (asks, around, named, ledger) = (&asks, &around, named.as_ref(), &*ledger);
    View { pod, asks, around, named, nodes, ledger }.choose()
}

/// The lower, the better: taints that it would rather not have, preferences, pods.
type Rank = (usize, Reverse<i64>, usize);

/// What a placement goes by.
#[derive(Clone, Copy, Debug)]
struct View<'a> {
    pod: &'a Pod,
    asks: &'a Asks,
    around: &'a Surroundings,
    named: Option<&'a BTreeSet<&'a str>>,
    nodes: &'a [Arc<Node>],
    ledger: &'a Ledger,
}

impl<'a> View<'a> {
    /// The nodes that may be asked at all.
    fn candidates(self) -> impl Iterator<Item = &'a Node> {
        let may_be = move |node: &&Node| self.named.is_none_or(|names| names.contains(node.name()));
        self.nodes.iter().map(|node| &**node).filter(may_be)
    }

    /// Whether a node takes the pod is the costlier question: only those are asked that would be better. Where none
    /// does, all have been asked.
    fn choose(self) -> Result<String, Refusal> {
        let mut best: Option<(Rank, &Node)> = None;
        let mut tally = Tally::new(self.pod, self.nodes.len());
        for node in self.candidates() {
            let rank = self.rank(node);
            if best.is_some_and(|(other, _)| rank >= other) {
                continue;
            }
            match self.objection(node) {
                None => best = Some((rank, node)),
                Some(objection) => tally.note(objection, self.has_victims(node)),
            }
        }
        let best = best.map(|(_, node)| node.name().to_owned());
        best.ok_or_else(|| tally.refusal(self.around.waits_for_others()))
    }

    fn rank(self, node: &Node) -> Rank {
        let tolerations = &self.pod.spec.tolerations;
        let averse = fit::untolerated_count(tolerations, node, &["PreferNoSchedule"]);
        let preference = fit::preference(&self.pod.spec, node);
        let pods = self.ledger.load(node.name()).map_or(0, |load| load.pods);
        (averse, Reverse(preference), pods)
    }

    /// Whether a pod of less priority is there.
    fn has_victims(self, node: &Node) -> bool {
        let load = self.ledger.load(node.name());
        load.is_some_and(|load| load.has_below(self.asks.priority))
    }

    /// Why the node does not take the pod: what the first of upstream's filters says that says no.
    fn objection(self, node: &Node) -> Option<Objection> {
        let spec = &self.pod.spec;
        if node.spec.unschedulable && !tolerates_unschedulable(&spec.tolerations) {
            return Some(Objection::lasting("node(s) were unschedulable"));
        }
        if fit::untolerated(&spec.tolerations, node, &CLOSING).is_some() {
            return Some(Objection::lasting("node(s) had untolerated taint(s)"));
        }
        if !fit::is_selected(spec, node) {
            return Some(Objection::lasting("node(s) didn't match Pod's node affinity/selector"));
        }
        let load = self.ledger.load(node.name());
        let is_free = |port| load.is_none_or(|load| !load.excludes(port));
        if !self.asks.ports.iter().all(is_free) {
            let text = "node(s) didn't have free ports for the requested pod ports";
            return Some(Objection::passing(text));
        }
        self.lack(node).or_else(|| {
            let (text, is_passing) = self.around.objection(node)?;
            Some(if is_passing { Objection::passing(text) } else { Objection::lasting(text) })
        })
    }

    /// What the node has too little of. What it does not have even without pods will not come.
    fn lack(self, node: &Node) -> Option<Objection> {
        let load = self.ledger.load(node.name());
        let has = |resource: &str| self.ledger.room(node.name(), resource);
        let pods = load.map_or(0, |load| load.pods);
        let is_full = i64::try_from(pods).unwrap_or(i64::MAX) >= has("pods");
        let mut reasons = if is_full { vec!["Too many pods".to_owned()] } else { Vec::new() };
        let mut is_passing = true;
        for (resource, asked) in &self.asks.amounts {
            let taken = load.map_or(0, |load| load.of(resource));
            if *asked > has(resource).saturating_sub(taken) {
                reasons.push(format!("Insufficient {resource}"));
                is_passing &= *asked <= has(resource);
            }
        }
        (!reasons.is_empty()).then_some(Objection { reasons, is_passing })
    }
}

fn tolerates_unschedulable(tolerations: &[Toleration]) -> bool {
    let taint = Taint {
        key: "node.kubernetes.io/unschedulable".into(),
        effect: "NoSchedule".into(),
        ..Taint::default()
    };
    tolerations.iter().any(|toleration| fit::tolerates(toleration, &taint))
}
