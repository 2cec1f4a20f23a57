//! One handler beside a store: the informers that are not shared.

use std::fmt;
use std::num::NonZeroU32;
use std::ops::Deref;
use std::time::Duration;

use watchkeeper_api::Object;

use super::indexer::{IndexError, IndexFunc, Indexer};
use super::list_watch::ListWatch;
use super::process::process_deltas;
use super::process_loop::{Config, ProcessLoop};
use super::queue::{Queue, Transform};
use super::reflector::{ErrorHandler, Reflector};
use crate::change::Change;
use crate::delta_queue::DeltaQueue;
use crate::item::Item;
use crate::reflector::IN_FLIGHT;
use crate::store::Store;

/// How an [`Informer`] is made (upstream: `InformerOptions`).
pub struct InformerOptions<K: Item> {
    /// Tells the handler of everything once more, so often: a second apart at least, and never if it is zero.
    pub resync: Option<Duration>,
    /// Changes every object before it is stored.
    pub transform: Option<Transform<K>>,
    /// The store to fill. What is in it and not in the first list is told as deleted.
    pub store: Store<K>,
    /// Where jitter and timeouts come from; another one in every process, unless it is set.
    pub seed: Option<u64>,
    /// How many objects a page of a list has: [`Reflector::page_size`].
    pub page_size: Option<NonZeroU32>,
    /// The first wait after a failure, and the longest: [`Reflector::backoff`].
    pub backoff: Option<(Duration, Duration)>,
    /// The least time that watches are asked to last: [`Reflector::min_watch_timeout`].
    pub min_watch_timeout: Option<Duration>,
    /// Told what failed, instead of the log: [`Reflector::watch_error_handler`].
    pub watch_error_handler: Option<ErrorHandler>,
}

impl<K: Object> InformerOptions<K> {
    fn reflector(&mut self, from: ListWatch<K>) -> Reflector<K> {
        let mut reflector = Reflector::new(from).beside(&self.store);
        if let Some(period) = self.resync {
            reflector = reflector.resync(period);
        }
        if let Some(transform) = self.transform.take() {
            reflector = reflector.transform(move |object| transform(object));
        }
        if let Some(seed) = self.seed {
            reflector = reflector.seed(seed);
        }
        if let Some(objects) = self.page_size {
            reflector = reflector.page_size(objects);
        }
        if let Some((first, longest)) = self.backoff {
            reflector = reflector.backoff(first, longest);
        }
        if let Some(timeout) = self.min_watch_timeout {
            reflector = reflector.min_watch_timeout(timeout);
        }
        if let Some(handler) = self.watch_error_handler.take() {
            reflector = reflector.watch_error_handler(handler);
        }
        reflector
    }
}

impl<K: Item> Default for InformerOptions<K> {
    fn default() -> Self {
        Self {
            resync: None,
            transform: None,
            store: Store::new(),
            seed: None,
            page_size: None,
            backoff: None,
            min_watch_timeout: None,
            watch_error_handler: None,
        }
    }
}

impl<K: Item> fmt::Debug for InformerOptions<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InformerOptions")
            .field("resync", &self.resync)
            .field("store", &self.store)
            .finish_non_exhaustive()
    }
}

/// A [`ProcessLoop`] that fills a store and tells one handler of every change (upstream: `NewInformer`).
///
/// The handler runs in the loop: while it works, nothing is stored, and its panic ends the loop. A
/// [`SharedInformer`](crate::SharedInformer) has handlers on tasks of their own.
///
/// ```no_run
/// # use watchkeeper_api::core::v1::Pod;
/// # use watchkeeper_client::{Client, Select};
/// # use watchkeeper_cache::classic::{Informer, ListWatch};
/// # async fn f(client: Client) {
/// let pods = ListWatch::new(&client, Select::<Pod>::all());
/// let (store, informer) = Informer::new(pods, |change| println!("{change}"));
/// tokio::select! {
///     biased;
///     () = informer.run() => {}
///     _ = informer.synced() => println!("{} pods", store.len()),
/// }
/// # }
/// ```
pub struct Informer<K: Item, Q = DeltaQueue<K>>(ProcessLoop<K, Q>);

impl<K: Object> Informer<K> {
    /// The store, and the loop that fills it. Reads of the store go on while the server is away.
    pub fn new(
        from: ListWatch<K>,
        handler: impl FnMut(&Change<K>) + Send + 'static,
    ) -> (Store<K>, Self) {
        Self::with_options(InformerOptions::default(), from, handler)
    }

    /// As [`new`](Self::new), with options.
    pub fn with_options(
        options: InformerOptions<K>,
        from: ListWatch<K>,
        handler: impl FnMut(&Change<K>) + Send + 'static,
    ) -> (Store<K>, Self) {
        Self::through(options, from, handler, |_| DeltaQueue::new(IN_FLIGHT))
    }
}

impl<K: Object, Q: Queue<K>> Informer<K, Q> {
    /// As [`with_options`](Informer::with_options), with another queue, such as a
    /// [`DeltaFifo`](super::DeltaFifo) of the objects that the store knows.
    pub fn through(
        mut options: InformerOptions<K>,
        from: ListWatch<K>,
        mut handler: impl FnMut(&Change<K>) + Send + 'static,
        queue: impl FnOnce(&Store<K>) -> Q,
    ) -> (Store<K>, Self) {
        let reflector = options.reflector(from);
        let store = options.store;
        let filled = store.clone();
        let process = Box::new(move |popped| {
            process_deltas(&filled, popped, &mut handler);
            Ok(())
        });
        let config = Config { queue: queue(&store), reflector, process };
        (store, Self(ProcessLoop::new(config)))
    }
}

impl<K: Item, Q> Deref for Informer<K, Q> {
    type Target = ProcessLoop<K, Q>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<K: Item, Q> fmt::Debug for Informer<K, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Informer({:?})", self.0)
    }
}

/// An [`Informer`] whose store has named indices (upstream: `NewIndexerInformer`).
///
/// ```no_run
/// # use watchkeeper_api::core::v1::Pod;
/// # use watchkeeper_client::{Client, Select};
/// use std::sync::Arc;
///
/// use watchkeeper_cache::classic::{IndexFunc, IndexerInformer, InformerOptions, ListWatch};
///
/// # async fn f(client: Client) -> Result<(), Box<dyn std::error::Error>> {
/// let by_node: IndexFunc<Pod> = Arc::new(|pod| vec![pod.spec.node_name.to_string()]);
/// let (pods, informer) = IndexerInformer::new(
///     InformerOptions::default(),
///     ListWatch::new(&client, Select::all()),
///     [("node".to_owned(), by_node)],
///     |change| println!("{change}"),
/// )?;
/// tokio::select! {
///     biased;
///     () = informer.run() => {}
///     _ = informer.synced() => println!("{} pods", pods.by_index("node", "node-0")?.len()),
/// }
/// # Ok(())
/// # }
/// ```
pub struct IndexerInformer<K: Item, Q = DeltaQueue<K>>(Informer<K, Q>);

impl<K: Object> IndexerInformer<K> {
    /// The store with its indices, and the loop that fills it.
    ///
    /// # Errors
    /// When two indices have the same name.
    pub fn new(
        options: InformerOptions<K>,
        from: ListWatch<K>,
        indexers: impl IntoIterator<Item = (String, IndexFunc<K>)>,
        handler: impl FnMut(&Change<K>) + Send + 'static,
    ) -> Result<(Indexer<K>, Self), IndexError> {
        let queue = |_: &Store<K>| DeltaQueue::new(IN_FLIGHT);
        Self::through(options, from, indexers, handler, queue)
    }
}

impl<K: Object, Q: Queue<K>> IndexerInformer<K, Q> {
    /// As [`new`](IndexerInformer::new), with another queue.
    ///
    /// # Errors
    /// As [`new`](IndexerInformer::new).
    pub fn through(
        options: InformerOptions<K>,
        from: ListWatch<K>,
        indexers: impl IntoIterator<Item = (String, IndexFunc<K>)>,
        handler: impl FnMut(&Change<K>) + Send + 'static,
        queue: impl FnOnce(&Store<K>) -> Q,
    ) -> Result<(Indexer<K>, Self), IndexError> {
        let indexer = Indexer::over(options.store.clone());
        indexer.add_indexers(indexers)?;
        let (_, informer) = Informer::through(options, from, handler, queue);
        Ok((indexer, Self(informer)))
    }
}

impl<K: Item, Q> Deref for IndexerInformer<K, Q> {
    type Target = ProcessLoop<K, Q>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<K: Item, Q> fmt::Debug for IndexerInformer<K, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IndexerInformer({:?})", self.0.0)
    }
}
