//! Lists of type map and set: no key twice, and which item of the old list is the same one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::path::Path;
use super::told::Told;
use crate::error::FieldError;
use crate::node::ListType;
use crate::registry::SchemaRef;

/// The items of an old list by their keys: of lists of type map, where one can be an update of another.
pub(super) struct Old<'a>(BTreeMap<String, &'a Value>);

impl<'a> Old<'a> {
    pub(super) fn new(old: Option<&'a Value>, list: SchemaRef<'_>) -> Self {
        let mut by_keys = BTreeMap::new();
        if list.list_type() == Some(ListType::Map) {
            for item in old.and_then(Value::as_array).into_iter().flatten() {
                if let Some(keys) = all_keys_of(item, list) {
                    by_keys.entry(keys).or_insert(item);
                }
            }
        }
        Self(by_keys)
    }

    /// The old item that `new` is an update of.
    pub(super) fn of(&self, new: &Value, list: SchemaRef<'_>) -> Option<&'a Value> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&all_keys_of(new, list)?).copied()
    }
}

/// How many parts a value has.
pub(super) fn size(value: &Value) -> u64 {
    1 + match value {
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.values().map(size).sum(),
        _ => 0,
    }
}

/// Whether a value is what it was, and each item of its lists of type map is found by its keys: of two items with
/// the same keys the second one is an update of the first (apiserver, `pkg/cel/common`, `CorrelatedObject`).
pub(super) fn is_unchanged(value: &Value, old: Option<&Value>, schema: SchemaRef<'_>) -> bool {
    old == Some(value) && is_found(value, schema)
}

fn is_found(value: &Value, schema: SchemaRef<'_>) -> bool {
    match value {
        // What has no schema is not compared, and so not the same.
        Value::Object(members) => members
            .iter()
            .all(|(name, value)| schema.member(name).is_some_and(|of| is_found(value, of))),
        Value::Array(items) if schema.list_type() == Some(ListType::Map) => {
            let mut seen = BTreeMap::new();
            let is_first = |item| {
                let keys = all_keys_of(item, schema);
                keys.is_some_and(|keys| *seen.entry(keys).or_insert(item) == item)
            };
            items.iter().all(is_first)
                && schema.items().is_some_and(|of| items.iter().all(|item| is_found(item, of)))
        }
        _ => true,
    }
}

/// The keys of an item that has all of them, none of them a list or an object.
fn all_keys_of(value: &Value, list: SchemaRef<'_>) -> Option<String> {
    let keys = keys_of(value, list);
    let is_whole = keys.as_object().is_some_and(|keys| {
        keys.len() == list.list_keys().len()
            && keys.values().all(|key| !key.is_array() && !key.is_object() && !key.is_null())
    });
    is_whole.then(|| keys.to_string())
}

/// Whether a value is there twice.
pub(super) fn has_duplicates(items: &[Value]) -> bool {
    let mut seen = BTreeSet::new();
    !items.iter().all(|item| seen.insert(item.to_string()))
}

fn keys_of(value: &Value, list: SchemaRef<'_>) -> Value {
    let keys = list.list_keys().iter();
    let present = keys.filter_map(|key| value.get(key).map(|value| (key.clone(), value.clone())));
    Value::Object(present.collect::<Map<_, _>>())
}

/// Complains about items that are there twice.
pub(super) fn unique(value: &Value, schema: SchemaRef<'_>, path: &Path<'_>, told: &mut Told) {
    if told.is_full() {
        return;
    }
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                if let Some(of) = schema.property(name) {
                    unique(value, of, &Path::Field(path, name), told);
                } else if let Some(of) = schema.additional() {
                    unique(value, of, &Path::Key(path, name), told);
                }
            }
        }
        Value::Array(items) => {
            match schema.list_type() {
                Some(ListType::Set) => repeated(items.iter().cloned(), path, told),
                Some(ListType::Map) => unique_keys(items, schema, path, told),
                Some(ListType::Atomic) | None => {}
            }
            if let Some(of) = schema.items() {
                for (index, value) in items.iter().enumerate() {
                    unique(value, of, &Path::Item(path, index), told);
                }
            }
        }
        _ => {}
    }
}

fn unique_keys(items: &[Value], list: SchemaRef<'_>, path: &Path<'_>, told: &mut Told) {
    let wrong = items.iter().position(|value| !value.is_object() && !value.is_null());
    if let Some(index) = wrong {
        let detail = "must be an object for an array of list-type map";
        told.tell(&Path::Item(path, index), FieldError::invalid("", items[index].clone(), detail));
        return;
    }
    repeated(items.iter().map(|value| keys_of(value, list)), path, told);
}

/// The second appearance of each value is a duplicate; further ones are not mentioned.
fn repeated(values: impl Iterator<Item = Value>, path: &Path<'_>, told: &mut Told) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (index, value) in values.enumerate() {
        let times = seen.entry(value.to_string()).or_default();
        *times += 1;
        if *times == 2 && !told.tell(&Path::Item(path, index), FieldError::duplicate("", value)) {
            return;
        }
    }
}
