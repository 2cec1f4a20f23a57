//! Quotas and runtime classes.

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_schema::error::key;
use watchkeeper_schema::{FieldError, Reason};

use super::pod::{amounts, running};
use super::{Check, Place, internal, metadata, names, resources};

/// What is counted of pods, beside the pods.
const OF_PODS: [&str; 6] =
    ["cpu", "limits.cpu", "limits.memory", "memory", "requests.cpu", "requests.memory"];
const SCOPES: [&str; 7] = [
    "BestEffort",
    "CrossNamespacePodAffinity",
    "NotBestEffort",
    "NotTerminating",
    "PriorityClass",
    "Terminating",
    "VolumeAttributesClass",
];
const OPPOSITES: [[&str; 2]; 2] =
    [["BestEffort", "NotBestEffort"], ["Terminating", "NotTerminating"]];

/// What a quota limits, and in which scopes.
pub(super) fn quota(check: &mut Check<'_>) {
    amounts(check, &check.at("spec.hard"));
    scopes(check);
}

/// Amounts of what quotas know: all that has no domain is of Kubernetes.
pub(super) fn amounts(check: &mut Check<'_>, list: &Place<'_>) {
    for (name, text) in list.entries() {
        let place = Place { value: None, path: key(&list.path, name) };
        resource(check, &place, name);
        resources::amount(check, &place.path, name, text);
    }
}

fn resource(check: &mut Check<'_>, place: &Place<'_>, name: &str) {
    let wrong = names::qualified(name);
    let is_known = resources::is_of_quotas(name);
    let is_standard = name == "storage" || is_known;
    if wrong.is_empty() && !name.contains('/') && !is_standard {
        let detail = "must be a standard resource type or fully qualified";
        check.push(FieldError::invalid(&*place.path, name, detail));
    }
    check.all(place, name, wrong);
    if !name.contains('/') && !is_known {
        let detail = "must be a standard resource for quota";
        check.push(FieldError::invalid(&*place.path, name, detail));
    }
}

/// Scopes that are known, fit what is limited and each other, and stay.
fn scopes(check: &mut Check<'_>) {
    let scopes = check.at("spec.scopes");
    let items = scopes.items();
    let named: BTreeSet<&str> = items.iter().map(|scope| scope.text()).collect();
    let hard = check.at("spec.hard");
    let limited: BTreeSet<&str> = hard.entries().into_iter().map(|(name, _)| name).collect();
    let mut wrong = Vec::new();
    for scope in &items {
        if !SCOPES.contains(&scope.text()) {
            wrong.push("unsupported scope");
        }
        let unfit = limited.iter().filter(|name| !may_limit(scope.text(), name));
        wrong.extend(unfit.map(|_| "unsupported scope applied to resource"));
    }
    let both = |pair: &&[&str; 2]| pair.iter().all(|scope| named.contains(scope));
    wrong.extend(OPPOSITES.iter().filter(both).map(|_| "conflicting scopes"));
    if let Some(before) = check.before() {
        let before = before.at("spec.scopes").items();
        let before: BTreeSet<&str> = before.iter().map(|scope| scope.text()).collect();
        if before != named {
            wrong.push("field is immutable");
        }
    }
    let value = scopes.value.cloned().unwrap_or(Value::Null);
    for why in wrong {
        check.push(FieldError::invalid(&*scopes.path, value.clone(), why));
    }
}

/// Whether a quota of this scope may limit something. What quotas do not know by themselves they limit in any.
fn may_limit(scope: &str, name: &str) -> bool {
    if !resources::is_of_quotas(name) {
        return true;
    }
    match scope {
        "BestEffort" => name == "pods",
        "VolumeAttributesClass" => ["persistentvolumeclaims", "requests.storage"].contains(&name),
        scope if SCOPES.contains(&scope) => name == "pods" || OF_PODS.contains(&name),
        _ => true,
    }
}

/// What pods are run with, what that takes by itself, and on which nodes it is
/// (`pkg/apis/node/validation`).
pub(super) fn runtime_class(check: &mut Check<'_>) {
    check.name(&check.at("handler"), "", names::label);
    if !check.at("overhead").is_missing() {
        let fixed = Place { path: "overhead".to_owned(), ..check.at("overhead.podFixed") };
        amounts::overhead(check, &fixed);
    }
    metadata::labels(check, &check.at("scheduling.nodeSelector"));
    tolerations(check, &check.at("scheduling.tolerations"));
    metadata::update_again(check);
    check.immutable_text("handler");
}

/// What pods of a class bear of nodes, each thing once.
fn tolerations(check: &mut Check<'_>, list: &Place<'_>) {
    let items = list.items();
    for toleration in &items {
        running::toleration(check, toleration);
    }
    let mut seen = BTreeSet::new();
    for toleration in &items {
        let says =
            ["key", "operator", "value", "effect"].map(|name| toleration.member(name).text());
        if !seen.insert(says) {
            let shown = internal::shown("io.k8s.api.core.v1.Toleration", toleration.value);
            check.push(FieldError::new(Reason::Duplicate, &*toleration.path, None, shown));
        }
    }
}
