//! The fields that a value sets: what an applier owns.

use std::collections::BTreeMap;

use serde_json::Value;

use super::typed::{Of, atomic_list, atomic_map, declared, item_element, items, member};
use crate::fields::{FieldSet, PathElement};

/// The set of fields of `value`.
pub(super) fn fields_of(value: &Value, of: Of<'_>) -> FieldSet {
    let mut set = FieldSet::default();
    walk(value, of, &mut Vec::new(), &mut set);
    set
}

fn walk(value: &Value, of: Of<'_>, path: &mut Vec<PathElement>, set: &mut FieldSet) {
    match value {
        Value::Object(_) if atomic_map(of) => set.insert(path),
        Value::Array(_) if atomic_list(of) => set.insert(path),
        Value::Object(members) => {
            for (name, value) in members {
                path.push(PathElement::field(name));
                walk(value, member(of, name), path, set);
                let is_empty = value.is_null() || value.as_object().is_some_and(|m| m.is_empty());
                if is_empty || !declared(of, name) {
                    set.insert(path);
                }
                path.pop();
            }
        }
        Value::Array(list) => walk_items(list, of, path, set),
        _ => set.insert(path),
    }
}

/// An item that is there twice is owned as a whole.
fn walk_items(list: &[Value], of: Of<'_>, path: &mut Vec<PathElement>, set: &mut FieldSet) {
    let elements: Vec<Option<PathElement>> =
        list.iter().map(|item| item_element(of, item).ok()).collect();
    let mut times: BTreeMap<&PathElement, usize> = BTreeMap::new();
    for element in elements.iter().flatten() {
        *times.entry(element).or_default() += 1;
    }
    for (item, element) in list.iter().zip(&elements) {
        let Some(element) = element else { continue };
        path.push(element.clone());
        if times.get(element) == Some(&1) {
            walk(item, items(of), path, set);
        }
        set.insert(path);
        path.pop();
    }
}
