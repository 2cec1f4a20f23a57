//! What a request asks to do, as apiserver's `RequestInfo` reads its path.

use http::Method;
use serde_json::Value;

use crate::kind_validation::names;
use crate::request::query::{Query, decode_segment};
use crate::storage::selector::Fields;

/// A verb and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// E.g. `list`; of a path the method in lower case.
    pub verb: String,
    /// What it is about.
    pub target: Target,
}

/// What somebody wants to do something with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Objects.
    Resource {
        /// The API group; empty for core.
        group: String,
        /// The plural.
        resource: String,
        /// What follows the name.
        subresource: String,
        /// The namespace; empty for the whole cluster.
        namespace: String,
        /// The name; empty for a collection.
        name: String,
    },
    /// A path that leads to no objects.
    Path(String),
}

impl Target {
    /// Objects of a resource, in the whole cluster.
    #[must_use]
    pub fn resource(group: &str, resource: &str) -> Self {
        Self::Resource {
            group: group.to_owned(),
            resource: resource.to_owned(),
            subresource: String::new(),
            namespace: String::new(),
            name: String::new(),
        }
    }
}

impl Attributes {
    /// What a request asks to do.
    #[must_use]
    pub fn of(method: &Method, path: &str, query: &str) -> Self {
        let segments: Vec<_> =
            path.split('/').filter(|segment| !segment.is_empty()).map(decode_segment).collect();
        let parts: Vec<&str> = segments.iter().map(|segment| &**segment).collect();
        let objects = match parts[..] {
            ["api", _, ref rest @ ..] if !rest.is_empty() => objects(method, "", rest, query),
            ["apis", group, _, ref rest @ ..] if !rest.is_empty() => {
                objects(method, group, rest, query)
            }
            _ => None,
        };
        objects.unwrap_or_else(|| Self {
            verb: method.as_str().to_lowercase(),
            target: Target::Path(decode_segment(path).into_owned()),
        })
    }

    /// The question of a review: the attributes of its `spec`, if it has any.
    #[must_use]
    pub fn of_review(spec: &Value) -> Option<Self> {
        let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let of = &spec["resourceAttributes"];
        if of.is_object() {
            let target = Target::Resource {
                group: text(of, "group"),
                resource: text(of, "resource"),
                subresource: text(of, "subresource"),
                namespace: text(of, "namespace"),
                name: text(of, "name"),
            };
            return Some(Self { verb: text(of, "verb"), target });
        }
        let of = &spec["nonResourceAttributes"];
        of.is_object()
            .then(|| Self { verb: text(of, "verb"), target: Target::Path(text(of, "path")) })
    }

    /// The namespace; empty for the whole cluster and for paths.
    #[must_use]
    pub fn namespace(&self) -> &str {
        match &self.target {
            Target::Resource { namespace, .. } => namespace,
            Target::Path(_) => "",
        }
    }
}

/// `[watch/][namespaces/<ns>/]<resource>[/<name>[/<subresource>]]`
fn objects(method: &Method, group: &str, rest: &[&str], query: &str) -> Option<Attributes> {
    let (mut verb, rest) = match rest {
        ["watch", rest @ ..] => ("watch", rest),
        ["proxy", rest @ ..] => ("proxy", rest),
        _ => (verb(method), rest),
    };
    let (namespace, rest) = match rest {
        // A namespace lies in itself.
        ["namespaces", namespace] | ["namespaces", namespace, "status" | "finalize", ..] => {
            (*namespace, rest)
        }
        ["namespaces", namespace, rest @ ..] if !rest.is_empty() => (*namespace, rest),
        _ => ("", rest),
    };
    let resource = *rest.first()?;
    let mut name = rest.get(1).map_or_else(String::new, |name| (*name).to_owned());
    let subresource = if verb == "proxy" { "" } else { rest.get(2).copied().unwrap_or_default() };
    match verb {
        "get" if name.is_empty() => {
            let query = Query::parse(query);
            verb = if query.flag("watch").unwrap_or(false) { "watch" } else { "list" };
            name = selected_name(&query);
        }
        "delete" if name.is_empty() => verb = "deletecollection",
        _ => {}
    }
    let target = Target::Resource {
        group: group.to_owned(),
        resource: resource.to_owned(),
        subresource: subresource.to_owned(),
        namespace: namespace.to_owned(),
        name,
    };
    Some(Attributes { verb: verb.to_owned(), target })
}

fn verb(method: &Method) -> &'static str {
    match *method {
        Method::POST => "create",
        Method::GET | Method::HEAD => "get",
        Method::PUT => "update",
        Method::PATCH => "patch",
        Method::DELETE => "delete",
        _ => "",
    }
}

/// The one name that a list or a watch is about: a role may be for that name only.
fn selected_name(query: &Query) -> String {
    let fields = Fields::parse(query.text("fieldSelector")).unwrap_or_default();
    let name = fields.required("metadata.name").unwrap_or_default();
    if names::path_segment(name).is_empty() { name.to_owned() } else { String::new() }
}
