//! Members that no schema knows: dropping them, and naming them for strict validation.
//!
//! The rules are those of structural pruning (apiextensions, `pkg/apiserver/schema/pruning`), which
//! for built-in types come to the same as decoding into their structs.

use serde_json::{Map, Value};

use crate::error::{child, item};
use crate::registry::SchemaRef;

#[cfg(test)]
mod tests;

/// Drops the members that the schema does not know, and gives their paths in order.
///
/// With `is_resource`, the value is a whole object: `apiVersion`, `kind` and `metadata` stay.
pub fn prune(value: &mut Value, schema: SchemaRef<'_>, is_resource: bool) -> Vec<String> {
    let mut dropped = Vec::new();
    walk(value, Some(schema), is_resource, "", &mut dropped);
    dropped
}

/// The paths of the members that the schema does not know, e.g. `spec.containers[0].imag`.
#[must_use]
pub fn unknown_fields(value: &Value, schema: SchemaRef<'_>, is_resource: bool) -> Vec<String> {
    prune(&mut value.clone(), schema, is_resource)
}

fn walk(
    value: &mut Value,
    schema: Option<SchemaRef<'_>>,
    is_resource: bool,
    path: &str,
    dropped: &mut Vec<String>,
) {
    match value {
        Value::Object(members) => walk_members(members, schema, is_resource, path, dropped),
        Value::Array(items) => {
            let of = schema.and_then(SchemaRef::items);
            if of.is_none() && schema.is_some_and(SchemaRef::preserves_unknown) {
                return;
            }
            for (index, value) in items.iter_mut().enumerate() {
                walk(value, of, false, &item(path, index), dropped);
            }
        }
        _ => {}
    }
}

fn walk_members(
    members: &mut Map<String, Value>,
    schema: Option<SchemaRef<'_>>,
    is_resource: bool,
    path: &str,
    dropped: &mut Vec<String>,
) {
    let is_resource = is_resource || schema.is_some_and(|s| s.node.embedded_resource);
    members.retain(|name, value| {
        let place = child(path, name);
        let of = schema.and_then(|schema| schema.member(name));
        let is_meta = is_resource && matches!(&**name, "apiVersion" | "kind" | "metadata");
        match of {
            // What a custom resource's schema says of its metadata never drops any of it.
            Some(of) if is_meta && of.usage.reference.is_none() => {}
            Some(_) => walk(value, of, false, &place, dropped),
            None if is_meta || schema.is_some_and(SchemaRef::preserves_unknown) => {}
            None => {
                dropped.push(place);
                return false;
            }
        }
        true
    });
}
