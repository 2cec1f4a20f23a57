//! The three patches that change an object without owning its fields: JSON patch (RFC 6902), JSON
//! merge patch (RFC 7396) and Kubernetes' strategic merge patch.

use std::fmt;

use serde_json::Value;

mod json;
mod strategic;
mod text;

#[cfg(test)]
mod tests;

pub use json::{MAX_JSON_PATCH_OPERATIONS, json};
pub(crate) use strategic::as_laid;
pub use strategic::strategic;
pub(crate) use text::text;

/// Why a patch could not be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatchError {
    /// The patch is malformed: 400.
    Malformed(String),
    /// The patch has more operations than the server takes: 413.
    TooLarge(usize),
    /// The patch does not fit the object: 422.
    Failed(String),
    /// A directive is unknown, or an item without the key of its list: 500, as upstream answers.
    Broken(String),
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(why) | Self::Failed(why) | Self::Broken(why) => f.write_str(why),
            Self::TooLarge(count) => write!(
                f,
                "The allowed maximum operations in a JSON patch is {MAX_JSON_PATCH_OPERATIONS}, \
                 got {count}"
            ),
        }
    }
}

impl std::error::Error for PatchError {}

/// The object with a merge patch laid over it: objects merge, `null` deletes, all else replaces.
#[must_use]
pub fn merge(object: &Value, patch: &Value) -> Value {
    let Value::Object(changes) = patch else { return replaced(object, patch) };
    let mut merged = object.as_object().cloned().unwrap_or_default();
    for (name, change) in changes {
        if change.is_null() {
            merged.remove(name);
        } else {
            let old = merged.get(name).unwrap_or(&Value::Null);
            let new = merge(old, change);
            merged.insert(name.clone(), new);
        }
    }
    Value::Object(merged)
}

/// What takes the place of another value. Upstream takes nulls out of the objects within, unless it stands where an
/// object was (evanphx/json-patch, `pruneNulls`).
fn replaced(object: &Value, patch: &Value) -> Value {
    let mut new = patch.clone();
    if !object.is_object() {
        prune_nulls(&mut new);
    }
    new
}

fn prune_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(prune_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(prune_nulls),
        _ => {}
    }
}
