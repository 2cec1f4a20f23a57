//! Whether a node is one for a pod: what the pod selects, and what it tolerates.

use std::collections::BTreeSet;

use watchkeeper_api::Object;
use watchkeeper_api::core::v1::{
    Node, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, PodSpec, Taint, Toleration,
};

#[cfg(test)]
mod tests;

/// The one field of a node that may be selected.
pub(super) const NAME: &str = "metadata.name";

/// Whether the pod's selector and the affinity that it requires match the node.
pub(super) fn is_selected(spec: &PodSpec, node: &Node) -> bool {
    spec.node_selector.iter().all(|(key, value)| node.label(key) == Some(value))
        && required(spec).is_none_or(|selector| {
            selector.node_selector_terms.iter().any(|term| matches(term, node))
        })
}

/// The selector of the affinity that a pod requires of its node.
pub(super) fn required(spec: &PodSpec) -> Option<&NodeSelector> {
    let affinity = spec.affinity.as_ref()?.node_affinity.as_deref()?;
    affinity.required_during_scheduling_ignored_during_execution.as_deref()
}

/// The nodes that a pod requires by their names, as those of daemons do; `None` if it may be any.
pub(super) fn named(spec: &PodSpec) -> Option<BTreeSet<&str>> {
    let terms = &required(spec)?.node_selector_terms;
    let mut all = (!terms.is_empty()).then(BTreeSet::new)?;
    for term in terms {
        let names = |field: &&NodeSelectorRequirement| field.key == NAME && field.operator == "In";
        let fields = term.match_fields.iter().filter(names);
        let sets = fields.map(|field| field.values.iter().map(|name| &**name).collect());
        all.extend(sets.reduce(in_both)?);
    }
    Some(all)
}

fn in_both<'a>(one: BTreeSet<&'a str>, other: BTreeSet<&'a str>) -> BTreeSet<&'a str> {
    one.intersection(&other).copied().collect()
}

/// How much a pod would rather be on this node: the weights of the terms that match.
pub(super) fn preference(spec: &PodSpec, node: &Node) -> i64 {
    let affinity = spec.affinity.as_ref().and_then(|affinity| affinity.node_affinity.as_deref());
    let terms = affinity.map_or(&[][..], |affinity| {
        affinity.preferred_during_scheduling_ignored_during_execution.as_slice()
    });
    let matching = terms.iter().filter(|term| matches(&term.preference, node));
    matching.map(|term| i64::from(term.weight)).sum()
}

/// A term without requirements matches nothing.
fn matches(term: &NodeSelectorTerm, node: &Node) -> bool {
    let (labels, fields) = (&term.match_expressions, &term.match_fields);
    let named = |field: &NodeSelectorRequirement| field.key == NAME && field.values.len() == 1;
    (!labels.is_empty() || !fields.is_empty())
        && labels.iter().all(|label| holds(label, node.label(&label.key)))
        && fields.iter().all(|field| named(field) && holds(field, Some(node.name())))
}

fn holds(requirement: &NodeSelectorRequirement, value: Option<&str>) -> bool {
    let is_among = || value.is_some_and(|value| requirement.values.iter().any(|v| *v == *value));
    let numbers = || {
        let bound = requirement.values.first()?.parse::<i64>().ok()?;
        Some((value?.parse::<i64>().ok()?, bound))
    };
    match requirement.operator.as_ref() {
        "In" => is_among(),
        "NotIn" => !is_among(),
        "Exists" => value.is_some(),
        "DoesNotExist" => value.is_none(),
        "Gt" => numbers().is_some_and(|(value, bound)| value > bound),
        "Lt" => numbers().is_some_and(|(value, bound)| value < bound),
        _ => false,
    }
}

/// The first of the node's taints with one of these effects that the pod does not tolerate.
pub(super) fn untolerated<'a>(
    tolerations: &[Toleration],
    node: &'a Node,
    effects: &[&str],
) -> Option<&'a Taint> {
    let tolerated = |taint: &Taint| tolerations.iter().any(|one| tolerates(one, taint));
    let counts = |taint: &&Taint| effects.contains(&taint.effect.as_ref());
    node.spec.taints.iter().filter(counts).find(|taint| !tolerated(taint))
}

/// How many taints of the node with one of these effects the pod does not tolerate.
pub(super) fn untolerated_count(
    tolerations: &[Toleration],
    node: &Node,
    effects: &[&str],
) -> usize {
    let tolerated = |taint: &Taint| tolerations.iter().any(|one| tolerates(one, taint));
    let counts = |taint: &&Taint| effects.contains(&taint.effect.as_ref()) && !tolerated(taint);
    node.spec.taints.iter().filter(counts).count()
}

/// Upstream's `Toleration.ToleratesTaint`.
pub(super) fn tolerates(toleration: &Toleration, taint: &Taint) -> bool {
    if !toleration.effect.is_empty() && toleration.effect != taint.effect {
        return false;
    }
    if !toleration.key.is_empty() && toleration.key != taint.key {
        return false;
    }
    match toleration.operator.as_ref() {
        "Exists" => true,
        "" | "Equal" => toleration.value == taint.value,
        _ => false,
    }
}
