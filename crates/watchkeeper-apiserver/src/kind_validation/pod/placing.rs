//! On which nodes pods may be, and how they are spread.

use std::collections::{BTreeMap, BTreeSet};

use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::item;

use super::{Check, Place};
use crate::kind_validation::{names, selector};

/// Node affinity, affinity and anti-affinity to other pods.
pub(super) fn affinity(check: &mut Check<'_>, place: &Place<'_>) {
    let nodes = place.member("nodeAffinity");
    let required = nodes.member("requiredDuringSchedulingIgnoredDuringExecution");
    node_selector(check, &required);
    for term in nodes.member("preferredDuringSchedulingIgnoredDuringExecution").items() {
        weight(check, &term.member("weight"));
        node_term(check, &term.member("preference"));
    }
    for kind in ["podAffinity", "podAntiAffinity"] {
        let place = place.member(kind);
        for term in place.member("requiredDuringSchedulingIgnoredDuringExecution").items() {
            pod_term(check, &term);
        }
        for term in place.member("preferredDuringSchedulingIgnoredDuringExecution").items() {
            weight(check, &term.member("weight"));
            pod_term(check, &term.member("podAffinityTerm"));
        }
    }
}

/// What selects nodes, if it is there (`ValidateNodeSelector`).
pub(in crate::kind_validation) fn node_selector(check: &mut Check<'_>, place: &Place<'_>) {
    let terms = place.member("nodeSelectorTerms");
    if !place.is_missing() && terms.is_empty() {
        let detail = "must have at least one node selector term";
        check.push(FieldError::required(&*terms.path, detail));
    }
    for term in terms.items() {
        node_term(check, &term);
    }
}

fn weight(check: &mut Check<'_>, place: &Place<'_>) {
    let weight = place.number().unwrap_or_default();
    if !(1..=100).contains(&weight) {
        check.push(FieldError::invalid(&*place.path, weight, "must be in the range 1-100"));
    }
}

fn node_term(check: &mut Check<'_>, term: &Place<'_>) {
    for requirement in term.member("matchExpressions").items() {
        let (operator, values) = (requirement.member("operator"), requirement.member("values"));
        match operator.text() {
            "Gt" | "Lt" => {
                if values.items().len() != 1 {
                    let detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
                    check.push(FieldError::required(&*values.path, detail));
                }
                let key = requirement.member("key");
                check.all(&key, key.text(), names::qualified(key.text()));
            }
            _ => selector::requirement(check, &requirement),
        }
    }
    for requirement in term.member("matchFields").items() {
        field_requirement(check, &requirement);
    }
}

/// Of the fields of a node only its name is asked for, and that is one.
fn field_requirement(check: &mut Check<'_>, place: &Place<'_>) {
    let [key, operator, values] = ["key", "operator", "values"].map(|name| place.member(name));
    if !["In", "NotIn"].contains(&operator.text()) {
        let detail = "not a valid selector operator";
        check.push(FieldError::invalid(&*operator.path, operator.text(), detail));
    } else if values.items().len() != 1 {
        let detail =
            "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
        check.push(FieldError::required(&*values.path, detail));
    }
    if key.text() != "metadata.name" {
        let detail = "not a valid field selector key";
        return check.push(FieldError::invalid(&*key.path, key.text(), detail));
    }
    for value in values.items() {
        check.all(&value, value.text(), names::subdomain(value.text()));
    }
}

fn pod_term(check: &mut Check<'_>, term: &Place<'_>) {
    for name in ["labelSelector", "namespaceSelector"] {
        selector::check(check, &term.member(name));
    }
    for namespace in term.member("namespaces").items() {
        let place = term.member("namespace");
        check.all(&place, namespace.text(), names::label(namespace.text()));
    }
    label_keys(check, term);
    let topology = term.member("topologyKey");
    if topology.is_empty() {
        check.push(FieldError::required(&*topology.path, "can not be empty"));
    }
    check.all(&topology, topology.text(), names::qualified(topology.text()));
}

/// Labels that pods have in common, or have not (`ValidateMatchLabelKeysAndMismatchLabelKeys`).
fn label_keys(check: &mut Check<'_>, of: &Place<'_>) {
    let (same, other) = (of.member("matchLabelKeys"), of.member("mismatchLabelKeys"));
    for list in [&same, &other] {
        if !list.is_empty() && of.member("labelSelector").is_missing() {
            let detail = "must not be specified when labelSelector is not set";
            check.push(FieldError::forbidden(&*list.path, detail));
            continue;
        }
        for key in list.items() {
            check.all(&key, key.text(), names::qualified(key.text()));
        }
    }
    twice(check, of, &same);
    let others: BTreeSet<&str> = other.items().iter().map(Place::text).collect();
    for key in same.items() {
        if others.contains(key.text()) {
            let detail = "exists in both matchLabelKeys and mismatchLabelKeys";
            check.push(FieldError::invalid(&*key.path, key.text(), detail));
        }
    }
}

/// What a key stands for has become part of the selector, which had something of that key before. Upstream tells of it at
/// a path that leads nowhere.
fn twice(check: &mut Check<'_>, of: &Place<'_>, keys: &Place<'_>) {
    let keys = keys.items();
    let places: BTreeMap<&str, usize> =
        keys.iter().enumerate().map(|(index, key)| (key.text(), index)).collect();
    let selector = of.member("labelSelector");
    let labels = selector.member("matchLabels").entries();
    let mut seen: BTreeSet<&str> = labels.into_iter().map(|(key, _)| key).collect();
    for expression in selector.member("matchExpressions").items() {
        let key = expression.member("key").text();
        if let Some(index) = places.get(key).filter(|_| seen.contains(key)) {
            let detail = "exists in both matchLabelKeys and labelSelector";
            check.push(FieldError::invalid(item(&of.path, *index), key, detail));
        }
        seen.insert(key);
    }
}

/// What tells constraints apart.
fn both<'a>(constraint: &Place<'a>) -> (&'a str, &'a str) {
    (constraint.member("topologyKey").text(), constraint.member("whenUnsatisfiable").text())
}

/// Constraints on how pods are spread.
pub(super) fn spread(check: &mut Check<'_>, list: &Place<'_>) {
    let constraints = list.items();
    let last: BTreeMap<_, _> =
        constraints.iter().enumerate().map(|(index, of)| (both(of), index)).collect();
    for (index, constraint) in constraints.iter().enumerate() {
        let [skew, topology, action, least] =
            ["maxSkew", "topologyKey", "whenUnsatisfiable", "minDomains"]
                .map(|name| constraint.member(name));
        positive(check, &skew, skew.number().unwrap_or_default());
        if topology.is_empty() {
            check.push(FieldError::required(&*topology.path, "can not be empty"));
        }
        let known = ["DoNotSchedule", "ScheduleAnyway"];
        if !known.contains(&action.text()) {
            check.push(FieldError::not_supported(&*action.path, action.text(), known));
        }
        if last.get(&both(constraint)).is_some_and(|last| *last > index) {
            let place = constraint.member("{topologyKey, whenUnsatisfiable}");
            let value = format!("{{{}, {}}}", topology.text(), action.text());
            check.push(FieldError::duplicate(&*place.path, value));
        }
        if let Some(number) = least.number() {
            positive(check, &least, number);
            if action.text() != "DoNotSchedule" {
                let detail = format!(
                    "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {}",
                    action.text()
                );
                check.push(FieldError::invalid(&*least.path, number, detail));
            }
        }
        for name in ["nodeAffinityPolicy", "nodeTaintsPolicy"] {
            check.optional(&constraint.member(name), &["Honor", "Ignore"]);
        }
        label_keys(check, constraint);
        selector::check(check, &constraint.member("labelSelector"));
    }
}

/// What must be so before pods are ready, or scheduled.
pub(super) fn gates(check: &mut Check<'_>, spec: &Place<'_>) {
    for gate in spec.member("readinessGates").items() {
        let condition = gate.member("conditionType");
        check.all(&condition, condition.text(), names::qualified(condition.text()));
    }
    let mut seen = BTreeSet::new();
    for gate in spec.member("schedulingGates").items() {
        let name = gate.member("name").text();
        check.all(&gate, name, names::qualified(name));
        if !seen.insert(name) {
            check.push(FieldError::duplicate(&*gate.path, name));
        }
    }
}

fn positive(check: &mut Check<'_>, place: &Place<'_>, number: i64) {
    if number <= 0 {
        check.push(FieldError::invalid(&*place.path, number, "must be greater than zero"));
    }
}
