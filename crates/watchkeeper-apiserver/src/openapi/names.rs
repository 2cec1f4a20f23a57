//! What models are called, and which kinds they are.

use serde_json::{Value, json};
use watchkeeper_schema::builtin;

use crate::resource::Resource;

/// Where the models of meta/v1 live.
pub(super) const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";

/// The model of a resource: `io.k8s.api.apps.v1.Deployment`, or the group turned around for a
/// custom one: `io.example.v1.Foo`.
pub(super) fn model(resource: &Resource) -> String {
    if resource.custom.is_none() {
        return resource.model.clone();
    }
    custom_model(&resource.group, &resource.version, &resource.kind)
}

fn custom_model(group: &str, version: &str, kind: &str) -> String {
    let reversed: Vec<&str> = group.rsplit('.').collect();
    format!("{}.{version}.{kind}", reversed.join("."))
}

/// The model of the list of a resource.
pub(super) fn list_model(resource: &Resource) -> String {
    let model = model(resource);
    match model.rsplit_once('.') {
        Some((package, _)) => format!("{package}.{}", resource.list_kind),
        None => resource.list_kind.clone(),
    }
}

/// The kind of a resource as documents name it.
pub(super) fn kind_of(resource: &Resource) -> Value {
    json!({"group": resource.group, "version": resource.version, "kind": resource.kind})
}

/// The model of a built-in kind.
pub(super) fn builtin_model(group: &str, version: &str, kind: &str) -> Option<String> {
    builtin::facts().kind(group, version, kind).map(|kind| kind.model.clone())
}

/// The kinds that a built-in model is, lists included.
pub(super) fn kinds_of_model(model: &str) -> Vec<Value> {
    let name = model.rsplit('.').next().unwrap_or(model);
    let package = model.strip_suffix(name).unwrap_or(model);
    let mut kinds = Vec::new();
    for of in &builtin::facts().kinds {
        let is_list = of.list_kind.as_deref() == Some(name)
            && of.model.strip_suffix(of.kind.as_str()) == Some(package);
        if of.model == model || is_list {
            let kind = json!({"group": of.group, "version": of.version, "kind": name});
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    kinds
}
