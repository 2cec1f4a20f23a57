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
    }
}

pub(super) fn stateful_set_spec(object: &mut Object) {
    default(object, "persistentVolumeClaimRetentionPolicy", json!({}));
    let claims = object.get_mut("volumeClaimTemplates").and_then(Value::as_array_mut);
    for claim in claims.into_iter().flatten().filter_map(Value::as_object_mut) {
        default_text(claim, "apiVersion", "v1");
        default_text(claim, "kind", "PersistentVolumeClaim");
    }
}

/// A job without labels has those of its pods. Jobs have defaults that templates of jobs have not.
pub(super) fn job(object: &mut Object) {
    if let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut) {
        job_spec(spec);
    }
    let labels = object.get("spec").and_then(|spec| spec.pointer("/template/metadata/labels"));
    let Some(labels) = labels.filter(|labels| !is_empty(Some(labels))).cloned() else { return };
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut)
        && is_empty(metadata.get("labels"))
    {
        metadata.insert("labels".to_owned(), labels);
    }
}

fn job_spec(object: &mut Object) {
    default(object, "completionMode", "NonIndexed");
    default(object, "suspend", false);
    default(object, "manualSelector", false);
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

/// A daemon set keeps the generation of its template in an annotation: it goes up where `template_changed`, and no
/// update sets it.
pub fn count_templates(daemon_set: &mut Value, old: Option<&Value>, template_changed: bool) {
    let number = old.map_or_else(|| generation(daemon_set), generation);
    let number = number.max(1).saturating_add(i64::from(template_changed));
    let metadata = daemon_set.get_mut("metadata").and_then(Value::as_object_mut);
    if let Some(annotations) = metadata.and_then(|metadata| inner(metadata, "annotations")) {
        annotations.insert(TEMPLATE_GENERATION.to_owned(), number.to_string().into());
    }
}

/// The generation of the template is a member inside of upstream and an annotation outside, so it is there when
/// managers are asked what they own, before it is counted.
pub(super) fn daemon_set(object: &mut Object) {
    let told = object.get("metadata").map(|metadata| &metadata["annotations"][TEMPLATE_GENERATION]);
    let told = told.and_then(Value::as_str).unwrap_or_default();
    let number: i64 = told.parse().unwrap_or_default();
    if let Some(annotations) =
        inner(object, "metadata").and_then(|metadata| inner(metadata, "annotations"))
    {
        annotations.insert(TEMPLATE_GENERATION.to_owned(), number.to_string().into());
    }
}

const TEMPLATE_GENERATION: &str = "deprecated.daemonset.template.generation";

fn generation(daemon_set: &Value) -> i64 {
    let told = daemon_set["metadata"]["annotations"][TEMPLATE_GENERATION].as_str();
    told.and_then(|told| told.parse().ok()).unwrap_or_default()
}

/// A job finds its pods by its own uid, unless it brings a selector of its own.
pub fn select_by_uid(job: &mut Value) {
    let text = |pointer: &str| job.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    let manual = job.pointer("/spec/manualSelector") == Some(&Value::Bool(true));
    let (Some(uid), Some(name)) = (text("/metadata/uid"), text("/metadata/name")) else { return };
    if manual {
        return;
    }
    let labels = [
        ("controller-uid", &uid),
        ("batch.kubernetes.io/controller-uid", &uid),
        ("job-name", &name),
        ("batch.kubernetes.io/job-name", &name),
    ];
    // A job that has taken the labels of its template shares them from then on.
    let of_template = job.pointer("/spec/template/metadata/labels");
    let shared = of_template.is_some() && job.pointer("/metadata/labels") == of_template;
    let also = if shared { "/metadata" } else { "/spec/template/metadata" };
    for place in ["/spec/template/metadata", also] {
        let metadata = job.pointer_mut(place).and_then(Value::as_object_mut);
        let Some(into) = metadata.and_then(|metadata| inner(metadata, "labels")) else { continue };
        // What somebody has set is judged later.
        for (label, value) in labels {
            into.entry(label).or_insert_with(|| value.as_str().into());
        }
    }
    let spec = job.get_mut("spec").and_then(Value::as_object_mut);
    let selector = spec.and_then(|spec| inner(spec, "selector"));
    if let Some(match_labels) = selector.and_then(|selector| inner(selector, "matchLabels")) {
        match_labels.entry("batch.kubernetes.io/controller-uid").or_insert_with(|| uid.into());
    }
}
