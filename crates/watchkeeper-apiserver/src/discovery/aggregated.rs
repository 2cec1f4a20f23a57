//! Aggregated discovery (KEP-3352): everything in two answers.

use serde_json::{Map, Value, json};

use crate::registry::Registry;
use crate::resource::{Resource, Subresource};

/// `APIGroupDiscoveryList` of the core group or of all others.
pub(super) fn list(registry: &Registry, core: bool, version: &str) -> Value {
    let items: Vec<Value> = super::ordered_groups(registry)
        .into_iter()
        .filter(|(group, _)| group.is_empty() == core)
        .map(|(group, versions)| of_group(registry, &group, &versions))
        .collect();
    json!({
        "kind": "APIGroupDiscoveryList",
        "apiVersion": format!("apidiscovery.k8s.io/{version}"),
        "metadata": {},
        "items": items,
    })
}

fn of_group(registry: &Registry, group: &str, versions: &[String]) -> Value {
    let versions: Vec<Value> = versions
        .iter()
        .map(|version| {
            let of_version =
                registry.iter().filter(|one| one.group == group && one.version == *version);
            let resources: Vec<Value> = of_version.map(|one| resource(one)).collect();
            json!({"version": version, "resources": resources, "freshness": "Current"})
        })
        .collect();
    let mut metadata = Map::new();
    if !group.is_empty() {
        metadata.insert("name".to_owned(), group.into());
    }
    json!({"metadata": metadata, "versions": versions})
}

fn resource(resource: &Resource) -> Value {
    let mut entry = json!({
        "resource": resource.plural,
        "responseKind": kind(resource, &resource.group, &resource.version, &resource.kind),
        "scope": if resource.namespaced { "Namespaced" } else { "Cluster" },
        "singularResource": resource.singular,
        "verbs": resource.verbs,
    });
    for (name, list) in
        [("shortNames", &resource.short_names), ("categories", &resource.categories)]
    {
        if !list.is_empty() {
            entry[name] = list.clone().into();
        }
    }
    if !resource.subresources.is_empty() {
        entry["subresources"] =
            resource.subresources.iter().map(|sub| subresource(resource, sub)).collect();
    }
    entry
}

fn subresource(resource: &Resource, sub: &Subresource) -> Value {
    json!({
        "subresource": sub.name,
        "responseKind": kind(resource, &sub.group, &sub.version, &sub.kind),
        "verbs": sub.verbs,
    })
}

/// Built-in resources leave out the group and version that are those of the list around them.
fn kind(of: &Resource, group: &str, version: &str, kind: &str) -> Value {
    let implied = of.custom.is_none() && of.group == group && of.version == version;
    let (group, version) = if implied { ("", "") } else { (group, version) };
    json!({"group": group, "version": version, "kind": kind})
}
