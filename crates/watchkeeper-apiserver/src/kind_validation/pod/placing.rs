//! On which nodes pods may be, and how they are spread.

use std::collections::BTreeSet;

use watchkeeper_schema::FieldError;

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
    let topology = term.member("topologyKey");
    if topology.is_empty() {
        check.push(FieldError::required(&*topology.path, "can not be empty"));
    }
    check.all(&topology, topology.text(), names::qualified(topology.text()));
}

/// Constraints on how pods are spread.
pub(super) fn spread(check: &mut Check<'_>, list: &Place<'_>) {
    let mut seen = BTreeSet::new();
    for constraint in list.items() {
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
        if !seen.insert((topology.text(), action.text())) {
            let both = constraint.member("{topologyKey, whenUnsatisfiable}");
            let value = format!("{{{}, {}}}", topology.text(), action.text());
            check.push(FieldError::duplicate(&*both.path, value));
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
