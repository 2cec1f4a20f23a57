//! Starts everything in order, and stops it in reverse.

use std::collections::BTreeSet;
use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{JoinError, JoinSet};
use tokio::time::{sleep, timeout};
use watchkeeper_api::{Error, Object, Result, StaticKind};
use watchkeeper_cache::{Cache, Watch};
use watchkeeper_client::access::Need;
use watchkeeper_client::{Client, Select};
use watchkeeper_controller::{Clock, ControllerBuilder, IntoSource, Stop, Stopper};

use crate::runnable::{Registered, Registry, Runnable};

/// How long running work may take to finish after a stop.
const GRACE: Duration = Duration::from_secs(30);
/// How long the caches may take to follow the server before the manager gives up.
const SYNC_TIMEOUT: Duration = Duration::from_mins(2);
/// How often the manager tells what it still waits for.
const TELL_EVERY: Duration = Duration::from_secs(10);

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
    client: Client,
    cache: Cache,
    registry: Arc<Registry>,
    seed: Option<u64>,
    clock: Clock,
    grace: Duration,
    sync_timeout: Duration,
}

impl Manager {
    /// A manager of what `client` connects to. Its own client is the one its cache observes, so
    /// that reads see what was written through it.
    #[must_use]
    pub fn new(client: &Client) -> Self {
        let cache = Cache::new(client);
        Self {
            client: client.clone().observed_by(cache.observer()),
            cache,
            registry: Arc::default(),
            seed: None,
            clock: Clock::system(),
            grace: GRACE,
            sync_timeout: SYNC_TIMEOUT,
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

    /// How long runnables may take to finish after a stop; 30 seconds unless said otherwise.
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

    /// The seed for what is free to choose in a runnable of this name; none if the manager has no
    /// [`seed`](Self::seed).
    #[must_use]
    pub fn seed_for(&self, name: &str) -> Option<u64> {
        self.seed.map(|seed| watchkeeper_controller::seed_for(seed, name))
    }

    /// The client whose writes the manager's cache knows of.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
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
    /// [`reconcile`](ControllerBuilder::reconcile). `name` must not be taken.
    pub fn controller<I: IntoSource>(
        &self,
        name: &str,
        source: I,
    ) -> ControllerBuilder<Registered> {
        let home = Registered(Arc::clone(&self.registry));
        let builder = ControllerBuilder::at_home(home, &self.client, name, source);
        let builder = builder.clock(self.clock.clone()).sync_timeout(self.sync_timeout);
        match self.seed {
            Some(seed) => builder.seed(seed),
            None => builder,
        }
    }

    /// Runs something else beside the controllers: `async move |stop| { … }`. It starts when the
    /// cache is synced, or at once if the manager runs already.
    ///
    /// It may return early; if it fails, the manager stops.
    pub fn add<F, Fut, E>(&self, name: &str, run: F)
    where
        F: FnOnce(Stop) -> Fut + Send + 'static,
        Fut: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        self.registry.add(Runnable::new(name, run));
    }

    /// Runs until `shutdown` completes or a runnable fails, then stops everything in order.
    ///
    /// # Errors
    ///
    /// Fails with the error of the first runnable that failed; if two have the same name; if the
    /// cache is not synced in time; if runnables do not end within the grace period; if the manager
    /// was run before.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops everything at once.
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send) -> Result<()> {
        if !self.registry.begin() {
            return Err(Error::other("a manager can be run once"));
        }
        let mut shutdown = pin!(shutdown);
        let mut crew = Crew::new(self.grace);
        let cache = self.cache.clone();
        let mut caches = JoinSet::new();
        caches.spawn(async move { cache.run().await });
        let result = tokio::select! {
            biased;
            () = &mut shutdown => Ok(()),
            failed = self.work(&mut crew) => failed,
        };
        self.registry.close();
        tracing::info!("stopping");
        result.and(crew.stop().await)
    }

    /// Starts what was added and what will be; ends only with an error.
    async fn work(&self, crew: &mut Crew) -> Result<()> {
        self.cache_synced().await?;
        loop {
            for runnable in self.registry.take() {
                crew.start(runnable)?;
            }
            tokio::select! {
                biased;
                () = self.registry.added.notified() => {}
                Some(ended) = crew.tasks.join_next() => finished(ended)?,
            }
        }
    }

    /// Waits for the cache, and tells from time to time what it is that it waits for.
    async fn cache_synced(&self) -> Result<()> {
        let mut over = pin!(sleep(self.sync_timeout));
        loop {
            tokio::select! {
                biased;
                synced = self.cache.synced() => {
                    return synced.map_err(|stopped| Error::other(stopped.to_string()));
                }
                () = &mut over => break,
                () = sleep(TELL_EVERY) => {
                    tracing::warn!(waiting_for = self.late(), "the cache is not synced yet");
                }
            }
        }
        let (limit, late) = (self.sync_timeout, self.late());
        Err(Error::other(format!("the cache was not synced within {limit:?}: {late}")))
    }

    /// The watches that are not synced, each with the reason.
    fn late(&self) -> String {
        let status = self.cache.status();
        let late: Vec<_> = status.iter().filter(|s| !s.synced).map(ToString::to_string).collect();
        late.join("; ")
    }
}

/// The runnables that run.
struct Crew {
    tasks: JoinSet<(String, Result<()>)>,
    names: BTreeSet<String>,
    stop: Stopper,
    stopped: Stop,
    grace: Duration,
}

impl Crew {
    fn new(grace: Duration) -> Self {
        let (stop, stopped) = Stop::channel();
        Self { tasks: JoinSet::new(), names: BTreeSet::new(), stop, stopped, grace }
    }

    fn start(&mut self, runnable: Runnable) -> Result<()> {
        let name = runnable.name.clone();
        if !self.names.insert(name.clone()) {
            return Err(Error::other(format!("two controllers or runnables are called {name}")));
        }
        tracing::debug!(runnable = name, "starting");
        let running = runnable.start(self.stopped.clone());
        self.tasks.spawn(async move { (name, running.await) });
        Ok(())
    }

    /// Waits until all have ended, but not longer than the grace period.
    async fn stop(mut self) -> Result<()> {
        self.stop.stop();
        let mut result = Ok(());
        let all_ended = async {
            while let Some(ended) = self.tasks.join_next().await {
                let ended = finished(ended);
                result = std::mem::replace(&mut result, Ok(())).and(ended);
            }
        };
        match timeout(self.grace, all_ended).await {
            Ok(()) => result,
            Err(_) => result.and(Err(Error::other(format!(
                "failed waiting for all runnables to end within the grace period of {:?}",
                self.grace
            )))),
        }
    }
}

/// How a runnable ended; a panic is an error, too.
fn finished(ended: Result<(String, Result<()>), JoinError>) -> Result<()> {
    match ended {
        Ok((name, Ok(()))) => {
            tracing::debug!(runnable = name, "ended");
            Ok(())
        }
        Ok((name, Err(error))) => {
            tracing::error!(runnable = name, %error, "failed");
            Err(error)
        }
        Err(error) => Err(Error::other(format!("a runnable broke down: {error}"))),
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
