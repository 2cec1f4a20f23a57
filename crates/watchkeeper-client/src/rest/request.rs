//! One request in the making.

use std::fmt::Display;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use watchkeeper_api::Result;
use watchkeeper_api::error::Subject;
use watchkeeper_api::json::{self, Read, Write};

use super::{Info, RestAnswer};
use crate::body::Body;
use crate::client::Client;
use crate::fail::Why;
use crate::patch::Patch;
use crate::query::{Query, push_segment};
use crate::request::{Call, Patience, Verb, check_segment};

mod send;
mod timed;

use timed::Timed;

/// One request in the making. What cannot be sent is told when it is to be sent, as is what was said twice: a
/// namespace, a resource, a name, a subresource.
#[derive(Clone)]
#[must_use = "a request is sent by `send`, `into`, `do_raw` or `stream`"]
pub struct RestRequest {
    client: Client,
    method: Method,
    root: String,
    namespace: String,
    /// What was said, and is said once.
    said: Vec<&'static str>,
    /// Resource, name, subresource and what follows.
    segments: Vec<String>,
    query: Query,
    headers: HeaderMap,
    accept: String,
    content_type: Option<String>,
    body: Bytes,
    idempotent: bool,
    patience: Patience,
    retries: Option<u32>,
    /// The first thing that was wrong.
    wrong: Option<String>,
}

impl RestRequest {
    pub(super) fn new(client: Client, method: Method, root: String) -> Self {
        let idempotent = !matches!(method, Method::POST | Method::PATCH);
        Self {
            client,
            method,
            root,
            namespace: String::new(),
            said: Vec::new(),
            segments: Vec::new(),
            query: Query::default(),
            headers: HeaderMap::new(),
            accept: "application/json".to_owned(),
            content_type: None,
            body: Bytes::new(),
            idempotent,
            patience: Patience::Usual,
            retries: None,
            wrong: None,
        }
    }

    /// Instead of the group's path this one, as it is: `/readyz`. A slash at its end stays, unless segments
    /// follow; servers redirect from a proxied service's path to the one with the slash, and redirects are
    /// not followed.
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.root = path.into();
        if !self.root.starts_with('/') {
            self.wrong(format!("the path {:?} does not start with '/'", self.root));
        }
        self
    }

    /// In this namespace. Empty: in all, or none.
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.once("namespace");
        self.namespace = namespace.into();
        if !self.namespace.is_empty()
            && let Err(what) = check_segment("namespace", &self.namespace)
        {
            self.wrong(what);
        }
        self
    }

    /// Of this resource: `pods`.
    pub fn resource(mut self, resource: &str) -> Self {
        self.once("resource");
        self.segment("resource", resource)
    }

    /// The object of this name. Say the resource first.
    pub fn name(mut self, name: &str) -> Self {
        self.once("name");
        self.segment("name", name)
    }

    /// This part of the object: `status`, `scale`, `proxy`. Say the name first.
    pub fn subresource(mut self, subresource: &str) -> Self {
        self.once("subresource");
        self.segment("subresource", subresource)
    }

    /// One more segment of the path.
    pub fn segment(mut self, what: &str, segment: &str) -> Self {
        match check_segment(what, segment) {
            Ok(()) => self.segments.push(segment.to_owned()),
            Err(wrong) => self.wrong(wrong),
        }
        self
    }

    /// `name=value` in the query; the name alone is not sent without a value.
    pub fn query(mut self, name: &str, value: impl Display) -> Self {
        self.query.raw(name, &value.to_string());
        self
    }

    /// One more header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        match (HeaderName::try_from(name), HeaderValue::from_str(value)) {
            (Ok(name), Ok(value)) => _ = self.headers.append(name, value),
            // The value may be a secret.
            _ => self.wrong(format!("{name:?} and its value are no header")),
        }
        self
    }

    /// What the answer may be; JSON unless said.
    pub fn accept(mut self, media_types: impl Into<String>) -> Self {
        self.accept = media_types.into();
        self
    }

    /// Sends this value.
    pub fn body(self, body: &impl Write) -> Self {
        self.bytes("application/json", json::to_vec(body))
    }

    /// Sends these bytes.
    pub fn bytes(mut self, content_type: impl Into<String>, body: impl Into<Bytes>) -> Self {
        (self.content_type, self.body) = (Some(content_type.into()), body.into());
        self
    }

    /// Sends this patch, with a manager where it needs one.
    pub fn patch(mut self, patch: &Patch) -> Self {
        self.idempotent = patch.is_idempotent();
        if let Patch::Apply { force, .. } = patch {
            let manager = self.client.apply_manager().to_owned();
            self = self.query("fieldManager", manager).query("force", force);
        }
        let body = patch.body().clone();
        self.bytes(patch.content_type(), body)
    }

    /// Gives up after this long, retries included, whatever the client says. A body that is
    /// [streamed](Self::stream) may take so long for each part.
    pub const fn timeout(mut self, deadline: Duration) -> Self {
        self.patience = Patience::For(deadline);
        self
    }

    /// Never gives up.
    pub const fn no_timeout(mut self) -> Self {
        self.patience = Patience::Endless;
        self
    }

    /// Sends the request again at most so often, whatever the client says.
    pub const fn max_retries(mut self, limit: u32) -> Self {
        self.retries = Some(limit);
        self
    }

    /// Path and query, as they would be sent.
    ///
    /// # Errors
    /// What was said makes no request.
    pub fn uri(&self) -> Result<String> {
        self.call().map(|call| call.uri).map_err(|why| why.into_error(&self.subject()))
    }

    fn once(&mut self, what: &'static str) {
        if self.said.contains(&what) {
            self.wrong(format!("the {what} is said twice"));
        }
        self.said.push(what);
    }

    fn wrong(&mut self, what: String) {
        self.wrong.get_or_insert(what);
    }

    fn target(&self) -> String {
        if self.namespace.is_empty() && self.segments.is_empty() && !self.root.is_empty() {
            return self.root.clone();
        }
        let mut path = self.root.trim_end_matches('/').to_owned();
        let namespace = (!self.namespace.is_empty()).then_some(self.namespace.as_str());
        let namespace = namespace.into_iter().flat_map(|namespace| ["namespaces", namespace]);
        for segment in namespace.chain(self.segments.iter().map(String::as_str)) {
            path.push('/');
            push_segment(&mut path, segment);
        }
        if path.is_empty() { "/".to_owned() } else { path }
    }

    fn call(&self) -> Result<Call, Why> {
        if let Some(wrong) = &self.wrong {
            return Err(Why::Asked(wrong.clone()));
        }
        let uri = self.query.after(self.target());
        if uri.parse::<Uri>().is_err() {
            return Err(Why::Asked(format!("{uri:?} is no path")));
        }
        let info = Info::of(&uri);
        let verb = info.as_ref().map(|info| info.verb(&self.method, &uri));
        Ok(Call {
            verb: verb.unwrap_or(Verb::Get),
            method: self.method.clone(),
            accept: self.accept.clone().into(),
            content_type: self.content_type.clone().map(Into::into),
            headers: self.headers.clone(),
            body: self.body.clone(),
            idempotent: self.idempotent,
            patience: self.patience,
            retries: self.retries,
            ..Call::raw(uri, "")
        })
    }

    fn subject(&self) -> Subject {
        let path = self.target();
        match Info::of(&path) {
            Some(info) => info.subject(info.verb(&self.method, self.query.as_str())),
            None => Subject::new(self.method.as_str().to_lowercase(), path),
        }
    }
}

impl RestRequest {
    /// Sends it and reads the answer as a value.
    ///
    /// # Errors
    /// As [`send`](Self::send); when the answer is no `R`.
    ///
    /// # Cancel safety
    /// As of [`send`](Self::send).
    pub async fn into<R: Read>(self) -> Result<R> {
        self.send().await?.read()
    }

    /// Sends it and takes the answer's bytes.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    ///
    /// # Cancel safety
    /// As of [`send`](Self::send).
    pub async fn do_raw(self) -> Result<Bytes> {
        Ok(self.send().await?.into_bytes())
    }

    /// Sends it and takes the answer, whole.
    ///
    /// # Errors
    /// Whatever the server says that is no success; a connection that broke; the deadline.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request; whether a write was carried out is then unknown.
    pub async fn send(self) -> Result<RestAnswer> {
        let subject = self.subject();
        let call = self.call().map_err(|why| why.into_error(&subject))?;
        let watched = send::begin(&self.client, &call);
        let answer = self.client.exchange(&call).await;
        if let Some(watched) = watched {
            watched.finish(&answer);
        }
        let answer = answer.map_err(|failed| failed.into_error(&subject))?;
        Ok(RestAnswer::new(answer, subject))
    }

    /// Sends it and takes the answer's body as it arrives. The deadline holds for the head, retries included,
    /// and then for each part of the body, from when it is first asked for. What may be silent for longer, as a
    /// watch or a log that is followed, is asked for with a longer [`timeout`](Self::timeout), or with
    /// [`no_timeout`](Self::no_timeout).
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use watchkeeper_api::Result;
    /// # use watchkeeper_client::{BoxError, Client};
    /// # async fn f(client: Client) -> Result<(), BoxError> {
    /// let backup = client.rest().get().path("/apis/example.com/v1/backups/a/content");
    /// let mut body = backup.timeout(Duration::from_secs(60)).stream().await?;
    /// while let Some(part) = body.data().await? {
    ///     println!("{} bytes", part.len());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`send`](Self::send), before the first byte of the body. Those of the body, as one that falls silent,
    /// come with its parts: [`Why::of`](watchkeeper_api::error::Why::of) finds their reason.
    ///
    /// # Cancel safety
    /// As of [`send`](Self::send). Dropping the body ends the request, too.
    pub async fn stream(self) -> Result<Body> {
        let subject = self.subject();
        let call = self.call().map_err(|why| why.into_error(&subject))?;
        let _unknown = send::begin(&self.client, &call);
        let body = self.client.open(&call).await.map_err(|failed| failed.into_error(&subject))?;
        Ok(match self.client.deadline_of(self.patience) {
            Some(deadline) => Body::new(Timed::new(body, deadline, subject)),
            None => body,
        })
    }
}

/// Tells neither body nor headers.
impl std::fmt::Debug for RestRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}{}", self.method, self.target(), self.query.as_str())
    }
}
