//! The fields that field selectors may name, per kind.
//!
//! Source: the field label conversions of `k8s.io/kubernetes/pkg/apis` and the `selectableFields`
//! of custom resources (KEP-4358).

use serde_json::Value;

use crate::resource::Resource;

/// Whether the resource offers the field.
#[must_use]
pub fn is_supported(resource: &Resource, field: &str) -> bool {
    match field {
        "metadata.name" => true,
        "metadata.namespace" => resource.namespaced,
        _ if is_event(resource) => EVENT.contains(&field),
        _ => offered(resource).contains(&field) || custom_path(resource, field).is_some(),
    }
}

/// What is said of a field that the resource does not offer.
#[must_use]
pub fn unsupported(resource: &Resource, field: &str) -> String {
    let has_own = is_event(resource) || resource.custom.is_some() || !offered(resource).is_empty();
    if has_own {
        return format!("field label not supported: {field}");
    }
    let field = crate::error::quoted(field);
    format!(r#"{field} is not a known field selector: only "metadata.name", "metadata.namespace""#)
}

fn is_event(resource: &Resource) -> bool {
    resource.plural == "events" && matches!(&*resource.group, "" | "events.k8s.io")
}

const EVENT: &[&str] = &[
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "regarding.kind",
    "regarding.namespace",
    "regarding.name",
    "regarding.uid",
    "regarding.apiVersion",
    "regarding.resourceVersion",
    "regarding.fieldPath",
    "reason",
    "reportingComponent",
    "reportingController",
    "source",
    "type",
];

fn offered(resource: &Resource) -> &'static [&'static str] {
    match (&*resource.group, &*resource.plural) {
        ("", "pods") => &[
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.schedulerName",
            "spec.serviceAccountName",
            "spec.hostNetwork",
            "status.phase",
            "status.podIP",
            "status.podIPs",
            "status.nominatedNodeName",
        ],
        ("", "nodes") => &["spec.unschedulable"],
        ("", "secrets") => &["type"],
        ("", "namespaces") => &["status.phase"],
        ("", "services") => &["spec.clusterIP", "spec.type"],
        ("", "replicationcontrollers") | ("apps", "replicasets") => &["status.replicas"],
        ("batch", "jobs") => &["status.successful"],
        ("certificates.k8s.io", "certificatesigningrequests") => &["spec.signerName"],
        _ => &[],
    }
}

fn custom_path<'a>(resource: &Resource, field: &'a str) -> Option<&'a str> {
    let custom = resource.custom.as_ref()?;
    custom.selectable.iter().any(|path| path == field).then_some(field)
}

/// The value of a field as text; a missing one is empty, or what an absent boolean or number means.
#[must_use]
pub fn value(resource: &Resource, object: &Value, field: &str) -> Option<String> {
    if is_event(resource) {
        return event(object, field);
    }
    let found = match field {
        // It may be asked for, and is never told (`ToSelectableFields` of pods).
        "status.podIPs" => None,
        "status.successful" => object.pointer("/status/succeeded"),
        _ => at(object, field),
    };
    found.and_then(text).or_else(|| absent(resource, field).map(str::to_owned))
}

/// What of an object [`value`] looks at for a field, as paths with dots between the names.
pub(crate) fn paths<'a>(resource: &Resource, field: &'a str) -> Vec<&'a str> {
    match field {
        _ if is_event(resource) => match field.split_once('.') {
            Some(("regarding", _)) => vec!["involvedObject"],
            _ if matches!(field, "source" | "reportingController") => {
                vec!["source.component", "reportingComponent"]
            }
            _ => vec![field],
        },
        "status.successful" => vec!["status.succeeded"],
        _ => vec![field],
    }
}

/// Events are stored as core/v1; the fields of both groups are read from there.
fn event(object: &Value, field: &str) -> Option<String> {
    match field {
        "source" => {
            let source = at(object, "source.component").and_then(text);
            source.or_else(|| at(object, "reportingComponent").and_then(text))
        }
        "reportingController" => at(object, "reportingComponent").and_then(text),
        _ => match field.strip_prefix("regarding.") {
            Some(rest) => at(object, &format!("involvedObject.{rest}")).and_then(text),
            None => at(object, field).and_then(text),
        },
    }
}

/// What a typed object says when the field is not written.
fn absent(resource: &Resource, field: &str) -> Option<&'static str> {
    match (&*resource.plural, field) {
        ("pods", "spec.hostNetwork") | ("nodes", "spec.unschedulable") => Some("false"),
        (_, "status.replicas" | "status.successful") => Some("0"),
        _ => None,
    }
}

fn at<'a>(object: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').filter(|part| !part.is_empty()).try_fold(object, |value, part| value.get(part))
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests;
