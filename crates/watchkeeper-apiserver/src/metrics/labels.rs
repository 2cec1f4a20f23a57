//! What a request is counted as.

use http::request::Parts;

use crate::access::{Attributes, Target};
use crate::registry::Registry;
use crate::request::query::Query;

/// The labels of a request, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Labels {
    dry_run: &'static str,
    group: String,
    resource: String,
    scope: &'static str,
    subresource: String,
    verb: &'static str,
    version: String,
}

/// The paths that are told apart.
const PATHS: [&str; 9] = [
    "/api",
    "/apis",
    "/healthz",
    "/livez",
    "/metrics",
    "/openapi/v2",
    "/openapi/v3",
    "/readyz",
    "/version",
];

impl Labels {
    pub(super) fn of(registry: &Registry, head: &Parts, asked: &Attributes) -> Self {
        let dry_run = dry_run(head.uri.query().unwrap_or_default());
        let applies = head
            .headers
            .get(http::header::CONTENT_TYPE)
            .is_some_and(|kind| kind.as_bytes().starts_with(b"application/apply-patch"));
        let verb = verb(&asked.verb, applies);
        let (group, resource, subresource, scope) = match &asked.target {
            Target::Resource { group, resource, subresource, namespace, name } => {
                let scope = match (asked.verb.as_str(), name.as_str(), namespace.as_str()) {
                    ("create", ..) => "resource",
                    (_, "", "") => "cluster",
                    (_, "", _) => "namespace",
                    _ => "resource",
                };
                (group, resource, subresource, scope)
            }
            Target::Path(path) => {
                let known = PATHS.into_iter().find(|known| path == known);
                let subresource = known.unwrap_or_default().to_owned();
                return Self { dry_run, subresource, verb, ..Self::default() };
            }
        };
        let version = head.uri.path().split('/').nth(if group.is_empty() { 2 } else { 3 });
        let version = version.unwrap_or_default();
        let Some(found) = registry.find(group, version, resource) else {
            return Self { dry_run, verb, ..Self::default() };
        };
        let known = found.subresource(subresource).map(|sub| sub.name.clone());
        Self {
            dry_run,
            group: group.clone(),
            resource: resource.clone(),
            scope,
            subresource: known.unwrap_or_default(),
            verb,
            version: version.to_owned(),
        }
    }

    /// The labels of a request that is not even looked at: which path it wants is not told.
    pub(super) fn of_dropped(registry: &Registry, head: &Parts, asked: &Attributes) -> Self {
        let mut labels = Self::of(registry, head, asked);
        if matches!(asked.target, Target::Path(_)) {
            labels.subresource.clear();
        }
        labels
    }

    /// The labels of what watches of a resource are told.
    pub(super) fn of_resource(&self) -> String {
        let Self { group, resource, version, .. } = self;
        format!("group=\"{group}\",resource=\"{resource}\",version=\"{version}\"")
    }

    /// The labels of a request.
    pub(super) fn of_request(&self) -> String {
        let Self { dry_run, group, resource, scope, subresource, verb, version } = self;
        format!(
            "component=\"apiserver\",dry_run=\"{dry_run}\",group=\"{group}\",\
             resource=\"{resource}\",scope=\"{scope}\",subresource=\"{subresource}\",\
             verb=\"{verb}\",version=\"{version}\""
        )
    }

    /// Those of what is under way.
    pub(super) fn of_stream(&self) -> String {
        let Self { group, resource, scope, subresource, verb, version, .. } = self;
        format!(
            "component=\"apiserver\",group=\"{group}\",resource=\"{resource}\",\
             scope=\"{scope}\",subresource=\"{subresource}\",verb=\"{verb}\",version=\"{version}\""
        )
    }
}

/// Whether nothing is to be stored. Most queries are seen not to say so without being read.
fn dry_run(query: &str) -> &'static str {
    let may_say_so = query.contains("dryRun") || query.contains('%');
    let says_so = || Query::parse(query).all("dryRun").any(|one| one == "All");
    if may_say_so && says_so() { "All" } else { "" }
}

/// The verb as metrics spell it (`CanonicalVerb`, `cleanVerb`).
fn verb(verb: &str, applies: bool) -> &'static str {
    match verb {
        "get" | "head" => "GET",
        "list" => "LIST",
        "watch" => "WATCH",
        "create" | "post" => "POST",
        "update" | "put" => "PUT",
        "patch" if applies => "APPLY",
        "patch" => "PATCH",
        "delete" => "DELETE",
        "deletecollection" => "DELETECOLLECTION",
        "proxy" => "CONNECT",
        _ => "other",
    }
}

#[cfg(test)]
mod tests;
