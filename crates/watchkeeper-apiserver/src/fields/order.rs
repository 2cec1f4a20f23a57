//! A total order of JSON values, so that they can be elements of paths.

use std::cmp::Ordering;

use serde_json::Value;

pub(super) fn keys(a: &[(String, Value)], b: &[(String, Value)]) -> Ordering {
    for ((a_name, a_value), (b_name, b_value)) in a.iter().zip(b) {
        let order = a_name.cmp(b_name).then_with(|| values(a_value, b_value));
        if order != Ordering::Equal {
            return order;
        }
    }
    a.len().cmp(&b.len())
}

pub(super) fn values(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => match (x.as_i64(), y.as_i64()) {
            (Some(x), Some(y)) => x.cmp(&y),
            _ => x.as_f64().unwrap_or(0.0).total_cmp(&y.as_f64().unwrap_or(0.0)),
        },
        (Value::String(x), Value::String(y)) => x.cmp(y),
        (Value::Bool(x), Value::Bool(y)) => x.cmp(y),
        _ => rank(a).cmp(&rank(b)).then_with(|| {
            if a.is_object() || a.is_array() {
                a.to_string().cmp(&b.to_string())
            } else {
                Ordering::Equal
            }
        }),
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Number(_) => 0,
        Value::String(_) => 1,
        Value::Bool(_) => 2,
        Value::Array(_) => 3,
        Value::Object(_) => 4,
        Value::Null => 5,
    }
}
