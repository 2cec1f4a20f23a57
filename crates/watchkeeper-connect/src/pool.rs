//! Live connections to one server, reused, and the tasks that drive them.

use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use http::Request;
use http::header::UPGRADE;
use hyper_util::client::legacy::Client as HyperClient;
use hyper_util::rt::TokioTimer;
use tokio::task::JoinSet;
use watchkeeper_client::Body;

use crate::connector::Connector;

/// A silent HTTP/2 connection is asked for a sign of life so often, and given so long to answer.
/// (Upstream: `ReadIdleTimeout` of 30 s, `PingTimeout` of 15 s.)
const PING_EVERY: Duration = Duration::from_secs(10);
const PING_TIMEOUT: Duration = Duration::from_secs(5);
/// Answers under way at most: kube-apiserver takes a hundred streams on a connection, and lets the next one
/// wait until another ends. Watches do not.
const STREAMS: usize = 90;
/// What a server may send ahead: lists are large. The connection has room for every stream, so that those
/// who read slowly hold up nobody else.
const STREAM_WINDOW: u32 = 2 << 20;
const CONNECTION_WINDOW: u32 = 100 * STREAM_WINDOW;

/// What a connection is for. A watch lasts, and what it brings is read when its reader has time; calls are
/// to be answered at once. So they do not share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Calls,
    Watches,
    /// A connection that becomes something else, such as a WebSocket: HTTP/2 cannot do that.
    Streams,
}

impl Use {
    pub(crate) fn of<B>(request: &Request<B>) -> Self {
        if request.headers().contains_key(UPGRADE) {
            return Self::Streams;
        }
        let query = request.uri().query().unwrap_or_default();
        let watches = |part: &str| matches!(part, "watch" | "watch=true" | "watch=1");
        if query.split('&').any(watches) { Self::Watches } else { Self::Calls }
    }
}

/// How new the certificates are that connections were opened with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Age {
    /// Which run of a credential plugin brought ours; 0 for one that is written somewhere.
    pub(crate) run: u64,
    /// How often the files changed.
    pub(crate) generation: u64,
}

/// Connections for one purpose, with the same certificates. They are closed when the pool and the answers
/// that they bring are dropped.
pub(crate) struct Pool {
    pub(crate) http: HyperClient<Connector, Body>,
    pub(crate) age: Age,
    pub(crate) purpose: Use,
    /// Held by each answer under way.
    answers: Arc<()>,
    _tasks: Arc<Mutex<JoinSet<()>>>,
}

/// An answer under way.
pub(crate) struct Turn {
    _counted: Arc<()>,
    /// Those of before stay for the answers that they were asked for. Watches do not: they would go on with
    /// old certificates for an hour, and go on elsewhere when they are cut.
    _kept: Option<Arc<Pool>>,
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Turn")
    }
}

impl Pool {
    pub(crate) fn new(connector: Connector, age: Age, purpose: Use) -> Self {
        let tasks = Arc::new(Mutex::new(JoinSet::new()));
        let http = HyperClient::builder(Tasks(Arc::downgrade(&tasks)))
            .timer(TokioTimer::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(Duration::from_secs(90))
            .http2_keep_alive_interval(PING_EVERY)
            .http2_keep_alive_timeout(PING_TIMEOUT)
            .http2_keep_alive_while_idle(true)
            .http2_initial_stream_window_size(STREAM_WINDOW)
            .http2_initial_connection_window_size(CONNECTION_WINDOW)
            .build(connector);
        Self { http, age, purpose, answers: Arc::new(()), _tasks: tasks }
    }

    /// Whether one more answer would have to wait.
    pub(crate) fn is_full(&self) -> bool {
        // The pool holds one itself.
        Arc::strong_count(&self.answers) > STREAMS
    }

    /// One more answer, until it is dropped.
    pub(crate) fn turn(pool: &Arc<Self>) -> Turn {
        let kept = (pool.purpose != Use::Watches).then(|| Arc::clone(pool));
        Turn { _counted: Arc::clone(&pool.answers), _kept: kept }
    }
}

/// Where hyper puts the futures that drive connections: into a set that the pool owns. Weak, as those
/// futures hold this.
#[derive(Clone)]
struct Tasks(Weak<Mutex<JoinSet<()>>>);

impl<F> hyper::rt::Executor<F> for Tasks
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, future: F) {
        let Some(tasks) = self.0.upgrade() else { return };
        let mut tasks = tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(future);
    }
}
