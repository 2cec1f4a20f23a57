//! Protobuf of built-in kinds, from and to the JSON values that the server keeps.
//!
//! The facts of the kinds know the number and the type of every field, so one walk over them reads
//! and one writes all kinds, also those that have no lean types. Nothing that the store holds is
//! lost: a value of a built-in kind has only fields that the facts know, and JSON that a kind leaves
//! open goes as its text. What is written is byte for byte what Go writes for the same object
//! (members in the order of their numbers, entries in the order of their keys, empty texts, numbers
//! and structs that Go holds by value). Unknown fields of a body are skipped, as upstream does.

mod read;
mod write;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use bytes::Bytes;
use serde_json::{Map, Value};
use watchkeeper_api::json::ReadError;
use watchkeeper_api::pb::{Envelope, MAGIC, Writer};
use watchkeeper_schema::facts::{Field, Presence, Scalar, Type};
use watchkeeper_schema::{Schemas, builtin};

use crate::resource::split_api_version;
use crate::shape;

/// The media type of bodies.
pub(crate) const MEDIA_TYPE: &str = watchkeeper_api::pb::CONTENT_TYPE;
/// The media type of watches.
pub(crate) const WATCH_MEDIA_TYPE: &str = watchkeeper_api::pb::WATCH_CONTENT_TYPE;

const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";
const LIST_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";
const SCHEMA: &str = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";

/// The kinds of `meta/v1` that go by the version of any group.
const EVERYWHERE: [&str; 10] = [
    "APIGroup",
    "APIGroupList",
    "APIResourceList",
    "APIVersions",
    "CreateOptions",
    "DeleteOptions",
    "PatchOptions",
    "Status",
    "UpdateOptions",
    "WatchEvent",
];

/// The model of a kind that has protobuf.
pub(crate) fn model(api_version: &str, kind: &str) -> Option<&'static str> {
    let (group, version) = split_api_version(api_version);
    let facts = builtin::facts();
    if let Some(found) = facts.kind(group, version, kind) {
        return Some(&found.model);
    }
    let structs = |model: String| facts.structs.name(&model);
    if EVERYWHERE.contains(&kind) {
        return structs(format!("{META}.{kind}"));
    }
    let item = facts.kind(group, version, kind.strip_suffix("List")?)?;
    structs(format!("{}List", item.model))
}

/// The message of a value of that model.
pub(crate) fn message(model: &str, value: &Value) -> Bytes {
    let mut w = Writer::new();
    write::message(&mut w, model, value);
    Bytes::from(w.finish())
}

/// A message in its envelope.
pub(crate) fn seal(api_version: &str, kind: &str, message: &[u8]) -> Bytes {
    sealed(api_version, kind, |w| w.raw(message))
}

fn sealed(api_version: &str, kind: &str, message: impl FnOnce(&mut Writer)) -> Bytes {
    let mut w = Writer::new();
    w.bytes(4, b"");
    w.bytes(3, b"");
    let mark = w.len();
    message(&mut w);
    w.close(2, mark);
    let mark = w.len();
    w.bytes(2, kind.as_bytes());
    w.bytes(1, api_version.as_bytes());
    w.close(1, mark);
    w.raw(&MAGIC);
    Bytes::from(w.finish())
}

/// The body of a list whose items are messages already.
pub(crate) fn list(api_version: &str, kind: &str, meta: &Value, items: &[Bytes]) -> Bytes {
    sealed(api_version, kind, |w| {
        for item in items.iter().rev() {
            w.bytes(2, item);
        }
        let mark = w.len();
        write::message(w, LIST_META, meta);
        w.close(1, mark);
    })
}

/// The body of a value that says its kind; none when that kind has no protobuf.
pub(crate) fn body(value: &Value) -> Option<Bytes> {
    let text = |name: &str| value[name].as_str().unwrap_or_default();
    let (api_version, kind) = (text("apiVersion"), text("kind"));
    let model = model(api_version, kind)?;
    Some(sealed(api_version, kind, |w| write::message(w, model, value)))
}

/// The frame of a watch event around the body of its object.
pub(crate) fn frame(kind: &str, object: &[u8]) -> Bytes {
    let mut w = Writer::new();
    w.bytes(1, object);
    w.close(2, 0);
    w.bytes(1, kind.as_bytes());
    let length = u32::try_from(w.len()).unwrap_or(u32::MAX);
    w.raw(&length.to_be_bytes());
    Bytes::from(w.finish())
}

/// Why a body was not read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// It is no envelope.
    Envelope(String),
    /// The envelope is fine, what is in it is none of the kind that it names.
    Message {
        /// The version that the envelope names, or else the one that was expected.
        api_version: String,
        /// The kind, likewise.
        kind: String,
        /// What is wrong.
        why: String,
    },
}

/// The value of a body, with `kind` and `apiVersion`; names that the envelope leaves out are the
/// expected ones. Of a kind that is not known there is nothing but its names.
pub(crate) fn value(body: &[u8], expected: (&str, &str)) -> Result<Value, Unread> {
    if !body.starts_with(&MAGIC) {
        let why = "provided data does not appear to be a protobuf message, expected prefix \
                   [107 56 115 0]";
        return Err(Unread::Envelope(why.to_owned()));
    }
    if body.len() == MAGIC.len() {
        return Err(Unread::Envelope("empty body".to_owned()));
    }
    let envelope = Envelope::open(body).map_err(|error| Unread::Envelope(words(&error)))?;
    let named = |name: &str, expected: &str| {
        if name.is_empty() { expected.to_owned() } else { name.to_owned() }
    };
    let api_version = named(envelope.api_version, expected.0);
    let kind = named(envelope.kind, expected.1);
    let mut value = match model(&api_version, &kind) {
        Some(model) => match of_message(model, envelope.message()) {
            Ok(value) => value,
            Err(error) => {
                return Err(Unread::Message { api_version, kind, why: words(&error) });
            }
        },
        None => Value::Object(Map::new()),
    };
    value["kind"] = kind.into();
    value["apiVersion"] = api_version.into();
    Ok(value)
}

fn of_message(model: &str, message: &[u8]) -> Result<Value, ReadError> {
    let mut value = Value::Object(read::message(model, message)?);
    if let Some(schema) = Schemas::builtin().by_name(model) {
        shape::normalize(&mut value, schema);
    }
    Ok(value)
}

/// As Go says it, where Go has one word for it.
fn words(error: &ReadError) -> String {
    match error.message() {
        "the message ends too early" | "a value is longer than its message" => {
            "unexpected EOF".to_owned()
        }
        message => {
            let path = error.path();
            let place = if path.is_empty() { String::new() } else { format!("{path}: ") };
            format!("proto: {place}{message} (byte {})", error.offset())
        }
    }
}

/// Whether a body may hold a value that is nested deep: only schemas hold themselves.
pub(crate) fn may_nest(body: &[u8]) -> bool {
    let recursive = |kind: &str| {
        kind.is_empty()
            || kind.starts_with("CustomResourceDefinition")
            || kind.starts_with("Conversion")
    };
    Envelope::open(body).is_ok_and(|envelope| recursive(envelope.kind))
}

/// The fields of a model that have a number, in the order of the numbers.
fn fields(model: &str) -> &'static [Known] {
    static TABLES: OnceLock<BTreeMap<&'static str, OnceLock<Vec<Known>>>> = OnceLock::new();
    let structs = &builtin::facts().structs;
    let tables =
        TABLES.get_or_init(|| structs.keys().map(|name| (name, OnceLock::new())).collect());
    let Some((table, of)) = tables.get(model).zip(structs.get(model)) else { return &[] };
    table.get_or_init(|| {
        let known = |field: &'static Field| Some(Known { number: field.pb?.number, field });
        let mut fields: Vec<Known> = of.fields.iter().filter_map(known).collect();
        fields.sort_by_key(|known| known.number);
        fields
    })
}

/// A field with its number.
#[derive(Clone, Copy)]
struct Known {
    number: u32,
    field: &'static Field,
}

impl Known {
    /// Whether Go holds it by value, so that it is written even when it is not there.
    fn is_always(self) -> bool {
        let by_value = matches!(
            self.field.presence,
            Presence::Always | Presence::OmitEmpty | Presence::OmitZero
        );
        let is_slice = matches!(self.field.ty, Type::List(_) | Type::Map(_))
            || self.field.ty.scalar() == Some(Scalar::Bytes);
        by_value && !is_slice
    }
}
