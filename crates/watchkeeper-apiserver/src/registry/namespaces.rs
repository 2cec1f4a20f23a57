//! Namespaces: what may be created in them, and how they end.
//!
//! Source: the admission plugin `namespace/lifecycle` and `registry/core/namespace`.

use serde_json::Value;

use crate::error::{ApiError, Cause};
use crate::meta;
use crate::request::Call;
use crate::resource::Resource;
use crate::turn::Turn;

/// The namespaces that are there from the start.
pub const INITIAL: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

/// V4.12: the namespace of a new object must be there and stay.
///
/// # Errors
///
/// 404 when it is missing, 403 when it is going.
pub(crate) fn admit_create(turn: &Turn<'_>, call: &Call, name: &str) -> Result<(), ApiError> {
    if !call.resource.namespaced {
        return Ok(());
    }
    let Some(namespace) = turn.core.store.get("namespaces", &call.namespace) else {
        let namespaces = turn.core.registry.find("", "v1", "namespaces");
        return Err(namespaces.map_or_else(ApiError::no_path, |resource| {
            ApiError::not_found(resource, &call.namespace)
        }));
    };
    if namespace.value()["status"]["phase"] != "Terminating" {
        return Ok(());
    }
    let why = format!(
        "unable to create new content in namespace {} because it is being terminated",
        call.namespace
    );
    let cause = Cause {
        reason: "NamespaceTerminating".to_owned(),
        message: format!("namespace {} is being terminated", call.namespace),
        field: "metadata.namespace".to_owned(),
    };
    Err(ApiError::forbidden(&call.resource, name, &why).causes([cause]))
}

/// Some namespaces stay for ever.
///
/// # Errors
///
/// 403 for those.
pub fn admit_delete(call: &Call, name: &str) -> Result<(), ApiError> {
    if call.resource.is("", "namespaces")
        && matches!(name, "default" | "kube-system" | "kube-public")
    {
        let why = "this namespace may not be deleted";
        return Err(ApiError::forbidden(&call.resource, name, why));
    }
    Ok(())
}

/// Whether a namespace waits for its content to go.
#[must_use]
pub fn is_held(resource: &Resource, value: &Value) -> bool {
    resource.is("", "namespaces")
        && value["spec"]["finalizers"].as_array().is_some_and(|list| !list.is_empty())
}

/// Notes in the status that the namespace is going.
pub fn mark_terminating(value: &mut Value) {
    value["status"]["phase"] = "Terminating".into();
}

/// What a new namespace has: the finalizer of its content, its phase.
pub fn prepare(value: &mut Value) {
    let finalizers = value["spec"]["finalizers"].as_array().cloned().unwrap_or_default();
    let kubernetes = Value::from("kubernetes");
    if !finalizers.contains(&kubernetes) {
        let all: Vec<Value> = finalizers.into_iter().chain([kubernetes]).collect();
        if !value["spec"].is_object() {
            value["spec"] = serde_json::json!({});
        }
        value["spec"]["finalizers"] = all.into();
    }
    value["status"] = serde_json::json!({"phase": "Active"});
}

/// The label that selects a namespace by its name (KEP-2161).
pub fn label(value: &mut Value) {
    let name = meta::name(value).to_owned();
    let members = meta::members(value);
    let labels = members.entry("labels").or_insert_with(|| serde_json::json!({}));
    if labels.is_object() {
        labels["kubernetes.io/metadata.name"] = name.into();
    }
}

#[cfg(test)]
mod tests;
