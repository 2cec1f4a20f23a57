//! A value without some of its fields.

use serde_json::{Map, Value};

use super::typed::{Of, atomic_list, atomic_map, item_element, items, member};
use crate::fields::{FieldSet, PathElement};

/// `value` without the fields in `set`. What becomes empty within it is nothing, `null`, and what was empty, too; the
/// value itself stays.
pub(super) fn remove(value: &Value, set: &FieldSet, of: Of<'_>) -> Value {
    match value {
        Value::Object(members) if !atomic_map(of) => {
            let mut kept = Map::new();
            for (name, value) in members {
                let element = PathElement::field(name);
                if set.has(&element) {
                    continue;
                }
                let value = match set.below(&element) {
                    Some(below) => left(remove(value, below, member(of, name))),
                    None => value.clone(),
                };
                kept.insert(name.clone(), value);
            }
            Value::Object(kept)
        }
        Value::Array(list) if !atomic_list(of) => {
            let kept = list.iter().filter_map(|item| remove_item(item, set, of));
            Value::Array(kept.collect())
        }
        Value::Object(_) => Value::Object(Map::new()),
        Value::Array(_) => Value::Array(Vec::new()),
        scalar => scalar.clone(),
    }
}

fn remove_item(item: &Value, set: &FieldSet, of: Of<'_>) -> Option<Value> {
    let Ok(element) = item_element(of, item) else { return Some(item.clone()) };
    if set.has(&element) {
        return None;
    }
    Some(match set.below(&element) {
        Some(below) => left(remove(item, below, items(of))),
        None => item.clone(),
    })
}

/// What is left of a map or list that was gone through (structured-merge-diff, `removingWalker`).
fn left(value: Value) -> Value {
    let is_empty =
        value.as_object().is_some_and(Map::is_empty) || value.as_array().is_some_and(Vec::is_empty);
    if is_empty { Value::Null } else { value }
}
