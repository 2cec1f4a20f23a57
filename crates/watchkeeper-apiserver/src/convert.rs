//! Between the version that is stored and the version that is served.
//!
//! Versions of a kind that differ only in their name need nothing but the name (`None`
//! conversion). Events are stored as core/v1 and served in both groups (V13.1).

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::resource::Resource;

/// The stored object as the members of the served version; borrowed when they are the same.
/// `kind` and `apiVersion` are those of the served version when the value is owned.
#[must_use]
pub fn served<'a>(resource: &Resource, stored: &'a Value) -> Cow<'a, Value> {
    if resource.is("events.k8s.io", "events") {
        let mut event = rename(stored, resource, EVENT_FIELDS, Direction::ToNew);
        if let Some(members) = event.as_object_mut() {
            // core/v1 writes these even when they are empty, events.k8s.io does not.
            members.retain(|name, value| !name.starts_with("reporting") || *value != "");
        }
        return Cow::Owned(event);
    }
    Cow::Borrowed(stored)
}

/// The served object as an own value that carries the served kind and version.
#[must_use]
pub fn to_served(resource: &Resource, stored: &Value) -> Value {
    let mut value = served(resource, stored).into_owned();
    set_type(&mut value, &resource.kind, &resource.api_version());
    value
}

/// The object in the version that is stored.
#[must_use]
pub fn to_stored(resource: &Resource, served: Value) -> Value {
    let mut value = if resource.is("events.k8s.io", "events") {
        rename(&served, resource, EVENT_FIELDS, Direction::ToOld)
    } else {
        served
    };
    let version = storage_api_version(resource);
    set_type(&mut value, &resource.kind, &version);
    value
}

/// The version that objects are stored in.
fn storage_api_version(resource: &Resource) -> String {
    if resource.is("events.k8s.io", "events") {
        return "v1".to_owned();
    }
    match &resource.custom {
        Some(custom) => format!("{}/{}", resource.group, custom.storage_version),
        None => resource.api_version(),
    }
}

/// Writes kind and version.
pub fn set_type(value: &mut Value, kind: &str, api_version: &str) {
    if let Some(object) = value.as_object_mut() {
        object.insert("kind".to_owned(), kind.into());
        object.insert("apiVersion".to_owned(), api_version.into());
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    ToNew,
    ToOld,
}

/// Names of core/v1 and their counterparts in events.k8s.io/v1.
const EVENT_FIELDS: &[(&str, &str)] = &[
    ("involvedObject", "regarding"),
    ("message", "note"),
    ("source", "deprecatedSource"),
    ("firstTimestamp", "deprecatedFirstTimestamp"),
    ("lastTimestamp", "deprecatedLastTimestamp"),
    ("count", "deprecatedCount"),
    ("reportingComponent", "reportingController"),
];

fn rename(
    value: &Value,
    resource: &Resource,
    fields: &[(&str, &str)],
    direction: Direction,
) -> Value {
    let Some(object) = value.as_object() else { return value.clone() };
    let mut out = Map::new();
    for (name, member) in object {
        let pair = fields.iter().find(|(old, new)| match direction {
            Direction::ToNew => old == name,
            Direction::ToOld => new == name,
        });
        let name = match (pair, direction) {
            (Some((_, new)), Direction::ToNew) => (*new).to_owned(),
            (Some((old, _)), Direction::ToOld) => (*old).to_owned(),
            (None, _) => name.clone(),
        };
        out.insert(name, member.clone());
    }
    let mut out = Value::Object(out);
    set_type(&mut out, &resource.kind, &resource.api_version());
    out
}
