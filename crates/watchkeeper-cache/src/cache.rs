//! The copies of one process: one for each selection, however many ask for it.

use std::fmt::Display;
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::time::timeout;
#[cfg(feature = "packed")]
use watchkeeper_api::Writable;
use watchkeeper_api::{Object, StaticKind, Unstructured};
use watchkeeper_client::{Client, PartialObject, RestMapper, Select, WriteObserver};

use crate::classic::Queue;
use crate::core::{Core, Scope};
use crate::delta_queue::DeltaQueue;
use crate::error::{Error, Result, Why};
use crate::inquiry::Inquiry;
use crate::intake::{Intake, NotWhole, Through, Transformed, Whole};
use crate::item::Item;
use crate::lock::lock;
#[cfg(feature = "packed")]
use crate::packed::{Packed, Packer};
use crate::reflector::state::State;
use crate::reflector::{IN_FLIGHT, follow};
use crate::remote::{Remote, Target};
use crate::rng;
use crate::selection::Selection;
use crate::status::Status;
use crate::store::Store;
use crate::sync::Mutex;
use crate::tasks::{Tasks, tell_of_panic};
use crate::watch::{Handle, Watch};
use crate::writes::Writes;

mod copies;
mod names;
mod settings;

use copies::Copies;
pub(crate) use names::describe;
use names::{name_of, series_of};
use settings::Settings;

/// The local copies of a program, and what keeps them up to date.
///
/// ```no_run
/// # use watchkeeper_api::core::v1::Pod;
/// # use watchkeeper_cache::Cache;
/// # use watchkeeper_client::Client;
/// # async fn f(client: Client) -> watchkeeper_cache::Result<()> {
/// let cache = Cache::new(&client);
/// let client = client.observed_by(cache.observer()); // reads of the cache see the writes of this client
/// let pods = cache.watch::<Pod>();
/// tokio::select! {
///     () = cache.run() => {}
///     synced = pods.synced() => {
///         synced?;
///         println!("{} pods", pods.peek_all().len());
///     }
/// }
/// # drop(client);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Cache {
    shared: Arc<Shared>,
    settings: Settings,
    client: Client,
}

#[derive(Debug)]
struct Shared {
    tasks: Arc<Tasks>,
    writes: Arc<Writes>,
    copies: Mutex<Copies>,
    /// For kinds of which only the plural is known.
    mapper: RestMapper,
}

impl Cache {
    /// A cache that reads through `client`. Nothing happens until it [runs](Self::run).
    #[must_use]
    pub fn new(client: &Client) -> Self {
        let shared = Shared {
            tasks: Arc::default(),
            writes: Arc::default(),
            copies: Mutex::default(),
            mapper: client.mapper(),
        };
        Self { shared: Arc::new(shared), settings: Settings::default(), client: client.clone() }
    }

    /// The copy of all objects of a kind.
    #[must_use]
    pub fn watch<K: StaticKind>(&self) -> Watch<K> {
        self.watch_only(Select::all())
    }

    /// The copy of all objects of a resource whose kind is known at run time only, by group, version and
    /// plural: `("example.com/v1", "foos")` (upstream: `dynamicinformer`, C-78). The server need not serve it
    /// yet: [`Watch::status`] says so until it does.
    #[must_use]
    pub fn dynamic(&self, api_version: &str, plural: &str) -> Watch<Unstructured> {
        self.watch_only(Select::resource(api_version, plural))
    }

    /// The copy of the metadata of all objects of a resource (upstream: `metadatainformer`). The server sends
    /// nothing else. Of a kind known from its type take `cache.watch::<Metadata<Pod>>()`.
    #[must_use]
    pub fn metadata(&self, api_version: &str, plural: &str) -> Watch<PartialObject> {
        self.watch_only(Select::resource(api_version, plural))
    }

    /// The copy of some objects. The same selection asked for twice is one copy, also with its labels in
    /// another order.
    #[must_use]
    pub fn watch_only<K: Object>(&self, select: Select<K>) -> Watch<K> {
        self.watch_through(select, |_| DeltaQueue::new(IN_FLIGHT))
    }

    /// As [`watch_only`](Self::watch_only), with another queue between the reflector and the store, such as a
    /// [`DeltaFifo`](crate::classic::DeltaFifo) of the objects that the store knows:
    /// `|store| DeltaFifo::new().known_objects(store.clone())`. A copy that is there already keeps its own.
    /// `queue` is called under a lock of the cache, and must not ask it for a copy.
    #[must_use]
    pub fn watch_through<K: Object, Q: Queue<K> + 'static>(
        &self,
        select: Select<K>,
        queue: impl FnOnce(&Store<K>) -> Q,
    ) -> Watch<K> {
        self.shared_copy(select, || Whole, queue)
    }

    /// The copy of some objects, each kept compressed, and made anew when it is read: less memory for more
    /// time, for large copies that are hardly ever read (docs/design/store.md tells how much). The same
    /// selection asked for twice is one copy, beside one that is not packed.
    ///
    /// It is a copy like any other: reads see own writes, handlers are told in order, and which object it is
    /// is known without a look inside. What is in it is read by [`Packed::unpack`], or through
    /// [`Watch::unpacked`].
    ///
    /// ```no_run
    /// # use watchkeeper_api::core::v1::Pod;
    /// # use watchkeeper_cache::Cache;
    /// # use watchkeeper_client::Select;
    /// # fn f(cache: &Cache) {
    /// let pods = cache.packed(Select::<Pod>::all());
    /// let phase = pods.peek(("shop", "web")).map(|pod| pod.unpack().status.phase.clone());
    /// let on_node = pods.index(|pod| [pod.unpack().spec.node_name.clone()]);
    /// # }
    /// ```
    #[cfg(feature = "packed")]
    #[must_use]
    pub fn packed<K: Writable>(&self, select: Select<K>) -> Watch<Packed<K>> {
        self.shared_copy(select, Packer::new, |_| DeltaQueue::new(IN_FLIGHT))
    }

    /// The copy of a selection, of what `intake` keeps of it: the one that there is, or a new one.
    fn shared_copy<K: Object, I: Intake<K>, Q: Queue<I::Kept> + 'static>(
        &self,
        select: Select<K>,
        intake: impl FnOnce() -> I,
        queue: impl FnOnce(&Store<I::Kept>) -> Q,
    ) -> Watch<I::Kept> {
        let name = name_of(&select);
        let mut copies = lock(&self.shared.copies);
        let (core, handle) = copies.get(&name).unwrap_or_else(|| {
            let (core, handle) = self.open(select, &name, intake(), queue);
            copies.insert(&name, &core, &handle);
            (core, handle)
        });
        Watch::new(core, handle, self.settings.deadline)
    }

    /// The copy of what `transform` makes of each object, once when it comes (upstream: `SetTransform`, C-34).
    /// What is kept is a [`Transformed`], which cannot be written: the server would lose what was left out.
    ///
    /// An object for which `transform` fails or panics is set aside and named in the [status](Watch::status),
    /// and the copy keeps what it had of it. Each call makes a copy of its own, as nobody can tell whether
    /// two functions are the same; clone the watch to share it. Where a part of the fields is wanted, a
    /// projection costs less: the rest is never read.
    ///
    /// ```no_run
    /// # use watchkeeper_api::core::v1::Pod;
    /// # use watchkeeper_api::IStr;
    /// # use watchkeeper_cache::Cache;
    /// # use watchkeeper_client::Select;
    /// # fn f(cache: &Cache) {
    /// let images = cache.transformed(Select::all(), |pod: Pod| {
    ///     let images = pod.spec.containers.iter().map(|container| container.image.clone());
    ///     Ok::<Vec<IStr>, String>(images.collect())
    /// });
    /// let of_web = images.peek(("shop", "web")).map(|images| images.join(", "));
    /// # }
    /// ```
    ///
    /// It must not make a whole object, which could be written:
    ///
    /// ```compile_fail,E0283
    /// # use watchkeeper_api::core::v1::Pod;
    /// # use watchkeeper_cache::Cache;
    /// # use watchkeeper_client::Select;
    /// # fn f(cache: &Cache) {
    /// cache.transformed(Select::all(), |pod: Pod| Ok::<Pod, String>(pod));
    /// # }
    /// ```
    #[must_use]
    pub fn transformed<K: Object, V, E, P>(
        &self,
        select: Select<K>,
        transform: impl Fn(K) -> Result<V, E> + Send + Sync + 'static,
    ) -> Watch<Transformed<V>>
    where
        V: NotWhole<P> + Send + Sync + 'static,
        E: Display,
    {
        let name = name_of(&select);
        let through = Through::new(move |object| transform(object).map_err(|e| e.to_string()));
        let queue = |_: &Store<_>| DeltaQueue::new(IN_FLIGHT);
        let (core, handle) = self.open(select, &name, through, queue);
        lock(&self.shared.copies).insert_unshared::<K>(&name, &handle);
        Watch::new(core, handle, self.settings.deadline)
    }

    /// Ends the copy of a selection, whoever holds it: subscriptions end, reads that would wait fail with
    /// [`is_stopped`](crate::Error::is_stopped), and the connection is closed. Who asks for the selection
    /// again gets a new copy. Says whether there was one. A packed copy of it ends, too, and so does every one
    /// that was [transformed](Self::transformed).
    ///
    /// Dropping the last handle does the same, so this is for programs that hand watches out.
    #[expect(clippy::needless_pass_by_value, reason = "as it is asked for")]
    pub fn forget<K: Object>(&self, select: Select<K>) -> bool {
        let name = name_of(&select);
        #[cfg(feature = "packed")]
        let was_packed = self.end::<Packed<K>>(&name);
        #[cfg(not(feature = "packed"))]
        let was_packed = false;
        let unshared = lock(&self.shared.copies).remove_unshared::<K>(&name);
        unshared.iter().for_each(|handle| handle.close());
        self.end::<K>(&name) || was_packed || !unshared.is_empty()
    }

    /// Ends a copy, and says whether there was one.
    fn end<K: Item>(&self, name: &str) -> bool {
        let handle = lock(&self.shared.copies).remove::<K>(name);
        handle.inspect(|handle| handle.close()).is_some()
    }

    fn open<K: Object, I: Intake<K>, Q: Queue<I::Kept> + 'static>(
        &self,
        select: Select<K>,
        name: &str,
        intake: I,
        queue: impl FnOnce(&Store<I::Kept>) -> Q,
    ) -> (Arc<Core<I::Kept>>, Arc<Handle>) {
        let Shared { tasks, writes, mapper, .. } = &*self.shared;
        let client = &self.client;
        // It knows the client's own namespace, too.
        let api = client.selected(&select);
        let scope = Scope {
            named: Arc::default(),
            what: describe(&select, api.in_namespace()),
            namespace: api.in_namespace().map(str::to_owned),
            name: select.named().map(str::to_owned),
            selection: Selection::of(&select),
            kind: api.kind().clone(),
        };
        let core = Core::new(scope, tasks);
        // Registered first: a write that ends from here on raises a floor, one that ended before is in `since`.
        let since = writes.register(&core);
        if let Some((name, provider)) = &self.settings.meters {
            core.measure();
            let informer: Weak<Core<I::Kept>> = Arc::downgrade(&core);
            provider.informer_made(&series_of(name, &core.scope.kind), informer);
        }
        if let Some(handler) = &self.settings.on_error {
            core.tell_errors(Arc::clone(handler));
        }
        if let Some(bytes) = self.settings.content_limit {
            core.ledger.limit(bytes);
        }
        let (handle, handles) = Handle::new();
        let state = State::since(rng::derive(self.settings.seed, name), since);
        let state = state.tuned(self.settings.tuning);
        let target = || Target::new(client, mapper, &select, &core.scope.named);
        let seed = rng::derive(self.settings.seed, &format!("{name}|what became of writes"));
        let inquiry = Inquiry::new(target(), &select, seed);
        let from = Remote {
            target: target(),
            select,
            intake: Arc::new(intake),
            listed: Arc::clone(&core.listed),
            ledger: Arc::clone(&core.ledger),
        };
        let (stop, queue) = (core.stop_on_drop(), queue(&core.store));
        tasks.add(async move {
            let core = stop.core();
            let follow = async {
                tokio::select! {
                    biased;
                    () = follow(Arc::clone(&core), from, queue, state, handles) => {}
                    () = inquiry.run(Arc::clone(&core)) => {}
                }
            };
            tell_of_panic(follow, |words| core.crashed(words)).await;
        });
        (core, handle)
    }

    /// Told of every write of the client that it observes, so that reads of this cache see them:
    /// `client.observed_by(cache.observer())`.
    #[must_use]
    pub fn observer(&self) -> Arc<dyn WriteObserver> {
        Arc::clone(&self.shared.writes) as Arc<dyn WriteObserver>
    }

    /// Keeps the copies up to date and calls the handlers, also of watches that are made later, until
    /// [`shut_down`](Self::shut_down) is called or the future is dropped. Can be done once.
    ///
    /// # Panics
    /// Raises the panic of what follows the server again, once all is stopped (upstream: `HandleCrash`); the
    /// status of the copy tells it, too. Panics of handlers, predicates, transforms and index functions cost
    /// the object that they struck and no more.
    ///
    /// # Cancel safety
    /// Dropping the future stops everything: connections are closed, handlers are not called any more, and
    /// who waits for a copy gets an error.
    pub async fn run(&self) {
        self.shared.tasks.run().await;
    }

    /// Runs `task` with the copies.
    pub(crate) fn add_task(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.shared.tasks.add(task);
    }

    /// Ends the run.
    pub fn shut_down(&self) {
        self.shared.tasks.stop();
    }

    /// Waits until nothing that was run is there any more, whoever ran it, and however that ended.
    pub(crate) async fn ended(&self) {
        self.shared.tasks.ended().await;
    }

    /// Waits until every copy that there is has its first list.
    ///
    /// # Errors
    /// [`is_stopped`](crate::Error::is_stopped) when that will not happen any more;
    /// [`copies`](crate::Error::copies) of it names everyone who is not there.
    ///
    /// # Cancel safety
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn synced(&self) -> Result<()> {
        let copies = self.shared.writes.copies();
        let mut missed = Vec::new();
        for copy in &copies {
            // Of another its last handle was dropped meanwhile: nobody misses it.
            if let Err(error) = copy.synced().await
                && (self.shared.tasks.is_over() || copy.has_crashed())
            {
                missed.extend_from_slice(error.copies());
            }
        }
        not_there(Why::Stopped, copies.len(), missed)
    }

    /// Waits until every copy that there is has its first list, at most so long (upstream: `WaitFor`, C-69).
    ///
    /// # Errors
    /// [`is_not_synced`](crate::Error::is_not_synced) when the time is over: the error
    /// [names](crate::Error::copies) everyone who is late, and says why. As [`synced`](Self::synced).
    ///
    /// # Cancel safety
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn synced_within(&self, deadline: Duration) -> Result<()> {
        let copies = self.shared.writes.copies();
        if let Ok(ended) = timeout(deadline, self.synced()).await {
            return ended;
        }
        let late = copies.iter().map(|copy| copy.status()).filter(|status| !status.synced);
        not_there(Why::Late { waited: deadline }, copies.len(), late.collect())
    }

    /// How each copy is doing.
    #[must_use]
    pub fn status(&self) -> Vec<Status> {
        self.shared.writes.copies().iter().map(|copy| copy.status()).collect()
    }

    /// The copies whose following of the server panicked, which ends the [run](Self::run) with everything
    /// below it: what happened is the last error of each.
    #[must_use]
    pub fn broken(&self) -> Vec<Status> {
        let copies = self.shared.writes.copies();
        copies.iter().filter(|copy| copy.has_crashed()).map(|copy| copy.status()).collect()
    }
}

/// An error about the copies that are not there, if there are any.
fn not_there(why: Why, all: usize, copies: Vec<Status>) -> Result<()> {
    if copies.is_empty() {
        return Ok(());
    }
    let subject = match &copies[..] {
        [only] if why == Why::Stopped => only.what.clone(),
        several => format!("{} of {all} copies", several.len()),
    };
    Err(Error::about(subject, why, copies))
}

#[cfg(test)]
mod tests;
