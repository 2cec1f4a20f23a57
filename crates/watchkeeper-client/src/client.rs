//! The handle: a service and how to use it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Request, Response};
use tower_service::Service;
use watchkeeper_api::{Kind, Object, StaticKind, Unstructured};

use crate::api::Api;
use crate::body::{Body, BoxError};
use crate::codec::Codecs;
use crate::metrics::{Meter, RequestMetrics};
use crate::notice::{NoticeHandler, Notices};
use crate::observe::{Observers, WriteObserver};
use crate::rate::RateLimit;
use crate::rules::Rules;
use crate::select::Select;
use crate::transport::{Transport, Unconnected, erase};

/// A Kubernetes client. Cloning is cheap; clones share the service.
///
/// ```
/// # use watchkeeper_client::{Body, BoxError, Client};
/// # fn f<S>(service: S) where S: tower_service::Service<http::Request<Body>, Response = http::Response<Body>, Error = BoxError, Future: Send> + Clone + Send + 'static {
/// let client = Client::new(service).user_agent("my-controller");
/// # }
/// ```
#[derive(Clone)]
pub struct Client {
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) settings: Arc<Settings>,
}

/// How a client behaves.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) user_agent: HeaderValue,
    pub(crate) field_manager: Option<String>,
    /// `None`: a call may take for ever.
    pub(crate) deadline: Option<Duration>,
    pub(crate) retries: u32,
    pub(crate) observers: Observers,
    pub(crate) notices: Notices,
    pub(crate) meter: Meter,
    /// `None`: the server alone decides what is too much.
    pub(crate) rate_limit: Option<RateLimit>,
    pub(crate) rules: Rules,
    pub(crate) codecs: Codecs,
    pub(crate) managed_fields: bool,
    /// None where nobody knows it.
    pub(crate) default_namespace: Option<Arc<str>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            user_agent: HeaderValue::from_static(concat!(
                "watchkeeper/",
                env!("CARGO_PKG_VERSION")
            )),
            field_manager: None,
            deadline: Some(Duration::from_secs(30)),
            retries: 10,
            observers: Observers::default(),
            notices: Notices::default(),
            meter: Meter::default(),
            rate_limit: None,
            rules: Rules::default(),
            codecs: Codecs::default(),
            managed_fields: false,
            default_namespace: Some("default".into()),
        }
    }
}

impl Client {
    /// A client over `service`, with a deadline of 30 seconds a call and at most ten retries.
    pub fn new<S, B>(service: S) -> Self
    where
        S: Service<Request<Body>, Response = Response<B>> + Clone + Send + 'static,
        S::Error: Into<BoxError>,
        S::Future: Send,
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        Self { transport: erase(service), settings: Arc::default() }
    }

    /// A client that reaches nothing and fails every call: for programs that only tell what they would do,
    /// as when they print which [permissions](crate::access) they need.
    #[must_use]
    pub fn unconnected() -> Self {
        Self { transport: Arc::new(Unconnected), settings: Arc::default() }
    }

    /// Who calls, as the server's audit log tells it. Characters that no header may hold become `_`.
    #[must_use]
    pub fn user_agent(self, name: impl AsRef<str>) -> Self {
        let clean = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '_' };
        let name: String = name.as_ref().chars().map(clean).collect();
        self.set(|settings| {
            if let Ok(value) = HeaderValue::from_str(&name) {
                settings.user_agent = value;
            }
        })
    }

    /// Who owns the fields that this client writes, unless a call says otherwise. Without it the server
    /// takes the user agent up to its slash.
    #[must_use]
    pub fn field_manager(self, name: impl Into<String>) -> Self {
        self.set(|settings| settings.field_manager = Some(name.into()))
    }

    /// How long a call may take, retries included. A streamed list, a log that is not followed and a body
    /// that is [streamed](crate::RestRequest::stream) by hand may take so long for each part, a watch so long
    /// after the server should have ended it. What waits for a program or for a condition has none:
    /// the streams of exec, attach and ports once they are open, a log that is followed,
    /// [`RetryWatch`](crate::RetryWatch).
    #[must_use]
    pub fn deadline(self, deadline: Duration) -> Self {
        self.set(|settings| settings.deadline = Some(deadline))
    }

    /// Whether objects that are read keep `metadata.managedFields`, a third of many objects. They are dropped
    /// unless asked for, also by caches over this client. [`Api::extract`](crate::Api::extract) needs nobody
    /// to keep them, and an object that has them cannot be applied.
    #[must_use]
    pub fn keep_managed_fields(self, keep: bool) -> Self {
        self.set(|settings| settings.managed_fields = keep)
    }

    /// Lets calls take as long as they take. A connection that died unnoticed then holds them for ever.
    #[must_use]
    pub fn without_deadline(self) -> Self {
        self.set(|settings| settings.deadline = None)
    }

    /// How often a request is sent again at most when the server says when, or a read's connection breaks.
    #[must_use]
    pub fn retries(self, limit: u32) -> Self {
        self.set(|settings| settings.retries = limit)
    }

    /// Tells `observer` of every write made through this handle and its clones from now on.
    #[must_use]
    pub fn observed_by(self, observer: Arc<dyn WriteObserver>) -> Self {
        self.set(|settings| settings.observers.push(observer))
    }

    /// Tells nobody of the writes made through this handle and its clones: for writes whose effect nobody waits to read.
    ///
    /// A copy that [observes](Self::observed_by) waits until it has a write, and asks the server where the answer
    /// has no version to wait for, as that of a binding. Who keeps books of such writes by itself spares these
    /// requests.
    #[must_use]
    pub fn unobserved(self) -> Self {
        self.set(|settings| settings.observers = Observers::default())
    }

    /// Hands what the server tells beside its answers to `handler`: warnings, and who was served at which
    /// priority. Without one, warnings go to the log.
    #[must_use]
    pub fn notices(self, handler: Arc<dyn NoticeHandler>) -> Self {
        self.set(|settings| settings.notices = Notices::new(handler))
    }

    /// Counts and measures requests, under upstream's names.
    #[must_use]
    pub fn metrics(self, metrics: Arc<dyn RequestMetrics>) -> Self {
        self.set(|settings| settings.meter.metrics = Some(metrics))
    }

    /// Where the service leads, for the label `host` of [metrics](crate::metrics): host and port. Empty unless
    /// told; clients that `watchkeeper-connect` makes know it.
    #[must_use]
    pub fn host(self, host: impl AsRef<str>) -> Self {
        self.set(|settings| settings.meter.host = Arc::from(host.as_ref()))
    }

    /// Sends no more than the limit allows, watches excepted. There is none by default: the server knows
    /// better what it can bear (priority and fairness, KEP-1040), and says so with 429.
    #[must_use]
    pub fn rate_limit(self, limit: RateLimit) -> Self {
        self.set(|settings| settings.rate_limit = Some(limit))
    }

    /// Says which namespace the connection is about: that of the kubeconfig's context, or of the pod. It
    /// is [told](Self::default_namespace), and changes no request.
    #[must_use]
    pub fn with_default_namespace(self, namespace: &str) -> Self {
        self.set(|settings| settings.default_namespace = Some(namespace.into()))
    }

    /// Says that nobody knows which namespace the connection is about: of a pod that is not told its own. What
    /// must not land in any other, such as the lease of an election, asks for one then.
    #[must_use]
    pub fn without_default_namespace(self) -> Self {
        self.set(|settings| settings.default_namespace = None)
    }

    /// The namespace that the connection is about, for those who look for one: `default` unless it is said.
    ///
    /// ```
    /// # use watchkeeper_api::core::v1::Pod;
    /// # use watchkeeper_client::Client;
    /// # fn f(client: Client) {
    /// let pods = client.api::<Pod>().namespace(client.default_namespace());
    /// # }
    /// ```
    #[must_use]
    pub fn default_namespace(&self) -> &str {
        self.known_namespace().unwrap_or("default")
    }

    /// The same, or nothing [where nobody knows it](Self::without_default_namespace).
    ///
    /// ```
    /// # use watchkeeper_client::Client;
    /// let client = Client::unconnected();
    /// assert_eq!(client.known_namespace(), Some("default"));
    /// assert_eq!(client.clone().with_default_namespace("shop").known_namespace(), Some("shop"));
    /// assert_eq!(client.without_default_namespace().known_namespace(), None);
    /// ```
    #[must_use]
    pub fn known_namespace(&self) -> Option<&str> {
        self.settings.default_namespace.as_deref()
    }

    pub(crate) fn set(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(Arc::make_mut(&mut self.settings));
        self
    }

    /// The objects of a kind known from its type: of all namespaces, or cluster-scoped.
    #[must_use]
    pub fn api<K: StaticKind>(&self) -> Api<K> {
        Api::new(self.clone(), K::static_kind().clone())
    }

    /// The objects of a kind known at run time.
    #[must_use]
    pub fn dynamic(&self, kind: Kind) -> Api<Unstructured> {
        Api::new(self.clone(), kind)
    }

    /// The objects like this one: its kind, and its namespace.
    #[must_use]
    pub fn api_for<K: Object>(&self, object: &K) -> Api<K> {
        let api = Api::new(self.clone(), object.kind().clone());
        match object.namespace() {
            Some(namespace) => api.namespace(namespace),
            None => api,
        }
    }

    /// The objects that `select` may select: its kind, and its namespace.
    #[must_use]
    pub fn selected<K: Object>(&self, select: &Select<K>) -> Api<K> {
        let api = Api::new(self.clone(), select.target().clone());
        match select.in_namespace() {
            Some(namespace) => api.namespace(namespace),
            None => api,
        }
    }

    /// The manager that an apply needs, also where none was set.
    pub(crate) fn apply_manager(&self) -> &str {
        let settings = &self.settings;
        let agent = settings.user_agent.to_str().unwrap_or("watchkeeper");
        settings.field_manager.as_deref().unwrap_or(agent.split('/').next().unwrap_or(agent))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("settings", &self.settings).finish_non_exhaustive()
    }
}
