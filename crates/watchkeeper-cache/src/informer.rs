//! The classic path: an informer under the name that client-go gave it.

use std::fmt::{self, Display};
use std::time::Duration;

#[cfg(feature = "packed")]
use watchkeeper_api::Writable;
use watchkeeper_api::{Object, StaticKind};
use watchkeeper_client::{Client, Select};

use crate::cache::Cache;
use crate::change::Change;
use crate::classic::Queue;
use crate::error::Result;
use crate::hub::HandlerOptions;
use crate::intake::{NotWhole, Transformed};
use crate::item::Item;
use crate::lister::Lister;
#[cfg(feature = "packed")]
use crate::packed::Packed;
use crate::status::Status;
use crate::store::Store;
use crate::watch::{Subscription, Watch};

/// A copy of the objects of one kind with handlers that are told of every change (upstream:
/// `SharedIndexInformer`).
///
/// A [`Watch`] under another name: the factory, or [`run`](Self::run), follows the server.
pub struct SharedInformer<K: Item> {
    pub(crate) watch: Watch<K>,
    pub(crate) cache: Cache,
    pub(crate) resync: Option<Duration>,
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
        Self::over(Cache::new(client), select)
    }

    /// An informer of a cache with settings of its own: pages, backoff, an error handler. To
    /// [run](Self::run) it is to run the cache.
    ///
    /// ```no_run
    /// # use std::time::Duration;
    /// # use watchkeeper_api::core::v1::Pod;
    /// # use watchkeeper_client::{Client, Select};
    /// use watchkeeper_cache::{Cache, SharedInformer};
    ///
    /// # fn f(client: Client) {
    /// let cache = Cache::new(&client)
    ///     .backoff(Duration::from_secs(1), Duration::from_secs(60))
    ///     .watch_error_handler(|status| eprintln!("{status}"));
    /// let pods = SharedInformer::over(cache, Select::<Pod>::all());
    /// # }
    /// ```
    #[must_use]
    pub fn over(cache: Cache, select: Select<K>) -> Self {
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

#[cfg(feature = "packed")]
impl<K: Writable> SharedInformer<Packed<K>> {
    /// An informer of its own that keeps objects compressed: see [`Cache::packed`].
    #[must_use]
    pub fn packed(client: &Client, select: Select<K>) -> Self {
        let cache = Cache::new(client);
        Self { watch: cache.packed(select), cache, resync: None }
    }
}

impl<V: Send + Sync + 'static> SharedInformer<Transformed<V>> {
    /// An informer of its own that keeps what `transform` makes of each object (upstream: `SetTransform`);
    /// see [`Cache::transformed`].
    #[must_use]
    pub fn transform<K: Object, E: Display, P>(
        client: &Client,
        select: Select<K>,
        transform: impl Fn(K) -> Result<V, E> + Send + Sync + 'static,
    ) -> Self
    where
        V: NotWhole<P>,
    {
        let cache = Cache::new(client);
        Self { watch: cache.transformed(select, transform), cache, resync: None }
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

    /// Ends the informer, whoever else has it: handlers are not called any more, and the connection is
    /// closed. Who asks the factory again gets a new one. Dropping the last handle does the same.
    pub fn stop(&self) {
        self.watch.handle.close();
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
