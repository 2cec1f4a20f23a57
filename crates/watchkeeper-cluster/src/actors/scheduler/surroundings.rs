//! What other pods mean for the one that is to be placed, worked out for all nodes at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use watchkeeper_api::core::v1::{Node, Pod, PodAffinityTerm, TopologySpreadConstraint};
use watchkeeper_api::{IStr, Object};

use super::company::{Circle, away_terms, near_terms};
use super::ledger::Ledger;
use crate::actors::fit;

const UNEVEN: &str = "node(s) didn't match pod topology spread constraints";
const UNLABELLED: &str =
    "node(s) didn't match pod topology spread constraints (missing required label)";
const TOO_FAR: &str = "node(s) didn't match pod affinity rules";
const TOO_NEAR: &str = "node(s) didn't match pod anti-affinity rules";
const SHUNNED: &str = "node(s) didn't satisfy existing pods anti-affinity rules";

/// Where the others are that matter to a pod.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    spreads: Vec<Spread>,
    /// It has to be in each of them.
    near: Vec<Domains>,
    /// Nobody is there yet whom it wants near, and it is such a pod itself: somebody has to be the first.
    is_first: bool,
    /// It must be in none of them.
    away: Vec<Domains>,
    shunning: Vec<Domains>,
}

/// The nodes that have one of these values of a label.
#[derive(Debug)]
struct Domains {
    label: IStr,
    values: BTreeSet<String>,
}

/// How pods are spread over the values of a label.
#[derive(Debug)]
struct Spread {
    label: IStr,
    counts: BTreeMap<String, usize>,
    least: usize,
    /// What the pod itself adds.
    own: usize,
    most: usize,
}

impl Surroundings {
    /// The surroundings of a pod. Those of one that no other matters to cost nothing.
    pub(crate) fn of(pod: &Pod, nodes: &[Arc<Node>], ledger: &mut Ledger) -> Self {
        let home = pod.namespace().unwrap_or_default();
        let shunning = ledger.companies().shunning(pod);
        let shunning =
            shunning.map(|(label, counts)| Domains::with(label, nodes, counts)).collect();
        let mut domains = |terms: &[PodAffinityTerm]| -> Vec<Domains> {
            let of = |term: &PodAffinityTerm| {
                let circle = Circle::of_term(term, home);
                let counts = circle.map_or_else(BTreeMap::new, |circle| ledger.counts(&circle));
                Domains::with(&term.topology_key, nodes, &counts)
            };
            terms.iter().map(of).collect()
        };
        let (near, away) = (domains(near_terms(pod)), domains(away_terms(pod)));
        let is_meant = |term| Circle::of_term(term, home).is_some_and(|circle| circle.has(pod));
        let is_first =
            near.iter().all(|one| one.values.is_empty()) && near_terms(pod).iter().all(is_meant);
        Self { spreads: spreads(pod, nodes, ledger), near, is_first, away, shunning }
    }

    /// Why the pod may not come to a node, and whether it may once others have left.
    pub(crate) fn objection(&self, node: &Node) -> Option<(&'static str, bool)> {
        let spread = self.spreads.iter().find_map(|spread| spread.objection(node));
        if spread.is_some() {
            return spread;
        }
        let is_there = |domains: &Domains| domains.have(node);
        let may_begin = |domains: &Domains| self.is_first && node.label(&domains.label).is_some();
        match () {
            () if !self.near.iter().all(|one| is_there(one) || may_begin(one)) => {
                Some((TOO_FAR, false))
            }
            () if self.away.iter().any(is_there) => Some((TOO_NEAR, true)),
            () if self.shunning.iter().any(is_there) => Some((SHUNNED, true)),
            () => None,
        }
    }

    /// Whether it may help if another pod comes somewhere.
    pub(crate) fn waits_for_others(&self) -> bool {
        !self.near.is_empty() || !self.spreads.is_empty()
    }
}

impl Domains {
    /// Those of the nodes that are counted.
    fn with(label: &IStr, nodes: &[Arc<Node>], counts: &BTreeMap<IStr, usize>) -> Self {
        let counted = nodes.iter().filter(|node| counts.contains_key(node.name()));
        let values = counted.filter_map(|node| node.label(label)).map(str::to_owned).collect();
        Self { label: label.clone(), values }
    }

    fn have(&self, node: &Node) -> bool {
        node.label(&self.label).is_some_and(|value| self.values.contains(value))
    }
}

/// The constraints of a pod that have to hold.
fn spreads(pod: &Pod, nodes: &[Arc<Node>], ledger: &mut Ledger) -> Vec<Spread> {
    let constraints = pod.spec.topology_spread_constraints.iter();
    let hard: Vec<&TopologySpreadConstraint> =
        constraints.filter(|one| one.when_unsatisfiable == "DoNotSchedule").collect();
    // Without one of the labels a node is nowhere, for each constraint.
    let is_somewhere =
        |node: &&Node| hard.iter().all(|one| node.label(&one.topology_key).is_some());
    let spread = |constraint: &&TopologySpreadConstraint| {
        let nodes = nodes.iter().map(|node| &**node).filter(is_somewhere);
        let nodes = nodes.filter(|node| counts_for(constraint, pod, node));
        Spread::of(constraint, pod, nodes, ledger)
    };
    hard.iter().map(spread).collect()
}

/// Whether a node counts among those over which pods are spread.
fn counts_for(constraint: &TopologySpreadConstraint, pod: &Pod, node: &Node) -> bool {
    let affinity = constraint.node_affinity_policy.as_deref() != Some("Ignore");
    let taints = constraint.node_taints_policy.as_deref() == Some("Honor");
    let (spec, effects) = (&pod.spec, &["NoSchedule", "NoExecute"]);
    (!affinity || fit::is_selected(spec, node))
        && (!taints || fit::untolerated(&spec.tolerations, node, effects).is_none())
}

impl Spread {
    fn of<'a>(
        constraint: &TopologySpreadConstraint,
        pod: &Pod,
        nodes: impl Iterator<Item = &'a Node>,
        ledger: &mut Ledger,
    ) -> Self {
        let circle = Circle::of_spread(constraint, pod.namespace().unwrap_or_default());
        let own = usize::from(circle.as_ref().is_some_and(|circle| circle.has(pod)));
        let by_node = circle.map_or_else(BTreeMap::new, |circle| ledger.counts(&circle));
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for node in nodes {
            let Some(value) = node.label(&constraint.topology_key) else { continue };
            let there = by_node.get(node.name()).copied().unwrap_or(0);
            *counts.entry(value.to_owned()).or_default() += there;
        }
        let wanted = constraint.min_domains.and_then(|least| usize::try_from(least).ok());
        let are_enough = counts.len() >= wanted.unwrap_or(1);
        let least = counts.values().min().copied().filter(|_| are_enough).unwrap_or(0);
        let most = usize::try_from(constraint.max_skew).unwrap_or(0);
        Self { label: constraint.topology_key.clone(), counts, least, own, most }
    }

    fn objection(&self, node: &Node) -> Option<(&'static str, bool)> {
        let Some(value) = node.label(&self.label) else { return Some((UNLABELLED, false)) };
        let there = self.counts.get(value).copied().unwrap_or(0);
        let is_uneven = (there + self.own).saturating_sub(self.least) > self.most;
        is_uneven.then_some((UNEVEN, true))
    }
}
