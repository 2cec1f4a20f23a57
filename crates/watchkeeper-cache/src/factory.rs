//! Informers that share what they can, under the names of client-go.

use std::fmt::{self, Display};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::task::JoinSet;
#[cfg(feature = "packed")]
use watchkeeper_api::Writable;
use watchkeeper_api::{Object, StaticKind, Unstructured};
use watchkeeper_client::{Client, PartialObject, Select};

use crate::cache::Cache;
use crate::error::Result;
use crate::informer::SharedInformer;
use crate::intake::{NotWhole, Transformed};
use crate::latest::Latest;
use crate::lock::lock;
use crate::namespaces::Namespaces;
#[cfg(feature = "packed")]
use crate::packed::Packed;
use crate::status::Status;
use crate::sync::Mutex;

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

/// What drives a factory's cache; its end is that of the informers.
#[derive(Debug)]
struct Task {
    _running: Mutex<JoinSet<()>>,
    /// Everything below has ended.
    ended: Arc<Latest<bool>>,
}

impl Task {
    fn start(cache: Cache) -> Self {
        let ended = Arc::new(Latest::new(false));
        let end = Ended(Arc::clone(&ended));
        let mut running = JoinSet::new();
        running.spawn(async move {
            let _end = end;
            cache.run().await;
        });
        Self { _running: Mutex::new(running), ended }
    }
}

/// Tells the end, however it comes.
struct Ended(Arc<Latest<bool>>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.change(|ended| *ended = true);
    }
}

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

    /// Tells the handlers of informers made from now on of everything once more, so often: a second apart at
    /// least, and never if it is zero.
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

    /// The objects of some namespaces as one, and which ones can be [changed](Namespaces::set) at any time; the
    /// namespace of `select` counts for nothing. Its handlers have the factory's resync period, and those who
    /// wait for the factory wait for it, too.
    ///
    /// ```no_run
    /// # use watchkeeper_api::core::v1::Pod;
    /// # use watchkeeper_cache::SharedInformerFactory;
    /// # use watchkeeper_client::Select;
    /// # async fn f(factory: SharedInformerFactory) -> watchkeeper_cache::Result<()> {
    /// let pods = factory.namespaces(Select::<Pod>::all(), ["shop", "bank"]);
    /// let _subscription = pods.subscribe(|change| println!("{change}"));
    /// let _running = factory.start();
    /// factory.wait_for_cache_sync().await?;
    /// pods.set(["shop", "mill"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn namespaces<K: Object, N: Into<String>>(
        &self,
        select: Select<K>,
        namespaces: impl IntoIterator<Item = N>,
    ) -> Namespaces<K> {
        Namespaces::of(&self.cache, select, namespaces, self.resync)
    }

    /// The informer of a resource whose kind is known at run time only, by group, version and plural:
    /// `("example.com/v1", "foos")` (upstream: `dynamicinformer`); of some of its objects, with
    /// [`informer_for`](Self::informer_for) and [`Select::resource`]. Its definition may come, go and come
    /// again: [`SharedInformer::status`] tells.
    #[must_use]
    pub fn dynamic(&self, api_version: &str, plural: &str) -> SharedInformer<Unstructured> {
        self.informer_for(Select::resource(api_version, plural))
    }

    /// The informer of the metadata of a resource (upstream: `metadatainformer`).
    #[must_use]
    pub fn metadata(&self, api_version: &str, plural: &str) -> SharedInformer<PartialObject> {
        self.informer_for(Select::resource(api_version, plural))
    }

    /// An informer that keeps what `transform` makes of each object (upstream: `WithTransform`, C-76); see
    /// [`Cache::transformed`]. Each call makes one of its own.
    #[must_use]
    pub fn transformed<K: Object, V, E: Display, P>(
        &self,
        select: Select<K>,
        transform: impl Fn(K) -> Result<V, E> + Send + Sync + 'static,
    ) -> SharedInformer<Transformed<V>>
    where
        V: NotWhole<P> + Send + Sync + 'static,
    {
        let watch = self.cache.transformed(select, transform);
        SharedInformer { watch, cache: self.cache.clone(), resync: self.resync }
    }

    /// The informer of some objects that keeps each compressed: see [`Cache::packed`].
    #[cfg(feature = "packed")]
    #[must_use]
    pub fn packed<K: Writable>(&self, select: Select<K>) -> SharedInformer<Packed<K>> {
        let watch = self.cache.packed(select);
        SharedInformer { watch, cache: self.cache.clone(), resync: self.resync }
    }

    /// Removes the informer of some objects, whoever holds it, and says whether there was one: see
    /// [`Cache::forget`].
    pub fn remove<K: Object>(&self, select: Select<K>) -> bool {
        self.cache.forget(select)
    }

    /// The cache underneath.
    #[must_use]
    pub const fn cache(&self) -> &Cache {
        &self.cache
    }

    /// Follows the server with every informer, also those made later, until the guard and its clones are
    /// dropped. While it runs, starting again gives another guard of the same run. That can be done once: after
    /// the end of a run, or beside one of the [cache](Self::cache) itself, the guard is one of nothing, and
    /// a warning says so.
    ///
    /// # Panics
    /// Panics outside a tokio runtime.
    #[must_use = "dropping the guard stops the informers"]
    pub fn start(&self) -> Running {
        let mut running = lock(&self.running);
        let task = running.upgrade();
        let task = task.unwrap_or_else(|| Arc::new(Task::start(self.cache.clone())));
        *running = Arc::downgrade(&task);
        Running { _task: task }
    }

    /// Waits until every informer has its first list.
    ///
    /// # Errors
    /// [`is_stopped`](crate::Error::is_stopped) when that will not happen any more; the error
    /// [names](crate::Error::copies) everyone who is not there.
    ///
    /// # Cancel safety
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn wait_for_cache_sync(&self) -> Result<()> {
        self.cache.synced().await
    }

    /// Waits until every informer has its first list, at most so long.
    ///
    /// # Errors
    /// [`is_not_synced`](crate::Error::is_not_synced) when the time is over; the error
    /// [names](crate::Error::copies) everyone who is late, and says why. As
    /// [`wait_for_cache_sync`](Self::wait_for_cache_sync).
    ///
    /// # Cancel safety
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn wait_for_cache_sync_within(&self, deadline: Duration) -> Result<()> {
        self.cache.synced_within(deadline).await
    }

    /// How each informer is doing.
    #[must_use]
    pub fn status(&self) -> Vec<Status> {
        self.cache.status()
    }

    /// Stops every informer for good, and returns when all of it has ended (C-74). Starting again does
    /// nothing.
    ///
    /// # Cancel safety
    /// The informers stop also when the future is dropped.
    pub async fn shut_down(&self) {
        self.cache.shut_down();
        let task = lock(&self.running).upgrade();
        if let Some(task) = task {
            task.ended.wait_for(|ended| ended).await;
        }
        // Also of a run whose guard is dropped already, or that was not started here.
        self.cache.ended().await;
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
