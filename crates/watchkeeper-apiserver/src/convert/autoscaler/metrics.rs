//! Metrics in the form of v1, and where their parts stand in v2.

use serde_json::{Value, json};
use watchkeeper_api::Quantity;

use super::{Object, member};

/// A part of a metric.
struct Part {
    /// Its name in v1.
    v1: &'static str,
    /// Its place in v2.
    v2: &'static str,
    /// Whether v1 holds it by value: a quantity that is there even when it says nothing.
    always: bool,
}

const fn part(v1: &'static str, v2: &'static str) -> Part {
    Part { v1, v2, always: false }
}

const fn always(v1: &'static str, v2: &'static str) -> Part {
    Part { v1, v2, always: true }
}

/// The parts of each source of a metric.
type Sources = [(&'static str, &'static [Part]); 5];

const SPEC: Sources = [
    (
        "object",
        &[
            part("target", "/describedObject"),
            part("metricName", "/metric/name"),
            always("targetValue", "/target/value"),
            part("selector", "/metric/selector"),
            part("averageValue", "/target/averageValue"),
        ],
    ),
    (
        "pods",
        &[
            part("metricName", "/metric/name"),
            always("targetAverageValue", "/target/averageValue"),
            part("selector", "/metric/selector"),
        ],
    ),
    (
        "resource",
        &[
            part("name", "/name"),
            part("targetAverageUtilization", "/target/averageUtilization"),
            part("targetAverageValue", "/target/averageValue"),
        ],
    ),
    (
        "containerResource",
        &[
            part("name", "/name"),
            part("targetAverageUtilization", "/target/averageUtilization"),
            part("targetAverageValue", "/target/averageValue"),
            part("container", "/container"),
        ],
    ),
    (
        "external",
        &[
            part("metricName", "/metric/name"),
            part("metricSelector", "/metric/selector"),
            part("targetValue", "/target/value"),
            part("targetAverageValue", "/target/averageValue"),
        ],
    ),
];

const STATUS: Sources = [
    (
        "object",
        &[
            part("target", "/describedObject"),
            part("metricName", "/metric/name"),
            always("currentValue", "/current/value"),
            part("selector", "/metric/selector"),
            part("averageValue", "/current/averageValue"),
        ],
    ),
    (
        "pods",
        &[
            part("metricName", "/metric/name"),
            always("currentAverageValue", "/current/averageValue"),
            part("selector", "/metric/selector"),
        ],
    ),
    (
        "resource",
        &[
            part("name", "/name"),
            part("currentAverageUtilization", "/current/averageUtilization"),
            always("currentAverageValue", "/current/averageValue"),
        ],
    ),
    (
        "containerResource",
        &[
            part("name", "/name"),
            part("currentAverageUtilization", "/current/averageUtilization"),
            always("currentAverageValue", "/current/averageValue"),
            part("container", "/container"),
        ],
    ),
    (
        "external",
        &[
            part("metricName", "/metric/name"),
            part("metricSelector", "/metric/selector"),
            always("currentValue", "/current/value"),
            part("currentAverageValue", "/current/averageValue"),
        ],
    ),
];

pub(super) fn spec_to_v1(metric: &Value) -> Value {
    to_v1(metric, &SPEC)
}

pub(super) fn status_to_v1(metric: &Value) -> Value {
    to_v1(metric, &STATUS)
}

/// The v2 metric of one in an annotation; none for what no struct can hold.
pub(super) fn spec_to_v2(metric: &Value) -> Option<Value> {
    let mut metric = to_v2(metric, &SPEC)?;
    for (source, _) in &SPEC {
        if let Some(target) = metric.get_mut(source).map(|of| &mut of["target"]) {
            complete_target(source, target);
        }
    }
    Some(metric)
}

/// The v2 metric of one in an annotation; none for what no struct can hold.
pub(super) fn status_to_v2(metric: &Value) -> Option<Value> {
    to_v2(metric, &STATUS)
}

/// A condition, which is the same in both versions; none for what no struct can hold.
pub(super) fn condition(condition: &Value) -> Option<Value> {
    let from = object(condition)?;
    let mut to = json!({"type": "", "status": "", "lastTransitionTime": null});
    for name in ["type", "status", "lastTransitionTime", "reason", "message"] {
        if let Some(value) = member(&from, name) {
            to[name] = value.clone();
        }
    }
    Some(to)
}

fn to_v1(metric: &Value, sources: &Sources) -> Value {
    let mut out = json!({"type": metric["type"]});
    for (source, parts) in sources {
        let Some(from) = metric.get(source).filter(|of| of.is_object()) else { continue };
        let mut to = Object::new();
        for part in *parts {
            let found = from.pointer(part.v2).filter(|value| !value.is_null()).cloned();
            if let Some(value) = found.or_else(|| part.always.then(|| "0".into())) {
                to.insert(part.v1.to_owned(), value);
            }
        }
        out[source] = to.into();
    }
    out
}

fn to_v2(metric: &Value, sources: &Sources) -> Option<Value> {
    let metric = object(metric)?;
    let mut out = json!({"type": member(&metric, "type").cloned().unwrap_or_else(|| "".into())});
    for (source, parts) in sources {
        let Some(from) = member(&metric, source) else { continue };
        let from = object(from)?;
        let mut to = json!({});
        for part in *parts {
            let found = member(&from, part.v1).cloned();
            if let Some(value) = found.or_else(|| part.always.then(|| "0".into())) {
                put(&mut to, part.v2, value);
            }
        }
        out[source] = to;
    }
    Some(out)
}

/// v1 does not say which of its values is the target.
fn complete_target(source: &str, target: &mut Value) {
    let has = |name: &str| !target[name].is_null();
    let wants = match source {
        "object" if !has("averageValue") => "Value",
        "external" if has("value") => "Value",
        "resource" | "containerResource" if has("averageUtilization") => "Utilization",
        _ => "AverageValue",
    };
    // An amount of zero is what v1 writes when there is none.
    if source == "object" && wants == "AverageValue" && is_zero(&target["value"]) {
        target.as_object_mut().map(|members| members.remove("value"));
    }
    target["type"] = wants.into();
}

fn is_zero(quantity: &Value) -> bool {
    let text = match quantity {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Quantity::from(text).canonical().is_ok_and(|quantity| quantity.to_string() == "0")
}

/// The members of a struct; `null` is one without any.
fn object(value: &Value) -> Option<Object> {
    match value {
        Value::Object(members) => Some(members.clone()),
        Value::Null => Some(Object::new()),
        _ => None,
    }
}

/// Sets the value at a place, with what is on the way there.
fn put(object: &mut Value, place: &str, value: Value) {
    let mut at = object;
    for name in place.split('/').filter(|name| !name.is_empty()) {
        at = &mut at[name];
    }
    *at = value;
}
