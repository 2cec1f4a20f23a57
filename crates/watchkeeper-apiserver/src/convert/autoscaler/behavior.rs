//! The behavior of an autoscaler in its annotation: upstream writes the Go struct without JSON names,
//! so members are named like its fields, and those without a value are there as `null`.

use serde_json::Value;

use super::{Object, member};

const BEHAVIOR: [&str; 2] = ["ScaleUp", "ScaleDown"];
const RULES: [&str; 4] = ["StabilizationWindowSeconds", "SelectPolicy", "Policies", "Tolerance"];
const POLICY: [&str; 3] = ["Type", "Value", "PeriodSeconds"];

/// What the annotation holds for the behavior of a v2 object.
pub(super) fn to_annotation(behavior: &Value) -> Value {
    upper(behavior, &BEHAVIOR, |_, rules| {
        upper(rules, &RULES, |name, value| match value {
            Value::Array(policies) if name == "Policies" => {
                policies.iter().map(|policy| upper(policy, &POLICY, |_, v| v.clone())).collect()
            }
            value => value.clone(),
        })
    })
}

/// The behavior that the annotation holds; none for an empty one and for what is no struct.
pub(super) fn to_v2(annotation: &Value) -> Option<Value> {
    let behavior = lower(annotation, &BEHAVIOR, |_, rules| {
        lower(rules, &RULES, |name, value| match value {
            Value::Array(policies) if name == "Policies" => policies
                .iter()
                .map(|policy| lower(policy, &POLICY, |_, v| Some(v.clone())))
                .collect(),
            value => Some(value.clone()),
        })
    })?;
    behavior.as_object().is_some_and(|members| !members.is_empty()).then_some(behavior)
}

/// The members under the names of Go's fields.
fn upper(value: &Value, names: &[&str], each: impl Fn(&str, &Value) -> Value) -> Value {
    let Some(from) = value.as_object() else { return value.clone() };
    let member = |name: &&str| from.get(&json_name(name)).unwrap_or(&Value::Null);
    names.iter().map(|name| ((*name).to_owned(), each(name, member(name)))).collect()
}

/// The members under their JSON names.
fn lower(
    value: &Value,
    names: &[&str],
    each: impl Fn(&str, &Value) -> Option<Value>,
) -> Option<Value> {
    let from = value.as_object()?;
    let mut to = Object::new();
    for name in names {
        if let Some(value) = member(from, name) {
            to.insert(json_name(name), each(name, value)?);
        }
    }
    Some(to.into())
}

/// `ScaleUp` is `scaleUp` in JSON.
fn json_name(field: &str) -> String {
    let (first, rest) = field.split_at(1);
    format!("{}{rest}", first.to_lowercase())
}
