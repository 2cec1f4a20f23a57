//! The smaller groups.

use serde_json::Value;

use crate::table::row::{Row, member};

/// Metrics of an autoscaler shown before the rest is counted.
const MOST_METRICS: usize = 2;

pub(super) fn lease(row: Row<'_>) -> Vec<Value> {
    vec![row.name(), row.text("/spec/holderIdentity").into(), row.age()]
}

pub(super) fn disruption_budget(row: Row<'_>) -> Vec<Value> {
    let limit = |pointer: &str| match row.at(pointer) {
        None => "N/A".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    vec![
        row.name(),
        limit("/spec/minAvailable").into(),
        limit("/spec/maxUnavailable").into(),
        row.number("/status/disruptionsAllowed").into(),
        row.age(),
    ]
}

pub(super) fn role_binding(row: Row<'_>) -> Vec<Value> {
    let role = format!("{}/{}", row.text("/roleRef/kind"), row.text("/roleRef/name"));
    let subjects = |kind: &str| {
        let of_kind = row.items("/subjects").iter().filter(|s| member(s, "kind") == kind);
        let shown = of_kind.map(|subject| match (kind, member(subject, "namespace")) {
            ("ServiceAccount", namespace) if !namespace.is_empty() => {
                format!("{namespace}/{}", member(subject, "name"))
            }
            _ => member(subject, "name").to_owned(),
        });
        shown.collect::<Vec<_>>().join(", ")
    };
    vec![
        row.name(),
        role.into(),
        row.age(),
        subjects("User").into(),
        subjects("Group").into(),
        subjects("ServiceAccount").into(),
    ]
}

pub(super) fn priority_class(row: Row<'_>) -> Vec<Value> {
    vec![
        row.name(),
        row.number("/value").into(),
        row.flag("/globalDefault").into(),
        row.age(),
        row.text("/preemptionPolicy").into(),
    ]
}

pub(super) fn storage_class(row: Row<'_>) -> Vec<Value> {
    let mut name = row.text("/metadata/name").to_owned();
    let defaults = [
        "storageclass.kubernetes.io/is-default-class",
        "storageclass.beta.kubernetes.io/is-default-class",
    ];
    if defaults.iter().any(|by| row.annotation(by) == Some("true")) {
        name.push_str(" (default)");
    }
    vec![
        name.into(),
        row.text("/provisioner").into(),
        row.text_or("/reclaimPolicy", "Delete").into(),
        row.text_or("/volumeBindingMode", "Immediate").into(),
        row.flag("/allowVolumeExpansion").into(),
        row.age(),
    ]
}

pub(super) fn webhooks(row: Row<'_>) -> Vec<Value> {
    vec![row.name(), row.count("/webhooks").into(), row.age()]
}

pub(super) fn scale(row: Row<'_>) -> Vec<Value> {
    vec![
        row.name(),
        row.number("/spec/replicas").into(),
        row.number("/status/replicas").into(),
        row.age(),
    ]
}

pub(super) fn autoscaler(row: Row<'_>) -> Vec<Value> {
    let target = "/spec/scaleTargetRef";
    let reference =
        format!("{}/{}", row.text(&format!("{target}/kind")), row.text(&format!("{target}/name")));
    let least = row.at("/spec/minReplicas").map_or("<unset>".to_owned(), Value::to_string);
    vec![
        row.name(),
        reference.into(),
        metrics(row).into(),
        least.into(),
        row.number("/spec/maxReplicas").into(),
        row.number("/status/currentReplicas").into(),
        row.age(),
    ]
}

fn metrics(row: Row<'_>) -> String {
    let specs = row.items("/spec/metrics");
    if specs.is_empty() {
        return "<none>".to_owned();
    }
    let current = row.items("/status/currentMetrics");
    let shown = |(index, spec): (usize, &Value)| metric(spec, current.get(index));
    let all: Vec<String> = specs.iter().enumerate().map(shown).collect();
    match all.len().checked_sub(MOST_METRICS) {
        Some(more @ 1..) => format!("{} + {more} more...", all[..MOST_METRICS].join(", ")),
        _ => all.join(", "),
    }
}

/// One metric as `name: current/target`.
fn metric(spec: &Value, status: Option<&Value>) -> String {
    let (source, named) = match member(spec, "type") {
        "Resource" => ("resource", true),
        "ContainerResource" => ("containerResource", true),
        "Pods" => ("pods", false),
        "Object" => ("object", false),
        "External" => ("external", false),
        _ => return "<unknown type>".to_owned(),
    };
    let value = |of: Option<&Value>, part: &str, name: &str| {
        let value = of?.pointer(&format!("/{source}/{part}/{name}"))?;
        Some(match (name, value) {
            ("averageUtilization", number) => format!("{number}%"),
            (_, Value::String(text)) => text.clone(),
            (_, other) => other.to_string(),
        })
    };
    let plain = if named { "averageUtilization" } else { "value" };
    let by_average = value(Some(spec), "target", "averageValue").is_some();
    let name = if by_average { "averageValue" } else { plain };
    let unknown = || "<unknown>".to_owned();
    let now = value(status, "current", name).unwrap_or_else(unknown);
    let target = value(Some(spec), "target", name).unwrap_or_else(|| "<auto>".to_owned());
    match spec.pointer(&format!("/{source}/name")).and_then(Value::as_str).filter(|_| named) {
        Some(resource) => format!("{resource}: {now}/{target}"),
        None if by_average && source != "pods" => format!("{now}/{target} (avg)"),
        None => format!("{now}/{target}"),
    }
}
