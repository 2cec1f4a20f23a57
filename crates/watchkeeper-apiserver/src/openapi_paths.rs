//! `/openapi/v3`: the index, and one document per group and version. `/openapi/v2`: one for all.

use bytes::Bytes;
use http::{HeaderValue, Request, Response, header};
use serde_json::{Map, Value, json};

use crate::discovery;
use crate::error::{ApiError, Result};
use crate::openapi;
use crate::registry::Registry;
use crate::reply;
use crate::request::accept;
use crate::request::query::Query;

/// Answers the index or a document.
///
/// # Errors
///
/// 404 for a group or version that is not served.
pub(crate) fn answer(
    registry: &Registry,
    rest: &str,
    request: &Request<Bytes>,
) -> Result<Response<Bytes>> {
    match rest {
        "v2" => return Ok(version_2(registry, request)),
        "v3" => return Ok(discovery::cached(request, reply::JSON, &index(registry))),
        _ => {}
    }
    let Some(path) = rest.strip_prefix("v3/") else { return Err(ApiError::no_path()) };
    let found = match path.split('/').collect::<Vec<_>>()[..] {
        ["api", version] => Some(("", version)),
        ["apis", group, version] => Some((group, version)),
        _ => None,
    };
    let Some((group, version)) =
        found.filter(|(group, version)| registry.has_version(group, version))
    else {
        return Ok(reply::text(404, Bytes::new()));
    };
    let query = Query::parse(request.uri().query().unwrap_or_default());
    let asked = query.text("hash");
    if !asked.is_empty() && asked != hash(registry, group, version) {
        return Ok(moved(&url(registry, path, group, version)));
    }
    let mut response = discovery::cached(request, reply::JSON, &document(registry, group, version));
    if !asked.is_empty() {
        let caching = HeaderValue::from_static(KEEP);
        response.headers_mut().insert(header::CACHE_CONTROL, caching);
    }
    Ok(response)
}

/// The messages of gnostic, and their older name, which is taken and never given, as it is no media type
/// (kube-openapi's `handler`).
const PROTOBUF: [&str; 2] = [
    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
    "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
];

/// The document of v2, under one tag in both forms.
fn version_2(registry: &Registry, request: &Request<Bytes>) -> Response<Bytes> {
    let offered = [reply::JSON, PROTOBUF[1], PROTOBUF[0]];
    let Some(picked) = accept::pick(request.headers(), &offered) else {
        return reply::text(406, Bytes::new());
    };
    let mut prints = String::new();
    for (group, versions) in registry.groups() {
        for version in versions {
            prints.extend([&group, "/", &version, "\n", &fingerprint(registry, &group, &version)]);
        }
    }
    let tag = format!("{:016X}", discovery::hash(prints.as_bytes()));
    let document = || {
        let all = registry.iter().map(|resource| &**resource).collect::<Vec<_>>();
        openapi::v2::of(&openapi::document(&all))
    };
    if picked == reply::JSON {
        return discovery::named(request, &tag, reply::JSON, || document().to_string().into());
    }
    discovery::named(request, &tag, PROTOBUF[0], || openapi::v2::encode(&document()))
}

/// A document under its hash never changes (kube-openapi's `handler3`, which says the year as a date
/// in `Expires`).
const KEEP: &str = "public, immutable, max-age=31536000";

/// The document has another hash by now.
fn moved(url: &str) -> Response<Bytes> {
    let mut response = reply::text(301, Bytes::new());
    if let Ok(url) = HeaderValue::from_str(url) {
        response.headers_mut().insert(header::LOCATION, url);
    }
    response
}

fn hash(registry: &Registry, group: &str, version: &str) -> String {
    format!("{:016X}", discovery::hash(fingerprint(registry, group, version).as_bytes()))
}

fn url(registry: &Registry, path: &str, group: &str, version: &str) -> String {
    format!("/openapi/v3/{path}?hash={}", hash(registry, group, version))
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
            let url = url(registry, &path, &group, &version);
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
        text.extend([&*resource.kind, " ", &*resource.plural]);
        text.push_str(if resource.namespaced { " namespaced" } else { "" });
        for sub in &resource.subresources {
            text.extend([" ", &*sub.name]);
        }
        let schema = resource.custom.as_ref().and_then(|custom| custom.schema.as_deref());
        if let Some(schema) = schema {
            text.push_str(&schema.to_openapi().to_string());
        }
    }
    text
}

#[cfg(test)]
mod tests;
