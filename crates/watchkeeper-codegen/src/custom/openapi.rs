//! Resources of an OpenAPI v3 document, as a server hands it out at `/openapi/v3/apis/…`.
//!
//! What is a resource is told by the paths, its schema by the component that names the same kind.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::input::Resource;

const GVK: &str = "x-kubernetes-group-version-kind";

/// What a path says.
struct Path<'a> {
    group: &'a str,
    version: &'a str,
    plural: &'a str,
    namespaced: bool,
    subresource: &'a str,
}

/// The resources, and the path that tells of each.
pub(super) fn resources(mut document: Value) -> Vec<(String, Resource)> {
    let schemas = document.pointer_mut("/components/schemas").map(Value::take);
    let Some(Value::Object(schemas)) = schemas else { return Vec::new() };
    let schemas = Arc::new(schemas);
    let mut found: BTreeMap<(String, String, String), (String, Resource)> = BTreeMap::new();
    let mut statuses = Vec::new();
    let paths = document.get("paths").and_then(Value::as_object);
    for (text, item) in paths.into_iter().flatten() {
        let Some(path) = parse(text) else { continue };
        let key = (path.group.to_owned(), path.version.to_owned(), path.plural.to_owned());
        match path.subresource {
            "status" => statuses.push(key),
            "" => {
                if let Some(resource) = resource(&path, item, &schemas) {
                    found.entry(key).or_insert_with(|| (text.clone(), resource));
                }
            }
            _ => {}
        }
    }
    for key in statuses {
        if let Some((_, resource)) = found.get_mut(&key) {
            resource.status = true;
        }
    }
    found.into_values().collect()
}

/// Paths of one object, or of what is below it.
fn parse(path: &str) -> Option<Path<'_>> {
    let (group, version, rest) = match path.strip_prefix("/apis/") {
        Some(rest) => {
            let (group, rest) = rest.split_once('/')?;
            let (version, rest) = rest.split_once('/')?;
            (group, version, rest)
        }
        None => {
            let (version, rest) = path.strip_prefix("/api/")?.split_once('/')?;
            ("", version, rest)
        }
    };
    let parts: Vec<&str> = rest.trim_end_matches('/').split('/').collect();
    let (namespaced, parts) = match parts.as_slice() {
        ["watch", ..] => return None,
        ["namespaces", "{namespace}", rest @ ..] if !rest.is_empty() => (true, rest),
        all => (false, all),
    };
    match parts {
        [plural, "{name}"] => Some(Path { group, version, plural, namespaced, subresource: "" }),
        [plural, "{name}", subresource] => {
            Some(Path { group, version, plural, namespaced, subresource })
        }
        _ => None,
    }
}

fn resource(path: &Path<'_>, item: &Value, schemas: &Arc<Map<String, Value>>) -> Option<Resource> {
    let operations = item.as_object()?.values();
    let kind = operations.filter_map(|operation| operation.get(GVK)).find_map(|of| {
        let text = |name: &str| of.get(name).and_then(Value::as_str);
        let own = text("group") == Some(path.group) && text("version") == Some(path.version);
        text("kind").filter(|_| own)
    })?;
    let schema = schemas.values().find(|schema| {
        let kinds = schema.get(GVK).and_then(Value::as_array);
        kinds.is_some_and(|kinds| {
            kinds.iter().any(|of| {
                let is =
                    |name: &str, text: &str| of.get(name).and_then(Value::as_str) == Some(text);
                is("group", path.group) && is("version", path.version) && is("kind", kind)
            })
        })
    })?;
    Some(Resource {
        group: path.group.to_owned(),
        version: path.version.to_owned(),
        kind: kind.to_owned(),
        plural: path.plural.to_owned(),
        namespaced: path.namespaced,
        status: false,
        schema: schema.clone(),
        definition: None,
        components: Some(Arc::clone(schemas)),
    })
}
