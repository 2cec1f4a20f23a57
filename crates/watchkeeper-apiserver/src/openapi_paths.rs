//! `/openapi/v3`: the index, and one document per group and version.

use bytes::Bytes;
use http::{Request, Response};
use serde_json::{Map, Value, json};

use crate::discovery;
use crate::error::{ApiError, Result};
use crate::openapi;
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
            let hash = discovery::hash(fingerprint(registry, &group, &version).as_bytes());
            let url = format!("/openapi/v3/{path}?hash={hash:016X}");
            paths.insert(path, json!({"serverRelativeURL": url}));
        }
    }
    json!({ "paths": paths })
}

fn document(registry: &Registry, group: &str, version: &str) -> Value {
    let of = registry.iter().filter(|one| one.group == group && one.version == version);
    openapi::document(&of.map(|resource| &**resource).collect::<Vec<_>>())
}

/// Changes when the document does, without making it: clients ask for the index all the time.
fn fingerprint(registry: &Registry, group: &str, version: &str) -> String {
    let mut text = watchkeeper_schema::builtin::facts().version.clone();
    for resource in registry.iter().filter(|one| one.group == group && one.version == version) {
        text.push('\n');
        text.push_str(&resource.kind);
        let schema = resource.custom.as_ref().and_then(|custom| custom.schema.as_deref());
        if let Some(schema) = schema {
            text.push_str(&schema.to_openapi().to_string());
        }
    }
    text
}
