//! What is served, told to clients: groups, versions, resources; version, health, OpenAPI.

mod aggregated;
mod health;
mod legacy;
mod storage_hash;

use std::cmp::Reverse;

use bytes::Bytes;
use http::header::{ETAG, IF_NONE_MATCH, VARY};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use serde_json::{Value, json};

use crate::error::{ApiError, Result};
use crate::handlers;
use crate::registry::Registry;
use crate::reply;
use crate::request::accept::{self, Codec};
use crate::request::query::Query;
use crate::request::route::Route;
use crate::step::Core;

/// Answers requests that are not for resources.
///
/// # Errors
///
/// 404 for what is not served, 405 for what is not a read.
pub(crate) fn answer(
    core: &Core,
    route: &Route,
    request: &Request<Bytes>,
) -> Result<Response<Bytes>> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(handlers::not_allowed());
    }
    let registry = &*core.registry;
    match route {
        Route::Group(group) | Route::Version { group, .. }
            if !group.is_empty() && !registry.groups().contains_key(group) =>
        {
            Ok(unknown_path())
        }
        Route::Groups { core } => groups(registry, *core, request),
        Route::Group(group) => {
            let codec = codec(request)?;
            legacy::group(registry, group).map(|value| reply::value(200, codec, &value))
        }
        Route::Version { group, version } => {
            let codec = codec(request)?;
            let value = legacy::resources(registry, group, version)?;
            Ok(reply::value(200, codec, &value))
        }
        Route::ServerVersion => {
            accept::json(request.headers())?;
            Ok(reply::value(200, Codec::Json, &version(&core.config.git_version)))
        }
        Route::Health(check, one) => {
            let query = Query::parse(request.uri().query().unwrap_or_default());
            Ok(health::answer(check, one, &query))
        }
        Route::Metrics => {
            let text = crate::metrics::answer(core);
            Ok(reply::typed(200, METRICS, text.into()))
        }
        Route::OpenApi(rest) => crate::openapi_paths::answer(registry, rest, request),
        Route::Root => Ok(reply::value(200, Codec::Json, &root(registry))),
        Route::Resource(_) | Route::Unknown => Ok(unknown_path()),
    }
}

/// The text format of Prometheus.
const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

/// The answer of Go's mux to a path that it does not know.
pub(crate) fn unknown_path() -> Response<Bytes> {
    reply::text(404, "404 page not found\n")
}

/// `/api` and `/apis`: the aggregated form where the client knows it, else the old one.
fn groups(registry: &Registry, core: bool, request: &Request<Bytes>) -> Result<Response<Bytes>> {
    let mut accepted = accept::accepted(request.headers());
    // What is as good as another stays in the client's order (goautoneg).
    accepted.sort_by_key(|accept| Reverse(accept.quality));
    for accept in accepted {
        let codec = [Codec::Json, Codec::Protobuf].into_iter().find(|codec| accept.takes(*codec));
        if let Some(codec) = codec
            && accept.kind == "APIGroupDiscoveryList"
            && accept.group == "apidiscovery.k8s.io"
            && accept.version == "v2"
        {
            let value = aggregated::list(registry, core, &accept.version);
            let media_type = format!(
                "{};g=apidiscovery.k8s.io;v={};as=APIGroupDiscoveryList",
                codec.media_type(),
                accept.version
            );
            let body = reply::encoded(codec, &value).1;
            return Ok(tagged(request, &media_type, body));
        }
        if accept.kind.is_empty() && codec.is_some() {
            break;
        }
    }
    let value = if core { legacy::core_versions() } else { legacy::groups(registry) };
    Ok(reply::value(200, codec(request)?, &value))
}

fn codec(request: &Request<Bytes>) -> Result<Codec> {
    let codec = accept::codec(request.headers());
    codec.ok_or_else(|| ApiError::not_accepted(accept::OFFERED))
}

/// An answer with an ETag; 304 when the client has it already.
pub(crate) fn cached(request: &Request<Bytes>, media_type: &str, value: &Value) -> Response<Bytes> {
    tagged(request, media_type, Bytes::from(value.to_string()))
}

fn tagged(request: &Request<Bytes>, media_type: &str, body: Bytes) -> Response<Bytes> {
    let tag = format!("{:016X}", hash(&body));
    named(request, &tag, media_type, || body)
}

/// An answer by its tag, made only for clients that do not have it.
pub(crate) fn named(
    request: &Request<Bytes>,
    tag: &str,
    media_type: &str,
    body: impl FnOnce() -> Bytes,
) -> Response<Bytes> {
    let tag = format!("\"{tag}\"");
    let known = request.headers().get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let unchanged = known == Some(&tag);
    let body = if unchanged { Bytes::new() } else { body() };
    let mut response = reply::typed(200, media_type, body);
    if unchanged {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(ETAG, tag);
    }
    response.headers_mut().insert(VARY, HeaderValue::from_static("Accept"));
    response
}

/// FNV-1a of 64 bits: enough to tell documents apart, and what KEP-5866 cuts into shards.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// `/version`.
fn version(git_version: &str) -> Value {
    let mut parts = git_version.trim_start_matches('v').split('.');
    let (major, minor) = (parts.next().unwrap_or("1"), parts.next().unwrap_or_default());
    json!({
        "major": major,
        "minor": minor,
        "emulationMajor": major,
        "emulationMinor": minor,
        "minCompatibilityMajor": major,
        "minCompatibilityMinor": minor.parse::<u32>().unwrap_or(1).saturating_sub(1).to_string(),
        "gitVersion": git_version,
        "gitCommit": "",
        "gitTreeState": "clean",
        "buildDate": "1970-01-01T00:00:00Z",
        "goVersion": "",
        "compiler": "",
        "platform": "linux/amd64",
    })
}

/// `/`: the paths that there are.
fn root(registry: &Registry) -> Value {
    let mut paths = vec!["/api".to_owned(), "/api/v1".to_owned(), "/apis".to_owned()];
    for (group, versions) in registry.groups() {
        if !group.is_empty() {
            paths.push(format!("/apis/{group}"));
            paths.extend(versions.iter().map(|version| format!("/apis/{group}/{version}")));
        }
    }
    paths.extend(
        ["/healthz", "/livez", "/metrics", "/openapi/v2", "/openapi/v3", "/readyz", "/version"]
            .map(str::to_owned),
    );
    paths.sort();
    json!({ "paths": paths })
}

/// Groups in the order in which clients prefer them: the built-in ones by upstream's priorities,
/// then custom ones by name.
pub(crate) fn ordered_groups(registry: &Registry) -> Vec<(String, Vec<String>)> {
    let mut groups: Vec<(String, Vec<String>)> = registry.groups().into_iter().collect();
    groups.sort_by_key(|(group, _)| {
        let place = ORDER.iter().position(|one| one == group).unwrap_or(ORDER.len());
        (place, group.clone())
    });
    groups
}

/// The order of `kube-apiserver`'s group priorities.
const ORDER: [&str; 23] = [
    "",
    "apiregistration.k8s.io",
    "apps",
    "events.k8s.io",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "networking.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "storage.k8s.io",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "scheduling.k8s.io",
    "coordination.k8s.io",
    "node.k8s.io",
    "discovery.k8s.io",
    "resource.k8s.io",
    "flowcontrol.apiserver.k8s.io",
    "internal.apiserver.k8s.io",
    "storagemigration.k8s.io",
];
