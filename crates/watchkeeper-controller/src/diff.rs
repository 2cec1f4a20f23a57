//! The difference of two JSON values as a patch.

use serde_json::{Map, Value};
use watchkeeper_api::merge::Members;

mod lists;

#[cfg(test)]
mod tests;

/// A difference, and the language that it is in.
#[derive(Debug, PartialEq)]
pub(crate) enum Difference {
    /// A JSON merge patch.
    Merge(Value),
    /// A strategic merge patch: a list that merges by a key changed.
    Strategic(Value),
}

/// What turns `before` into `after`; `None` if nothing does.
///
/// A patch says nothing of members that neither value has, so those that the server knows and
/// these values do not are left alone: also in the items of lists that merge by a key, as far as
/// `members` tells of them. Other lists are replaced as a whole.
pub(crate) fn difference(
    before: &Value,
    after: &Value,
    members: Option<Members>,
) -> Option<Difference> {
    let merge = merge_patch(before, after)?;
    if let (Value::Object(before), Value::Object(after), Some(members)) = (before, after, members)
        && let Ok(patch) = lists::object(before, after, Some(members))
        && patch.is_strategic
    {
        return Some(Difference::Strategic(Value::Object(patch.members)));
    }
    Some(Difference::Merge(merge))
}

/// What turns `before` into `after`, as a JSON merge patch (RFC 7396); `None` if nothing does.
///
/// Lists are replaced as a whole.
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
