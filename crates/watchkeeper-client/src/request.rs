//! Requests as values: what will be sent, decided without sending it.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, header};
use watchkeeper_api::{Kind, Scope, pb};

use crate::body::{Body, BoxError};
use crate::options::{ApplyOptions, DeleteOptions, ListOptions, WatchOptions, WriteOptions};
use crate::patch::Patch;
use crate::query::Query;

#[cfg(test)]
mod tests;

const JSON: &str = "application/json";
/// The server leaves out all but the metadata (upstream: `PartialObjectMetadata`).
const METADATA: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const METADATA_LIST: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
/// The same, as protobuf where the server has that.
const METADATA_PB: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,\
    application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const METADATA_LIST_PB: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,\
    application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/// What a request does, in the words of authorization (`kubectl auth can-i`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    /// Read one object.
    Get,
    /// Read a collection.
    List,
    /// Follow a collection.
    Watch,
    /// Make an object.
    Create,
    /// Replace an object.
    Update,
    /// Change parts of an object.
    Patch,
    /// Delete an object.
    Delete,
    /// Delete a collection.
    DeleteCollection,
}

impl Verb {
    /// Upstream's spelling.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::List => "list",
            Self::Watch => "watch",
            Self::Create => "create",
            Self::Update => "update",
            Self::Patch => "patch",
            Self::Delete => "delete",
            Self::DeleteCollection => "deletecollection",
        }
    }

    const fn method(self) -> Method {
        match self {
            Self::Get | Self::List | Self::Watch => Method::GET,
            Self::Create => Method::POST,
            Self::Update => Method::PUT,
            Self::Patch => Method::PATCH,
            Self::Delete | Self::DeleteCollection => Method::DELETE,
        }
    }
}

/// What a request is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'a> {
    pub(crate) kind: &'a Kind,
    /// Empty: all namespaces, or cluster-scoped.
    pub(crate) namespace: &'a str,
    /// Empty: the collection.
    pub(crate) name: &'a str,
    /// Empty: the object itself.
    pub(crate) subresource: &'a str,
}

impl<'a> Target<'a> {
    pub(crate) const fn collection(kind: &'a Kind, namespace: &'a str) -> Self {
        Self { kind, namespace, name: "", subresource: "" }
    }

    /// One object, checked: a name becomes a path segment, so it must be one.
    pub(crate) fn object(
        kind: &'a Kind,
        namespace: &'a str,
        name: &'a str,
    ) -> Result<Self, String> {
        check_segment("name", name)?;
        let target = Self { kind, namespace, name, subresource: "" };
        target.check_scope("")?;
        Ok(target)
    }

    pub(crate) const fn sub(mut self, subresource: &'a str) -> Self {
        self.subresource = subresource;
        self
    }

    /// A namespaced object needs its namespace, a cluster-scoped one has none.
    pub(crate) fn check_scope(&self, hint: &str) -> Result<(), String> {
        let plural = &self.kind.plural;
        match self.kind.scope {
            Scope::Namespaced if self.namespace.is_empty() => {
                Err(format!("{plural} are namespaced: say which namespace{hint}"))
            }
            Scope::Namespaced => check_segment("namespace", self.namespace),
            Scope::Cluster if self.namespace.is_empty() => Ok(()),
            Scope::Cluster => Err(format!("{plural} are cluster-scoped and have no namespace")),
        }
    }

    pub(crate) fn path(&self) -> String {
        let name = Some(self.name).filter(|name| !name.is_empty());
        let mut path = self.kind.path(Some(self.namespace), name);
        if !self.subresource.is_empty() {
            path.push('/');
            path.push_str(self.subresource);
        }
        path
    }
}

/// Upstream: `IsValidPathSegmentName`.
pub(crate) fn check_segment(what: &str, text: &str) -> Result<(), String> {
    match text {
        "" => Err(format!("the {what} is empty")),
        "." | ".." => Err(format!("the {what} may not be {text:?}")),
        _ if text.contains(['/', '%']) => {
            Err(format!("the {what} {text:?} may not contain '/' or '%'"))
        }
        _ => Ok(()),
    }
}

/// How long a call may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Patience {
    /// As the client says.
    #[default]
    Usual,
    /// So long.
    For(Duration),
    /// As long as it takes.
    Endless,
}

/// One request, decided and not yet sent. It can be sent again.
#[derive(Clone)]
pub(crate) struct Call {
    pub(crate) verb: Verb,
    pub(crate) method: Method,
    /// Path and query.
    pub(crate) uri: String,
    pub(crate) accept: Cow<'static, str>,
    pub(crate) content_type: Option<Cow<'static, str>>,
    /// Beside those that every request has.
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// Whether sending it twice does what sending it once does.
    pub(crate) idempotent: bool,
    pub(crate) patience: Patience,
    /// How often to send it again; as the client says when `None`.
    pub(crate) retries: Option<u32>,
}

impl Call {
    fn new(verb: Verb, target: &Target<'_>, query: &Query) -> Self {
        let uri = target.path() + query.as_str();
        let idempotent = !matches!(verb, Verb::Create | Verb::Patch);
        Self { verb, method: verb.method(), idempotent, ..Self::raw(uri, JSON) }
    }

    /// Any path, such as `/version`.
    pub(crate) fn raw(path: impl Into<String>, accept: &'static str) -> Self {
        Self {
            verb: Verb::Get,
            method: Method::GET,
            uri: path.into(),
            accept: Cow::Borrowed(accept),
            content_type: None,
            headers: HeaderMap::new(),
            body: Bytes::new(),
            idempotent: true,
            patience: Patience::Usual,
            retries: None,
        }
    }

    pub(crate) fn get(target: &Target<'_>) -> Self {
        Self::get_with(target, &Query::default())
    }

    pub(crate) fn get_with(target: &Target<'_>, query: &Query) -> Self {
        Self::new(Verb::Get, target, query)
    }

    pub(crate) fn list(target: &Target<'_>, options: &ListOptions) -> Self {
        let mut query = Query::default();
        options.query(&mut query);
        Self::new(Verb::List, target, &query)
    }

    pub(crate) fn watch(target: &Target<'_>, options: &WatchOptions) -> Self {
        let mut query = Query::default();
        options.query(&mut query);
        Self::new(Verb::Watch, target, &query)
    }

    pub(crate) fn write(
        verb: Verb,
        target: &Target<'_>,
        body: Vec<u8>,
        options: &WriteOptions,
        manager: Option<&str>,
    ) -> Self {
        let mut query = Query::default();
        options.query(&mut query, manager);
        Self::new(verb, target, &query).with_body(JSON, body)
    }

    pub(crate) fn patch(
        target: &Target<'_>,
        patch: &Patch,
        options: &WriteOptions,
        manager: Option<&str>,
    ) -> Self {
        let mut query = Query::default();
        options.query(&mut query, manager);
        if matches!(patch, Patch::Apply { force: true, .. }) {
            query.text("force", "true");
        }
        let mut call = Self::new(Verb::Patch, target, &query);
        call.idempotent = patch.is_idempotent();
        call.with_body(patch.content_type(), patch.body().clone())
    }

    pub(crate) fn delete(target: &Target<'_>, options: &DeleteOptions, protobuf: bool) -> Self {
        Self::new(Verb::Delete, target, &Query::default()).with_options(options, protobuf)
    }

    pub(crate) fn delete_collection(
        target: &Target<'_>,
        options: &DeleteOptions,
        which: &ListOptions,
        protobuf: bool,
    ) -> Self {
        let mut query = Query::default();
        which.query(&mut query);
        Self::new(Verb::DeleteCollection, target, &query).with_options(options, protobuf)
    }

    /// Asks for the metadata of objects only.
    pub(crate) fn metadata_only(mut self) -> Self {
        let list = matches!(self.verb, Verb::List | Verb::DeleteCollection);
        self.accept = Cow::Borrowed(if list { METADATA_LIST } else { METADATA });
        self
    }

    /// Asks for protobuf, where the server has it.
    pub(crate) fn protobuf(mut self) -> Self {
        self.accept = Cow::Borrowed(match &*self.accept {
            METADATA => METADATA_PB,
            METADATA_LIST => METADATA_LIST_PB,
            _ => pb::ACCEPT,
        });
        self
    }

    /// With a body that is protobuf, not JSON.
    pub(crate) fn sends_protobuf(mut self) -> Self {
        self.content_type = Some(Cow::Borrowed(pb::CONTENT_TYPE));
        self
    }

    /// Whether its body is protobuf: another codec needs another body.
    pub(crate) fn is_protobuf(&self) -> bool {
        self.content_type.as_deref() == Some(pb::CONTENT_TYPE)
    }

    fn with_options(self, options: &DeleteOptions, protobuf: bool) -> Self {
        let (content_type, body) =
            if protobuf { (pb::CONTENT_TYPE, options.message()) } else { (JSON, options.body()) };
        match body {
            Some(body) => self.with_body(content_type, body),
            None => self,
        }
    }

    fn with_body(mut self, content_type: &'static str, body: Vec<u8>) -> Self {
        self.content_type = Some(Cow::Borrowed(content_type));
        self.body = body.into();
        self
    }

    /// The HTTP request, anew for each attempt.
    pub(crate) fn request(
        &self,
        user_agent: &HeaderValue,
    ) -> Result<http::Request<Body>, BoxError> {
        let mut request = http::Request::builder()
            .method(self.method.clone())
            .uri(self.uri.as_str())
            .header(header::ACCEPT, &*self.accept)
            .header(header::USER_AGENT, user_agent);
        if let Some(content_type) = &self.content_type {
            request = request.header(header::CONTENT_TYPE, &**content_type);
        }
        // Nothing here unpacks gzip; newer servers compress watches one member per event.
        let request = request.header(header::ACCEPT_ENCODING, "identity");
        let mut request = request.body(Body::from(self.body.clone()))?;
        for (name, value) in &self.headers {
            request.headers_mut().append(name, value.clone());
        }
        Ok(request)
    }
}

/// Tells the size of the body, never its content.
impl std::fmt::Debug for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} ({} bytes)", self.method, self.uri, self.body.len())
    }
}

/// Applying is a patch with two options of its own.
pub(crate) fn apply(
    target: &Target<'_>,
    body: Vec<u8>,
    options: &ApplyOptions,
    manager: &str,
) -> Call {
    let patch = Patch::Apply { body, force: options.force };
    Call::patch(target, &patch, &options.write, Some(manager))
}
