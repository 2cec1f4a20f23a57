//! The rules of the smaller groups.

use serde_json::{Value, json};

use super::{Object, default, default_text, inner, is_empty, text};

/// Users and groups belong to RBAC, service accounts to core.
pub(super) fn subject(object: &mut Object) {
    if matches!(text(object, "kind"), "User" | "Group") {
        default_text(object, "apiGroup", "rbac.authorization.k8s.io");
    }
}

/// Of devices that are counted it is at least one.
pub(super) fn device_request(object: &mut Object) {
    let is_none = object.get("count").and_then(Value::as_i64).unwrap_or_default() == 0;
    if text(object, "allocationMode") == "ExactCount" && is_none {
        object.insert("count".to_owned(), 1.into());
    }
}

/// A policy is about incoming traffic, and about outgoing if it has rules for it.
pub(super) fn network_policy(object: &mut Object) {
    if is_empty(object.get("policyTypes")) {
        let types = match is_empty(object.get("egress")) {
            true => json!(["Ingress"]),
            false => json!(["Ingress", "Egress"]),
        };
        object.insert("policyTypes".to_owned(), types);
    }
}

pub(super) fn autoscaler(object: &mut Object) {
    default(object, "minReplicas", 1);
    if is_empty(object.get("metrics")) {
        let target = json!({"type": "Utilization", "averageUtilization": 80});
        let metric = json!({"type": "Resource", "resource": {"name": "cpu", "target": target}});
        object.insert("metrics".to_owned(), json!([metric]));
    }
    let Some(behavior) = object.get_mut("behavior").and_then(Value::as_object_mut) else { return };
    let percent = json!({"type": "Percent", "value": 100, "periodSeconds": 15});
    let pods = json!({"type": "Pods", "value": 4, "periodSeconds": 15});
    let rules =
        [("scaleUp", json!([pods, percent.clone()]), 0), ("scaleDown", json!([percent]), -1)];
    for (direction, policies, window) in rules {
        if let Some(rules) = inner(behavior, direction) {
            default(rules, "selectPolicy", "Max");
            default(rules, "policies", policies);
            if window >= 0 {
                default(rules, "stabilizationWindowSeconds", window);
            }
        }
    }
}

/// Names follow the kind, and the stored version is the first one that was.
pub(super) fn definition(object: &mut Object) {
    let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut) else { return };
    default(spec, "conversion", json!({"strategy": "None"}));
    let storage = spec.get("versions").and_then(Value::as_array).into_iter().flatten();
    let storage = storage.filter(|version| version.get("storage") == Some(&Value::Bool(true)));
    let stored: Vec<Value> = storage.filter_map(|v| v.get("name").cloned()).take(1).collect();
    if let Some(names) = inner(spec, "names") {
        let kind = text(names, "kind").to_owned();
        if !kind.is_empty() {
            default_text(names, "singular", &kind.to_lowercase());
            default_text(names, "listKind", &format!("{kind}List"));
        }
    }
    if let Some(status) = inner(object, "status")
        && is_empty(status.get("storedVersions"))
    {
        status.insert("storedVersions".to_owned(), stored.into());
    }
}
