//! A controller from outside, while it runs.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use watchkeeper_api::{Kind, ObjectKey};
use watchkeeper_queue::RateLimitingQueue;

use crate::failing::{Failing, Failures};
use crate::figures::{Counters, Figures};
use crate::mapping;
use crate::metrics::Stopwatch;
use crate::request::Request;
use crate::source::{IntoSource, Mapped};
use crate::sources::{SourceId, SourceStatus, Sources};
use crate::switch::{ControllerPhase, Switch};
use crate::trace::{Trace, Why};
use crate::trigger::Trigger;

/// A controller from outside: to stop and start it alone, to give it sources and take them away, to ask how it
/// is doing and why it looks at an object. Clones are handles of the same controller.
///
/// [`Controller::handle`](crate::Controller::handle) makes one; a manager hands one out for each controller.
///
/// ```no_run
/// # use watchkeeper_api::{ObjectKey, core::v1::{ConfigMap, Secret}};
/// # use watchkeeper_cache::Cache;
/// # use watchkeeper_controller::ControllerHandle;
/// # async fn f(handle: ControllerHandle, cache: Cache) {
/// println!("{}", handle.status()); // maps: waits for secrets: not synced, …
/// if let Some(why) = handle.why(("shop", "a")) {
///     println!("{why}"); // last: configmaps: shop/a updated @12
/// }
/// let secrets = cache.watch::<Secret>();
/// let added = handle.watches(&secrets, |secret| Some(ObjectKey::from(("shop", secret.metadata.name.as_str()))));
/// handle.remove(added);
/// handle.restart().await;
/// # }
/// ```
#[derive(Clone)]
pub struct ControllerHandle {
    shared: Arc<Shared>,
}

/// What a controller and its handles share.
pub(crate) struct Shared {
    pub(crate) name: String,
    /// In which of several clusters; empty if there is but one.
    pub(crate) cluster: Arc<str>,
    /// Of what is reconciled.
    pub(crate) kind: Kind,
    pub(crate) workers: usize,
    pub(crate) sources: Sources,
    pub(crate) trace: Arc<Trace>,
    pub(crate) failures: Failures,
    pub(crate) counters: Counters,
    /// If somebody wants to know how long reconciles take.
    pub(crate) stopwatch: Option<Stopwatch>,
    pub(crate) switch: Switch,
    /// Of the run under way.
    pub(crate) queue: Mutex<Option<RateLimitingQueue<Request>>>,
}

impl Shared {
    pub(crate) fn set_queue(&self, queue: Option<RateLimitingQueue<Request>>) {
        *self.queue.lock().unwrap_or_else(PoisonError::into_inner) = queue;
    }
}

/// How a controller is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControllerStatus {
    /// The controller.
    pub name: String,
    /// What it is doing.
    pub phase: ControllerPhase,
    /// What it listens to.
    pub sources: Vec<SourceStatus>,
    /// How many objects it reconciles at once at most.
    pub workers: usize,
    /// How many objects wait for a worker.
    pub queued: usize,
    /// How many wait for their time.
    pub delayed: usize,
    /// How its reconciles went.
    pub figures: Figures,
}

impl ControllerHandle {
    pub(crate) const fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// What the controller is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// How it is doing, and what it waits for.
    #[must_use]
    pub fn status(&self) -> ControllerStatus {
        let shared = &*self.shared;
        let queue = shared.queue.lock().unwrap_or_else(PoisonError::into_inner).clone();
        ControllerStatus {
            name: shared.name.clone(),
            phase: shared.switch.phase(),
            sources: shared.sources.status(),
            workers: shared.workers,
            queued: queue.as_ref().map_or(0, RateLimitingQueue::len),
            delayed: queue.as_ref().map_or(0, RateLimitingQueue::delayed),
            figures: shared.counters.figures(),
        }
    }

    /// Why an object was reconciled last, and why it will be again. The reconcile function is never told: it
    /// looks at what is. Known of the thousand objects that something happened to last, eight causes of each
    /// run.
    #[must_use]
    pub fn why(&self, key: impl Into<ObjectKey>) -> Option<Why> {
        self.shared.trace.why(&key.into().into())
    }

    /// The objects whose last reconcile failed, in the order of their names: at most the thousand that failed
    /// last. One that only met a newer object is among them until it has been tried again; one that another
    /// process has taken over is not.
    ///
    /// ```no_run
    /// # fn f(handle: watchkeeper_controller::ControllerHandle) {
    /// for failing in handle.failing() {
    ///     println!("{failing}"); // shop/a failed 3 times: the price list is empty
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn failing(&self) -> Vec<Failing> {
        self.shared.failures.list()
    }

    /// Stops this controller, and no other: running reconciles are finished and no more are begun. Waits until
    /// that is so, or somebody has [started](Self::start) it again. What is queued is forgotten: a start looks
    /// at everything again.
    ///
    /// # Deadlocks
    ///
    /// A reconcile function that waits for the stop of its own controller waits for itself, and for ever: it
    /// has to be waited for elsewhere, in a task of its own.
    ///
    /// # Cancel safety
    ///
    /// The controller stops, whether or not that is waited for.
    pub async fn stop(&self) {
        self.shared.switch.off().await;
    }

    /// Starts it again after a [stop](Self::stop), if somebody runs it: its manager, or
    /// [`Controller::run`](crate::Controller::run).
    pub fn start(&self) {
        self.shared.switch.on();
    }

    /// Stops and starts it. If somebody else starts it meanwhile, the run under way may go on.
    ///
    /// # Deadlocks
    ///
    /// As for [`stop`](Self::stop).
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped, the controller may be stopped, and stay so.
    pub async fn restart(&self) {
        self.stop().await;
        self.start();
    }

    /// Waits until it reconciles: it runs, and every source has told what there is.
    ///
    /// # Cancel safety
    ///
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn working(&self) {
        self.shared.switch.reaches(ControllerPhase::Working).await;
    }

    /// From now on reconciles an object also when something changes that it controls: as
    /// [`ControllerBuilder::owns`](crate::ControllerBuilder::owns).
    pub fn owns<I: IntoSource>(&self, source: I) -> SourceId {
        let kind = self.shared.kind.clone();
        let map = move |change: &_| mapping::controllers(&kind, change);
        self.shared
            .sources
            .add(Arc::new(Mapped { source: source.into_source(), map: Arc::new(map) }))
    }

    /// From now on reconciles the objects that `map` names when something changes: as
    /// [`ControllerBuilder::watches`](crate::ControllerBuilder::watches). Workers do not wait for what there
    /// is at the start.
    pub fn watches<I, M, Keys>(&self, source: I, map: M) -> SourceId
    where
        I: IntoSource,
        M: Fn(&I::Object) -> Keys + Send + Sync + 'static,
        Keys: IntoIterator,
        Keys::Item: Into<ObjectKey>,
    {
        let map = move |change: &_| mapping::mapped(&map, change);
        self.shared
            .sources
            .add(Arc::new(Mapped { source: source.into_source(), map: Arc::new(map) }))
    }

    /// From now on reconciles what the program asks for.
    pub fn triggered_by(&self, trigger: &Trigger) -> SourceId {
        self.shared.sources.add(Arc::new(trigger.inbox()))
    }

    /// Takes a source away, whoever gave it: [`status`](Self::status) tells them all. It tells nothing more,
    /// and its watch ends if nobody else holds it. Who asks it whether an object is
    /// [paused](crate::ControllerBuilder::paused_by) holds the first. False if there is none of that id.
    #[expect(clippy::must_use_candidate, reason = "who removes need not know whether it was there")]
    pub fn remove(&self, source: SourceId) -> bool {
        self.shared.sources.remove(source)
    }
}

/// `maps: works, 2 queued, 0 later, 1 of 4 workers busy`, or what it waits for.
impl fmt::Display for ControllerStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, queued, delayed, workers, figures, .. } = self;
        write!(f, "{name}: ")?;
        match self.phase {
            ControllerPhase::Idle => {
                f.write_str("not begun: nobody runs it, or a manager that waits for its copies")
            }
            ControllerPhase::Stopped => f.write_str("stopped"),
            ControllerPhase::Stopping => f.write_str("finishes what is under way"),
            ControllerPhase::Working => write!(
                f,
                "works, {queued} queued, {delayed} later, {} of {workers} workers busy",
                figures.active
            ),
            ControllerPhase::Waiting => {
                let late = self.sources.iter().filter(|source| !source.told_all);
                let late: Vec<_> = late.map(ToString::to_string).collect();
                write!(f, "waits for {}", late.join("; "))
            }
        }
    }
}

impl fmt::Debug for ControllerHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ControllerHandle({})", self.shared.name)
    }
}
