//! Between the version that is stored and the version that is served.
//!
//! Versions of a kind that differ only in their name need nothing but the name (`None`
//! conversion); others are converted by a [`webhook`]. Events are stored as core/v1 and served in both groups (V13.1). Autoscalers are
//! stored as autoscaling/v2 and served as autoscaling/v1, too.

mod autoscaler;
pub(crate) mod seen;
pub mod webhook;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use crate::registry;
use crate::request::Call;
use crate::resource::Resource;
use crate::schemas;
use crate::storage::{Stored, Tree};

/// The stored object as the members of the served version; borrowed when they are the same.
/// `kind` and `apiVersion` are those of the served version when the value is owned.
#[must_use]
pub fn served<'a>(resource: &Resource, stored: &'a Value) -> Cow<'a, Value> {
    if storage(resource).is_some() {
        let mut old = autoscaler::to_v1(stored);
        set_type(&mut old, &resource.kind, &resource.api_version());
        return Cow::Owned(old);
    }
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

/// Whether what is served of this resource is what is stored, to the byte.
#[must_use]
pub(crate) fn is_served_as_stored(resource: &Resource) -> bool {
    storage(resource).is_none() && !resource.is("events.k8s.io", "events")
}

/// The served object as an own value that carries the served kind and version.
#[must_use]
pub fn to_served(resource: &Resource, stored: &Value) -> Value {
    let mut value = served(resource, stored).into_owned();
    set_type(&mut value, &resource.kind, &resource.api_version());
    value
}

/// The stored object as the resource serves it: its own tree, where that says the same.
#[must_use]
pub(crate) fn live(resource: &Resource, stored: &Stored) -> Tree {
    let tree = stored.value();
    let is_same = is_served_as_stored(resource)
        && tree["kind"] == *resource.kind
        && tree["apiVersion"] == *resource.api_version();
    if is_same { tree } else { Tree::new(to_served(resource, &tree)) }
}

/// An object of one version in another.
pub(crate) fn between(from: &Resource, to: &Resource, object: &Value) -> Value {
    if from.api_version() == to.api_version() {
        return object.clone();
    }
    to_served(to, &to_stored(from, object.clone()))
}

/// As [`between`], of an object of which something was taken away: nothing is filled in, but for the
/// metric that upstream fills in when it converts.
pub(crate) fn between_parts(from: &Resource, to: &Resource, object: &Value) -> Value {
    match storage(from).filter(|stored| stored.api_version() == to.api_version()) {
        Some(stored) => {
            let mut value = autoscaler::to_v2(object, schemas::of(stored));
            set_type(&mut value, &to.kind, &to.api_version());
            if value["spec"]["metrics"].is_null() {
                let mut filled = value.clone();
                schemas::fill_defaults(stored, &mut filled);
                value["spec"]["metrics"] = filled["spec"]["metrics"].take();
            }
            value
        }
        None => between(from, to, object),
    }
}

/// The object in the version that is stored.
#[must_use]
pub fn to_stored(resource: &Resource, served: Value) -> Value {
    let mut value = if resource.is("events.k8s.io", "events") {
        rename(&served, resource, EVENT_FIELDS, Direction::ToOld)
    } else if is_autoscaler(resource) {
        stored_autoscaler(resource, served)
    } else {
        served
    };
    let version = storage_api_version(resource);
    set_type(&mut value, &resource.kind, &version);
    value
}

/// The object of a request as it comes back when it has been stored, where that says more or less:
/// upstream looks for what a writer changed there.
pub(crate) fn settled(resource: &Resource, object: &Value) -> Option<Value> {
    let differs = is_autoscaler(resource);
    differs.then(|| to_served(resource, &to_stored(resource, object.clone())))
}

/// The call and its object as if it had come for the version that is stored, where that has other
/// fields: an object obeys the rules of its kind there, in whatever version it is sent.
pub(crate) fn at_storage(call: &Call, object: Value) -> (Cow<'_, Call>, Value) {
    if !is_autoscaler(&call.resource) {
        return (Cow::Borrowed(call), object);
    }
    let object = to_stored(&call.resource, object);
    let Some(resource) = storage(&call.resource) else { return (Cow::Borrowed(call), object) };
    (Cow::Owned(Call { resource: Arc::clone(resource), ..call.clone() }), object)
}

/// What the cells of a table are made of: printers know the stored version where versions differ.
#[must_use]
pub(crate) fn printed<'a>(resource: &Resource, stored: &'a Value) -> Cow<'a, Value> {
    if storage(resource).is_some() { Cow::Borrowed(stored) } else { served(resource, stored) }
}

fn is_autoscaler(resource: &Resource) -> bool {
    resource.is("autoscaling", "horizontalpodautoscalers")
}

fn stored_autoscaler(resource: &Resource, mut served: Value) -> Value {
    let Some(stored) = storage(resource) else {
        autoscaler::drop_annotations(&mut served);
        return served;
    };
    let mut value = autoscaler::to_v2(&served, schemas::of(stored));
    schemas::fill_defaults(stored, &mut value);
    value
}

/// The resource of the version that objects are stored in, where that has other fields.
fn storage(resource: &Resource) -> Option<&'static Arc<Resource>> {
    static AUTOSCALER: OnceLock<Option<Arc<Resource>>> = OnceLock::new();
    if !is_autoscaler(resource) || resource.version == "v2" {
        return None;
    }
    let found = || registry::builtin("autoscaling", "v2", "HorizontalPodAutoscaler");
    AUTOSCALER.get_or_init(found).as_ref()
}

/// The version that objects are stored in.
pub(crate) fn storage_api_version(resource: &Resource) -> String {
    if resource.is("events.k8s.io", "events") {
        return "v1".to_owned();
    }
    if let Some(stored) = storage(resource) {
        return stored.api_version();
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
