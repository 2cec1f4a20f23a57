//! `/openapi/v3`: the index, and one document per group and version.

use bytes::Bytes;
use http::{Request, Response};
use serde_json::{Map, Value, json};

use crate::discovery;
use crate::error::{ApiError, Result};
use crate::registry::Registry;
use crate::reply;

/// Answers the index or a document.
///
/// # Errors
///
/// 404 for a group or version that is not served, and for OpenAPI v2.
pub(crate) fn answer(
    registry: &Registry,
    rest: &str,
    request: &Request<Bytes>,
) -> Result<Response<Bytes>> {
    if rest == "v3" {
        return Ok(discovery::cached(request, reply::JSON, &index(registry)));
    }
    let Some(path) = rest.strip_prefix("v3/") else { return Err(ApiError::no_path()) };
    let (group, version) = match path.split('/').collect::<Vec<_>>()[..] {
        ["api", version] => ("", version),
        ["apis", group, version] => (group, version),
        _ => return Err(ApiError::no_path()),
    };
    if !registry.has_version(group, version) {
        return Err(ApiError::no_path());
    }
    Ok(discovery::cached(request, reply::JSON, &document(registry, group, version)))
}

fn index(registry: &Registry) -> Value {
    let mut paths = Map::new();
    for (group, versions) in registry.groups() {
        for version in versions {
            let path = if group.is_empty() {
                format!("api/{version}")
            } else {
                format!("apis/{group}/{version}")
            };
            let hash = discovery::hash(document(registry, &group, &version).to_string().as_bytes());
            let url = format!("/openapi/v3/{path}?hash={hash:016X}");
            paths.insert(path, json!({"serverRelativeURL": url}));
        }
    }
    json!({ "paths": paths })
}

fn document(registry: &Registry, group: &str, version: &str) -> Value {
    let mut paths = Map::new();
    for resource in registry.iter().filter(|one| one.group == group && one.version == version) {
        let place = if group.is_empty() {
            format!("/api/{version}")
        } else {
            format!("/apis/{group}/{version}")
        };
        let namespace = if resource.namespaced { "/namespaces/{namespace}" } else { "" };
        let path = format!("{place}{namespace}/{}/{{name}}", resource.plural);
        let parameter =
            |name: &str| json!({"name": name, "in": "query", "schema": {"type": "string"}});
        let operation = json!({
            "x-kubernetes-group-version-kind":
                {"group": group, "version": version, "kind": resource.kind},
            "parameters": [parameter("dryRun"), parameter("fieldValidation")],
        });
        paths.insert(path, json!({"patch": operation}));
    }
    json!({"openapi": "3.0.0", "info": {"title": "Kubernetes", "version": "v1.36"}, "paths": paths})
}
