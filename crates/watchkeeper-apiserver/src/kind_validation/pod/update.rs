//! What updates may change of a pod (`ValidatePodUpdate` in `pkg/apis/core/validation`).

use std::collections::BTreeSet;

use serde_json::{Value, json};
use watchkeeper_schema::FieldError;

use super::super::{internal, put_back};
use super::{Check, Place, annotations};

const POD_SPEC: &str = "io.k8s.api.core.v1.PodSpec";

/// The parts of a pod's spec that updates may change.
const UPDATABLE: &str = "`spec.containers[*].image`,`spec.initContainers[*].image`,\
    `spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),\
    `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

fn without_seconds(toleration: Option<&Value>) -> Value {
    let mut toleration = toleration.cloned().unwrap_or_default();
    toleration.as_object_mut().map(|members| members.remove("tolerationSeconds"));
    toleration
}

pub(super) fn update(check: &mut Check<'_>, old: &Value) {
    let before = Check::of(old, None);
    annotations::update(check, &before.at("metadata.annotations"));
    for list in ["spec.containers", "spec.initContainers"] {
        if check.at(list).items().len() != before.at(list).items().len() {
            let detail = "pod updates may not add or remove containers";
            check.push(FieldError::forbidden(list, detail));
            return;
        }
    }
    if !deadline(check, &before) {
        return;
    }
    let (new, had) = (check.at("spec.tolerations"), before.at("spec.tolerations").items());
    let told = |of: &Place<'_>| without_seconds(of.value).to_string();
    let kept: BTreeSet<String> = new.items().iter().map(told).collect();
    let is_kept = |old: &Place<'_>| kept.contains(&told(old));
    if new.value != before.at("spec.tolerations").value && !had.iter().all(is_kept) {
        let detail = "existing toleration can not be modified except its tolerationSeconds";
        check.push(FieldError::forbidden(&*new.path, detail));
    }
    no_new_gates(check, &before);
    let (Some(new), Some(old)) = (check.at("spec").value, before.at("spec").value) else { return };
    let mut now = without_updates(new, old);
    if !before.at("spec.schedulingGates").is_empty() {
        gated(check, &mut now, old);
    }
    if now != *old {
        let mut now = check.as_sent("spec", Some(&now)).unwrap_or_default();
        // What was put back is not what was sent.
        put_back(&mut now, old, &["tolerations", "schedulingGates"]);
        leave_out_empty(&mut now);
        let changes = internal::changes(POD_SPEC, Some(old), Some(&now));
        let detail = format!("pod updates may not change fields other than {UPDATABLE}{changes}");
        check.push(FieldError::forbidden("spec", detail));
    }
}

/// Upstream makes the lists of containers anew to put back the images, so one that was sent without any is none.
fn leave_out_empty(spec: &mut Value) {
    for list in ["containers", "initContainers"] {
        if spec[list].as_array().is_some_and(Vec::is_empty) {
            spec.as_object_mut().map(|members| members.remove(list));
        }
    }
}

/// The time that a pod has may be told later, and become less. Whether it may be looked on.
fn deadline(check: &mut Check<'_>, before: &Check<'_>) -> bool {
    let (place, was) =
        (check.at("spec.activeDeadlineSeconds"), before.at("spec.activeDeadlineSeconds").number());
    let detail = match (place.number(), was) {
        (Some(now), _) if !(0..=i64::from(i32::MAX)).contains(&now) => {
            "must be between 0 and 2147483647, inclusive"
        }
        (Some(now), Some(was)) if was < now => "must be less than or equal to previous value",
        (None, Some(_)) => "must not update from a positive integer to nil value",
        _ => return true,
    };
    let value = place.value.cloned().unwrap_or_default();
    check.push(FieldError::invalid(&*place.path, value, detail));
    place.is_missing()
}

/// What a pod waits for may only become less.
fn no_new_gates(check: &mut Check<'_>, before: &Check<'_>) {
    let had = before.at("spec.schedulingGates").items();
    let had: BTreeSet<&str> = had.iter().map(|gate| gate.member("name").text()).collect();
    for gate in check.at("spec.schedulingGates").items() {
        let name = gate.member("name");
        if !had.contains(name.text()) {
            let detail = format!(
                "only deletion is allowed, but found new scheduling gate '{}'",
                name.text()
            );
            check.push(FieldError::forbidden(&*name.path, detail));
        }
    }
}

/// A pod's spec with what updates may change put back.
fn without_updates(new: &Value, old: &Value) -> Value {
    const SECONDS: &str = "terminationGracePeriodSeconds";
    let mut now = new.clone();
    put_back(&mut now, old, &["activeDeadlineSeconds", "tolerations", "schedulingGates"]);
    if old[SECONDS].as_i64().is_some_and(|seconds| seconds < 0) && now[SECONDS] == 1 {
        put_back(&mut now, old, &[SECONDS]);
    }
    for list in ["containers", "initContainers"] {
        let before = old[list].as_array().map(Vec::as_slice).unwrap_or_default();
        let containers = now.get_mut(list).and_then(Value::as_array_mut);
        for (container, before) in containers.into_iter().flatten().zip(before) {
            put_back(container, before, &["image"]);
        }
    }
    now
}

/// A pod that waits may be told more narrowly where it is to run; what it may be told is put back.
fn gated(check: &mut Check<'_>, now: &mut Value, old: &Value) {
    if now.get("nodeSelector") != old.get("nodeSelector") {
        let selector = check.at("spec.nodeSelector");
        let had = old["nodeSelector"].as_object();
        let is_kept = |(key, value): (&String, &Value)| selector.member(key).value == Some(value);
        if !had.into_iter().flatten().all(is_kept) {
            let value = selector.value.cloned().unwrap_or_default();
            let detail =
                "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
            check.push(FieldError::invalid(&*selector.path, value, detail));
        }
        put_back(now, old, &["nodeSelector"]);
    }
    if now["affinity"]["nodeAffinity"] == old["affinity"]["nodeAffinity"] {
        return;
    }
    terms(check, old);
    let others = ["podAffinity", "podAntiAffinity"];
    let is_alone = others.iter().all(|name| now["affinity"][name].is_null());
    if old["affinity"].is_null() && is_alone {
        put_back(now, old, &["affinity"]);
        return;
    }
    if now["affinity"].is_null() {
        now["affinity"] = json!({});
    }
    put_back(&mut now["affinity"], &old["affinity"], &["nodeAffinity"]);
}

/// Of terms that there are none comes or goes, and each only gets more to ask for.
fn terms(check: &mut Check<'_>, old: &Value) {
    const TERMS: &str =
        "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
    let had = old.pointer(&format!("/{}", TERMS.replace('.', "/"))).and_then(Value::as_array);
    let Some(had) = had.filter(|had| !had.is_empty()) else { return };
    let place = check.at(&format!("spec.{TERMS}"));
    let terms = place.items();
    if terms.len() != had.len() {
        let value = place.value.cloned().unwrap_or_default();
        let detail = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
        return check.push(FieldError::invalid(&*place.path, value, detail));
    }
    for (term, had) in terms.iter().zip(had) {
        let has_only_more = |name: &str| {
            let had = had[name].as_array().map(Vec::as_slice).unwrap_or_default();
            let now: Vec<_> = term.member(name).items().iter().filter_map(|of| of.value).collect();
            now.len() >= had.len() && had.iter().zip(now).all(|(had, now)| had == now)
        };
        let names = ["matchExpressions", "matchFields"];
        let was_empty = names.iter().all(|name| had[name].as_array().is_none_or(Vec::is_empty));
        let is_empty = names.iter().all(|name| term.member(name).is_empty());
        if (was_empty && !is_empty) || !names.iter().all(|name| has_only_more(name)) {
            let value = term.value.cloned().unwrap_or_default();
            let detail = "only additions are allowed (no mutations or deletions)";
            check.push(FieldError::invalid(&*term.path, value, detail));
        }
    }
}
