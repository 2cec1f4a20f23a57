//! Objects as clients asked to see them: whole, as a table row, or their metadata only, in JSON, YAML
//! or protobuf.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value, json};

use crate::clock::Now;
use crate::convert;
use crate::protobuf;
use crate::reply;
use crate::request::accept::{Codec, Form, Representation};
use crate::resource::Resource;
use crate::storage::{Stored, tail};
use crate::table::{self, Columns, Include};

mod pieces;

pub use pieces::Pieces;

/// A list's own metadata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListMeta {
    /// The revision that was read.
    pub(crate) revision: u64,
    /// Where to go on.
    pub(crate) continue_token: Option<String>,
    /// How many items are left.
    pub(crate) remaining: Option<usize>,
    /// The part of the objects that was asked for.
    pub(crate) shard: Option<String>,
}

impl ListMeta {
    fn to_json(&self) -> Value {
        let mut meta = Map::new();
        meta.insert("resourceVersion".to_owned(), self.revision.to_string().into());
        if let Some(token) = &self.continue_token {
            meta.insert("continue".to_owned(), token.as_str().into());
        }
        if let Some(remaining) = self.remaining {
            meta.insert("remainingItemCount".to_owned(), remaining.into());
        }
        if let Some(shard) = &self.shard {
            meta.insert("shardInfo".to_owned(), json!({"selector": shard}));
        }
        Value::Object(meta)
    }
}

/// One object.
#[must_use]
pub(crate) fn object(resource: &Resource, form: &Form, stored: &Stored, now: Now) -> Bytes {
    watched(resource, form, stored, now, true)
}

/// One object in a watch frame; a Table has its columns only when `columns` is set (V3.10).
#[must_use]
pub(crate) fn watched(
    resource: &Resource,
    form: &Form,
    stored: &Stored,
    now: Now,
    columns: bool,
) -> Bytes {
    let codec = form.codec;
    match &form.representation {
        Representation::Object => match codec {
            Codec::Json => whole(resource, stored),
            Codec::Protobuf => {
                let message = message_of(resource, stored);
                protobuf::seal(&resource.api_version(), &resource.kind, &message)
            }
            Codec::Yaml => written(codec, &convert::to_served(resource, &stored.peek())),
        },
        Representation::Partial { version } => written(codec, &partial(stored, version)),
        Representation::Table { version, include } => {
            let revision = ListMeta { revision: stored.revision, ..ListMeta::default() };
            written(codec, &table(resource, version, *include, &[stored], &revision, now, columns))
        }
    }
}

/// A list.
#[must_use]
pub(crate) fn list<'a>(
    resource: &Resource,
    form: &Form,
    items: impl Iterator<Item = &'a Stored>,
    meta: &ListMeta,
    now: Now,
) -> Bytes {
    let codec = form.codec;
    match &form.representation {
        Representation::Object => match codec {
            Codec::Json => whole_list(resource, items, meta),
            Codec::Protobuf => {
                let items: Vec<Bytes> = items.map(|stored| message_of(resource, stored)).collect();
                let version = resource.api_version();
                protobuf::list(&version, &resource.list_kind, &meta.to_json(), &items)
            }
            Codec::Yaml => yaml_list(resource, items, meta),
        },
        Representation::Partial { version } => {
            let items: Vec<Value> = items.map(|stored| partial(stored, version)).collect();
            let mut list = metadata_object("PartialObjectMetadataList", version, meta.to_json());
            list["items"] = Value::Array(items);
            written(codec, &list)
        }
        Representation::Table { version, include } => {
            let items: Vec<&Stored> = items.collect();
            written(codec, &table(resource, version, *include, &items, meta, now, true))
        }
    }
}

/// A list in pieces, where it is sent as it is stored: objects in JSON. Others are made whole. `tails` is how long the
/// [tails](Stored::tail) of all items are.
///
/// # Errors
///
/// Gives the objects back.
pub(crate) fn in_pieces(
    resource: &Resource,
    form: &Form,
    items: Vec<Arc<Stored>>,
    tails: usize,
    meta: &ListMeta,
) -> Result<Pieces, Vec<Arc<Stored>>> {
    let is_json = form.codec == Codec::Json && form.representation == Representation::Object;
    if !is_json || !convert::is_served_as_stored(resource) {
        return Err(items);
    }
    Ok(Pieces::new(opening(resource, meta), head_of_items(resource), items, tails))
}

/// What each item begins with: those of built-in kinds do not repeat kind and version, those of custom
/// resources do.
fn head_of_items(resource: &Resource) -> Bytes {
    if resource.custom.is_some() { resource.head().into() } else { "{".into() }
}

/// What stands before the items. The lists of custom resources name their token even when there is none.
fn opening(resource: &Resource, meta: &ListMeta) -> Bytes {
    let kind = Value::from(&*resource.list_kind);
    let version = Value::from(resource.api_version());
    let mut list_meta = meta.to_json();
    if resource.custom.is_some() && meta.continue_token.is_none() {
        list_meta["continue"] = "".into();
    }
    let opening =
        format!(r#"{{"kind":{kind},"apiVersion":{version},"metadata":{list_meta},"items":["#);
    opening.into()
}

/// The object's message in the version asked for, made once for each write.
fn message_of(resource: &Resource, stored: &Stored) -> Bytes {
    let make =
        |value: &Value| protobuf::message(&resource.model, &convert::served(resource, value));
    stored.message(&resource.model, make)
}

fn yaml_list<'a>(
    resource: &Resource,
    items: impl Iterator<Item = &'a Stored>,
    meta: &ListMeta,
) -> Bytes {
    let mut items: Vec<Value> =
        items.map(|stored| convert::to_served(resource, &stored.peek())).collect();
    if resource.custom.is_none() {
        for members in items.iter_mut().filter_map(Value::as_object_mut) {
            members.retain(|name, _| !matches!(&**name, "kind" | "apiVersion"));
        }
    }
    let list = json!({
        "kind": resource.list_kind,
        "apiVersion": resource.api_version(),
        "metadata": meta.to_json(),
        "items": items,
    });
    written(Codec::Yaml, &list)
}

/// The object's bytes in the version asked for.
#[must_use]
pub(crate) fn whole(resource: &Resource, stored: &Stored) -> Bytes {
    let tail = tail_of(resource, stored);
    let head = resource.head();
    let mut bytes = Vec::with_capacity(head.len() + tail.len());
    bytes.extend_from_slice(head.as_bytes());
    bytes.extend_from_slice(&tail);
    Bytes::from(bytes)
}

fn tail_of(resource: &Resource, stored: &Stored) -> Bytes {
    if convert::is_served_as_stored(resource) {
        return stored.tail.clone();
    }
    tail(&convert::served(resource, &stored.peek()))
}

/// A list of what may have to be converted.
fn whole_list<'a>(
    resource: &Resource,
    items: impl Iterator<Item = &'a Stored>,
    meta: &ListMeta,
) -> Bytes {
    let mut bytes = Vec::with_capacity(4096);
    bytes.extend_from_slice(&opening(resource, meta));
    let head = head_of_items(resource);
    for (index, stored) in items.enumerate() {
        if index > 0 {
            bytes.push(b',');
        }
        pieces::write_object(&mut bytes, &head, &tail_of(resource, stored));
    }
    bytes.extend_from_slice(pieces::CLOSING);
    Bytes::from(bytes)
}

/// What stands for an object at a path below it, of that group and kind.
#[must_use]
pub(crate) fn view((group, kind): (&str, &str), form: &Form, value: &Value, now: Now) -> Value {
    match &form.representation {
        Representation::Object => value.clone(),
        Representation::Partial { version } => partial_of(value, version),
        Representation::Table { version, include } => {
            let columns = Columns::builtin(group, kind);
            let meta = json!({"resourceVersion": value["metadata"]["resourceVersion"]});
            let mut table =
                table::render(&columns, &[value], &meta, *include, true, now.timestamp());
            table["apiVersion"] = format!("meta.k8s.io/{version}").into();
            table
        }
    }
}

/// `PartialObjectMetadata` of an object.
fn partial(stored: &Stored, version: &str) -> Value {
    partial_of(&stored.glimpse(&["metadata"]), version)
}

fn partial_of(object: &Value, version: &str) -> Value {
    metadata_object("PartialObjectMetadata", version, object["metadata"].clone())
}

/// An object of `meta.k8s.io`. Its metadata is moved, where `json!` would copy all of it.
fn metadata_object(kind: &str, version: &str, metadata: Value) -> Value {
    let mut object = json!({"kind": kind, "apiVersion": format!("meta.k8s.io/{version}")});
    object["metadata"] = metadata;
    object
}

fn written(codec: Codec, value: &Value) -> Bytes {
    reply::encoded(codec, value).1
}

/// The objects in the order of their rows: by name, but flow schemas in that in which they are tried.
fn in_order<'a>(resource: &Resource, objects: &[&'a Stored]) -> Vec<&'a Stored> {
    let mut objects = objects.to_vec();
    if resource.group == "flowcontrol.apiserver.k8s.io" && resource.kind == "FlowSchema" {
        objects.sort_by_cached_key(|stored| {
            stored.glimpse(&["spec.matchingPrecedence"])["spec"]["matchingPrecedence"].as_i64()
        });
    }
    objects
}

/// A Table with the objects as rows.
fn table(
    resource: &Resource,
    version: &str,
    include: Include,
    objects: &[&Stored],
    meta: &ListMeta,
    now: Now,
    definitions: bool,
) -> Value {
    let columns = match &resource.custom {
        Some(custom) => {
            let own = custom.columns.as_array().map(Vec::as_slice).unwrap_or_default();
            Columns::custom(own)
        }
        None => Columns::builtin(&resource.group, &resource.kind),
    };
    let objects = in_order(resource, objects);
    // One after the other: no more than one tree is held.
    let rows = objects.iter().map(|stored| {
        let tree = stored.peek();
        let printed = convert::printed(resource, &tree);
        let mut row = table::row(&columns, &printed, include, now.timestamp());
        if include == Include::Object {
            row["object"] = convert::to_served(resource, &tree);
        }
        row
    });
    let mut table = table::with_rows(&columns, rows.collect(), &meta.to_json(), definitions);
    if !definitions {
        table["columnDefinitions"] = Value::Null;
    }
    table["apiVersion"] = format!("meta.k8s.io/{version}").into();
    table
}
