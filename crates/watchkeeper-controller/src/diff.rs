//! The difference of two JSON values as a merge patch.

use serde_json::{Map, Value};

#[cfg(test)]
mod tests;

/// What turns `before` into `after`, as a JSON merge patch (RFC 7396); `None` if nothing does.
///
/// A patch says nothing of members that neither value has, so those that the server knows and
/// these values do not are left alone. Lists are replaced as a whole.
pub(crate) fn merge_patch(before: &Value, after: &Value) -> Option<Value> {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => object_patch(before, after),
        _ if before == after => None,
        _ => Some(after.clone()),
    }
}

fn object_patch(before: &Map<String, Value>, after: &Map<String, Value>) -> Option<Value> {
    let removed = before.keys().filter(|name| !after.contains_key(*name));
    let mut patch: Map<_, _> = removed.map(|name| (name.clone(), Value::Null)).collect();
    for (name, value) in after {
        let change = match before.get(name) {
            Some(old) => merge_patch(old, value),
            None => Some(value.clone()),
        };
        patch.extend(change.map(|change| (name.clone(), change)));
    }
    (!patch.is_empty()).then_some(Value::Object(patch))
}
