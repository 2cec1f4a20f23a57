//! Members that no schema knows: dropping them, and naming them for strict validation.
//!
//! The rules are those of structural pruning (apiextensions, `pkg/apiserver/schema/pruning`), which
//! for built-in types come to the same as decoding into their structs.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::crd::OBJECT_META;
use crate::error::MOST_TOLD;
use crate::registry::SchemaRef;

#[cfg(test)]
mod tests;

/// Drops the members that the schema does not know, and gives their paths in order: of those beyond [`MOST_TOLD`]
/// bytes none, as below a long name there may be many.
///
/// With `is_resource`, the value is a whole object: `apiVersion`, `kind` and `metadata` stay. So do those of whole objects
/// within, for [`decode_metadata`].
pub fn prune(value: &mut Value, schema: SchemaRef<'_>, is_resource: bool) -> Vec<String> {
    let mut told = Told::default();
    let keeps = schema.preserves_unknown();
    walk(value, Some(schema), At { is_resource, keeps }, &mut told);
    told.dropped
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

/// The place that is looked at, and what was dropped before it.
#[derive(Default)]
struct Told {
    place: String,
    dropped: Vec<String>,
    bytes: usize,
}

impl Told {
    /// Goes on with what is in a member of the place.
    fn in_member(&mut self, name: &str, then: impl FnOnce(&mut Self)) {
        let before = self.place.len();
        if before > 0 {
            self.place.push('.');
        }
        self.place.push_str(name);
        then(self);
        self.place.truncate(before);
    }

    /// Goes on with what is in an entry of the place, which is a map.
    fn in_entry(&mut self, name: &str, then: impl FnOnce(&mut Self)) {
        let before = self.place.len();
        self.place.push('[');
        self.place.push_str(name);
        self.place.push(']');
        then(self);
        self.place.truncate(before);
    }

    /// Goes on with what is in an item of the place.
    fn in_item(&mut self, index: usize, then: impl FnOnce(&mut Self)) {
        let before = self.place.len();
        // Writing to a text does not fail.
        let _ = write!(self.place, "[{index}]");
        then(self);
        self.place.truncate(before);
    }

    /// The place itself is dropped.
    fn drop_it(&mut self) {
        self.bytes = self.bytes.saturating_add(self.place.len());
        if self.bytes <= MOST_TOLD {
            self.dropped.push(self.place.clone());
        }
    }
}

fn walk(value: &mut Value, schema: Option<SchemaRef<'_>>, at: At, told: &mut Told) {
    match value {
        Value::Object(members) => walk_members(members, schema, at, told),
        Value::Array(items) => {
            let of = schema.and_then(SchemaRef::items);
            if of.is_none() && at.keeps {
                return;
            }
            // What is kept in a list is kept in its items, but not in their members.
            let keeps = at.keeps || of.is_some_and(SchemaRef::preserves_unknown);
            for (index, value) in items.iter_mut().enumerate() {
                let at = At { is_resource: false, keeps };
                told.in_item(index, |told| walk(value, of, at, told));
            }
        }
        _ => {}
    }
}

fn walk_members(
    members: &mut Map<String, Value>,
    schema: Option<SchemaRef<'_>>,
    at: At,
    told: &mut Told,
) {
    let is_within = schema.is_some_and(|s| s.node.embedded_resource);
    members.retain(|name, value| {
        let mut stays = true;
        told.in_member(name, |told| {
            let of = schema.and_then(|schema| schema.member(name));
            let is_meta = matches!(&**name, "apiVersion" | "kind" | "metadata");
            match of {
                _ if is_meta && is_within => {}
                // What a custom resource's schema says of its metadata never drops any of it.
                Some(of) if is_meta && at.is_resource && of.usage.reference.is_none() => {}
                Some(of) if of.node.unspecified => {
                    walk(value, None, At { is_resource: false, keeps: false }, told);
                }
                Some(of) => {
                    let at = At { is_resource: false, keeps: of.preserves_unknown() };
                    walk(value, Some(of), at, told);
                }
                None if at.keeps || is_meta && at.is_resource => {}
                None => {
                    told.drop_it();
                    stays = false;
                }
            }
        });
        stays
    });
}

/// Decodes the metadata of the whole objects within a custom resource as Go does (apiextensions,
/// `pkg/apiserver/schema/objectmeta`): drops what `ObjectMeta` does not know, whatever the schema says, and gives the
/// paths in order; `null` is metadata without anything in it.
///
/// Where the schemas that `schema` may refer to have no `ObjectMeta`, nothing is decoded.
pub fn decode_metadata(value: &mut Value, schema: SchemaRef<'_>, how: Decode) -> Vec<String> {
    let Some(of) = schema.schemas().by_name(OBJECT_META) else { return Vec::new() };
    let mut told = Told::default();
    Decoding { of, how }.walk(value, schema, &mut told);
    told.dropped.sort();
    told.dropped
}

/// How metadata is decoded.
#[derive(Clone, Copy, Debug)]
pub struct Decode {
    /// Writes what is left of metadata, whose schema is given.
    pub form: fn(&mut Value, SchemaRef<'_>),
    /// A kind or version of another type goes: it was stored before the schema said that there is a whole object.
    pub is_stored: bool,
}

struct Decoding<'a> {
    /// The schema of metadata.
    of: SchemaRef<'a>,
    how: Decode,
}

impl Decoding<'_> {
    fn walk(&self, value: &mut Value, schema: SchemaRef<'_>, told: &mut Told) {
        match value {
            Value::Object(members) => self.members(members, schema, told),
            Value::Array(items) => {
                let Some(of) = schema.items() else { return };
                for (index, value) in items.iter_mut().enumerate() {
                    told.in_item(index, |told| self.walk(value, of, told));
                }
            }
            _ => {}
        }
    }

    fn members(&self, members: &mut Map<String, Value>, schema: SchemaRef<'_>, told: &mut Told) {
        let is_whole = schema.node.embedded_resource;
        if is_whole && self.how.is_stored {
            let is_type = |name: &str| matches!(name, "apiVersion" | "kind");
            members.retain(|name, value| !is_type(name) || value.is_string());
        }
        for (name, value) in members {
            let stated = schema.property(name);
            if is_whole && name == "metadata" {
                told.in_member(name, |told| self.metadata(value, stated, told));
            } else if let Some(of) = stated {
                told.in_member(name, |told| self.walk(value, of, told));
            } else if let Some(of) = schema.additional() {
                told.in_entry(name, |told| self.walk(value, of, told));
            }
        }
    }

    fn metadata(&self, value: &mut Value, stated: Option<SchemaRef<'_>>, told: &mut Told) {
        // Elsewhere `null` is dropped.
        let may_be_null = stated.is_none_or(|stated| {
            let usage = stated.usage;
            usage.reference.is_some() || usage.nullable || usage.default.is_some()
        });
        if value.is_null() && may_be_null {
            *value = Value::Object(Map::new());
        }
        walk(value, Some(self.of), At { is_resource: false, keeps: false }, told);
        (self.how.form)(value, self.of);
    }
}
