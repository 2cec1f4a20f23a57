//! From YAML to what a server begins with.

use std::collections::BTreeMap;

use serde_json::Value;

use super::documents::{Document, split};
use super::kinds::{DEFINITIONS, Kind, Kinds};
use super::write::HEADER;
use super::{ImportError, Snapshot};
use crate::clock::Now;
use crate::convert;
use crate::deep;
use crate::journal::Kept;
use crate::meta;
use crate::schemas;
use crate::storage::key;

/// What a text says that a server held.
pub(super) fn snapshot(text: &str) -> Result<Snapshot, ImportError> {
    let no_memory = || ImportError::of_all("there is no memory for values that are nested deep");
    let objects = deep::run(|| objects(text)).ok_or_else(no_memory)??;
    let newest = objects.iter().map(|kept| kept.revision).max();
    let newest = newest.ok_or_else(|| ImportError::of_all("there is no object in it"))?;
    // The last write may have removed an object: who has heard of it must hear of the next one.
    let revision = newest.max(told_revision(text).unwrap_or_default());
    Ok(Snapshot { revision, objects: objects.into() })
}

/// The revision that the first line tells of.
fn told_revision(text: &str) -> Option<u64> {
    number(text.lines().next()?.strip_prefix(HEADER)?.strip_suffix('.')?)
}

/// The objects, on a stack that is large enough for them.
fn objects(text: &str) -> Result<Vec<Kept>, ImportError> {
    let mut values = Vec::new();
    for document in split(text) {
        values.extend(objects_of(document.value()?).into_iter().map(|value| (document, value)));
    }
    let kinds = kinds(&values);
    let mut seen = BTreeMap::new();
    let mut objects = Vec::new();
    for (document, value) in values {
        let kept = object(&kinds, &document, value)?;
        let place = (kept.table.clone(), kept.key.clone());
        if let Some(other) = seen.insert(place, document.number) {
            let Kept { table, key, .. } = kept;
            return Err(document.error(format!("{table} {key} is in document {other} already")));
        }
        objects.push(kept);
    }
    Ok(objects)
}

/// The objects of a document: itself, or the items of what `kubectl get -o yaml` prints of several.
fn objects_of(mut value: Value) -> Vec<Value> {
    let is_list = value["kind"] == "List" && value["apiVersion"] == "v1";
    match value.get_mut("items").map(Value::take) {
        Some(Value::Array(items)) if is_list => items,
        Some(other) => {
            value["items"] = other;
            vec![value]
        }
        None => vec![value],
    }
}

/// The kinds that there are, wherever in the text their definitions stand.
fn kinds(values: &[(Document<'_>, Value)]) -> Kinds {
    let (builtin, mut kinds) = (Kinds::builtin(), Kinds::builtin());
    for (document, value) in values {
        let kind = kind(&builtin, document, value);
        if kind.is_ok_and(|kind| &*kind.table == DEFINITIONS) {
            kinds.define(value);
        }
    }
    kinds
}

/// One object as it is kept.
fn object(kinds: &Kinds, document: &Document<'_>, value: Value) -> Result<Kept, ImportError> {
    let kind = kind(kinds, document, &value)?;
    check(&kind, document, &value)?;
    let key = key(meta::namespace(&value), meta::name(&value)).to_string();
    let revision = revision(document, &value)?;
    let stored = match &kind.builtin {
        Some(resource) if convert::storage_api_version(resource) != resource.api_version() => {
            convert::to_stored(resource, value)
        }
        _ => value,
    };
    let json = stored.to_string().into_bytes();
    Ok(Kept { table: kind.table.to_string(), key, revision, at: Now::default(), json })
}

/// The kind that a document says it has.
fn kind(kinds: &Kinds, document: &Document<'_>, value: &Value) -> Result<Kind, ImportError> {
    if !value.is_object() {
        return Err(document.error("it is no object"));
    }
    let text = |name: &str| {
        let text = value[name].as_str().filter(|text| !text.is_empty());
        text.ok_or_else(|| document.error(format!("it has no {name}")))
    };
    let (api_version, kind) = (text("apiVersion")?, text("kind")?);
    kinds.find(api_version, kind).ok_or_else(|| {
        let what = format!("{api_version} {kind} is neither built in nor defined in the text");
        document.error(format!("{what}: objects of it cannot be stored"))
    })
}

/// What is not so could not have been stored.
fn check(kind: &Kind, document: &Document<'_>, value: &Value) -> Result<(), ImportError> {
    let wrong = |what: &str| Err(about(document, value, what));
    let (namespace, name) = (meta::namespace(value), meta::name(value));
    if name.is_empty() {
        return wrong("it has no metadata.name");
    }
    let types = match &kind.builtin {
        Some(resource) => schemas::type_error(resource, value),
        None => schemas::metadata::type_error(value),
    };
    if let Some(error) = types {
        return wrong(&error);
    }
    if name.contains('/') || namespace.contains('/') {
        return wrong("neither a name nor a namespace has a / in it");
    }
    if kind.namespaced == namespace.is_empty() {
        let has = if kind.namespaced { "no metadata.namespace" } else { "a metadata.namespace" };
        let lives = if kind.namespaced { "in namespaces" } else { "in the cluster" };
        return wrong(&format!("it has {has}, and its kind lives {lives}"));
    }
    if meta::text(value, "uid").is_empty() {
        return wrong("it has no metadata.uid: it was never stored");
    }
    Ok(())
}

/// The revision that wrote it.
fn revision(document: &Document<'_>, value: &Value) -> Result<u64, ImportError> {
    let text = meta::text(value, "resourceVersion");
    let what = "its metadata.resourceVersion is no revision";
    number(text).ok_or_else(|| about(document, value, what))
}

/// A revision as etcd has them, so that there is always a next one.
fn number(text: &str) -> Option<u64> {
    let number = text.parse().ok().and_then(|number: i64| u64::try_from(number).ok());
    number.filter(|number| *number > 0)
}

/// Says what is wrong with an object.
fn about(document: &Document<'_>, value: &Value, what: &str) -> ImportError {
    let kind = value["kind"].as_str().unwrap_or_default();
    match meta::name(value) {
        "" => document.error(format!("{kind}: {what}")),
        name => document.error(format!("{kind} {}: {what}", key(meta::namespace(value), name))),
    }
}
