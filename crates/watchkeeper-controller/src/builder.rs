//! Says what a controller reconciles, when and how.

use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::core::v1::Event;
use watchkeeper_api::{Error, Kind, ObjectKey, StaticKind};
use watchkeeper_cache::Change;
use watchkeeper_client::Client;
use watchkeeper_client::access::Need;
use watchkeeper_queue::MetricsProvider;

use crate::action::Action;
use crate::clock::Clock;
use crate::context::Context;
use crate::controller::{Controller, Events, Parts, send_core, send_series, usual_queue};
use crate::events::EventApi;
use crate::failure::Failure;
use crate::feed::Feed;
use crate::mapping;
use crate::metrics::ReconcileMetrics;
use crate::needs;
use crate::reconciler::{CapturesNothing, ReconcileFn, Reconciler, Stateful, Stateless};
use crate::request::Request;
use crate::share::Share;
use crate::source::{Custom, IntoSource, Mapped, Telltale, Wire};
use crate::trigger::Trigger;
use crate::worker::Policy;

mod policy;

/// How long the sources may take to tell all there is.
const SYNC_TIMEOUT: Duration = Duration::from_mins(2);

/// A controller in the making, from [`Controller::new`] or a manager.
///
/// It ends with [`reconcile`](Self::reconcile); what that returns is the [`Home`]'s business: a
/// controller that stands alone is handed out, a manager keeps it.
#[must_use = "a controller without `reconcile` does nothing"]
pub struct ControllerBuilder<H, S = NoState> {
    home: H,
    state: S,
    parts: Parts,
}

/// The reconcile function has no state.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoState;

/// The reconcile function is lent this state.
#[derive(Clone, Copy, Debug)]
pub struct WithState<S>(S);

/// Who gets the finished controller.
pub trait Home {
    /// What [`ControllerBuilder::reconcile`] returns.
    type Output;

    /// Takes the controller in.
    fn take(self, controller: Controller) -> Self::Output;
}

/// The caller gets the controller and runs it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standalone;

impl Home for Standalone {
    type Output = Controller;

    fn take(self, controller: Controller) -> Controller {
        controller
    }
}

impl<H: Home> ControllerBuilder<H> {
    /// Starts a controller of what `source` tells of; for those who have a home of their own.
    /// Others call [`Controller::new`].
    pub fn at_home<I: IntoSource>(home: H, client: &Client, name: &str, source: I) -> Self {
        let source = source.into_source();
        let kind = source.kind().clone();
        let mut needs = needs::of(&source, &format!("the controller {name} reconciles"));
        let namespaces = source.namespaces();
        needs.extend(needs::of_events(client, namespaces.as_deref(), name, &Event::KIND));
        let parts = Parts {
            name: name.to_owned(),
            client: client.clone(),
            kind,
            wires: vec![Arc::new(Mapped { source, map: Arc::new(mapping::itself::<I::Object>) })],
            policy: Policy::default(),
            paused_by: None,
            debounce: None,
            queue: Box::new(usual_queue),
            workers: NonZeroUsize::MIN,
            seed: None,
            clock: Clock::system(),
            sync_timeout: SYNC_TIMEOUT,
            resync: None,
            metrics: None,
            reconcile_metrics: None,
            events: Events::default(),
            cluster: Arc::default(),
            everywhere: false,
            share: None,
            needs,
            namespaces,
        };
        Self { home, state: NoState, parts }
    }

    /// Lends `state` to every call of the reconcile function: a watch, a tuple of them, a struct
    /// whose method is the function.
    pub fn with<T>(self, state: T) -> ControllerBuilder<H, WithState<T>> {
        let Self { home, state: NoState, parts } = self;
        ControllerBuilder { home, state: WithState(state), parts }
    }

    /// Finishes the controller with its function: `async |request, ctx| …`.
    ///
    /// The function captures nothing: what it uses from outside is lent to it, [`with`](Self::with)
    /// says what. A function that captures does not compile:
    ///
    /// ```compile_fail,E0597
    /// # use watchkeeper_api::core::v1::Pod;
    /// # use watchkeeper_cache::Watch;
    /// # use watchkeeper_client::Client;
    /// # use watchkeeper_controller::{Action, Controller};
    /// fn controller(client: &Client, pods: Watch<Pod>) -> Controller {
    ///     Controller::new(client, "pods", &pods).reconcile(async |request, _ctx| {
    ///         let _pod = pods.get(&request).await?; // `pods` does not live long enough
    ///         Ok(Action::done())
    ///     })
    /// }
    /// ```
    ///
    /// Nor does one that captures an argument (`pods: &Watch<Pod>`), of which the compiler only
    /// says that borrowed data escapes. Either is mended in the same way:
    ///
    /// ```
    /// # use watchkeeper_api::core::v1::Pod;
    /// # use watchkeeper_cache::Watch;
    /// # use watchkeeper_client::Client;
    /// # use watchkeeper_controller::{Action, Controller};
    /// fn controller(client: &Client, pods: &Watch<Pod>) -> Controller {
    ///     Controller::new(client, "pods", pods).with(pods.clone()).reconcile(
    ///         async |pods, request, _ctx| {
    ///             let _pod = pods.get(&request).await?;
    ///             Ok(Action::done())
    ///         },
    ///     )
    /// }
    /// ```
    pub fn reconcile<F>(self, function: F) -> H::Output
    where
        F: AsyncFn(Request, Context) -> Result<Action, Failure> + Send + Sync,
        F: CapturesNothing, // else `.with(state).reconcile(async |state, request, ctx| …)`
    {
        self.reconciler(Stateless(function))
    }
}

impl<H: Home, T: Send + Sync + 'static> ControllerBuilder<H, WithState<T>> {
    /// Finishes the controller with its function: `async |state, request, ctx| …`, or a method of
    /// the state, as in `.with(foos).reconcile(Foos::reconcile)`.
    pub fn reconcile<F>(self, function: F) -> H::Output
    where
        F: AsyncFn(&T, Request, Context) -> Result<Action, Failure> + Send + Sync,
        F: for<'a> ReconcileFn<'a, T> + 'static, // else `.with((state, captured))`
    {
        let Self { home, state: WithState(state), parts } = self;
        let stateless = ControllerBuilder { home, state: NoState, parts };
        stateless.reconciler(Stateful { state, function })
    }
}

impl<H: Home> ControllerBuilder<H> {
    /// Finishes the controller with a reconciler of any type: the form for wrappers.
    pub fn reconciler(self, reconciler: impl Reconciler) -> H::Output {
        self.home.take(Controller::from_parts(self.parts, Arc::new(reconciler)))
    }
}

impl<H, S> ControllerBuilder<H, S> {
    /// Reconciles an object also when something changes that it controls, as told by the owner
    /// reference. This abbreviates [`watches`](Self::watches) with the controller's key, if the
    /// controller is of the kind reconciled here, whatever its version.
    pub fn owns<I: IntoSource>(self, source: I) -> Self {
        self.wire_owned(source, mapping::controllers)
    }

    /// The same for any owner, also one that does not control the object (upstream: `MatchEveryOwner`).
    pub fn owns_with_others<I: IntoSource>(self, source: I) -> Self {
        self.wire_owned(source, mapping::owners)
    }

    fn wire_owned<I: IntoSource>(
        mut self,
        source: I,
        map: fn(&Kind, &Change<I::Object>) -> Vec<Request>,
    ) -> Self {
        let kind = self.parts.kind.clone();
        let source = source.into_source();
        let reason = format!("the controller {} owns", self.parts.name);
        self.parts.needs.extend(needs::of(&source, &reason));
        let blocks = Need::to_block_deletion(&kind, &needs::said(&reason, source.kind()));
        self.parts.needs.extend(needs::within(&[blocks], self.parts.namespaces.as_deref()));
        let map = move |change: &_| map(&kind, change);
        self.wire(Mapped { source, map: Arc::new(map) });
        self
    }

    /// Reconciles the objects that `map` names when something changes: those of the old state and
    /// those of the new one. `map` may return an `Option`, a list, or any other iterator of keys.
    pub fn watches<I, M, Keys>(mut self, source: I, map: M) -> Self
    where
        I: IntoSource,
        M: Fn(&I::Object) -> Keys + Send + Sync + 'static,
        Keys: IntoIterator,
        Keys::Item: Into<ObjectKey>,
    {
        let source = source.into_source();
        let reason = format!("the controller {} watches", self.parts.name);
        self.parts.needs.extend(needs::of(&source, &reason));
        let map = move |change: &_| mapping::mapped(&map, change);
        self.wire(Mapped { source, map: Arc::new(map) });
        self
    }

    /// Reconciles also what the program asks for, from now on, whether or not the controller runs (upstream:
    /// `WatchesRawSource` with a `Channel`).
    pub fn triggered_by(mut self, trigger: &Trigger) -> Self {
        self.wire(trigger.inbox());
        self
    }

    /// Reconciles also what a function of one's own asks for: it runs as long as the controller does, and is
    /// begun again with it. For what no watch tells of: a bucket, a queue, a clock (upstream: `source.Func`).
    ///
    /// The controller begins its work when the function has said that it [told all](Feed::told_all) there was,
    /// or has ended. If it fails, or panics, so does the controller.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use watchkeeper_api::core::v1::ConfigMap;
    /// # use watchkeeper_cache::Watch;
    /// # use watchkeeper_client::Client;
    /// # use watchkeeper_controller::{Action, Controller, Feed};
    /// # fn f(client: &Client, maps: &Watch<ConfigMap>) {
    /// let controller = Controller::new(client, "maps", maps)
    ///     .source("clock", async |feed: Feed| {
    ///         feed.told_all();
    ///         for _hour in 0..24 {
    ///             tokio::time::sleep(Duration::from_secs(3600)).await;
    ///             feed.request(("shop", "hourly"));
    ///         }
    ///         Ok::<(), std::io::Error>(())
    ///     })
    ///     .reconcile(async |_request, _ctx| Ok(Action::done()));
    /// # drop(controller);
    /// # }
    /// ```
    pub fn source<F, Fut, E>(mut self, name: &str, run: F) -> Self
    where
        F: Fn(Feed) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        let run = move |feed| -> Telltale {
            let running = run(feed);
            Box::pin(async move {
                running.await.map_err(|error| Error::other(error.into().to_string()))
            })
        };
        self.wire(Custom { name: name.to_owned(), run });
        self
    }

    /// Says that the reconcile function applies objects of this type, under the controller's name as field
    /// manager, in the namespace of its client or in those of what it reconciles, if it is of some. It changes nothing
    /// but what [`Controller::needs`] tells.
    pub fn applies<K: StaticKind>(mut self) -> Self {
        let reason = format!("the controller {} applies", self.parts.name);
        let api = self.parts.client.api::<K>();
        let kind = api.kind();
        let needs = Need::to_apply(kind, &needs::said(&reason, kind));
        let needs = match api.in_namespace() {
            Some(namespace) => needs.into_iter().map(|need| need.within(Some(namespace))).collect(),
            None if kind.is_namespaced() => needs::within(&needs, self.parts.namespaces.as_deref()),
            None => needs,
        };
        self.parts.needs.extend(needs);
        self
    }

    /// Says what else the reconcile function needs. It changes nothing but what [`Controller::needs`]
    /// tells.
    ///
    /// ```
    /// # use watchkeeper_api::core::v1::{ConfigMap, Pod};
    /// # use watchkeeper_cache::Watch;
    /// # use watchkeeper_client::Client;
    /// use watchkeeper_client::Verb;
    /// use watchkeeper_client::access::Need;
    /// use watchkeeper_controller::{Action, Controller};
    ///
    /// # fn f(client: &Client, maps: &Watch<ConfigMap>) {
    /// let controller = Controller::new(client, "maps", maps)
    ///     .needing(Need::all(&Pod::KIND, [Verb::Delete], "pods of maps that are gone are deleted"))
    ///     .reconcile(async |_request, _ctx| Ok(Action::done()));
    /// assert!(controller.needs().iter().any(|need| need.permission.to_string() == "delete pods"));
    /// # }
    /// ```
    pub fn needing(mut self, needs: impl IntoIterator<Item = Need>) -> Self {
        self.parts.needs.extend(needs);
        self
    }

    /// Draws what is free to choose from this seed: the order of ready objects, the names of
    /// events. For tests that repeat a run; without it the oldest object goes first.
    pub fn seed(mut self, seed: u64) -> Self {
        self.parts.seed = Some(seed);
        self
    }

    /// Records events in this API; in core/v1 unless said otherwise.
    ///
    /// ```
    /// # use watchkeeper_api::core::v1::ConfigMap;
    /// # use watchkeeper_cache::Watch;
    /// # use watchkeeper_client::Client;
    /// # use watchkeeper_controller::events::{EventApi, Occurrence};
    /// # use watchkeeper_controller::{Action, Controller, Normal};
    /// # fn f(client: &Client, maps: &Watch<ConfigMap>) {
    /// let controller = Controller::new(client, "maps", maps)
    ///     .events(EventApi::Series)
    ///     .with(maps.clone())
    ///     .reconcile(async |maps, request, ctx| {
    ///         if let Some(map) = maps.get(&request).await? {
    ///             ctx.record(Occurrence::of(&map, Normal, "Seen", "it is there").action("Looking"));
    ///         }
    ///         Ok(Action::done())
    ///     });
    /// # drop(controller);
    /// # }
    /// ```
    pub fn events(mut self, api: EventApi) -> Self {
        let Parts { name, client, namespaces, needs, events, .. } = &mut self.parts;
        let kind = match api {
            EventApi::Core => Event::KIND,
            EventApi::Series => watchkeeper_api::events::v1::Event::KIND,
        };
        events.send = match api {
            EventApi::Core => send_core,
            EventApi::Series => send_series,
        };
        needs.retain(|need| need.reason != needs::for_events(name));
        needs.extend(needs::of_events(client, namespaces.as_deref(), name, &kind));
        self
    }

    /// Which replica this is, in events of [`EventApi::Series`]: a manager says the controller's name and that
    /// of its host. The controller's name unless it is said.
    pub fn event_instance(mut self, instance: impl Into<String>) -> Self {
        self.parts.events.instance = Some(instance.into());
        self
    }

    /// What the controller's events and [`Context::now`] are dated by; the system's clock unless
    /// said otherwise.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.parts.clock = clock;
        self
    }

    /// How long the sources may take to tell all there is before the controller gives up; two
    /// minutes unless said otherwise. A source that the server refuses is waited for without end.
    pub fn sync_timeout(mut self, timeout: Duration) -> Self {
        self.parts.sync_timeout = timeout;
        self
    }

    /// Tells `provider` of the controller's queue, under the controller's name, while the controller runs. A manager
    /// does that for all of its controllers. With the feature `prometheus` of `watchkeeper-queue`, its
    /// `PrometheusMetrics` is a provider.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use watchkeeper_api::core::v1::ConfigMap;
    /// # use watchkeeper_cache::Watch;
    /// # use watchkeeper_client::Client;
    /// # use watchkeeper_controller::{Action, Controller};
    /// # use watchkeeper_queue::MetricsProvider;
    /// # fn f(client: &Client, maps: &Watch<ConfigMap>, provider: Arc<dyn MetricsProvider>) {
    /// let controller = Controller::new(client, "maps", maps)
    ///     .metrics(provider)
    ///     .reconcile(async |_request, _ctx| Ok(Action::done()));
    /// # drop(controller);
    /// # }
    /// ```
    pub fn metrics(mut self, provider: Arc<dyn MetricsProvider>) -> Self {
        self.parts.metrics = Some(provider);
        self
    }

    /// Tells `metrics` of the controller: how its reconciles go, and how long they take. A manager does that for
    /// all of its controllers. With the feature `prometheus`, a `PrometheusMetrics` takes it.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use watchkeeper_api::core::v1::ConfigMap;
    /// # use watchkeeper_cache::Watch;
    /// # use watchkeeper_client::Client;
    /// # use watchkeeper_controller::{Action, Controller, ReconcileMetrics};
    /// # fn f(client: &Client, maps: &Watch<ConfigMap>, metrics: Arc<dyn ReconcileMetrics>) {
    /// let controller = Controller::new(client, "maps", maps)
    ///     .reconcile_metrics(metrics)
    ///     .reconcile(async |_request, _ctx| Ok(Action::done()));
    /// # drop(controller);
    /// # }
    /// ```
    pub fn reconcile_metrics(mut self, metrics: Arc<dyn ReconcileMetrics>) -> Self {
        self.parts.reconcile_metrics = Some(metrics);
        self
    }

    /// Reconciles every object again so often, even if nothing changes; never unless said
    /// otherwise. For objects that depend on what no watch tells of.
    pub fn resync(mut self, period: Duration) -> Self {
        self.parts.resync = Some(period);
        self
    }

    /// Runs the controller on every replica of the process, whoever leads, with writes that no lease is asked
    /// for (upstream: `NeedLeaderElection: false`). Without an [election] that is nothing else than before.
    ///
    /// [election]: https://kubernetes.io/docs/concepts/architecture/leases/
    pub fn everywhere(mut self) -> Self {
        self.parts.everywhere = true;
        self.parts.share = None;
        self
    }

    /// Reconciles only the objects in the shards that this process holds, and all of a shard's when that is
    /// gained; what is under way when one is lost is dropped. What it writes goes by the share's client of
    /// that shard: the reconcile function has to write with its [`Context`]. A manager with sharding gives
    /// its share to each of its controllers.
    pub fn share(mut self, share: &Share) -> Self {
        self.parts.share = Some(share.clone());
        self
    }

    /// Reconciles all objects in one process, though others of the manager share theirs: where the lease is
    /// held, or in every process if there is no election.
    pub fn whole(mut self) -> Self {
        self.parts.share = None;
        self
    }

    /// Says in which of several clusters the controller works: its function is [told](Context::cluster), and so
    /// are traces. A manager that runs several clusters says it of the controllers in each.
    pub fn cluster(mut self, name: &str) -> Self {
        self.parts.cluster = name.into();
        self
    }

    fn wire(&mut self, wire: impl Wire + 'static) {
        self.parts.wires.push(Arc::new(wire));
    }
}

impl<H, S> fmt::Debug for ControllerBuilder<H, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ControllerBuilder").field("parts", &self.parts).finish_non_exhaustive()
    }
}
