//! Autoscalers: stored as autoscaling/v2 and served in autoscaling/v1, too.
//!
//! v1 knows one metric, the use of cpu. What v2 has beyond it stands in annotations of the v1 object
//! and nowhere else, so nothing is lost on the way there and back. What is in such an annotation and
//! cannot be read does not count.
//!
//! Source: `pkg/apis/autoscaling/v1/conversion.go` and `pkg/apis/autoscaling/annotations.go`.

mod behavior;
mod metrics;
mod text;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};
use watchkeeper_schema::{SchemaRef, prune};

use crate::decode_error;

type Object = Map<String, Value>;

const METRICS: &str = "autoscaling.alpha.kubernetes.io/metrics";
const CURRENT_METRICS: &str = "autoscaling.alpha.kubernetes.io/current-metrics";
const CONDITIONS: &str = "autoscaling.alpha.kubernetes.io/conditions";
const BEHAVIOR: &str = "autoscaling.alpha.kubernetes.io/behavior";

/// Every annotation that only exists between versions; the last two are those of versions past.
const BETWEEN_VERSIONS: [&str; 6] = [
    METRICS,
    CURRENT_METRICS,
    CONDITIONS,
    BEHAVIOR,
    "autoscaling.alpha.kubernetes.io/scale-down-tolerance",
    "autoscaling.alpha.kubernetes.io/scale-up-tolerance",
];

/// The v1 object of a v2 object in stored form.
pub(super) fn to_v1(v2: &Value) -> Value {
    let mut v1 = v2.clone();
    drop_annotations(&mut v1);
    for (name, text) in annotations(v2) {
        v1["metadata"]["annotations"][name] = text.into();
    }
    if let Some(spec) = v1.get_mut("spec").and_then(Value::as_object_mut) {
        spec.remove("behavior");
        let metrics = spec.remove("metrics");
        let target = items(metrics.as_ref()).iter().find_map(target_utilization);
        set(spec, "targetCPUUtilizationPercentage", target.cloned());
    }
    if let Some(status) = v1.get_mut("status").and_then(Value::as_object_mut) {
        status.remove("conditions");
        let metrics = status.remove("currentMetrics");
        let current = items(metrics.as_ref()).iter().rev().find_map(current_utilization);
        set(status, "currentCPUUtilizationPercentage", current.cloned());
        status.entry("currentReplicas").or_insert_with(|| 0.into());
    }
    v1
}

/// The v2 object of a v1 object, not yet completed with defaults. `schema` is that of v2.
pub(super) fn to_v2(v1: &Value, schema: SchemaRef<'_>) -> Value {
    let mut v2 = v1.clone();
    drop_annotations(&mut v2);
    let read = |name: &str| {
        let text = v1["metadata"]["annotations"][name].as_str()?;
        serde_json::from_str::<Value>(text).ok()
    };
    let list = |name: &str, to_v2: fn(&Value) -> Option<Value>| {
        let items: Option<Vec<Value>> = match read(name)? {
            Value::Null => Some(Vec::new()),
            Value::Array(items) => items.iter().map(to_v2).collect(),
            _ => None,
        };
        items.map(Value::from)
    };
    let metrics = list(METRICS, metrics::spec_to_v2);
    let metrics = metrics.and_then(|list| typed("spec", "metrics", list, schema));
    let behavior = read(BEHAVIOR).and_then(|of| behavior::to_v2(&of));
    let behavior = behavior.and_then(|of| typed("spec", "behavior", of, schema));
    let current = list(CURRENT_METRICS, metrics::status_to_v2);
    let current = current.and_then(|list| typed("status", "currentMetrics", list, schema));
    let conditions = list(CONDITIONS, metrics::condition);
    let conditions = conditions.and_then(|list| typed("status", "conditions", list, schema));
    if let Some(spec) = v2.get_mut("spec").and_then(Value::as_object_mut) {
        let target = spec.remove("targetCPUUtilizationPercentage").filter(|of| !of.is_null());
        // The metric of v1 comes last.
        let mut all = items(metrics.as_ref()).to_vec();
        all.extend(target.map(|of| cpu("target", &json!({"type": "Utilization"}), of)));
        set(spec, "metrics", (!all.is_empty()).then(|| all.into()));
        set(spec, "behavior", behavior);
    }
    if let Some(status) = v2.get_mut("status").and_then(Value::as_object_mut) {
        let own = status.remove("currentCPUUtilizationPercentage").filter(|of| !of.is_null());
        let own = own.map(|of| json!([cpu("current", &json!({}), of)]));
        set(status, "currentMetrics", current.or(own));
        set(status, "conditions", conditions);
    }
    v2
}

/// Takes away the annotations that only exist between versions, and the map if it is empty then.
pub(super) fn drop_annotations(object: &mut Value) {
    let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else { return };
    let Some(all) = metadata.get_mut("annotations").and_then(Value::as_object_mut) else { return };
    all.retain(|name, _| !BETWEEN_VERSIONS.contains(&&**name));
    if all.is_empty() {
        metadata.remove("annotations");
    }
}

/// What v1 has no fields for. The current use of cpu is there again, since its amount is not.
fn annotations(v2: &Value) -> Vec<(&'static str, String)> {
    let (spec, status) = (&v2["spec"], &v2["status"]);
    let list = |items: Vec<Value>| (!items.is_empty()).then(|| text::of(&items.into()));
    let others = items(spec.get("metrics")).iter().filter(|one| target_utilization(one).is_none());
    let current = items(status.get("currentMetrics")).iter();
    let conditions = items(status.get("conditions")).iter();
    let behavior = spec.get("behavior").filter(|of| of.is_object());
    let all = [
        (METRICS, list(others.map(metrics::spec_to_v1).collect())),
        (CURRENT_METRICS, list(current.map(metrics::status_to_v1).collect())),
        (CONDITIONS, list(conditions.filter_map(metrics::condition).collect())),
        (BEHAVIOR, behavior.map(|of| text::of(&behavior::to_annotation(of)))),
    ];
    all.into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
}

/// What an annotation holds, if it fits the types of its place.
fn typed(part: &str, name: &str, value: Value, schema: SchemaRef<'_>) -> Option<Value> {
    let mut object = json!({ part: { name: value } });
    if decode_error::find(&object, schema).is_some() {
        return None;
    }
    prune::prune(&mut object, schema, true);
    Some(object[part][name].take())
}

fn cpu(part: &str, values: &Value, utilization: Value) -> Value {
    let mut metric = json!({"type": "Resource", "resource": {"name": "cpu", part: values}});
    metric["resource"][part]["averageUtilization"] = utilization;
    metric
}

fn target_utilization(metric: &Value) -> Option<&Value> {
    utilization(metric, "/resource/target/averageUtilization")
}

fn current_utilization(metric: &Value) -> Option<&Value> {
    utilization(metric, "/resource/current/averageUtilization")
}

/// The use of cpu, if that is what the metric tells.
fn utilization<'a>(metric: &'a Value, pointer: &str) -> Option<&'a Value> {
    if metric["type"] != "Resource" || metric["resource"]["name"] != "cpu" {
        return None;
    }
    metric.pointer(pointer).filter(|value| !value.is_null())
}

fn items(list: Option<&Value>) -> &[Value] {
    list.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn set(object: &mut Object, name: &str, value: Option<Value>) {
    match value {
        Some(value) => object.insert(name.to_owned(), value),
        None => object.remove(name),
    };
}

/// A member of a text that Go decodes: the case of its name does not matter.
fn member<'a>(object: &'a Object, name: &str) -> Option<&'a Value> {
    let other = || object.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, v)| v);
    object.get(name).or_else(other).filter(|value| !value.is_null())
}
