//! From documents to a catalog. What is not there is empty, and what has no name is left out.

use serde_json::Value;
use watchkeeper_api::{Kind, Scope};

use super::{Catalog, FailedVersion, Group, GroupVersion, Resource, ResourcePart};

/// Of an `APIGroupDiscoveryList`, in the server's order of preference.
pub(super) fn aggregated(document: &Value) -> Catalog {
    let mut catalog = Catalog::default();
    for item in array(document, "items") {
        let mut group =
            Group { name: text(&item["metadata"], "name").to_owned(), ..Group::default() };
        for version in array(item, "versions") {
            let name = text(version, "version");
            let api_version = api_version(&group.name, name);
            if text(version, "freshness") == "Stale" {
                let why = "the server behind it does not answer; this may be old".to_owned();
                catalog.failed.push(FailedVersion { api_version: api_version.clone(), why });
            }
            let resources = array(version, "resources");
            let resources = resources.filter_map(|entry| of_aggregated(&api_version, entry));
            let resources = resources.collect();
            group.versions.push(GroupVersion { api_version, resources });
        }
        catalog.groups.push(group);
    }
    catalog
}

fn of_aggregated(api_version: &str, entry: &Value) -> Option<Resource> {
    let names = Names {
        kind: text(&entry["responseKind"], "kind"),
        plural: text(entry, "resource"),
        singular: text(entry, "singularResource"),
        namespaced: text(entry, "scope") == "Namespaced",
    };
    let mut resource = names.resource(api_version, entry)?;
    resource.parts = array(entry, "subresources")
        .map(|part| part_of(text(part, "subresource"), &part["responseKind"], part))
        .collect();
    Some(resource)
}

/// The groups of an `APIVersions` or an `APIGroupList`, without their resources; the preferred version of
/// each group first.
pub(super) fn groups(document: &Value) -> Vec<Group> {
    let version = |api_version: &str| GroupVersion {
        api_version: api_version.to_owned(),
        resources: Vec::new(),
    };
    let core: Vec<_> = array(document, "versions").filter_map(Value::as_str).map(version).collect();
    let core = (!core.is_empty()).then(|| Group { name: String::new(), versions: core });
    let groups = array(document, "groups").map(|group| {
        let preferred = text(&group["preferredVersion"], "groupVersion");
        let versions = array(group, "versions").map(|version| text(version, "groupVersion"));
        let mut versions: Vec<_> = versions.map(version).collect();
        versions.sort_by_key(|version| version.api_version != preferred);
        Group { name: text(group, "name").to_owned(), versions }
    });
    core.into_iter().chain(groups).collect()
}

/// Of an `APIResourceList`. Subresources become parts of their resource.
pub(super) fn legacy(list: &Value, api_version: &str) -> Vec<Resource> {
    let mut resources: Vec<Resource> = array(list, "resources")
        .filter(|entry| !text(entry, "name").contains('/'))
        .filter_map(|entry| of_legacy(api_version, entry))
        .collect();
    for entry in array(list, "resources") {
        let Some((plural, name)) = text(entry, "name").split_once('/') else { continue };
        let owner = resources.iter_mut().find(|resource| resource.kind.plural == plural);
        if let Some(owner) = owner {
            owner.parts.push(part_of(name, entry, entry));
        }
    }
    resources
}

fn of_legacy(api_version: &str, entry: &Value) -> Option<Resource> {
    let names = Names {
        kind: text(entry, "kind"),
        plural: text(entry, "name"),
        singular: text(entry, "singularName"),
        namespaced: entry["namespaced"].as_bool() == Some(true),
    };
    names.resource(api_version, entry)
}

fn part_of(name: &str, kind: &Value, entry: &Value) -> ResourcePart {
    ResourcePart {
        name: name.to_owned(),
        api_version: api_version(text(kind, "group"), text(kind, "version")),
        kind: text(kind, "kind").to_owned(),
        verbs: texts(entry, "verbs"),
    }
}

struct Names<'a> {
    kind: &'a str,
    plural: &'a str,
    singular: &'a str,
    namespaced: bool,
}

impl Names<'_> {
    fn resource(&self, api_version: &str, entry: &Value) -> Option<Resource> {
        if self.kind.is_empty() || self.plural.is_empty() {
            return None;
        }
        let scope = if self.namespaced { Scope::Namespaced } else { Scope::Cluster };
        Some(Resource {
            kind: Kind::dynamic(api_version, self.kind, self.plural, scope),
            singular: self.singular.to_owned(),
            short_names: texts(entry, "shortNames"),
            verbs: texts(entry, "verbs"),
            categories: texts(entry, "categories"),
            parts: Vec::new(),
        })
    }
}

fn api_version(group: &str, version: &str) -> String {
    if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") }
}

pub(super) fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or("")
}

fn texts(value: &Value, member: &str) -> Vec<String> {
    array(value, member).filter_map(Value::as_str).map(str::to_owned).collect()
}

fn array<'a>(value: &'a Value, member: &str) -> impl Iterator<Item = &'a Value> {
    value[member].as_array().into_iter().flatten()
}
