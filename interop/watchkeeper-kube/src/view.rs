//! What our traits ask of an object, answered from kube's metadata.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{self as meta, ObjectMeta};
use watchkeeper_api::{Owner, Time};

/// A text that says something.
pub fn text(text: Option<&String>) -> &str {
    text.map_or("", String::as_str)
}

/// The namespace, if there is one.
pub fn namespace(meta: &ObjectMeta) -> Option<&str> {
    meta.namespace.as_deref().filter(|namespace| !namespace.is_empty())
}

/// Labels or annotations, by key.
pub fn pairs(pairs: Option<&BTreeMap<String, String>>) -> impl Iterator<Item = (&str, &str)> {
    pairs.into_iter().flatten().map(|(key, value)| (key.as_str(), value.as_str()))
}

/// The owners.
pub fn owners(meta: &ObjectMeta) -> impl Iterator<Item = Owner<'_>> {
    meta.owner_references.iter().flatten().map(|owner| Owner {
        api_version: &owner.api_version,
        kind: &owner.kind,
        name: &owner.name,
        uid: &owner.uid,
        controller: owner.controller == Some(true),
        block_owner_deletion: owner.block_owner_deletion == Some(true),
    })
}

/// What must happen before the object may go.
pub fn finalizers(meta: &ObjectMeta) -> impl Iterator<Item = &str> {
    meta.finalizers.iter().flatten().map(String::as_str)
}

/// A moment in whole seconds.
pub fn time(time: Option<&meta::Time>) -> Option<Time> {
    time.map(|time| Time::from_unix(time.0.as_second()))
}
