//! The copies of one process: one for each selection, however many ask for it.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Weak};
use std::time::Duration;

use watchkeeper_api::{Object, StaticKind};
use watchkeeper_client::{Client, Select, WriteObserver};

use crate::classic::Queue;
use crate::core::{Core, Scope};
use crate::delta_queue::DeltaQueue;
use crate::error::Result;
use crate::lock::lock;
use crate::reflector::state::State;
use crate::reflector::{IN_FLIGHT, follow};
use crate::remote::Remote;
use crate::rng;
use crate::status::Status;
use crate::store::Store;
use crate::sync::Mutex;
use crate::tasks::Tasks;
use crate::watch::{Handle, Watch};
use crate::writes::Writes;

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
///         println!("{} pods", pods.list().len());
///     }
/// }
/// # drop(client);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Cache {
    shared: Arc<Shared>,
    seed: u64,
    deadline: Duration,
}

#[derive(Debug)]
struct Shared {
    client: Client,
    tasks: Arc<Tasks>,
    writes: Arc<Writes>,
    copies: Mutex<Copies>,
}

/// The copies by type and selection.
#[derive(Debug, Default)]
struct Copies {
    by_name: BTreeMap<(TypeId, String), Box<dyn AnyCopy>>,
    /// How many the last look at all of them left.
    left: usize,
}

/// A copy that lives as long as its handles.
#[derive(Debug)]
struct Copy<K: Object> {
    core: Weak<Core<K>>,
    handle: Weak<Handle>,
}

/// A copy whose type of object is not known here.
trait AnyCopy: Any + Send + Debug {
    fn is_alive(&self) -> bool;
}

impl<K: Object> AnyCopy for Copy<K> {
    fn is_alive(&self) -> bool {
        self.handle.strong_count() > 0
    }
}

impl Copies {
    /// Forgets copies without handles, now and then: a program may watch another selection every minute.
    fn tidy(&mut self) {
        if self.by_name.len() > 2 * self.left {
            self.by_name.retain(|_, copy| copy.is_alive());
            self.left = self.by_name.len().max(FEW);
        }
    }
}

/// So many copies that are over are borne.
const FEW: usize = 16;

impl Cache {
    /// A cache that reads through `client`. Nothing happens until it [runs](Self::run).
    #[must_use]
    pub fn new(client: &Client) -> Self {
        let shared = Shared {
            client: client.clone(),
            tasks: Arc::default(),
            writes: Arc::default(),
            copies: Mutex::default(),
        };
        Self { shared: Arc::new(shared), seed: rng::arbitrary(), deadline: Duration::from_secs(10) }
    }

    /// Where jitter and timeouts come from; another one in every process, unless it is set.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// How long a read may wait for this process's own writes; ten seconds unless set. Counts for watches
    /// made from this handle on.
    #[must_use]
    pub const fn read_deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// The copy of all objects of a kind.
    #[must_use]
    pub fn watch<K: StaticKind>(&self) -> Watch<K> {
        self.watch_only(Select::all())
    }

    /// The copy of some objects. The same selection asked for twice is one copy.
    #[must_use]
    pub fn watch_only<K: Object>(&self, select: Select<K>) -> Watch<K> {
        self.watch_through(select, |_| DeltaQueue::new(IN_FLIGHT))
    }

    /// As [`watch_only`](Self::watch_only), with another queue between the reflector and the store, such as a
    /// [`DeltaFifo`](crate::classic::DeltaFifo) of the objects that the store knows:
    /// `|store| DeltaFifo::new().known_objects(store.clone())`. A copy that is there already keeps its own.
    #[must_use]
    pub fn watch_through<K: Object, Q: Queue<K> + 'static>(
        &self,
        select: Select<K>,
        queue: impl FnOnce(&Store<K>) -> Q,
    ) -> Watch<K> {
        let name = name_of(&select);
        let mut copies = lock(&self.shared.copies);
        let known = copies.by_name.get(&(TypeId::of::<K>(), name.clone()));
        let known = known.and_then(|known| (&**known as &dyn Any).downcast_ref::<Copy<K>>());
        if let Some(watch) = known.and_then(|known| self.reopen(known)) {
            return watch;
        }
        copies.tidy();
        let (core, handle) = self.open(select, &name, queue);
        let copy = Copy { core: Arc::downgrade(&core), handle: Arc::downgrade(&handle) };
        copies.by_name.insert((TypeId::of::<K>(), name), Box::new(copy));
        Watch::new(core, handle, self.deadline)
    }

    fn reopen<K: Object>(&self, copy: &Copy<K>) -> Option<Watch<K>> {
        let (core, handle) = (copy.core.upgrade()?, copy.handle.upgrade()?);
        Some(Watch::new(core, handle, self.deadline))
    }

    fn open<K: Object, Q: Queue<K> + 'static>(
        &self,
        select: Select<K>,
        name: &str,
        queue: impl FnOnce(&Store<K>) -> Q,
    ) -> (Arc<Core<K>>, Arc<Handle>) {
        let Shared { client, tasks, writes, .. } = &*self.shared;
        // It knows the client's own namespace, too.
        let api = client.selected(&select);
        let scope = Scope {
            what: describe(&select, api.in_namespace()),
            namespace: api.in_namespace().map(str::to_owned),
            name: select.named().map(str::to_owned),
            selective: !select.label_selector().is_empty() || !select.field_selector().is_empty(),
            kind: api.kind().clone(),
        };
        let core = Core::new(scope, tasks);
        // Registered first: a write that ends from here on raises a floor, one that ended before is in `since`.
        writes.register(&core);
        let since = writes.newest(&core.scope.kind.group_resource());
        let (handle, handles) = Handle::new();
        let state = State::new(rng::derive(self.seed, name), since);
        let from = Remote { api, select };
        let (stop, queue) = (core.stop_on_drop(), queue(&core.store));
        tasks.add(async move {
            follow(stop.core(), from, queue, state, handles).await;
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
    /// # Cancel safety
    /// Dropping the future stops everything: connections are closed, handlers are not called any more, and
    /// who waits for a copy gets an error.
    pub async fn run(&self) {
        self.shared.tasks.run().await;
    }

    /// Ends the run.
    pub fn shut_down(&self) {
        self.shared.tasks.stop();
    }

    /// Waits until every copy that there is has its first list.
    ///
    /// # Errors
    /// [`is_stopped`](crate::Error::is_stopped) when that will not happen any more.
    /// [`status`](Self::status) tells who is late, and why.
    ///
    /// # Cancel safety
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn synced(&self) -> Result<()> {
        for copy in self.shared.writes.copies() {
            match copy.synced().await {
                // Its last handle was dropped meanwhile: nobody misses it.
                Err(_) if !self.shared.tasks.is_over() => {}
                ended => ended?,
            }
        }
        Ok(())
    }

    /// How each copy is doing.
    #[must_use]
    pub fn status(&self) -> Vec<Status> {
        self.shared.writes.copies().iter().map(|copy| copy.status()).collect()
    }
}

/// Tells selections apart.
fn name_of<K: Object>(select: &Select<K>) -> String {
    let namespace = select.in_namespace().unwrap_or_default();
    let (labels, fields) = (select.label_selector(), select.field_selector());
    format!("{}|{namespace}|{labels}|{fields}", select.target())
}

/// For people: `deployments.apps in shop, app=web`.
pub(crate) fn describe<K: Object>(select: &Select<K>, namespace: Option<&str>) -> String {
    let mut text = select.target().group_resource();
    if let Some(namespace) = namespace {
        text = format!("{text} in {namespace}");
    }
    for selector in [select.label_selector(), select.field_selector()] {
        if !selector.is_empty() {
            text = format!("{text}, {selector}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::future::Ready;
    use std::task::{Context, Poll};

    use http::{Request, Response};
    use watchkeeper_api::core::v1::ConfigMap;
    use watchkeeper_client::Body;

    use super::*;

    /// Nobody is there.
    #[derive(Clone)]
    struct Nobody;

    impl tower_service::Service<Request<Body>> for Nobody {
        type Response = Response<Body>;
        type Error = Infallible;
        type Future = Ready<Result<Self::Response, Infallible>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            Poll::Pending
        }

        fn call(&mut self, _: Request<Body>) -> Self::Future {
            std::future::ready(Ok(Response::new(Body::default())))
        }
    }

    #[tokio::test(start_paused = true)]
    async fn copies_that_are_over_leave_nothing_behind() {
        let cache = Cache::new(&Client::new(Nobody));
        let watch = |number: u32| {
            cache.watch_only(Select::<ConfigMap>::all().namespace(format!("n{number}")))
        };
        let kept: Vec<_> = (0..20).map(watch).collect();
        let script = async {
            for number in 100..1000 {
                drop(watch(number));
            }
        };
        tokio::select! {
            biased;
            () = cache.run() => {}
            () = script => {}
        }
        let held = lock(&cache.shared.copies).by_name.len();
        assert!(held <= 2 * kept.len() + 1, "{held}");
        assert!(Arc::ptr_eq(&watch(7).core, &kept[7].core), "those in use are still shared");
    }
}
