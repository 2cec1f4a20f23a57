//! Runs the sources, the workers and the events of one controller.

use std::fmt;
use std::future::Future;
use std::num::NonZeroUsize;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex as StdMutex, Weak};
use std::time::Duration;

use tokio::sync::{Mutex, mpsc};
use watchkeeper_api::{Error, Kind, Result};
use watchkeeper_client::Client;
use watchkeeper_client::access::Need;
use watchkeeper_queue::{
    MetricsProvider, Order, QueueOptions, RateLimitingQueue, per_item_rate_limiter,
};

use crate::builder::{ControllerBuilder, Standalone};
use crate::clock::Clock;
use crate::context::Context;
use crate::crew::{Crew, Ended, said};
use crate::events::{Broadcaster, EventRecorder, RecorderOptions};
use crate::failing::Failures;
use crate::feed::Channel;
use crate::figures::Counters;
use crate::handle::{ControllerHandle, Shared};
use crate::id::Ids;
use crate::metrics::{ReconcileMetrics, Stopwatch};
use crate::part::Part;
use crate::reconciler::Reconciler;
use crate::request::Request;
use crate::rng::{random_seed, seed_for};
use crate::share::{Gains, Only, Share};
use crate::source::{IntoSource, Wire, WireOptions};
use crate::sources::Sources;
use crate::stop::Stop;
use crate::switch::{ControllerPhase, Running, Switch};
use crate::worker::{Policy, Worker};

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
    shared: Arc<Shared>,
    /// How often it was run; held by the run under way.
    runs: Mutex<u64>,
}

/// What a builder collects.
pub(crate) struct Parts {
    pub(crate) name: String,
    pub(crate) client: Client,
    /// Of what is reconciled.
    pub(crate) kind: Kind,
    /// The first tells of what is reconciled.
    pub(crate) wires: Vec<Arc<dyn Wire>>,
    pub(crate) policy: Policy,
    pub(crate) paused_by: Option<Arc<str>>,
    pub(crate) debounce: Option<Duration>,
    /// Makes the queue of a run.
    pub(crate) queue: Box<QueueOf>,
    pub(crate) workers: NonZeroUsize,
    pub(crate) seed: Option<u64>,
    pub(crate) clock: Clock,
    pub(crate) sync_timeout: Duration,
    pub(crate) resync: Option<Duration>,
    /// Who is told of the queue.
    pub(crate) metrics: Option<Arc<dyn MetricsProvider>>,
    /// Who is told how reconciles go.
    pub(crate) reconcile_metrics: Option<Arc<dyn ReconcileMetrics>>,
    pub(crate) events: Events,
    /// Empty if there is but one.
    pub(crate) cluster: Arc<str>,
    pub(crate) everywhere: bool,
    pub(crate) share: Option<Share>,
    pub(crate) needs: Vec<Need>,
    /// The namespaces of what is reconciled, if these are some.
    pub(crate) namespaces: Option<Vec<String>>,
}

/// How events are sent, until the stop. What is not chosen is not in the program.
pub(crate) struct Events {
    pub(crate) send: fn(&Broadcaster, &Client, Stop) -> Sending,
    pub(crate) instance: Option<String>,
}

type QueueOf = dyn Fn(QueueOptions) -> RateLimitingQueue<Request> + Send + Sync;

/// As upstream's controllers have it.
pub(crate) fn usual_queue(options: QueueOptions) -> RateLimitingQueue<Request> {
    RateLimitingQueue::with_options(per_item_rate_limiter(), options)
}

pub(crate) type Sending = Pin<Box<dyn Future<Output = ()> + Send>>;

impl Default for Events {
    fn default() -> Self {
        Self { send: send_core, instance: None }
    }
}

/// As events of core/v1, which tell of no replica.
pub(crate) fn send_core(broadcaster: &Broadcaster, client: &Client, stop: Stop) -> Sending {
    Box::pin(broadcaster.sink(client).run(said(stop)))
}

/// As events of events.k8s.io/v1.
pub(crate) fn send_series(broadcaster: &Broadcaster, client: &Client, stop: Stop) -> Sending {
    Box::pin(broadcaster.series_sink(client).run(said(stop)))
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

    pub(crate) fn from_parts(mut parts: Parts, reconciler: Arc<dyn Reconciler>) -> Self {
        let shared = Shared {
            name: parts.name.clone(),
            cluster: Arc::clone(&parts.cluster),
            kind: parts.kind.clone(),
            workers: parts.workers.get(),
            sources: Sources::default(),
            trace: Arc::default(),
            failures: Failures::default(),
            counters: Counters::default(),
            stopwatch: parts.reconcile_metrics.is_some().then(Stopwatch::default),
            switch: Switch::default(),
            queue: StdMutex::default(),
        };
        // It is asked also when the source was taken away.
        parts.policy.pause = parts.paused_by.clone().zip(parts.wires.first().cloned());
        for wire in std::mem::take(&mut parts.wires) {
            shared.sources.add(wire);
        }
        let shared = Arc::new(shared);
        if let Some(metrics) = &parts.reconcile_metrics {
            let measured: Weak<Shared> = Arc::downgrade(&shared);
            metrics.controller_made(&parts.name, measured);
        }
        Self { parts, reconciler, shared, runs: Mutex::default() }
    }

    /// The controller from outside: to be stopped and started, asked how it is doing, given other sources,
    /// also while it runs.
    #[must_use]
    pub fn handle(&self) -> ControllerHandle {
        ControllerHandle::new(Arc::clone(&self.shared))
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

    /// Which objects it reconciles, if these are not all ([`share`](ControllerBuilder::share)).
    #[must_use]
    pub fn share(&self) -> Option<&Share> {
        self.parts.share.as_ref()
    }

    /// The same controller, writing with another client.
    #[must_use]
    pub fn client(mut self, client: &Client) -> Self {
        self.parts.client = client.clone();
        self
    }

    /// The same controller with something around its reconcile function: what `wrap` makes of it is called
    /// instead.
    #[must_use]
    pub fn wrapped(
        mut self,
        wrap: impl FnOnce(Arc<dyn Reconciler>) -> Arc<dyn Reconciler>,
    ) -> Self {
        self.reconciler = wrap(self.reconciler);
        self
    }

    /// Runs until `shutdown` completes, then lets the running reconciles finish. It can be run again, from
    /// the start: nothing of the queue is kept. While it is [stopped](ControllerHandle::stop) it waits to be
    /// started again.
    ///
    /// A source whose kind the server does not have, or does not let this program read, is waited for until
    /// that is mended: [`ControllerHandle::status`] and a warning each ten seconds say so.
    ///
    /// # Errors
    ///
    /// Fails if it runs already, as two runs would work on one key at once; if a source fails, or has not told
    /// all there is within two minutes, or the time set by [`sync_timeout`](ControllerBuilder::sync_timeout),
    /// although the server does not refuse it.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops everything at once, running reconciles included.
    pub async fn run(&self, shutdown: impl Future<Output = ()> + Send) -> Result<()> {
        let mut shutdown = pin!(shutdown);
        let Ok(mut runs) = self.runs.try_lock() else {
            return Err(Error::other(format!("controller {} runs already", self.parts.name)));
        };
        let switch = &self.shared.switch;
        let running = switch.enter();
        loop {
            if !switch.is_wanted() {
                running.is(ControllerPhase::Stopped);
            }
            tokio::select! {
                biased;
                () = &mut shutdown => return Ok(()),
                () = switch.is_turned(true) => {}
            }
            let run = *runs;
            *runs += 1;
            let ended = self.run_once(run, &running, &mut shutdown).await;
            running.is(ControllerPhase::Stopped);
            if ended? == Ended::Shutdown {
                return Ok(());
            }
        }
    }

    /// From the first list until the stop, of this controller or of all.
    async fn run_once(
        &self,
        run: u64,
        running: &Running<'_>,
        shutdown: &mut Pin<&mut (impl Future<Output = ()> + Send)>,
    ) -> Result<Ended> {
        let Self { parts, shared, .. } = self;
        let Shared { sources, switch, trace, .. } = &**shared;
        running.is(ControllerPhase::Waiting);
        let queue = parts.queue();
        let _connected = Connected::new(shared, &queue);
        let (trace, debounce) = (Arc::clone(trace), parts.debounce);
        let only = Only { share: parts.share.clone(), gained: None };
        // Before anything is told: what is gained meanwhile is looked at later.
        let gains = parts.share.as_ref().map_or_else(Gains::none, Share::gains);
        let channel = Channel { queue: queue.clone(), trace, debounce, only };
        let (failures, mut failed) = mpsc::unbounded_channel();
        let options = parts.wire_options(failures);
        tokio::select! {
            biased;
            () = &mut *shutdown => return Ok(Ended::Shutdown),
            () = switch.is_turned(false) => return Ok(Ended::Stopped),
            Some(error) = failed.recv() => return Err(error),
            told = sources.all_told(&parts.name, parts.sync_timeout, &channel, &options) => told?,
        }
        running.is(ControllerPhase::Working);
        let cluster = Some(&*parts.cluster).filter(|name| !name.is_empty());
        let (controller, workers) = (&parts.name, parts.workers);
        tracing::info!(controller, cluster, workers, "starting workers");
        let broadcaster = parts.broadcaster(run);
        let worker = self.worker(run, queue.clone(), broadcaster.recorder());
        let send = |stop| (parts.events.send)(&broadcaster, &parts.client, stop);
        let crew = Crew::start(worker, parts.workers, send);
        // Nobody tells anything when the workers have ended.
        drop(broadcaster);
        let over = async {
            let ended = tokio::select! {
                biased;
                () = &mut *shutdown => Ok(Ended::Shutdown),
                () = switch.is_turned(false) => Ok(Ended::Stopped),
                Some(error) = failed.recv() => Err(error),
                () = sources.tend(&channel, &options, gains) => Ok(Ended::Shutdown),
            };
            running.is(ControllerPhase::Stopping);
            ended
        };
        let ended = crew.work_until(over).await;
        tracing::info!(controller = parts.name, "stopped");
        ended
    }

    fn worker(
        &self,
        run: u64,
        queue: RateLimitingQueue<Request>,
        recorder: EventRecorder,
    ) -> Worker {
        let Self { parts, shared, reconciler, .. } = self;
        let policy = parts.policy.clone();
        let seed = parts.seed.map_or_else(random_seed, |seed| of_run(seed, run));
        Worker {
            shared: Arc::clone(shared),
            queue,
            reconciler: Arc::clone(reconciler),
            part: parts.part(&recorder),
            ids: Ids::new(seed_for(seed, &parts.name)),
            policy,
            own: parts.name.as_str().into(),
        }
    }
}

/// The queue of a run and the sources that feed it. However the run ends: what is told goes nowhere, and the
/// next one begins anew.
struct Connected<'a> {
    shared: &'a Shared,
    queue: &'a RateLimitingQueue<Request>,
}

impl<'a> Connected<'a> {
    fn new(shared: &'a Shared, queue: &'a RateLimitingQueue<Request>) -> Self {
        shared.set_queue(Some(queue.clone()));
        // It looks at everything there is, and not at what has gone meanwhile.
        shared.failures.clear();
        Self { shared, queue }
    }
}

impl Drop for Connected<'_> {
    fn drop(&mut self) {
        self.queue.shut_down();
        self.shared.sources.disconnect();
        self.shared.set_queue(None);
    }
}

/// What an earlier run drew is taken.
fn of_run(seed: u64, run: u64) -> u64 {
    if run == 0 { seed } else { seed_for(seed, &format!("run {run}")) }
}

impl Parts {
    fn queue(&self) -> RateLimitingQueue<Request> {
        let order = match self.seed {
            Some(seed) => Order::Seeded(seed_for(seed, &self.name)),
            None => Order::default(),
        };
        let metrics = self.metrics.clone();
        let options = QueueOptions { name: self.name.clone(), order, metrics };
        (self.queue)(options)
    }

    fn part(&self, recorder: &EventRecorder) -> Part {
        let context = |client: &Client| {
            let (recorder, clock) = (recorder.clone(), self.clock.clone());
            Context::new(&self.name, &self.cluster, client, recorder, clock)
        };
        let Some(share) = &self.share else { return Part::All(context(&self.client)) };
        let contexts = (0..share.count()).map(|shard| context(&share.guard(shard, &self.client)));
        Part::Of(share.clone(), contexts.collect())
    }

    fn wire_options(&self, failures: mpsc::UnboundedSender<Error>) -> WireOptions {
        let (resync, annotation) = (self.resync, self.paused_by.clone());
        WireOptions { resync, annotation, failures: Some(failures) }
    }

    fn broadcaster(&self, run: u64) -> Broadcaster {
        let seed = self.seed.map(|seed| of_run(seed, run));
        let instance = self.events.instance.clone();
        Broadcaster::new(&self.name, RecorderOptions { seed, clock: self.clock.clone(), instance })
    }
}

impl fmt::Debug for Controller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Controller").field(&self.parts).field(&self.shared.sources).finish()
    }
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts")
            .field("name", &self.name)
            .field("workers", &self.workers)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}
