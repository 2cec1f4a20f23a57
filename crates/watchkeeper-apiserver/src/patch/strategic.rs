//! Strategic merge patch: a merge patch that knows which lists merge, and by which key
//! (apimachinery, `pkg/util/strategicpatch`).
//!
//! Directives: `$patch: replace|delete` in a map or list item, `$retainKeys`,
//! `$deleteFromPrimitiveList/<field>`, `$setElementOrder/<field>`.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use watchkeeper_schema::SchemaRef;

use super::PatchError;
use crate::go::go_map;

mod lists;

const PATCH: &str = "$patch";
const RETAIN_KEYS: &str = "$retainKeys";
const DELETE_FROM: &str = "$deleteFromPrimitiveList/";
const SET_ORDER: &str = "$setElementOrder/";

type Object = Map<String, Value>;

/// The object with a strategic merge patch laid over it.
///
/// # Errors
///
/// A patch that is no object, a directive that is unknown or malformed, and a list item without
/// the key that its list merges by.
pub fn strategic(
    object: &Value,
    patch: &Value,
    schema: SchemaRef<'_>,
) -> Result<Value, PatchError> {
    let Value::Object(patch) = patch else {
        return Err(PatchError::Malformed("strategic merge patch must be an object".to_owned()));
    };
    let object = object.as_object().cloned().unwrap_or_default();
    Ok(Value::Object(merge_object(object, patch, Some(schema))?))
}

/// The patch as it is when it has been laid over the object: the directives that were followed are gone.
pub(crate) fn as_laid(patch: &Value, object: Option<&Value>) -> Value {
    let (Value::Object(members), Some(Value::Object(object))) = (patch, object) else {
        return patch.clone();
    };
    match members.get(PATCH).and_then(Value::as_str) {
        Some("replace") => {
            let kept = members.iter().filter(|(name, _)| *name != PATCH);
            return Value::Object(kept.map(|(n, value)| (n.clone(), value.clone())).collect());
        }
        Some(_) => return patch.clone(),
        None => {}
    }
    let is_ordered = |name: &str| members.contains_key(&format!("{SET_ORDER}{name}"));
    let kept = members.iter().filter(|(name, _)| {
        !name.starts_with(SET_ORDER) && *name != RETAIN_KEYS && !is_ordered(name)
    });
    Value::Object(
        kept.map(|(name, value)| (name.clone(), as_laid(value, object.get(name)))).collect(),
    )
}

fn merge_object(
    mut original: Object,
    patch: &Object,
    schema: Option<SchemaRef<'_>>,
) -> Result<Object, PatchError> {
    match patch.get(PATCH).map(Value::as_str) {
        None => {}
        Some(Some("replace")) => {
            let kept = patch.iter().filter(|(name, _)| *name != PATCH);
            return Ok(kept.map(|(name, value)| (name.clone(), value.clone())).collect());
        }
        Some(Some("delete")) => return Ok(Object::new()),
        Some(other) => {
            let shown = other.map_or_else(|| patch[PATCH].to_string(), str::to_owned);
            return Err(broken(format!("unknown patch type: {shown} in map: {}", go_map(patch))));
        }
    }
    retain_keys(&mut original, patch)?;
    let mut ordered = BTreeSet::new();
    for (directive, order) in patch {
        if let Some(name) = directive.strip_prefix(SET_ORDER) {
            let of = schema.and_then(|schema| schema.member(name));
            lists::set_order(&mut original, name, patch.get(name), order, of)?;
            ordered.insert(name);
        }
    }
    for (name, change) in patch {
        if name == RETAIN_KEYS || name.starts_with(SET_ORDER) || ordered.contains(name.as_str()) {
            continue;
        }
        let (name, deletes) = match name.strip_prefix(DELETE_FROM) {
            Some(name) => (name, true),
            None => (name.as_str(), false),
        };
        let of = schema.and_then(|schema| schema.member(name));
        merge_member(&mut original, name, change, of, deletes)?;
    }
    Ok(original)
}

fn merge_member(
    original: &mut Object,
    name: &str,
    change: &Value,
    schema: Option<SchemaRef<'_>>,
    deletes: bool,
) -> Result<(), PatchError> {
    if change.is_null() {
        original.remove(name);
        return Ok(());
    }
    let Some(old) = original.get_mut(name) else {
        if !deletes && let Some(added) = added(change) {
            original.insert(name.to_owned(), added);
        }
        return Ok(());
    };
    let merged = match (std::mem::take(old), change) {
        // As it comes: nothing in it is a directive.
        (Value::Object(_), Value::Object(_)) if schema.is_some_and(|of| of.patch().replace) => {
            change.clone()
        }
        (Value::Object(old), Value::Object(change)) => {
            Value::Object(merge_object(old, change, schema)?)
        }
        (Value::Array(old), Value::Array(change)) if deletes => {
            let gone: BTreeSet<String> = change.iter().map(Value::to_string).collect();
            Value::Array(old.into_iter().filter(|item| !gone.contains(&item.to_string())).collect())
        }
        (Value::Array(old), Value::Array(change)) => lists::merge(old, change, schema)?,
        (old, _) if deletes => old,
        _ => match added(change) {
            Some(added) => added,
            None => {
                original.remove(name);
                return Ok(());
            }
        },
    };
    original.insert(name.to_owned(), merged);
    Ok(())
}

/// `$retainKeys`: what is not named goes, before the rest of the patch is laid over.
fn retain_keys(original: &mut Object, patch: &Object) -> Result<(), PatchError> {
    let Some(keys) = patch.get(RETAIN_KEYS) else { return Ok(()) };
    let Value::Array(keys) = keys else {
        return Err(malformed("invalid patch format of retainKeys"));
    };
    let keys: BTreeSet<&str> = keys.iter().filter_map(Value::as_str).collect();
    let named = |name: &str| keys.contains(name);
    let is_directive = |name: &str| name.starts_with('$');
    if patch.iter().any(|(name, v)| !v.is_null() && !is_directive(name) && !named(name)) {
        return Err(malformed("invalid patch format of retainKeys"));
    }
    original.retain(|name, _| named(name));
    Ok(())
}

/// A value that takes the place of nothing, or of something of another type: whatever has a `$patch` in it goes, and so
/// does what is `null`. Other directives stay, as members that nobody knows.
fn added(value: &Value) -> Option<Value> {
    without_directives(&without_nulls(value))
}

fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.iter().filter(|(_, value)| !value.is_null());
            kept.map(|(name, value)| (name.clone(), without_nulls(value))).collect()
        }
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        other => other.clone(),
    }
}

fn without_directives(value: &Value) -> Option<Value> {
    match value {
        Value::Object(members) if members.contains_key(PATCH) => None,
        Value::Object(members) => {
            let kept = members.iter();
            let kept = kept.filter_map(|(n, value)| Some((n.clone(), without_directives(value)?)));
            Some(kept.collect())
        }
        Value::Array(items) => Some(items.iter().filter_map(without_directives).collect()),
        other => Some(other.clone()),
    }
}

fn malformed(why: impl Into<String>) -> PatchError {
    PatchError::Malformed(why.into())
}

fn broken(why: impl Into<String>) -> PatchError {
    PatchError::Broken(why.into())
}
