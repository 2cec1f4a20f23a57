//! Runs the sources, the workers and the events of one controller.

use std::fmt;
use std::future::Future;
use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use watchkeeper_api::{Error, Result};
use watchkeeper_cache::Status;
use watchkeeper_client::Client;
use watchkeeper_client::access::Need;
use watchkeeper_queue::{
    MetricsProvider, Order, QueueOptions, RateLimitingQueue, per_item_rate_limiter,
};

use crate::builder::{ControllerBuilder, Standalone};
use crate::clock::Clock;
use crate::context::Context;
use crate::events::{self, EventRecorder, EventSink, RecorderOptions};
use crate::reconciler::Reconciler;
use crate::request::Request;
use crate::rng::seed_for;
use crate::source::{Connection, IntoSource, Wire};
use crate::stop::{Stop, Stopper};
use crate::worker::Worker;

/// How long events that are still queued may take when the controller stops.
const LAST_EVENTS: Duration = Duration::from_secs(5);

/// Keeps all objects of one kind as they shall be. Does nothing before it is [run](Self::run).
///
/// A manager runs several of them with one cache; alone it looks like this:
///
/// ```no_run
/// # use watchkeeper_api::{Object, core::v1::Pod};
/// # use watchkeeper_cache::Cache;
/// # use watchkeeper_controller::{Action, Controller, Warning};
/// # async fn example(client: watchkeeper_client::Client) -> watchkeeper_api::Result<()> {
/// let cache = Cache::new(&client);
/// let client = client.observed_by(cache.observer());
/// let pods = cache.watch::<Pod>();
/// let controller = Controller::new(&client, "pods", &pods).with(pods).reconcile(
///     async |pods, request, ctx| {
///         let Some(pod) = pods.get(&request).await? else { return Ok(Action::done()) };
///         if pod.label("app").is_none() {
///             ctx.event(&pod, Warning, "NoApp", "nobody knows what this pod is for");
///         }
///         Ok(Action::done())
///     },
/// );
/// tokio::select! {
///     biased;
///     ended = controller.run(async { drop(tokio::signal::ctrl_c().await) }) => ended,
///     () = cache.run() => Ok(()),
/// }
/// # }
/// ```
pub struct Controller {
    parts: Parts,
    reconciler: Arc<dyn Reconciler>,
    /// How often it was run; held by the run under way.
    runs: Mutex<u64>,
}

/// What a builder collects.
pub(crate) struct Parts {
    pub(crate) name: String,
    pub(crate) client: Client,
    pub(crate) wires: Vec<Box<dyn Wire>>,
    pub(crate) workers: NonZeroUsize,
    pub(crate) seed: Option<u64>,
    pub(crate) clock: Clock,
    pub(crate) sync_timeout: Duration,
    pub(crate) resync: Option<Duration>,
    /// Who is told of the queue.
    pub(crate) metrics: Option<Arc<dyn MetricsProvider>>,
    pub(crate) everywhere: bool,
    pub(crate) needs: Vec<Need>,
    /// The namespaces of what is reconciled, if these are some.
    pub(crate) namespaces: Option<Vec<String>>,
}

impl Controller {
    /// Starts building a controller of what `source` tells of, called `name` in logs, events and
    /// as the owner of the fields it writes.
    ///
    /// The cache behind `source` has to be run by somebody; a manager does that. For reads that
    /// see the controller's own writes, `client` has to be the one that this cache observes.
    #[expect(clippy::new_ret_no_self, reason = "a controller is complete only with its function")]
    pub fn new<I: IntoSource>(
        client: &Client,
        name: &str,
        source: I,
    ) -> ControllerBuilder<Standalone> {
        ControllerBuilder::at_home(Standalone, client, name, source)
    }

    pub(crate) fn from_parts(parts: Parts, reconciler: Arc<dyn Reconciler>) -> Self {
        Self { parts, reconciler, runs: Mutex::default() }
    }

    /// What the controller is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// The permissions that the controller says it needs: to follow what it is told by, to record events, to
    /// own what it owns, and what was said besides. What its function calls is told by an
    /// [`AccessRecorder`](watchkeeper_client::access::AccessRecorder) in its tests.
    ///
    /// ```
    /// # use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};
    /// # use watchkeeper_cache::Cache;
    /// # use watchkeeper_client::Client;
    /// # use watchkeeper_controller::{Action, Controller};
    /// # fn f(client: &Client, cache: &Cache) {
    /// let deployments = cache.watch::<Deployment>();
    /// let sets = cache.watch::<ReplicaSet>();
    /// let controller = Controller::new(client, "deployments", &deployments)
    ///     .owns(&sets)
    ///     .applies::<ReplicaSet>()
    ///     .reconcile(async |_request, _ctx| Ok(Action::done()));
    /// for need in controller.needs() {
    ///     println!("{}: {}", need.permission, need.reason);
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn needs(&self) -> &[Need] {
        &self.parts.needs
    }

    /// Whether it runs on every replica, whoever leads ([`everywhere`](ControllerBuilder::everywhere)).
    #[must_use]
    pub fn is_everywhere(&self) -> bool {
        self.parts.everywhere
    }

    /// The same controller, writing with another client.
    #[must_use]
    pub fn client(mut self, client: &Client) -> Self {
        self.parts.client = client.clone();
        self
    }

    /// Runs until `shutdown` completes, then lets the running reconciles finish. It can be run again, from
    /// the start: nothing of the queue is kept.
    ///
    /// # Errors
    ///
    /// Fails if it runs already, as two runs would work on one key at once; if a source has not told all there is within two minutes, or the time set by
    /// [`sync_timeout`](ControllerBuilder::sync_timeout).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops everything at once, running reconciles included.
    pub async fn run(&self, shutdown: impl Future<Output = ()> + Send) -> Result<()> {
        let mut shutdown = pin!(shutdown);
        let Self { parts, reconciler, runs } = self;
        let Ok(mut runs) = runs.try_lock() else {
            return Err(Error::other(format!("controller {} runs already", parts.name)));
        };
        let run = *runs;
        *runs += 1;
        let queue = parts.queue();
        let connections = parts.connect(&queue);
        tokio::select! {
            biased;
            () = &mut shutdown => return Ok(()),
            told = all_told(&connections, &parts.name, parts.sync_timeout) => told?,
        }
        tracing::info!(controller = parts.name, workers = parts.workers, "starting workers");
        let (recorder, sink) = parts.events(run);
        let context = Context::new(&parts.name, &parts.client, recorder, parts.clock.clone());
        let reconciler = Arc::clone(reconciler);
        let worker = Worker { name: parts.name.clone(), queue: queue.clone(), reconciler, context };
        let crew = Crew::start(worker, parts.workers, sink);
        let result = crew.work_until(shutdown).await;
        queue.shut_down();
        tracing::info!(controller = parts.name, "stopped");
        result
    }
}

impl Parts {
    fn queue(&self) -> RateLimitingQueue<Request> {
        let order = match self.seed {
            Some(seed) => Order::Seeded(seed_for(seed, &self.name)),
            None => Order::default(),
        };
        let metrics = self.metrics.clone();
        let options = QueueOptions { name: self.name.clone(), order, metrics };
        RateLimitingQueue::with_options(per_item_rate_limiter(), options)
    }

    /// Connects the sources. The first tells of what is reconciled: it alone is told of again.
    fn connect(&self, queue: &RateLimitingQueue<Request>) -> Vec<Connection> {
        let mut resync = self.resync;
        self.wires.iter().map(|wire| wire.connect(queue.clone(), resync.take())).collect()
    }

    fn events(&self, run: u64) -> (EventRecorder, EventSink) {
        // Names that an earlier run drew are taken.
        let of_run = |seed| if run == 0 { seed } else { seed_for(seed, &format!("run {run}")) };
        let options = RecorderOptions { seed: self.seed.map(of_run), clock: self.clock.clone() };
        events::recorder(&self.client, &self.name, options)
    }
}

/// Waits until every source has told all there was.
async fn all_told(connections: &[Connection], controller: &str, limit: Duration) -> Result<()> {
    let mut late = pin!(sleep(limit));
    for connection in connections {
        let why = tokio::select! {
            biased;
            told = connection.subscription.synced() => match told {
                true => continue,
                false => "stopped".to_owned(),
            },
            () = &mut late => format!("was not synced within {limit:?}"),
        };
        let status = told_of(&(connection.status)());
        return Err(Error::other(format!("controller {controller}: a watch {why}: {status}")));
    }
    Ok(())
}

/// The copies that are not synced; all of them if each is.
fn told_of(copies: &[Status]) -> String {
    let late: Vec<_> = copies.iter().filter(|status| !status.synced).collect();
    let told = if late.is_empty() { copies.iter().collect() } else { late };
    told.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// The tasks of a running controller; dropping it stops them all.
struct Crew {
    workers: JoinSet<()>,
    events: JoinSet<()>,
    stop: Stopper,
    stop_events: Stopper,
}

impl Crew {
    fn start(worker: Worker, count: NonZeroUsize, sink: EventSink) -> Self {
        let (stop, stopped) = Stop::channel();
        let (stop_events, events_stopped) = Stop::channel();
        let mut events = JoinSet::new();
        events.spawn(sink.run(said(events_stopped)));
        let worker = Arc::new(worker);
        let mut workers = JoinSet::new();
        for _ in 0..count.get() {
            workers.spawn(Arc::clone(&worker).work(said(stopped.clone())));
        }
        Self { workers, events, stop, stop_events }
    }

    /// Works until `shutdown` completes; then waits for what is under way.
    async fn work_until(mut self, shutdown: impl Future<Output = ()>) -> Result<()> {
        let broken = tokio::select! {
            biased;
            () = shutdown => None,
            ended = self.workers.join_next() => ended,
        };
        self.stop.stop();
        let mut result = match broken {
            None => Ok(()),
            Some(ended) => finished(ended),
        };
        while let Some(ended) = self.workers.join_next().await {
            result = result.and(finished(ended));
        }
        self.stop_events.stop();
        if timeout(LAST_EVENTS, self.events.join_next()).await.is_err() {
            tracing::warn!("the last events could not be recorded in time");
        }
        result
    }
}

/// Completes when the other side says stop, or is gone.
async fn said(stop: Stop) {
    stop.requested().await;
}

/// A worker ends only when told so, or by a defect of this crate.
fn finished(ended: Result<(), tokio::task::JoinError>) -> Result<()> {
    ended.map_err(|error| Error::other(format!("a worker broke down: {error}")))
}

impl fmt::Debug for Controller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Controller").field(&self.parts).finish()
    }
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts")
            .field("name", &self.name)
            .field("sources", &self.wires.len())
            .field("workers", &self.workers)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}
