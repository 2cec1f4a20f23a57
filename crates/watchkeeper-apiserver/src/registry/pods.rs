//! What a pod begins with: its status, its quality of service, and the labels that it shares with others.
//!
//! Source: `PrepareForCreate` in `k8s.io/kubernetes/pkg/registry/core/pod`.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use watchkeeper_api::Quantity;
use watchkeeper_api::quantity::Amount;

use super::strategy::keep_member;
use crate::turn::Turn;
use crate::{kind_defaults, meta};

mod app_armor;

/// Completes a pod that is new.
pub(super) fn prepare(pod: &mut Value, turn: &mut Turn<'_>) {
    kind_defaults::admit_pod(pod);
    pod["status"] = status(pod, turn);
    select_by_labels(pod);
    app_armor::take_named(pod, turn);
}

/// A pod begins as Pending; one with gates says why it is not scheduled.
fn status(pod: &Value, turn: &Turn<'_>) -> Value {
    let mut status = json!({"phase": "Pending", "qosClass": qos_class(&pod["spec"])});
    let gates = pod["spec"]["schedulingGates"].as_array();
    if gates.is_some_and(|gates| !gates.is_empty()) {
        status["conditions"] = json!([{
            "type": "PodScheduled",
            "status": "False",
            "lastProbeTime": null,
            "lastTransitionTime": turn.began.rfc3339(),
            "reason": "SchedulingGated",
            "message": "Scheduling is blocked due to non-empty scheduling gates",
        }]);
    }
    status
}

/// Takes from the stored pod what the path of a part does not write.
pub(super) fn keep_rest(part: &str, new: &mut Value, old: &Value) {
    match part {
        "ephemeralcontainers" => {
            let sent = std::mem::take(&mut new["spec"]);
            keep_member(new, old, "spec");
            keep_member(&mut new["spec"], &sent, "ephemeralContainers");
        }
        "resize" if !resized(&mut new["spec"], &old["spec"]) => return,
        "resize" => {}
        _ => return,
    }
    keep_member(new, old, "status");
    let managed = new["metadata"].get("managedFields").cloned();
    keep_member(new, old, "metadata");
    if let Some(managed) = managed {
        meta::set(new, "managedFields", managed);
    }
}

/// The spec before, but with the resources and policies that each container has now. Where containers have come or gone all is
/// left for somebody to judge, and the list where one has another name.
fn resized(spec: &mut Value, old: &Value) -> bool {
    const LISTS: [&str; 2] = ["containers", "initContainers"];
    let count = |of: &Value, list: &str| of[list].as_array().map_or(0, Vec::len);
    if LISTS.iter().any(|list| count(spec, list) != count(old, list)) {
        return false;
    }
    let sent = std::mem::replace(spec, old.clone());
    keep_member(spec, &sent, "resources");
    for list in LISTS {
        let (Some(now), Some(had)) = (sent[list].as_array(), spec[list].as_array_mut()) else {
            continue;
        };
        if now.iter().zip(&*had).any(|(now, had)| now["name"] != had["name"]) {
            keep_member(spec, &sent, list);
            continue;
        }
        for (now, had) in now.iter().zip(had) {
            keep_member(had, now, "resources");
            keep_member(had, now, "resizePolicy");
        }
    }
    true
}

/// What counts of processors and memory.
type Sum<'a> = BTreeMap<&'a str, Amount>;

/// `BestEffort` without any request or limit, `Guaranteed` when each container limits both and requests as much, else
/// `Burstable`. What is said of the pod as a whole counts alone (`ComputePodQOS`).
pub(crate) fn qos_class(spec: &Value) -> &'static str {
    let all = [&spec["containers"], &spec["initContainers"]];
    let containers = all.into_iter().filter_map(Value::as_array).flatten();
    let whole = &spec["resources"];
    let parts: Vec<&Value> = match whole.is_null() {
        true => containers.map(|container| &container["resources"]).collect(),
        false => vec![whole],
    };
    let (mut requests, mut limits, mut is_guaranteed) = (Sum::new(), Sum::new(), true);
    for part in parts {
        add(&mut requests, &part["requests"]);
        let limited = add(&mut limits, &part["limits"]);
        let has_none = part["limits"].as_object().is_none_or(serde_json::Map::is_empty);
        is_guaranteed &= limited == 2 || (has_none && !whole.is_null());
    }
    match requests == limits {
        _ if requests.is_empty() && limits.is_empty() => "BestEffort",
        true if is_guaranteed => "Guaranteed",
        _ => "Burstable",
    }
}

/// Adds what is more than nothing, and tells how many of the two that is.
fn add<'a>(to: &mut Sum<'a>, list: &Value) -> usize {
    let mut count = 0;
    for name in ["cpu", "memory"] {
        let amount = list[name].as_str().and_then(|text| Quantity::from(text).amount().ok());
        if let Some(amount) = amount.filter(|amount| amount.nanos() > 0) {
            to.entry(name).and_modify(|sum| *sum = *sum + amount).or_insert(amount);
            count += 1;
        }
    }
    count
}

/// Keys of labels that stand for the pod's own values become part of the selectors beside them (`mutatePodAffinity`,
/// `mutateTopologySpreadConstraints`).
fn select_by_labels(pod: &mut Value) {
    let labels = pod["metadata"]["labels"].clone();
    let Some(spec) = pod.get_mut("spec").filter(|_| labels.is_object()) else { return };
    for of in ["podAffinity", "podAntiAffinity"] {
        let Some(affinity) = spec.pointer_mut(&format!("/affinity/{of}")) else { continue };
        for term in items(affinity, "preferredDuringSchedulingIgnoredDuringExecution") {
            if let Some(term) = term.get_mut("podAffinityTerm") {
                select(term, &labels);
            }
        }
        for term in items(affinity, "requiredDuringSchedulingIgnoredDuringExecution") {
            select(term, &labels);
        }
    }
    for constraint in items(spec, "topologySpreadConstraints") {
        select(constraint, &labels);
    }
}

fn items<'a>(of: &'a mut Value, name: &str) -> impl Iterator<Item = &'a mut Value> {
    of.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten()
}

/// The longest value of a label; a longer one is refused later, and not copied before.
const LONGEST_LABEL: usize = 63;

/// No selector selects nothing, whatever is added.
fn select(term: &mut Value, labels: &Value) {
    if !term["labelSelector"].is_object() {
        return;
    }
    let fits = |value: &&Value| value.as_str().is_some_and(|value| value.len() <= LONGEST_LABEL);
    let mut more = Vec::new();
    for (name, operator) in [("matchLabelKeys", "In"), ("mismatchLabelKeys", "NotIn")] {
        for key in term[name].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if let Some(value) = labels.get(key).filter(fits) {
                more.push(json!({"key": key, "operator": operator, "values": [value]}));
            }
        }
    }
    let selector = term.get_mut("labelSelector").and_then(Value::as_object_mut);
    let Some(selector) = selector.filter(|_| !more.is_empty()) else { return };
    let expressions = selector.entry("matchExpressions").or_insert_with(|| json!([]));
    if let Some(expressions) = expressions.as_array_mut() {
        expressions.append(&mut more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resources(requests: &Value, limits: &Value) -> Value {
        json!({"resources": {"requests": requests, "limits": limits}})
    }

    #[test]
    fn the_quality_of_service_is_that_of_all_containers() {
        let both = json!({"cpu": "1", "memory": "1Gi"});
        let (none, zero) = (json!({}), json!({"cpu": "0"}));
        let same = resources(&both, &both);
        for (class, spec) in [
            ("BestEffort", json!({"containers": [resources(&none, &none)]})),
            ("BestEffort", json!({"containers": [resources(&zero, &zero)]})),
            ("Guaranteed", json!({"containers": [same]})),
            ("Guaranteed", json!({"containers": [same], "initContainers": [same]})),
            (
                "Burstable",
                json!({"containers": [same], "initContainers": [resources(&none, &none)]}),
            ),
            ("Burstable", json!({"containers": [same, resources(&both, &none)]})),
            ("Burstable", json!({"containers": [resources(&json!({"cpu": "1"}), &both)]})),
            ("Burstable", json!({"containers": [resources(&none, &json!({"cpu": "1"}))]})),
        ] {
            assert_eq!(qos_class(&spec), class, "{spec}");
        }
    }

    #[test]
    fn what_is_said_of_the_pod_as_a_whole_counts_alone() {
        let both = json!({"cpu": "1", "memory": "1Gi"});
        let spec = |whole: &Value| json!({"containers": [resources(&json!({"cpu": "1"}), &json!({}))], "resources": whole});
        let whole = json!({"requests": both, "limits": both});
        assert_eq!(qos_class(&spec(&whole)), "Guaranteed");
        assert_eq!(qos_class(&spec(&json!({}))), "BestEffort");
        assert_eq!(qos_class(&spec(&json!({"requests": both}))), "Burstable");
    }

    #[test]
    fn keys_of_labels_become_part_of_selectors() {
        let mut pod = json!({"metadata": {"labels": {"app": "a", "hash": "1"}}, "spec": {
            "affinity": {
                "podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
                    {"labelSelector": {}, "matchLabelKeys": ["hash", "none"], "mismatchLabelKeys": ["app"]}]},
                "podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [
                    {"podAffinityTerm": {"labelSelector": {}, "matchLabelKeys": ["app"]}},
                    {"podAffinityTerm": {"matchLabelKeys": ["app"]}}]}},
            "topologySpreadConstraints": [{"labelSelector": {"matchLabels": {"app": "a"}}, "matchLabelKeys": ["hash"]}]}});
        select_by_labels(&mut pod);
        let of = |key: &str, operator: &str, value: &str| json!({"key": key, "operator": operator, "values": [value]});
        let at = |path: &str| pod.pointer(&format!("/spec/{path}/matchExpressions")).cloned();
        let required =
            "affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution/0/labelSelector";
        assert_eq!(at(required), Some(json!([of("hash", "In", "1"), of("app", "NotIn", "a")])));
        let preferred = "affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution";
        let first = format!("{preferred}/0/podAffinityTerm/labelSelector");
        assert_eq!(at(&first), Some(json!([of("app", "In", "a")])));
        assert_eq!(
            pod.pointer(&format!("/spec/{preferred}/1/podAffinityTerm/labelSelector")),
            None
        );
        let spread = "topologySpreadConstraints/0/labelSelector";
        assert_eq!(at(spread), Some(json!([of("hash", "In", "1")])));
    }
}
