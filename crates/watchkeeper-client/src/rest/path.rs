//! What a path is about (upstream: `RequestInfoFactory`).

use http::Method;
use watchkeeper_api::error::Subject;
use watchkeeper_api::{Kind, Scope};

use crate::request::Verb;

/// The parts of a resource's path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Info {
    pub(crate) group: String,
    pub(crate) version: String,
    /// Empty: all namespaces, or cluster-scoped.
    pub(crate) namespace: String,
    pub(crate) resource: String,
    /// Empty: the collection.
    pub(crate) name: String,
    /// Empty: the object itself.
    pub(crate) subresource: String,
}

impl Info {
    /// Takes the path of a resource apart; `None` where it is none.
    pub(crate) fn of(path: &str) -> Option<Self> {
        let path = path.split('?').next().unwrap_or(path);
        let mut parts = path.trim_matches('/').split('/');
        let group = match parts.next()? {
            "api" => "",
            "apis" => parts.next()?,
            _ => return None,
        };
        let version = parts.next()?.to_owned();
        let mut info = Self { group: group.to_owned(), version, ..Self::default() };
        let rest: Vec<&str> = parts.collect();
        let at = |index: usize| rest.get(index).copied().unwrap_or("").to_owned();
        // `namespaces/x` alone is the object, and so it is with its own parts.
        let of_namespace = rest.first() == Some(&"namespaces")
            && rest.len() > 2
            && !matches!(rest[2], "status" | "finalize");
        let skip = if of_namespace { 2 } else { 0 };
        if of_namespace {
            info.namespace = at(1);
        }
        (info.resource, info.name, info.subresource) = (at(skip), at(skip + 1), at(skip + 2));
        (!info.resource.is_empty()).then_some(info)
    }

    /// The kind as far as a path tells it: not its name.
    pub(crate) fn kind(&self) -> Kind {
        let scope = if self.namespace.is_empty() { Scope::Cluster } else { Scope::Namespaced };
        Kind {
            group: self.group.clone().into(),
            version: self.version.clone().into(),
            kind: "".into(),
            plural: self.resource.clone().into(),
            scope,
        }
    }

    /// What a request with this method does.
    pub(crate) fn verb(&self, method: &Method, query: &str) -> Verb {
        let collection = self.name.is_empty();
        match *method {
            Method::POST => Verb::Create,
            Method::PUT => Verb::Update,
            Method::PATCH => Verb::Patch,
            Method::DELETE if collection => Verb::DeleteCollection,
            Method::DELETE => Verb::Delete,
            _ if query.contains("watch=true") || query.contains("watch=1") => Verb::Watch,
            _ if collection => Verb::List,
            _ => Verb::Get,
        }
    }

    pub(crate) fn subject(&self, verb: Verb) -> Subject {
        Subject::kind(verb.as_str(), &self.kind()).of(&self.namespace, &self.name)
    }
}
