//! What is judged: something that keeps a copy and tells handlers of it.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::Object as _;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::{Cache, Change, HandlerOptions, Index, Overflow, Subscription, Watch};
use watchkeeper_client::{Client, Select, WriteObserver};

use crate::told::{EVEN, Seen, key_of};
use crate::truth::Scope;

/// A handler as an informer takes it.
pub type Handler = Box<dyn FnMut(&Change<ConfigMap>) + Send>;
/// A future of an informer.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// How a handler wants to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manner {
    /// How many changes may wait for it.
    pub buffer: usize,
    /// What happens when there are more.
    pub overflow: Overflow,
    /// How often it is told of everything once more.
    pub resync: Option<Duration>,
}

impl Default for Manner {
    fn default() -> Self {
        Self { buffer: usize::MAX, overflow: Overflow::Coalesce, resync: None }
    }
}

/// A handler's place. It leaves when this is dropped.
pub trait Place: Send {
    /// Whether it was thrown out because it was too slow.
    fn is_lagged(&self) -> bool;
}

/// What a copy shows.
#[derive(Debug)]
pub struct View {
    /// The version that the copy says it has reached.
    pub version: u64,
    /// One number for everything in it.
    pub sum: u64,
    /// One number for what its index finds under the label.
    pub found: Option<u64>,
    /// One number for those objects of it that have the label.
    pub even: u64,
    /// Whether it tells its objects in the order of their keys, each once.
    pub is_in_order: bool,
}

/// An informer.
pub trait Subject: Send {
    /// Calls the handler for everything there is, and then for every change.
    fn subscribe(&self, manner: &Manner, handler: Handler) -> Box<dyn Place>;

    /// What the copy shows now; `None` before the first list.
    fn view(&self) -> Option<View>;

    /// The object, with every write that this process made to it, `written` the last of them; no answer if
    /// it does not come.
    fn get(&self, object: u64, written: u64) -> Pending<'_, Option<Option<Seen>>>;
}

/// One number for many states.
fn sum_of<'a>(objects: impl Iterator<Item = &'a Arc<ConfigMap>>) -> (u64, u64) {
    objects.map(|map| Seen::of(map)).fold((0, 0), |(all, even), seen| {
        let digest = seen.digest();
        (all ^ digest, if seen.even { even ^ digest } else { even })
    })
}

/// Our own informer: a watch of a cache.
#[derive(Debug)]
pub struct Ours {
    watch: Watch<ConfigMap>,
    index: Index<ConfigMap, bool>,
    namespace: String,
}

/// Our cache with a copy for each scope, behind `client`.
#[must_use]
pub fn ours(
    client: &Client,
    namespace: &str,
    seed: u64,
) -> (Vec<(Scope, Ours)>, Arc<dyn WriteObserver>, Cache) {
    // Longer than any fault lasts: a read that is not answered then never would be.
    let cache = Cache::new(client).seed(seed).read_deadline(Duration::from_secs(24 * 3600));
    let all = Select::<ConfigMap>::all().namespace(namespace);
    let even = all.clone().labels(format!("{EVEN}=true"));
    let copy = |select| {
        let watch: Watch<ConfigMap> = cache.watch_only(select);
        let index = watch.index(|map: &ConfigMap| [Seen::of(map).even]);
        Ours { watch, index, namespace: namespace.to_owned() }
    };
    let copies = vec![(Scope::All, copy(all)), (Scope::Even, copy(even))];
    (copies, cache.observer(), cache)
}

impl Subject for Ours {
    fn subscribe(&self, manner: &Manner, handler: Handler) -> Box<dyn Place> {
        let Manner { buffer, overflow, resync } = *manner;
        let options = HandlerOptions { buffer, overflow, resync, ..HandlerOptions::default() };
        Box::new(self.watch.subscribe_with(options, handler))
    }

    fn view(&self) -> Option<View> {
        let snapshot = self.watch.snapshot();
        let found = sum_of(self.index.get(&true).iter()).0;
        let (sum, even) = sum_of(snapshot.iter());
        let version = snapshot.version().parse().ok()?;
        let is_in_order = snapshot.iter().is_sorted_by(|one, next| one.name() < next.name());
        Some(View { version, sum, found: Some(found), even, is_in_order })
    }

    fn get(&self, object: u64, _: u64) -> Pending<'_, Option<Option<Seen>>> {
        Box::pin(async move {
            let read = self.watch.get(key_of(&self.namespace, object)).await.ok()?;
            Some(read.map(|map| Seen::of(&map)))
        })
    }
}

impl Place for Subscription {
    fn is_lagged(&self) -> bool {
        Self::is_lagged(self)
    }
}

impl std::fmt::Debug for dyn Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Subject")
    }
}
