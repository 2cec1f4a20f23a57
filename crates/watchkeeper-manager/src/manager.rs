//! Starts everything in order, and stops it in reverse.

use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::{Object, Result, StaticKind};
use watchkeeper_cache::{Cache, Namespaces, Watch};
use watchkeeper_client::access::Need;
use watchkeeper_client::{Client, Select};
use watchkeeper_controller::{
    Clock, ControllerBuilder, ControllerHandle, IntoSource, ReconcileMetrics, Reconciler, Stop,
};
use watchkeeper_queue::MetricsProvider;

#[cfg(feature = "endpoints")]
use crate::endpoints::Endpoints;
use crate::leader::{ElectionMetrics, LeaderElector, host};
use crate::metrics::Metrics;
use crate::runnable::{Group, Registered, Registry, Runnable, Wrap};
use crate::sharding::Sharer;

mod clusters;
#[cfg(feature = "endpoints")]
mod endpoints;
mod replicas;
mod run;

use run::ClosedOnDrop;

/// How long running work may take to finish after a stop.
const GRACE: Duration = Duration::from_secs(30);
/// How long the caches may take to follow the server before the manager gives up.
const SYNC_TIMEOUT: Duration = Duration::from_mins(2);

/// Runs a cache and the controllers that read it as one.
///
/// ```no_run
/// # use watchkeeper_api::core::v1::Pod;
/// # use watchkeeper_controller::Action;
/// # use watchkeeper_manager::{Manager, signals};
/// # async fn example(client: watchkeeper_client::Client) -> watchkeeper_api::Result<()> {
/// let manager = Manager::new(&client);
/// let pods = manager.watch::<Pod>();
/// manager.controller("pods", &pods).with(pods).reconcile(async |pods, request, _ctx| {
///     if let Some(pod) = pods.get(&request).await? {
///         println!("{request} runs on {:?}", pod.spec.node_name);
///     }
///     Ok(Action::done())
/// });
/// manager.run(signals::shutdown()).await
/// # }
/// ```
///
/// Clones are handles of the same manager, to [`add`](Self::add) to it while it runs.
#[derive(Clone)]
pub struct Manager {
    /// Writes only while the lease is held, if there is an election.
    client: Client,
    unfenced: Client,
    cache: Cache,
    elector: Option<Arc<Result<LeaderElector>>>,
    sharer: Option<Arc<Result<Sharer>>>,
    registry: Arc<Registry>,
    /// Of which of several clusters; empty if there is but one.
    cluster: Arc<str>,
    seed: Option<u64>,
    clock: Clock,
    wrap: Option<Arc<Wrap>>,
    grace: Duration,
    sync_timeout: Duration,
    queue_metrics: Option<Arc<dyn MetricsProvider>>,
    reconcile_metrics: Option<Arc<dyn ReconcileMetrics>>,
    election_metrics: Option<Arc<dyn ElectionMetrics>>,
    /// All of them, for the clusters that it runs.
    metrics: Option<Metrics>,
    #[cfg(feature = "endpoints")]
    endpoints: Arc<Endpoints>,
}

impl Manager {
    /// A manager of what `client` connects to. Its own client is the one its cache observes, so
    /// that reads see what was written through it.
    #[must_use]
    pub fn new(client: &Client) -> Self {
        let cache = Cache::new(client);
        let client = client.clone().observed_by(cache.observer());
        Self {
            unfenced: client.clone(),
            client,
            cache,
            elector: None,
            sharer: None,
            registry: Arc::default(),
            cluster: Arc::default(),
            seed: None,
            clock: Clock::system(),
            wrap: None,
            grace: GRACE,
            sync_timeout: SYNC_TIMEOUT,
            queue_metrics: None,
            reconcile_metrics: None,
            election_metrics: None,
            metrics: None,
            #[cfg(feature = "endpoints")]
            endpoints: Arc::default(),
        }
    }

    /// Draws what is free to choose from this seed, as in
    /// [`ControllerBuilder::seed`]. To be called before watches and controllers are made.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.cache = self.cache.seed(seed);
        self.seed = Some(seed);
        self
    }

    /// What controllers date their events and conditions by; the system's clock unless said
    /// otherwise. To be called before controllers are made.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Puts something around the reconcile function of every controller made from here on: `wrap` gets the name of
    /// the controller and its function, and what it makes of it is called instead. What was put around before is
    /// within.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use watchkeeper_client::Client;
    /// # use watchkeeper_controller::{Context, Reconciler, Reconciling, Request};
    /// # use watchkeeper_manager::Manager;
    /// /// Says what every controller begins with.
    /// struct Chatty(String, Arc<dyn Reconciler>);
    ///
    /// impl Reconciler for Chatty {
    ///     fn reconcile(&self, request: Request, context: Context) -> Reconciling<'_> {
    ///         println!("{}: {request}", self.0);
    ///         self.1.reconcile(request, context)
    ///     }
    /// }
    ///
    /// # fn f(client: &Client) {
    /// let manager = Manager::new(client)
    ///     .wrap(|controller, inner| Arc::new(Chatty(controller.to_owned(), inner)));
    /// # }
    /// ```
    #[must_use]
    pub fn wrap<W>(mut self, wrap: W) -> Self
    where
        W: Fn(&str, Arc<dyn Reconciler>) -> Arc<dyn Reconciler> + Send + Sync + 'static,
    {
        self.wrap = Some(match self.wrap.take() {
            Some(within) => Arc::new(move |name, inner| wrap(name, within(name, inner))),
            None => Arc::new(wrap),
        });
        self
    }

    /// Measures what the manager does: the requests of its [client](Self::client) and of its cache, its
    /// informers, the queue and the reconciles of each controller, and whether it leads. To be called before
    /// [`leader_election`](Self::leader_election), and before watches and controllers are made.
    ///
    /// With the feature `prometheus`, `.metrics(Metrics::register(&mut registry))` registers them all
    /// ([`Metrics`] has an example).
    ///
    /// Credential plugins run below the client: their figures are those of
    /// [`Metrics::request_metrics`], handed to `watchkeeper_connect::Config::metrics`.
    #[must_use]
    pub fn metrics(mut self, metrics: Metrics) -> Self {
        self.metrics = Some(metrics.clone());
        let Metrics {
            name,
            requests,
            informers,
            queues,
            reconciles,
            elections,
            #[cfg(all(feature = "prometheus", feature = "tls"))]
            certificates,
            #[cfg(all(feature = "prometheus", feature = "webhooks"))]
            webhooks,
        } = metrics;
        if let Some(requests) = requests {
            self.cache = self.cache.request_metrics(Arc::clone(&requests));
            self.client = self.client.metrics(Arc::clone(&requests));
            self.unfenced = self.unfenced.metrics(requests);
        }
        if let Some(informers) = informers {
            self.cache = self.cache.metrics(name, informers);
        }
        self.queue_metrics = queues.or(self.queue_metrics);
        self.reconcile_metrics = reconciles.or(self.reconcile_metrics);
        self.election_metrics = elections.or(self.election_metrics);
        #[cfg(all(feature = "prometheus", feature = "tls"))]
        if let Some(reads) = certificates {
            self.endpoints.counted_by(reads);
        }
        #[cfg(all(feature = "prometheus", feature = "webhooks"))]
        if let Some(webhooks) = webhooks {
            self.endpoints.webhooks_told_to(webhooks);
        }
        self
    }

    /// How long runnables may take to finish after a stop; 30 seconds unless said otherwise. With zero they are
    /// ended where they are, and that is no error; [`Duration::MAX`] waits for ever.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// How long the cache may take to follow the server before [`run`](Self::run) fails; two
    /// minutes unless said otherwise.
    #[must_use]
    pub fn sync_timeout(mut self, timeout: Duration) -> Self {
        self.sync_timeout = timeout;
        self
    }

    /// How many bytes the objects of a watch may take, each watch by itself; as many as there are unless said
    /// otherwise. What that means is told by [`Cache::content_limit`]. Counts for watches made from here on.
    ///
    /// ```
    /// # use watchkeeper_api::core::v1::Secret;
    /// # use watchkeeper_client::Client;
    /// # use watchkeeper_manager::Manager;
    /// # fn f(client: &Client) {
    /// let manager = Manager::new(client).content_limit(64 << 20);
    /// let secrets = manager.watch::<Secret>();
    /// # }
    /// ```
    #[must_use]
    pub fn content_limit(mut self, bytes: usize) -> Self {
        self.cache = self.cache.content_limit(bytes);
        self
    }

    /// The seed for what is free to choose in a runnable of this name; none if the manager has no
    /// [`seed`](Self::seed).
    #[must_use]
    pub fn seed_for(&self, name: &str) -> Option<u64> {
        self.seed.map(|seed| watchkeeper_controller::seed_for(seed, name))
    }

    /// The client whose writes the manager's cache knows of. With an
    /// [election](Self::leader_election) it writes only while this replica leads.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The same without regard to an election: for what runs on every replica.
    #[must_use]
    pub fn unfenced_client(&self) -> &Client {
        &self.unfenced
    }

    /// The cache that the manager runs: for runnables that follow kinds they learn of later.
    #[must_use]
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// Follows all objects of a kind.
    pub fn watch<K: StaticKind>(&self) -> Watch<K> {
        self.watch_only(Select::all())
    }

    /// Follows the objects that `select` names.
    pub fn watch_only<K: Object>(&self, select: Select<K>) -> Watch<K> {
        let reason = format!("the manager follows {}", select.target().group_resource());
        self.registry.need(Need::to_follow_only(&self.client, &select, &reason));
        self.cache.watch_only(select)
    }

    /// Follows the objects that `select` names in some namespaces, which [can be changed](Namespaces::set)
    /// while the manager runs.
    ///
    /// ```
    /// # use watchkeeper_api::core::v1::ConfigMap;
    /// # use watchkeeper_client::{Client, Select};
    /// # use watchkeeper_controller::Action;
    /// # use watchkeeper_manager::Manager;
    /// # fn f(client: &Client) {
    /// let manager = Manager::new(client);
    /// let maps = manager.watch_namespaces(Select::<ConfigMap>::all(), ["shop", "bank"]);
    /// manager.controller("maps", &maps).with(maps).reconcile(async |maps, request, _ctx| {
    ///     let _map = maps.get(&request).await?;
    ///     Ok(Action::done())
    /// });
    /// # }
    /// ```
    pub fn watch_namespaces<K: Object, N: Into<String>>(
        &self,
        select: Select<K>,
        namespaces: impl IntoIterator<Item = N>,
    ) -> Namespaces<K> {
        let watched = self.cache.watch_namespaces(select.clone(), namespaces);
        let reason = format!("the manager follows {}", select.target().group_resource());
        for namespace in watched.namespaces() {
            let select = select.clone().namespace(namespace);
            self.registry.need(Need::to_follow_only(&self.client, &select, &reason));
        }
        watched
    }

    /// Says what else the program needs: for runnables, and for a lease of its own
    /// ([`Need::to_lead`]). It changes nothing but what [`needs`](Self::needs) tells.
    pub fn need(&self, needs: impl IntoIterator<Item = Need>) {
        self.registry.need(needs);
    }

    /// The permissions that the watches and controllers made so far say they need, each with its reason.
    ///
    /// A program prints them, as JSON, for the generator of its `ClusterRole`; what its tests really
    /// called is added there ([`access`](watchkeeper_client::access)).
    ///
    /// ```
    /// # use watchkeeper_api::core::v1::Pod;
    /// # use watchkeeper_client::{Client, access::{self, AccessRecorder}};
    /// # use watchkeeper_manager::Manager;
    /// # fn f(client: &Client) {
    /// let manager = Manager::new(client);
    /// let pods = manager.watch::<Pod>();
    /// // … the controllers
    /// let nothing_recorded = AccessRecorder::new();
    /// print!("{}", access::document("my-operator", &manager.needs(), &nothing_recorded));
    /// # }
    /// ```
    #[must_use]
    pub fn needs(&self) -> Vec<Need> {
        self.registry.needs()
    }

    /// Starts a controller of what `source` tells of; the manager runs it once it is finished with
    /// [`reconcile`](ControllerBuilder::reconcile), and hands out a [handle](ControllerHandle) of it.
    /// `name` must not be taken.
    pub fn controller<I: IntoSource>(
        &self,
        name: &str,
        source: I,
    ) -> ControllerBuilder<Registered> {
        let home = Registered {
            registry: Arc::clone(&self.registry),
            unfenced: self.unfenced.clone(),
            wrap: self.wrap.clone(),
        };
        let source = source.into_source();
        let limit = self.registry.limit_of(source.kind());
        let builder = ControllerBuilder::at_home(home, &self.client, name, source);
        let builder = builder.clock(self.clock.clone()).sync_timeout(self.sync_timeout);
        let builder = builder.cluster(&self.cluster);
        let builder = match &self.queue_metrics {
            Some(provider) => builder.metrics(Arc::clone(provider)),
            None => builder,
        };
        let builder = match &self.reconcile_metrics {
            Some(metrics) => builder.reconcile_metrics(Arc::clone(metrics)),
            None => builder,
        };
        let builder = match limit {
            Some(limit) => builder.workers(limit.most()).limit(&limit),
            None => builder,
        };
        let builder = match self.share() {
            Some(share) => builder.share(share),
            None => builder,
        };
        match self.seed {
            Some(seed) => builder.seed(seed),
            // Runs of one seed are the same on every machine.
            None => match host() {
                Some(host) => builder.event_instance(format!("{name}-{host}")),
                None => builder,
            },
        }
    }

    /// At most so many reconciles of objects of this kind at once, over all controllers made from now on that
    /// reconcile it, and so many workers for each of them unless it says otherwise (upstream:
    /// `GroupKindConcurrency`). Limits of other things are a [`Limit`](watchkeeper_controller::Limit).
    pub fn limit_kind<K: StaticKind>(&self, reconciles: usize) {
        self.registry.limit(K::static_kind(), reconciles);
    }

    /// The controllers made so far: to be asked how they are doing, stopped and started.
    ///
    /// ```
    /// # use watchkeeper_manager::Manager;
    /// # fn f(manager: &Manager) {
    /// for controller in manager.controllers() {
    ///     println!("{}", controller.status()); // foo: waits for deployments.apps: not synced, …
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn controllers(&self) -> Vec<ControllerHandle> {
        self.registry.controllers()
    }

    /// Runs something else beside the controllers: `async move |stop| { … }`. It starts when the
    /// cache is synced and this replica leads, or at once if that is so already.
    ///
    /// It may return early; if it fails, the manager stops.
    pub fn add<F, Fut, E>(&self, name: &str, run: F)
    where
        F: FnOnce(Stop) -> Fut + Send + 'static,
        Fut: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        self.registry.add(Runnable::once(name, Group::Leading, run));
    }

    /// The same of what can be started again, when this replica leads anew after it has
    /// [stepped down](crate::LeaderElection::step_down): `move |stop| async move { … }`.
    pub fn add_restartable<F, Fut, E>(&self, name: &str, run: F)
    where
        F: Fn(Stop) -> Fut + Send + 'static,
        Fut: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        self.registry.add(Runnable::again(name, Group::Leading, run));
    }

    /// The same of what runs on every replica, whoever leads. It writes with the
    /// [unfenced client](Self::unfenced_client).
    pub fn add_everywhere<F, Fut, E>(&self, name: &str, run: F)
    where
        F: FnOnce(Stop) -> Fut + Send + 'static,
        Fut: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        self.registry.add(Runnable::once(name, Group::Everywhere, run));
    }
}

impl fmt::Debug for Manager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Manager")
            .field("client", &self.client)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}
