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
    let keeps = schema.preserves_unknown();
    walk(value, Some(schema), At { is_resource, keeps }, "", &mut dropped);
    dropped
}

/// The paths of the members that the schema does not know, e.g. `spec.containers[0].imag`.
#[must_use]
pub fn unknown_fields(value: &Value, schema: SchemaRef<'_>, is_resource: bool) -> Vec<String> {
    prune(&mut value.clone(), schema, is_resource)
}

/// What holds at a place beside its schema.
#[derive(Clone, Copy)]
struct At {
    /// The value is a whole object.
    is_resource: bool,
    /// Members without a schema are kept: as the schema says, or that of the list around it.
    keeps: bool,
}

fn walk(
    value: &mut Value,
    schema: Option<SchemaRef<'_>>,
    at: At,
    path: &str,
    dropped: &mut Vec<String>,
) {
    match value {
        Value::Object(members) => walk_members(members, schema, at, path, dropped),
        Value::Array(items) => {
            let of = schema.and_then(SchemaRef::items);
            if of.is_none() && at.keeps {
                return;
            }
            // What is kept in a list is kept in its items, but not in their members.
            let keeps = at.keeps || of.is_some_and(SchemaRef::preserves_unknown);
            for (index, value) in items.iter_mut().enumerate() {
                let at = At { is_resource: false, keeps };
                walk(value, of, at, &item(path, index), dropped);
            }
        }
        _ => {}
    }
}

fn walk_members(
    members: &mut Map<String, Value>,
    schema: Option<SchemaRef<'_>>,
    at: At,
    path: &str,
    dropped: &mut Vec<String>,
) {
    let is_resource = at.is_resource || schema.is_some_and(|s| s.node.embedded_resource);
    members.retain(|name, value| {
        let place = child(path, name);
        let of = schema.and_then(|schema| schema.member(name));
        let is_meta = is_resource && matches!(&**name, "apiVersion" | "kind" | "metadata");
        match of {
            // What a custom resource's schema says of its metadata never drops any of it.
            Some(of) if is_meta && of.usage.reference.is_none() => {}
            Some(of) => {
                let at = At { is_resource: false, keeps: of.preserves_unknown() };
                walk(value, Some(of), at, &place, dropped);
            }
            None if is_meta || at.keeps => {}
            None => {
                dropped.push(place);
                return false;
            }
        }
        true
    });
}
