//! V4.7: what a write of a status sets, and what it leaves.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use super::strategy::{keep_member, keep_pointer};
use super::{certificates, claims};
use crate::clock::Now;
use crate::resource::Resource;
use crate::{apply, meta};

/// What the status path of a built-in kind does not set comes from the stored object.
pub(super) fn prepare(resource: &Resource, new: &mut Value, old: &Value, now: Now) {
    for path in apply::status_reset(&resource.group, &resource.kind, false) {
        match path.split_once('.') {
            Some((outer, inner)) => keep_pointer(new, old, outer, inner),
            None if *path == "metadata" => {
                let managed = new["metadata"].get("managedFields").cloned();
                keep_member(new, old, path);
                if let Some(managed) = managed {
                    meta::set(new, "managedFields", managed);
                }
            }
            None => keep_member(new, old, path),
        }
    }
    match (&*resource.group, &*resource.plural) {
        ("", "pods") => {
            if new["status"]["qosClass"].is_null() {
                keep_pointer(new, old, "status", "qosClass");
            }
            keep_generations(new, old);
        }
        ("", "persistentvolumes") => date_phase(new, old, now),
        ("certificates.k8s.io", "certificatesigningrequests") => {
            certificates::prepare_status(new, old, now);
        }
        ("resource.k8s.io", "resourceclaims") => claims::forget_devices(new, old),
        _ => {}
    }
}

/// Of a custom resource its status and who owns what are written there, and nothing else.
pub(super) fn keep_all_else(new: &mut Value, old: &Value) {
    let status = new.get("status").cloned();
    let managed = new["metadata"].get("managedFields").cloned();
    *new = old.clone();
    if let Some(object) = new.as_object_mut() {
        match status {
            Some(status) => object.insert("status".to_owned(), status),
            None => object.remove("status"),
        };
    }
    match managed {
        Some(managed) => meta::set(new, "managedFields", managed),
        // What was sent does not fit the types, wherever that is: nobody manages the object any more, as upstream.
        None => _ = meta::members(new).remove("managedFields"),
    }
}

/// Whoever does not tell which generation of a pod it saw leaves what was told before: of the status, and of each
/// condition of a type in turn.
fn keep_generations(new: &mut Value, old: &Value) {
    const SEEN: &str = "observedGeneration";
    if is_unset(&new["status"][SEEN]) {
        keep_pointer(new, old, "status", SEEN);
    }
    let mut before: BTreeMap<&str, VecDeque<&Value>> = BTreeMap::new();
    for was in old["status"]["conditions"].as_array().into_iter().flatten() {
        before.entry(type_of(was)).or_default().push_back(was);
    }
    let conditions = new["status"].get_mut("conditions").and_then(Value::as_array_mut);
    for condition in conditions.into_iter().flatten() {
        let was = before.get_mut(type_of(condition)).and_then(VecDeque::pop_front);
        if let Some(was) = was.filter(|_| is_unset(&condition[SEEN])) {
            keep_member(condition, was, SEEN);
        }
    }
}

fn type_of(condition: &Value) -> &str {
    condition["type"].as_str().unwrap_or_default()
}

/// None, or zero, which Go does not tell from none.
fn is_unset(number: &Value) -> bool {
    number.as_i64().is_none_or(|number| number == 0)
}

/// Since when a volume is in its phase, where its writer does not tell so.
fn date_phase(volume: &mut Value, old: &Value, now: Now) {
    const SINCE: &str = "lastPhaseTransitionTime";
    let has_changed = volume["status"]["phase"] != old["status"]["phase"];
    let (since, was) = (&volume["status"][SINCE], &old["status"][SINCE]);
    if !has_changed && since.is_null() {
        keep_pointer(volume, old, "status", SINCE);
    } else if has_changed && (since.is_null() || since == was) {
        volume["status"][SINCE] = now.rfc3339().into();
    }
}

#[cfg(test)]
mod tests;
