//! Discovery as it always was: one answer per group and per version.

use serde_json::{Value, json};

use super::storage_hash::storage_version_hash;
use crate::error::{ApiError, Result};
use crate::registry::Registry;
use crate::resource::{Resource, Subresource, api_version};

/// `/api`.
pub(super) fn core_versions() -> Value {
    json!({
        "kind": "APIVersions",
        "versions": ["v1"],
        "serverAddressByClientCIDRs": [],
    })
}

/// `/apis`.
pub(super) fn groups(registry: &Registry) -> Value {
    let groups: Vec<Value> = super::ordered_groups(registry)
        .into_iter()
        .filter(|(group, _)| !group.is_empty())
        .map(|(group, versions)| of_group(&group, &versions))
        .collect();
    json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups})
}

/// `/apis/<group>`.
pub(super) fn group(registry: &Registry, group: &str) -> Result<Value> {
    let versions = registry.groups().remove(group).ok_or_else(ApiError::no_path)?;
    let mut value = of_group(group, &versions);
    value["kind"] = "APIGroup".into();
    value["apiVersion"] = "v1".into();
    Ok(value)
}

fn of_group(group: &str, versions: &[String]) -> Value {
    let entry = |version: &String| json!({"groupVersion": format!("{group}/{version}"), "version": version});
    let all: Vec<Value> = versions.iter().map(entry).collect();
    let preferred = all.first().cloned().unwrap_or_default();
    json!({"name": group, "versions": all, "preferredVersion": preferred})
}

/// `/api/v1` and `/apis/<group>/<version>`.
pub(super) fn resources(registry: &Registry, group: &str, version: &str) -> Result<Value> {
    if !registry.has_version(group, version) {
        return Err(ApiError::no_path());
    }
    let mut entries = Vec::new();
    for one in registry.iter().filter(|one| one.group == group && one.version == version) {
        entries.push(resource(one));
        entries.extend(one.subresources.iter().map(|sub| subresource(one, sub)));
    }
    let mut list = json!({
        "kind": "APIResourceList",
        "groupVersion": api_version(group, version),
        "resources": entries,
    });
    if !group.is_empty() {
        // The oldest list of all goes without.
        list["apiVersion"] = "v1".into();
    }
    Ok(list)
}

fn resource(resource: &Resource) -> Value {
    let mut entry = json!({
        "name": resource.plural,
        "singularName": resource.singular,
        "namespaced": resource.namespaced,
        "kind": resource.kind,
        "verbs": resource.verbs,
    });
    for (name, list) in
        [("shortNames", &resource.short_names), ("categories", &resource.categories)]
    {
        if !list.is_empty() {
            entry[name] = list.clone().into();
        }
    }
    if let Some(hash) = storage_version_hash(resource) {
        entry["storageVersionHash"] = hash.into();
    }
    entry
}

fn subresource(resource: &Resource, sub: &Subresource) -> Value {
    let mut entry = json!({
        "name": format!("{}/{}", resource.plural, sub.name),
        "singularName": "",
        "namespaced": resource.namespaced,
        "kind": sub.kind,
        "verbs": sub.verbs,
    });
    if (&sub.group, &sub.version) != (&resource.group, &resource.version) {
        entry["group"] = sub.group.as_str().into();
        entry["version"] = sub.version.as_str().into();
    }
    entry
}
