//! The objects of one kind: what the server does with them, one method a verb.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Response;
use watchkeeper_api::error::Subject;
use watchkeeper_api::{Error, Kind, Object, Result, Scope};

use crate::body::Body;
use crate::client::Client;
use crate::decode::Decode;
use crate::fail::Why;
use crate::list::{ListPage, ListStream};
use crate::options::{GetOptions, ListOptions, WatchOptions};
use crate::request::{Call, Target, Verb};
use crate::watch::WatchStream;

mod act;
mod extract;
mod log;
mod subresource;
mod upsert;
mod wait;
mod write;

pub use act::{Token, TokenOptions};
pub use extract::Extracted;
pub use log::{LogOptions, LogStream};
pub use subresource::Subresource;
pub use upsert::Upsert;
pub(crate) use upsert::to_value;
pub use write::Deleted;

/// The objects of one kind, in one namespace or all.
///
/// Every method returns within the client's deadline ([`Client::deadline`]), with an error that says
/// [`is_timeout`](watchkeeper_api::Error::is_timeout) when it passed.
///
/// # Cancel safety
/// Dropping the future of any method drops its request. Of a write it is then unknown whether the server
/// carried it out, and a [`WriteObserver`](crate::WriteObserver) is told so.
pub struct Api<K> {
    client: Client,
    kind: Arc<Kind>,
    /// Empty: all namespaces, or cluster-scoped.
    namespace: String,
    _object: PhantomData<fn() -> K>,
}

impl<K: Object> Api<K> {
    pub(crate) fn new(client: Client, kind: Kind) -> Self {
        let api =
            Self { client, kind: Arc::new(kind), namespace: String::new(), _object: PhantomData };
        api.namespace("")
    }

    /// Only those of one namespace. Empty: those of all, or of the one to which the client is
    /// [kept](Client::namespaced).
    #[must_use]
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = namespace.into();
        if self.namespace.is_empty() && self.kind.is_namespaced() {
            let only = self.client.settings.rules.namespace.as_deref();
            only.unwrap_or_default().clone_into(&mut self.namespace);
        }
        self
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The one namespace, if it is one: that which was chosen, or that to which the client is
    /// [kept](Client::namespaced).
    #[must_use]
    pub fn in_namespace(&self) -> Option<&str> {
        let only = Some(self.namespace.as_str()).filter(|namespace| !namespace.is_empty());
        only.filter(|_| self.kind.is_namespaced())
    }

    /// The client underneath.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// Reads one object.
    ///
    /// # Errors
    /// [`is_not_found`](watchkeeper_api::Error::is_not_found) when there is none of that name; whatever else
    /// the server says; a connection that broke.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn get(&self, name: &str) -> Result<K> {
        self.get_with(name, &GetOptions::default()).await
    }

    /// Reads one object, perhaps not the newest.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn get_with(&self, name: &str, options: &GetOptions) -> Result<K> {
        let subject = self.subject(Verb::Get, name);
        let target = Target::object(&self.kind, &self.namespace, name);
        let target = target.map_err(|what| Why::Asked(what).into_error(&subject))?;
        let call = Call::get_with(&target, &options.query());
        let answer = if self.client.speaks_protobuf::<K>() {
            let asked = self.client.unary(&Self::asking(call.clone(), true)).await;
            match asked.map_err(|failed| failed.into_error(&subject)) {
                Err(error) if self.client.learns_from(&error, false) => None,
                answer => Some(answer?),
            }
        } else {
            None
        };
        let answer = match answer {
            Some(answer) => answer,
            None => {
                let asked = self.client.unary(&Self::asking(call, false)).await;
                asked.map_err(|failed| failed.into_error(&subject))?
            }
        };
        self.read(&answer).map_err(|why| why.into_error(&subject))
    }

    /// Reads one object, if there is one of that name.
    ///
    /// # Errors
    /// As [`get`](Self::get), save for the object not found.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn get_opt(&self, name: &str) -> Result<Option<K>> {
        match self.get(name).await {
            Ok(object) => Ok(Some(object)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads one page of objects: all of them, when `options` sets no limit.
    ///
    /// # Errors
    /// Whatever the server says; a connection that broke;
    /// [`is_timeout`](watchkeeper_api::Error::is_timeout) when the last object did not arrive within the
    /// client's deadline ([`list_stream`](Self::list_stream) waits as long as the list makes progress).
    /// Objects that cannot be read are on the page's `malformed` list.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn list(&self, options: &ListOptions) -> Result<ListPage<K>> {
        let whole = async { self.list_stream(options).await?.collect().await };
        self.in_time(Verb::List, whole).await
    }

    /// The result of `work` as a whole, within the client's deadline.
    async fn in_time<T>(&self, verb: Verb, work: impl Future<Output = Result<T>>) -> Result<T> {
        let Some(deadline) = self.client.settings.deadline else { return work.await };
        let late = |_elapsed| Err(Error::timeout(self.subject(verb, ""), deadline));
        tokio::time::timeout(deadline, work).await.unwrap_or_else(late)
    }

    /// Reads all objects, page by page, each within the client's deadline.
    ///
    /// # Errors
    /// As [`list`](Self::list). A server that forgot the version of the first page is asked again for all.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request under way; the pages read so far are lost.
    pub async fn list_all(&self, options: &ListOptions) -> Result<ListPage<K>> {
        self.pager(options).all().await
    }

    /// Reads one page of objects, each as soon as it has arrived.
    ///
    /// # Errors
    /// Whatever the server says before the first object.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn list_stream(&self, options: &ListOptions) -> Result<ListStream<K>> {
        let answer = self.open(Call::list(&self.collection(), options)).await?;
        Ok(ListStream::new(self.clone(), answer))
    }

    /// Follows the objects.
    ///
    /// # Errors
    /// Whatever the server says before the first event;
    /// [`is_gone`](watchkeeper_api::Error::is_gone) when it has forgotten the version to start from. It may
    /// say the same as a [`WatchEvent::Error`](crate::WatchEvent::Error) later.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn watch(&self, options: &WatchOptions) -> Result<WatchStream<K>> {
        let answer = self.open(Call::watch(&self.collection(), options)).await?;
        let margin = self.client.settings.deadline.unwrap_or(Duration::MAX);
        Ok(WatchStream::new(self.clone(), answer, options.timeout.saturating_add(margin)))
    }

    /// The objects' collection. A cluster-scoped kind has one, whatever the namespace.
    pub(crate) fn collection(&self) -> Target<'_> {
        let namespace = match self.kind.scope {
            Scope::Namespaced => self.namespace.as_str(),
            Scope::Cluster => "",
        };
        Target::collection(&self.kind, namespace)
    }

    /// Asks for no more than `K` holds.
    fn asking(call: Call, protobuf: bool) -> Call {
        let call = if K::METADATA_ONLY { call.metadata_only() } else { call };
        if protobuf { call.protobuf() } else { call }
    }

    /// Asks in protobuf if `K` has that, and once more in JSON if the server does not.
    async fn open(&self, call: Call) -> Result<Response<Body>> {
        let subject = self.subject(call.verb, "");
        if self.client.speaks_protobuf::<K>() {
            let asked = self.client.open_answer(&Self::asking(call.clone(), true)).await;
            match asked.map_err(|failed| failed.into_error(&subject)) {
                Err(error) if self.client.learns_from(&error, false) => {}
                answer => return answer,
            }
        }
        let asked = self.client.open_answer(&Self::asking(call, false)).await;
        asked.map_err(|failed| failed.into_error(&subject))
    }

    pub(crate) fn subject(&self, verb: Verb, name: &str) -> Subject {
        Subject::kind(verb.as_str(), &self.kind).of(&self.namespace, name)
    }

    /// What a stream into a pod is about, and where it is asked for.
    #[cfg(feature = "ws")]
    pub(crate) fn streaming(
        &self,
        part: &'static str,
        name: &str,
        query: &crate::query::Query,
    ) -> Result<(Subject, String)> {
        let subject = Subject::kind(part, &self.kind).of(&self.namespace, name);
        let target = self.target(&self.namespace, name, part, &subject)?;
        Ok((subject, Call::get_with(&target, query).uri))
    }

    pub(crate) fn decode(&self) -> Decode<K> {
        let keep = self.client.settings.managed_fields;
        Decode::many(Arc::clone(&self.kind)).keep_managed_fields(keep)
    }

    fn read(&self, answer: &Bytes) -> Result<K, Why> {
        let decode = Decode::one(Arc::clone(&self.kind));
        let keep = self.client.settings.managed_fields;
        decode.keep_managed_fields(keep).body(answer).map_err(Why::Unreadable)
    }
}

impl<K> Clone for Api<K> {
    fn clone(&self) -> Self {
        Self {
            client: self.client.clone(),
            kind: Arc::clone(&self.kind),
            namespace: self.namespace.clone(),
            _object: PhantomData,
        }
    }
}

impl<K> fmt::Debug for Api<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Api({}, {:?})", self.kind.group_resource(), self.namespace)
    }
}
