//! `DefaultStorageClass`: the class of claims that name none.

use std::cmp::Reverse;

use serde_json::Value;

use crate::meta;
use crate::turn::Turn;

const TABLE: &str = "storageclasses.storage.k8s.io";
const DEFAULT: [&str; 2] = [
    "storageclass.kubernetes.io/is-default-class",
    "storageclass.beta.kubernetes.io/is-default-class",
];

/// Gives a new claim the default class, the newest should there be several.
pub(super) fn fill(turn: &Turn<'_>, claim: &mut Value) {
    let annotated = &claim["metadata"]["annotations"]["volume.beta.kubernetes.io/storage-class"];
    if !annotated.is_null() || claim["spec"]["storageClassName"].is_string() {
        return;
    }
    let classes = turn.core.store.table(TABLE).into_iter().flat_map(|table| table.values());
    let defaults = classes.filter(|class| {
        DEFAULT.iter().any(|name| class.value()["metadata"]["annotations"][name] == "true")
    });
    let newest = defaults.min_by_key(|class| {
        let created = meta::text(&class.value(), "creationTimestamp").to_owned();
        (Reverse(created), class.name().to_owned())
    });
    if let (Some(class), Some(spec)) = (newest, claim["spec"].as_object_mut()) {
        spec.insert("storageClassName".to_owned(), class.name().into());
    }
}
