//! Small reads and writes of `metadata`.

use serde_json::{Map, Value};

/// A text member of `metadata`, empty when absent.
#[must_use]
pub(crate) fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object["metadata"][name].as_str().unwrap_or_default()
}

/// The name.
#[must_use]
pub(crate) fn name(object: &Value) -> &str {
    text(object, "name")
}

/// The namespace.
#[must_use]
pub(crate) fn namespace(object: &Value) -> &str {
    text(object, "namespace")
}

/// Whether deletion has begun.
#[must_use]
pub(crate) fn is_deleting(object: &Value) -> bool {
    !text(object, "deletionTimestamp").is_empty()
}

/// The finalizers.
#[must_use]
pub(crate) fn finalizers(object: &Value) -> Vec<String> {
    let list = object["metadata"]["finalizers"].as_array();
    list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Writes the finalizers; none removes the member.
pub(crate) fn set_finalizers(object: &mut Value, finalizers: &[String]) {
    if finalizers.is_empty() {
        members(object).remove("finalizers");
    } else {
        set(object, "finalizers", finalizers.to_vec());
    }
}

/// The generation; 0 for kinds that have none.
#[must_use]
pub(crate) fn generation(object: &Value) -> i64 {
    object["metadata"]["generation"].as_i64().unwrap_or(0)
}

/// `metadata` as an object; made when it is missing or something else.
pub(crate) fn members(object: &mut Value) -> &mut Map<String, Value> {
    if !object.is_object() {
        *object = Value::Object(Map::new());
    }
    if !object["metadata"].is_object() {
        object["metadata"] = Value::Object(Map::new());
    }
    match &mut object["metadata"] {
        Value::Object(members) => members,
        _ => unreachable!("it was made an object above"),
    }
}

/// Writes a member of `metadata`.
pub(crate) fn set(object: &mut Value, name: &str, value: impl Into<Value>) {
    members(object).insert(name.to_owned(), value.into());
}

/// Takes members of `metadata` from another object, absence included.
pub(crate) fn copy(to: &mut Value, from: &Value, names: &[&str]) {
    for name in names {
        match from["metadata"].get(name) {
            Some(value) => set(to, name, value.clone()),
            None => {
                members(to).remove(*name);
            }
        }
    }
}
