//! One verb on one resource.

use std::fmt;

use http::{Method, Uri};
use serde_json::{Map, Value};
use watchkeeper_api::Kind;

use crate::request::Verb;
use crate::rest::Info;
use crate::select::name_in;

/// One thing that may be done, as RBAC grants it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Permission {
    /// What it is done to.
    pub target: PermissionTarget,
    /// What is done: `list`, and for paths that are no resources the method, as `get`.
    pub verb: String,
}

/// What something is done to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// A path that is no resource: `/metrics`.
    Url(String),
}

impl Permission {
    /// `verb` on all objects of a kind.
    #[must_use]
    pub fn on(kind: &Kind, verb: Verb) -> Self {
        let target = PermissionTarget::Resource {
            group: kind.group.to_string(),
            resource: kind.plural.to_string(),
            namespace: String::new(),
            name: String::new(),
        };
        Self { target, verb: verb.as_str().to_owned() }
    }

    /// `verb`, as `get`, on a path that is no resource.
    #[must_use]
    pub fn url(path: impl Into<String>, verb: impl Into<String>) -> Self {
        Self { target: PermissionTarget::Url(path.into()), verb: verb.into() }
    }

    /// Only on this part of the objects: `status`.
    #[must_use]
    pub fn part(mut self, part: &str) -> Self {
        if let PermissionTarget::Resource { resource, .. } = &mut self.target {
            resource.push('/');
            resource.push_str(part);
        }
        self
    }

    /// Only in this namespace.
    #[must_use]
    pub fn namespace(mut self, within: &str) -> Self {
        if let PermissionTarget::Resource { namespace, .. } = &mut self.target {
            within.clone_into(namespace);
        }
        self
    }

    /// Only on the object of this name. A list or watch has one where its field selector says so; what is
    /// created has none, as its name is not known when it is judged.
    #[must_use]
    pub fn named(mut self, object: &str) -> Self {
        if let PermissionTarget::Resource { name, .. } = &mut self.target {
            object.clone_into(name);
        }
        self
    }

    /// What a request asks for, as upstream's `RequestInfoFactory` reads it.
    pub(super) fn of(method: &Method, uri: &Uri) -> Self {
        let Some(info) = Info::of(uri.path()) else {
            return Self::url(uri.path(), method.as_str().to_lowercase());
        };
        let query = uri.query().unwrap_or_default();
        let verb = info.verb(method, query);
        let mut resource = info.resource;
        if !info.subresource.is_empty() {
            resource = format!("{resource}/{}", info.subresource);
        }
        let name = match verb {
            // What is made has no name yet, but what it is made below has one.
            Verb::Create if info.subresource.is_empty() => String::new(),
            Verb::List | Verb::Watch => selected_name(query),
            _ => plain(&info.name),
        };
        let (group, namespace) = (info.group, plain(&info.namespace));
        let target = PermissionTarget::Resource { group, resource, namespace, name };
        Self { target, verb: verb.as_str().to_owned() }
    }

    /// As members of a JSON object; what is empty is left out, except the core group.
    pub(super) fn members(&self) -> Map<String, Value> {
        let mut members = Map::new();
        let mut add = |name: &str, value: &str| {
            members.insert(name.to_owned(), value.into());
        };
        add("verb", &self.verb);
        match &self.target {
            PermissionTarget::Url(url) => add("url", url),
            PermissionTarget::Resource { group, resource, namespace, name } => {
                add("group", group);
                add("resource", resource);
                let rest = [("namespace", namespace), ("name", name)];
                for (member, value) in rest.into_iter().filter(|(_, value)| !value.is_empty()) {
                    add(member, value);
                }
            }
        }
        members
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

/// The name that the field selector of a request selects by.
fn selected_name(query: &str) -> String {
    let selector = query.split('&').find_map(|pair| pair.strip_prefix("fieldSelector="));
    let selector = plain(selector.unwrap_or_default());
    name_in(&selector).unwrap_or_default().to_owned()
}

/// Without percent signs.
fn plain(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
