//! The classic path: informers and their factory, under the names of client-go.

use std::fmt;
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::task::JoinSet;
use watchkeeper_api::{Object, StaticKind};
use watchkeeper_client::{Client, Select};

use crate::cache::Cache;
use crate::change::Change;
use crate::classic::Queue;
use crate::error::Result;
use crate::hub::HandlerOptions;
use crate::item::Item;
use crate::lister::Lister;
use crate::lock::lock;
use crate::status::Status;
use crate::store::Store;
use crate::sync::Mutex;
use crate::watch::{Subscription, Watch};

/// A copy of the objects of one kind with handlers that are told of every change (upstream:
/// `SharedIndexInformer`).
///
/// A [`Watch`] under another name: the factory, or [`run`](Self::run), follows the server.
pub struct SharedInformer<K: Item> {
    watch: Watch<K>,
    cache: Cache,
    resync: Option<Duration>,
}

impl<K: StaticKind> SharedInformer<K> {
    /// An informer of its own, without a factory.
    #[must_use]
    pub fn new(client: &Client) -> Self {
        Self::only(client, Select::all())
    }
}

impl<K: Object> SharedInformer<K> {
    /// An informer of its own for some objects.
    #[must_use]
    pub fn only(client: &Client, select: Select<K>) -> Self {
        let cache = Cache::new(client);
        Self { watch: cache.watch_only(select), cache, resync: None }
    }

    /// An informer of its own on another queue, such as the classic one:
    ///
    /// ```no_run
    /// # use watchkeeper_api::core::v1::Pod;
    /// # use watchkeeper_client::{Client, Select};
    /// use watchkeeper_cache::SharedInformer;
    /// use watchkeeper_cache::classic::DeltaFifo;
    ///
    /// # fn f(client: Client) {
    /// let informer = SharedInformer::through(&client, Select::<Pod>::all(), |store| {
    ///     DeltaFifo::new().known_objects(store.clone())
    /// });
    /// # }
    /// ```
    #[must_use]
    pub fn through<Q: Queue<K> + 'static>(
        client: &Client,
        select: Select<K>,
        queue: impl FnOnce(&Store<K>) -> Q,
    ) -> Self {
        let cache = Cache::new(client);
        Self { watch: cache.watch_through(select, queue), cache, resync: None }
    }
}

impl<K: Item> SharedInformer<K> {
    /// Calls `handler` for everything there is and for every change, until the subscription is dropped;
    /// with the factory's resync period.
    pub fn add_event_handler(
        &self,
        handler: impl FnMut(&Change<K>) + Send + 'static,
    ) -> Subscription {
        let options = HandlerOptions { resync: self.resync, ..HandlerOptions::default() };
        self.add_event_handler_with(options, handler)
    }

    /// As [`add_event_handler`](Self::add_event_handler), with options of its own.
    pub fn add_event_handler_with(
        &self,
        options: HandlerOptions,
        handler: impl FnMut(&Change<K>) + Send + 'static,
    ) -> Subscription {
        self.watch.subscribe_with(options, handler)
    }

    /// Reads the copy.
    #[must_use]
    pub fn lister(&self) -> Lister<K> {
        Lister::new(self.watch.clone())
    }

    /// The same copy as a controller takes it.
    #[must_use]
    pub const fn watch(&self) -> &Watch<K> {
        &self.watch
    }

    /// Whether the first list is in the copy. A handler may still have some of it ahead
    /// ([`Subscription::has_synced`]).
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.watch.has_synced()
    }

    /// Waits until the first list is in the copy.
    ///
    /// # Errors
    /// [`is_stopped`](crate::Error::is_stopped) when that will not happen any more.
    ///
    /// # Cancel safety
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn synced(&self) -> Result<()> {
        self.watch.synced().await
    }

    /// How the copy is doing.
    #[must_use]
    pub fn status(&self) -> Status {
        self.watch.status()
    }

    /// Follows the server, for an informer without a factory; see [`Cache::run`].
    ///
    /// # Cancel safety
    /// Dropping the future stops everything, as with [`Cache::run`].
    pub async fn run(&self) {
        self.cache.run().await;
    }
}

impl<K: Item> Clone for SharedInformer<K> {
    fn clone(&self) -> Self {
        Self { watch: self.watch.clone(), cache: self.cache.clone(), resync: self.resync }
    }
}

impl<K: Item> fmt::Debug for SharedInformer<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SharedInformer({:?})", self.watch)
    }
}

/// Makes informers that share one connection a kind, however many ask.
///
/// ```no_run
/// # use std::time::Duration;
/// # use watchkeeper_api::core::v1::Pod;
/// # use watchkeeper_cache::SharedInformerFactory;
/// # use watchkeeper_client::Client;
/// # async fn f(client: Client) -> watchkeeper_cache::Result<()> {
/// let factory = SharedInformerFactory::new(&client).resync(Duration::from_secs(30));
/// let informer = factory.informer::<Pod>();
/// let pods = informer.lister();
/// let _subscription = informer.add_event_handler(|change| println!("{change}"));
/// let _running = factory.start();
/// factory.wait_for_cache_sync().await?;
/// println!("{} pods", pods.list().len());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct SharedInformerFactory {
    cache: Cache,
    resync: Option<Duration>,
    running: Arc<Mutex<Weak<Task>>>,
}

/// The task that drives a factory's cache; its end is that of the informers.
type Task = Mutex<JoinSet<()>>;

impl SharedInformerFactory {
    /// A factory of informers that read through `client`.
    #[must_use]
    pub fn new(client: &Client) -> Self {
        Self::over(Cache::new(client))
    }

    /// A factory over a cache, which may be used beside it. Either may run it.
    #[must_use]
    pub fn over(cache: Cache) -> Self {
        Self { cache, resync: None, running: Arc::default() }
    }

    /// Tells the handlers of informers made from now on of everything once more, so often.
    #[must_use]
    pub const fn resync(mut self, period: Duration) -> Self {
        self.resync = Some(period);
        self
    }

    /// The informer of a kind (C-72).
    #[must_use]
    pub fn informer<K: StaticKind>(&self) -> SharedInformer<K> {
        self.informer_for(Select::all())
    }

    /// The informer of some objects of a kind.
    #[must_use]
    pub fn informer_for<K: Object>(&self, select: Select<K>) -> SharedInformer<K> {
        let watch = self.cache.watch_only(select);
        SharedInformer { watch, cache: self.cache.clone(), resync: self.resync }
    }

    /// The cache underneath.
    #[must_use]
    pub const fn cache(&self) -> &Cache {
        &self.cache
    }

    /// Follows the server with every informer, also those made later, until the guard and its clones are
    /// dropped. While it runs, starting again gives another guard of the same run.
    ///
    /// # Panics
    /// Panics outside a tokio runtime.
    #[must_use = "dropping the guard stops the informers"]
    pub fn start(&self) -> Running {
        let mut running = lock(&self.running);
        let task = running.upgrade().unwrap_or_else(|| {
            let cache = self.cache.clone();
            let mut task = JoinSet::new();
            task.spawn(async move { cache.run().await });
            Arc::new(Mutex::new(task))
        });
        *running = Arc::downgrade(&task);
        Running { _task: task }
    }

    /// Waits until every informer has its first list.
    ///
    /// # Errors
    /// [`is_stopped`](crate::Error::is_stopped) when that will not happen any more; which is late, and why,
    /// is told by [`Cache::status`].
    ///
    /// # Cancel safety
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn wait_for_cache_sync(&self) -> Result<()> {
        self.cache.synced().await
    }
}

impl fmt::Debug for SharedInformerFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedInformerFactory")
            .field("cache", &self.cache)
            .field("resync", &self.resync)
            .finish_non_exhaustive()
    }
}

/// Informers that follow the server. Dropping the last clone stops them.
#[derive(Clone, Debug)]
#[must_use = "dropping the guard stops the informers"]
pub struct Running {
    _task: Arc<Task>,
}
