//! A small informer made of our parts, and the bugs that can be put into it.
//!
//! It lists and watches, applies to a [`Store`], and tells its handlers: the path of
//! our own informer with nothing in it that is not needed. Each [`Bug`] is one line of it that is wrong.

use std::collections::{BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until};
use watchkeeper_api::Object as _;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::{Change, Delta, Overflow, Store, filtered};
use watchkeeper_client::Client;

use crate::bugs::Bug;
use crate::listener::lock;
use crate::space::Space;
use crate::subject::{Handler, Manner, Pending, Place, Subject, View};
use crate::told::{Seen, Told};

mod follow;
mod merge;

/// The informer. Clones are handles to the same one.
#[derive(Clone)]
pub struct Plain(Arc<Shared>);

struct Shared {
    client: Client,
    namespace: String,
    bug: Option<Bug>,
    store: Store<ConfigMap>,
    listeners: Mutex<Vec<Arc<Listener>>>,
    /// Those who came too late for the next change, which only one of the bugs makes of them.
    forgotten: Mutex<Vec<Arc<Listener>>>,
    filled: AtomicBool,
    told: Notify,
}

type Called = Box<dyn FnMut(&Change<ConfigMap>) + Send>;

struct Listener {
    handler: Mutex<Called>,
    inbox: Mutex<VecDeque<Change<ConfigMap>>>,
    merges: bool,
    gone: AtomicBool,
    /// How many more changes it is told although it has left.
    grace: AtomicU64,
    resync: Option<Duration>,
}

impl Plain {
    /// An informer with a bug, or without.
    #[must_use]
    pub fn new(client: &Client, namespace: &str, bug: Option<Bug>) -> Self {
        Self(Arc::new(Shared {
            client: client.clone(),
            namespace: namespace.to_owned(),
            bug,
            store: Store::new(),
            listeners: Mutex::default(),
            forgotten: Mutex::default(),
            filled: AtomicBool::new(false),
            told: Notify::new(),
        }))
    }

    /// Follows the server, and tells the handlers.
    pub async fn run(&self) {
        tokio::select! {
            biased;
            () = self.0.follow() => {}
            () = self.0.tell() => {}
        }
    }
}

impl Shared {
    fn has(&self, bug: Bug) -> bool {
        self.bug == Some(bug)
    }

    /// Takes a delta in.
    async fn apply(&self, delta: Delta<ConfigMap>) {
        let is_list = matches!(delta, Delta::Replaced(_));
        let mut changes = match delta {
            Delta::Replaced(list) if self.has(Bug::HalfAList) && list.items.len() > 1 => {
                let mut half = self.store.apply(self.half_of(&list));
                self.publish(&std::mem::take(&mut half));
                for _ in 0..30 {
                    tokio::task::yield_now().await;
                }
                self.store.apply(Delta::Replaced(list))
            }
            delta => self.store.apply(delta),
        };
        if is_list {
            self.filled.store(true, Ordering::Relaxed);
            self.spoil_list(&mut changes);
        }
        self.publish(&changes);
    }

    fn publish(&self, changes: &[Change<ConfigMap>]) {
        for listener in lock(&self.listeners).iter() {
            changes.iter().for_each(|change| self.put(listener, change.clone()));
        }
        if !changes.is_empty() {
            let forgotten = std::mem::take(&mut *lock(&self.forgotten));
            lock(&self.listeners).extend(forgotten);
        }
        self.told.notify_one();
    }

    /// Calls the handlers.
    async fn tell(&self) {
        let mut due = Instant::now() + RESYNC;
        let mut before = Vec::new();
        loop {
            let listeners = lock(&self.listeners).clone();
            for listener in &listeners {
                while let Some(change) = self.next(listener) {
                    self.call(listener, &change);
                }
            }
            lock(&self.listeners).retain(|listener| listener.is_there());
            tokio::select! {
                biased;
                () = self.told.notified() => {}
                () = sleep_until(due) => {
                    due += RESYNC;
                    let now = self.store.list();
                    let old = std::mem::replace(&mut before, now.clone());
                    self.resync(if self.has(Bug::ResyncOfThePast) { &old } else { &now });
                }
            }
        }
    }

    fn next(&self, listener: &Listener) -> Option<Change<ConfigMap>> {
        let mut inbox = lock(&listener.inbox);
        if listener.gone.load(Ordering::Relaxed) {
            let grace = listener.grace.load(Ordering::Relaxed);
            let left = grace.checked_sub(1).filter(|_| self.has(Bug::CalledAfterLeaving))?;
            let change = inbox.pop_front()?;
            listener.grace.store(left, Ordering::Relaxed);
            return Some(change);
        }
        inbox.pop_front()
    }

    fn call(&self, listener: &Listener, change: &Change<ConfigMap>) {
        let mut handler = lock(&listener.handler);
        let called = catch_unwind(AssertUnwindSafe(|| handler(change)));
        if called.is_err() && self.has(Bug::PanicEndsHandler) {
            listener.gone.store(true, Ordering::Relaxed);
            listener.grace.store(0, Ordering::Relaxed);
        }
    }

    fn resync(&self, objects: &[Arc<ConfigMap>]) {
        let listeners = lock(&self.listeners);
        for listener in listeners.iter().filter(|listener| listener.resync.is_some()) {
            for map in objects {
                let (old, new) = (Arc::clone(map), Arc::clone(map));
                lock(&listener.inbox).push_back(Change::Updated { old, new });
            }
        }
    }
}

/// How often those who want it are told of everything once more.
const RESYNC: Duration = Duration::from_secs(30);

impl Listener {
    fn is_there(&self) -> bool {
        !self.gone.load(Ordering::Relaxed) || self.grace.load(Ordering::Relaxed) > 0
    }
}

impl Subject for Plain {
    fn subscribe(&self, manner: &Manner, mut handler: Handler) -> Box<dyn Place> {
        let tell = move |change: &Change<ConfigMap>| handler(Told::of(change, Seen::of));
        let even = |map: &ConfigMap| Seen::of(map).even;
        let handler: Called =
            if manner.filtered { Box::new(filtered(even, tell)) } else { Box::new(tell) };
        let shared = &self.0;
        let present = shared.store.list();
        let added = present.into_iter().map(|new| Change::Added { new, initial: true });
        let listener = Arc::new(Listener {
            handler: Mutex::new(handler),
            inbox: Mutex::new(added.collect()),
            merges: manner.overflow == Overflow::Coalesce && manner.buffer < 16,
            gone: AtomicBool::new(false),
            grace: AtomicU64::new(if shared.has(Bug::CalledAfterLeaving) { 3 } else { 0 }),
            resync: manner.resync,
        });
        let is_late = shared.filled.load(Ordering::Relaxed);
        if is_late && shared.has(Bug::LateJoinerMissesOne) {
            lock(&shared.forgotten).push(Arc::clone(&listener));
        } else {
            lock(&shared.listeners).push(Arc::clone(&listener));
        }
        shared.told.notify_one();
        Box::new(At(listener))
    }

    fn views(&self) -> Vec<View> {
        let snapshot = self.0.store.snapshot();
        let Ok(version) = snapshot.version().parse() else { return Vec::new() };
        let states = snapshot.iter().map(|map| Seen::of(map)).collect();
        // Its objects are in a map, and all can be read.
        let (found, is_in_order, unreadable) = (None, true, BTreeSet::new());
        vec![View { part: 0, version, states, found, is_in_order, unreadable }]
    }

    fn get(&self, object: u64, written: u64) -> Pending<'_, Option<Option<Seen>>> {
        let key = Space::one(&self.0.namespace).key(object);
        Box::pin(async move {
            let behind = || self.0.store.version().parse().unwrap_or(0) < written;
            // A day is longer than any fault lasts.
            for _ in 0..86_400 {
                if !behind() || self.0.has(Bug::ReadsAtOnce) {
                    break;
                }
                sleep(Duration::from_secs(1)).await;
            }
            Some(self.0.store.get(&key).map(|map| Seen::of(&map)))
        })
    }
}

struct At(Arc<Listener>);

impl Place for At {
    fn is_lagged(&self) -> bool {
        false
    }
}

impl Drop for At {
    fn drop(&mut self) {
        self.0.gone.store(true, Ordering::Relaxed);
    }
}

impl std::fmt::Debug for Plain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Plain({} objects, {:?})", self.0.store.len(), self.0.bug)
    }
}

/// Whether both are about the same object.
fn same(a: &Change<ConfigMap>, b: &Change<ConfigMap>) -> bool {
    a.object().name() == b.object().name()
}
