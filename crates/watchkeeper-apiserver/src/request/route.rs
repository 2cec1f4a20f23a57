//! What a path means, as apiserver's `RequestInfo` reads it.

use super::query::decode_segment;

/// A path, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// `/api` or `/apis`.
    Groups {
        /// The legacy core group.
        core: bool,
    },
    /// `/apis/<group>`.
    Group(String),
    /// `/api/v1` or `/apis/<group>/<version>`.
    Version {
        /// The group; empty for core.
        group: String,
        /// The version.
        version: String,
    },
    /// Objects or one object.
    Resource(Target),
    /// `/metrics`.
    Metrics,
    /// `/openapi/v3` and below: the rest of the path.
    OpenApi(String),
    /// `/version`.
    ServerVersion,
    /// `/healthz`, `/livez`, `/readyz`, with the single check asked for.
    Health(String, String),
    /// `/`.
    Root,
    /// Nothing that is served.
    Unknown,
}

/// Objects of one resource, or one object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// The group; empty for core.
    pub group: String,
    /// The version.
    pub version: String,
    /// Whether `/watch/` stood in front.
    pub watch: bool,
    /// The namespace; empty for all or for the cluster.
    pub namespace: String,
    /// The plural.
    pub resource: String,
    /// The name; empty for a collection.
    pub name: String,
    /// What follows the name.
    pub subresource: String,
}

/// Reads a path.
#[must_use]
pub fn parse(path: &str) -> Route {
    let segments: Vec<_> =
        path.split('/').filter(|segment| !segment.is_empty()).map(decode_segment).collect();
    let parts: Vec<&str> = segments.iter().map(|segment| &**segment).collect();
    match parts[..] {
        [] => Route::Root,
        ["api"] => Route::Groups { core: true },
        ["apis"] => Route::Groups { core: false },
        ["api", version] => version_of("", version),
        ["apis", group] => Route::Group(group.to_owned()),
        ["apis", group, version] => version_of(group, version),
        ["api", version, ref rest @ ..] => target("", version, rest),
        ["apis", group, version, ref rest @ ..] => target(group, version, rest),
        ["version"] => Route::ServerVersion,
        [check @ ("healthz" | "livez" | "readyz"), ref rest @ ..] => {
            Route::Health(check.to_owned(), rest.join("/"))
        }
        ["metrics"] => Route::Metrics,
        ["openapi", ref rest @ ..] => Route::OpenApi(rest.join("/")),
        _ => Route::Unknown,
    }
}

fn version_of(group: &str, version: &str) -> Route {
    Route::Version { group: group.to_owned(), version: version.to_owned() }
}

/// `[watch/][namespaces/<ns>/]<resource>[/<name>[/<subresource>]]`
fn target(group: &str, version: &str, rest: &[&str]) -> Route {
    let (watch, rest) = match rest {
        // To whoever allows requests it is a verb of old, so no resource can have this name.
        ["proxy", ..] => return Route::Unknown,
        ["watch", rest @ ..] => (true, rest),
        _ => (false, rest),
    };
    let (namespace, rest) = match rest {
        // `namespaces/a/status` is the namespace's own; other third parts are resources in it.
        ["namespaces", _, "status" | "finalize", ..] => ("", rest),
        ["namespaces", namespace, rest @ ..] if !rest.is_empty() => (*namespace, rest),
        _ => ("", rest),
    };
    let [resource, rest @ ..] = rest else { return Route::Unknown };
    let (name, rest) = match rest {
        [name, rest @ ..] => (*name, rest),
        [] => ("", rest),
    };
    Route::Resource(Target {
        group: group.to_owned(),
        version: version.to_owned(),
        watch,
        namespace: namespace.to_owned(),
        resource: (*resource).to_owned(),
        name: name.to_owned(),
        subresource: rest.join("/"),
    })
}
