//! Stateful sets.

use serde_json::Value;
use watchkeeper_schema::FieldError;

use super::super::{Check, Place, names, pod, selector, volumes};
use super::{SELECTOR, labels_of, required_selector, runs_always, strategies, unselected, wrong};

/// What updates may change.
const OPEN: [&str; 7] = [
    "replicas",
    "ordinals",
    "template",
    "updateStrategy",
    "revisionHistoryLimit",
    "persistentVolumeClaimRetentionPolicy",
    "minReadySeconds",
];

/// `ValidateStatefulSet`, and `ValidateStatefulSetUpdate`.
pub(in super::super) fn stateful_set(check: &mut Check<'_>) {
    management(check);
    strategies::of_stateful_set(check);
    retention(check);
    let claims = check.at("spec.volumeClaimTemplates").items();
    if check.old.is_none() {
        for claim in &claims {
            volumes::claim_spec(check, &claim.member("spec"));
        }
    }
    check.not_negative(&check.at("spec.replicas"));
    check.not_negative(&check.at("spec.minReadySeconds"));
    let ordinals = check.at("spec.ordinals");
    check.not_negative(&ordinals.member("start"));
    let service = check.at("spec.serviceName");
    if check.old.is_none() && !service.is_empty() {
        check.all(&service, service.text(), names::label(service.text()));
    }
    template(check, &claims);
    runs_always(check, &check.at("spec.template"), "StatefulSet");
    if check.old.is_some_and(|old| fixed(old) != fixed(check.new)) {
        check.push(FieldError::forbidden(
            "spec",
            "updates to statefulset spec for fields other than 'replicas', 'ordinals', \
             'template', 'updateStrategy', 'revisionHistoryLimit', \
             'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
        ));
    }
}

fn management(check: &mut Check<'_>) {
    let policy = check.at("spec.podManagementPolicy");
    match policy.text() {
        "OrderedReady" | "Parallel" => {}
        "" => check.push(FieldError::required(&*policy.path, "")),
        other => {
            let detail = "must be 'OrderedReady' or 'Parallel'";
            check.push(FieldError::invalid(&*policy.path, other, detail));
        }
    }
}

/// `ValidatePersistentVolumeClaimRetentionPolicy`.
fn retention(check: &mut Check<'_>) {
    let kept = check.at("spec.persistentVolumeClaimRetentionPolicy");
    for place in ["whenDeleted", "whenScaled"].map(|name| kept.member(name)) {
        let known = ["Retain", "Delete"];
        if !kept.is_missing() && !known.contains(&place.text()) {
            check.push(FieldError::not_supported(&*place.path, place.text(), known));
        }
    }
}

/// The template with the volumes that the controller adds for the claims
/// (`volumesToAddForTemplates`). What is wrong with its labels and annotations is told twice.
fn template(check: &mut Check<'_>, claims: &[Place<'_>]) {
    let (selector, template) = (check.at("spec.selector"), check.at("spec.template"));
    if !required_selector(check, &selector, "statefulset") {
        return check.push(wrong(&selector, SELECTOR, ""));
    }
    if selector.is_missing() || !selector::matches(&selector, &labels_of(&template)) {
        unselected(check, &labels_of(&template));
    }
    let names = claims.iter().map(|claim| claim.member("metadata").member("name").text());
    let claimed: Vec<&str> = names.collect();
    let whose = pod::Whose { pod: None, claimed: &claimed, names_hosts: true };
    pod::template(check, &template, &whose);
    pod::template_marks(check, &template);
}

fn fixed(set: &Value) -> Value {
    let mut spec = set.get("spec").cloned().unwrap_or_default();
    if let Value::Object(members) = &mut spec {
        OPEN.iter().for_each(|name| _ = members.remove(*name));
    }
    spec
}
