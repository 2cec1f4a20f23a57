//! The rules of apps/v1 and batch/v1.

use serde_json::{Value, json};

use super::{Object, default, default_text, inner, is_empty, text};

pub(super) fn deployment_strategy(object: &mut Object) {
    default_text(object, "type", "RollingUpdate");
    if text(object, "type") == "RollingUpdate"
        && let Some(rolling) = inner(object, "rollingUpdate")
    {
        default(rolling, "maxUnavailable", "25%");
        default(rolling, "maxSurge", "25%");
    }
}

pub(super) fn daemon_set_strategy(object: &mut Object) {
    default_text(object, "type", "RollingUpdate");
    if text(object, "type") == "RollingUpdate"
        && let Some(rolling) = inner(object, "rollingUpdate")
    {
        default(rolling, "maxUnavailable", 1);
        default(rolling, "maxSurge", 0);
    }
}

pub(super) fn stateful_set_strategy(object: &mut Object) {
    if text(object, "type").is_empty() {
        object.insert("type".to_owned(), "RollingUpdate".into());
        default(object, "rollingUpdate", json!({}));
    }
    if text(object, "type") == "RollingUpdate"
        && let Some(rolling) = object.get_mut("rollingUpdate").and_then(Value::as_object_mut)
    {
        default(rolling, "partition", 0);
        default(rolling, "maxUnavailable", 1);
    }
}

pub(super) fn stateful_set_spec(object: &mut Object) {
    default(object, "persistentVolumeClaimRetentionPolicy", json!({}));
}

/// A job without labels has those of its pods.
pub(super) fn job(object: &mut Object) {
    let labels = object.get("spec").and_then(|spec| spec.pointer("/template/metadata/labels"));
    let Some(labels) = labels.filter(|labels| !is_empty(Some(labels))).cloned() else { return };
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut)
        && is_empty(metadata.get("labels"))
    {
        metadata.insert("labels".to_owned(), labels);
    }
}

pub(super) fn job_spec(object: &mut Object) {
    if is_empty(object.get("completions")) && is_empty(object.get("parallelism")) {
        default(object, "completions", 1);
    }
    default(object, "parallelism", 1);
    let per_index = !is_empty(object.get("backoffLimitPerIndex"));
    default(object, "backoffLimit", if per_index { i32::MAX } else { 6 });
    let by_policy = !is_empty(object.get("podFailurePolicy"));
    let replacement = if by_policy { "Failed" } else { "TerminatingOrFailed" };
    default(object, "podReplacementPolicy", replacement);
}
