//! One verb on one resource, as the documents of programs name it.

use std::fmt;

use serde_json::Value;

use super::judge::{is_below, is_resource};

/// One thing that may be done.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Permission {
    /// What it is done to.
    pub target: PermissionTarget,
    /// What is done: `list`.
    pub verb: String,
}

/// What something is done to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PermissionTarget {
    /// Objects, or a part of them.
    Resource {
        /// The API group; empty for the core group.
        group: String,
        /// The plural, with the part behind a slash: `pods`, `pods/log`.
        resource: String,
        /// The one namespace; empty for all of them, and for resources of the cluster.
        namespace: String,
        /// The one object; empty for all of them.
        name: String,
    },
    /// A path that is no resource.
    Url(String),
}

/// What every user may read, by upstream's roles. The checks of single parts, as `/livez/etcd`, are not
/// among it.
const EVERYONES_PATHS: &[&str] = &[
    "/api",
    "/api/*",
    "/apis",
    "/apis/*",
    "/healthz",
    "/livez",
    "/openapi",
    "/openapi/*",
    "/readyz",
    "/version",
    "/version/",
];
/// What every user may create.
const EVERYONES_REVIEWS: &[(&str, &str)] = &[
    ("authentication.k8s.io", "selfsubjectreviews"),
    ("authorization.k8s.io", "selfsubjectaccessreviews"),
    ("authorization.k8s.io", "selfsubjectrulesreviews"),
];

impl Permission {
    /// Reads the members that `watchkeeper_client::access` writes; what is wrong, otherwise.
    pub(super) fn read(entry: &Value) -> Result<Self, String> {
        let text = |name: &str| match entry.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(format!("{name} is no text but {other}")),
        };
        let verb = text("verb")?.filter(|verb| !verb.is_empty()).ok_or("there is no verb")?;
        let target = match (text("url")?, text("resource")?) {
            (Some(url), None) => PermissionTarget::Url(url),
            (None, Some(resource)) => PermissionTarget::Resource {
                group: text("group")?.unwrap_or_default(),
                resource,
                namespace: text("namespace")?.unwrap_or_default(),
                name: text("name")?.unwrap_or_default(),
            },
            _ => return Err("there is neither a resource nor a url, or there are both".to_owned()),
        };
        Ok(Self { target, verb })
    }

    /// Whether whoever has this one needs no `other`.
    pub(super) fn covers(&self, other: &Self) -> bool {
        use PermissionTarget::{Resource, Url};
        (self.verb == "*" || self.verb == other.verb)
            && match (&self.target, &other.target) {
                (Url(one), Url(another)) => is_below(one, another),
                (
                    Resource { group, resource, namespace, name },
                    Resource { group: of, resource: what, namespace: place, name: object },
                ) => {
                    (group == "*" || group == of)
                        && is_resource(resource, what)
                        && (namespace.is_empty() || namespace == place)
                        && (name.is_empty() || name == object)
                }
                _ => false,
            }
    }

    /// The same for objects of all names.
    pub(super) fn of_all_names(mut self) -> Self {
        if let PermissionTarget::Resource { name, .. } = &mut self.target {
            name.clear();
        }
        self
    }

    /// The same in another namespace; in all of them where that is empty.
    pub(super) fn moved_to(&self, place: &str) -> Self {
        let mut moved = self.clone();
        if let PermissionTarget::Resource { namespace, .. } = &mut moved.target {
            place.clone_into(namespace);
        }
        moved
    }

    /// The namespace that it is for; empty for all, and for paths.
    pub(super) fn namespace(&self) -> &str {
        match &self.target {
            PermissionTarget::Resource { namespace, .. } => namespace,
            PermissionTarget::Url(_) => "",
        }
    }

    /// Whether every user has it.
    pub(super) fn is_everyones(&self) -> bool {
        match &self.target {
            PermissionTarget::Url(url) => {
                self.verb == "get" && EVERYONES_PATHS.iter().any(|of| is_below(of, url))
            }
            PermissionTarget::Resource { group, resource, .. } => {
                self.verb == "create" && EVERYONES_REVIEWS.contains(&(group, resource))
            }
        }
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.target {
            PermissionTarget::Url(url) => write!(f, "{} {url}", self.verb),
            PermissionTarget::Resource { group, resource, namespace, name } => {
                let (plural, part) = resource.split_once('/').unwrap_or((resource, ""));
                write!(f, "{} {plural}", self.verb)?;
                for (before, text) in [(".", group.as_str()), ("/", part), (" ", name)] {
                    if !text.is_empty() {
                        write!(f, "{before}{text}")?;
                    }
                }
                if namespace.is_empty() { Ok(()) } else { write!(f, " in {namespace}") }
            }
        }
    }
}
