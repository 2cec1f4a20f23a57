//! Live connections to one server, reused, and the tasks that drive them.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use hyper_util::client::legacy::Client as HyperClient;
use hyper_util::rt::TokioTimer;
use tokio::task::JoinSet;
use watchkeeper_client::Body;

use crate::connector::Connector;

/// A silent HTTP/2 connection is asked for a sign of life so often, and given so long to answer.
/// (Upstream: `ReadIdleTimeout`, `PingTimeout`.)
const PING_EVERY: Duration = Duration::from_secs(30);
const PING_TIMEOUT: Duration = Duration::from_secs(15);
/// Answers under way at most: kube-apiserver takes a hundred streams on a connection, and lets the next one
/// wait until another ends. Watches do not.
const STREAMS: usize = 90;
/// What a server may send ahead: lists are large. The connection has room for every stream, so that those
/// who read slowly hold up nobody else.
const STREAM_WINDOW: u32 = 2 << 20;
const CONNECTION_WINDOW: u32 = 100 * STREAM_WINDOW;

/// Connections of one identity. Dropping it closes them.
pub(crate) struct Pool {
    pub(crate) http: HyperClient<Connector, Body>,
    /// Which run of a credential plugin brought the certificate they were opened with.
    pub(crate) run: u64,
    /// Held by each answer under way.
    answers: Arc<()>,
    _tasks: Arc<Mutex<JoinSet<()>>>,
}

/// An answer under way.
#[derive(Debug)]
pub(crate) struct Turn(#[expect(dead_code, reason = "counted")] Arc<()>);

impl Pool {
    pub(crate) fn new(connector: Connector, run: u64) -> Self {
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
        Self { http, run, answers: Arc::new(()), _tasks: tasks }
    }

    /// Whether one more answer would have to wait.
    pub(crate) fn is_full(&self) -> bool {
        // The pool holds one itself.
        Arc::strong_count(&self.answers) > STREAMS
    }

    /// One more answer, until it is dropped.
    pub(crate) fn turn(&self) -> Turn {
        Turn(Arc::clone(&self.answers))
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
