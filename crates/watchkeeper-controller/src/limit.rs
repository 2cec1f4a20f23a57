//! How many reconciles run at once, over several controllers.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

static MADE: AtomicU64 = AtomicU64::new(0);

/// At most so many reconciles at once, over all controllers that share it. Clones are the same limit.
///
/// Each controller has its [`workers`](crate::ControllerBuilder::workers) besides: those are the most that it
/// does itself. For what several of them use: a kind, an API outside, a machine.
///
/// ```
/// # use watchkeeper_api::core::v1::{ConfigMap, Secret};
/// # use watchkeeper_cache::Cache;
/// # use watchkeeper_client::Client;
/// # use watchkeeper_controller::{Action, Controller, Limit};
/// # fn f(client: &Client, cache: &Cache) {
/// let cloud = Limit::new(4);
/// let (maps, secrets) = (cache.watch::<ConfigMap>(), cache.watch::<Secret>());
/// let maps = Controller::new(client, "maps", &maps)
///     .workers(8)
///     .limit(&cloud)
///     .reconcile(async |_request, _ctx| Ok(Action::done()));
/// let secrets = Controller::new(client, "secrets", &secrets)
///     .limit(&cloud)
///     .reconcile(async |_request, _ctx| Ok(Action::done()));
/// # drop((maps, secrets));
/// # }
/// ```
#[derive(Clone)]
pub struct Limit {
    /// Who needs several takes them in this order, so that nobody waits for another in a circle.
    number: u64,
    free: Arc<Semaphore>,
    /// What has room in all of its limits; who waits for another one has a part of `free`, too.
    running: Arc<AtomicUsize>,
    most: NonZeroUsize,
}

impl Limit {
    /// At most `reconciles` at once, and never fewer than one.
    #[must_use]
    pub fn new(reconciles: usize) -> Self {
        let most = NonZeroUsize::new(reconciles.min(Semaphore::MAX_PERMITS));
        let most = most.unwrap_or(NonZeroUsize::MIN);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let free = Arc::new(Semaphore::new(most.get()));
        Self { number, free, running: Arc::default(), most }
    }

    /// How many there may be.
    #[must_use]
    pub const fn most(&self) -> usize {
        self.most.get()
    }

    /// How many run now: those that wait for room in this or another limit do not.
    #[must_use]
    pub fn running(&self) -> usize {
        self.running.load(Ordering::Relaxed)
    }
}

/// The limits of one controller.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits(Vec<Limit>);

impl Limits {
    pub(crate) fn add(&mut self, limit: &Limit) {
        let Self(limits) = self;
        if let Err(at) = limits.binary_search_by_key(&limit.number, |limit| limit.number) {
            limits.insert(at, limit.clone());
        }
    }

    /// Waits until there is room in all of them; the room is kept until this is dropped.
    pub(crate) async fn room(&self) -> Room {
        let mut permits = Vec::new();
        for limit in &self.0 {
            // Nobody closes it.
            permits.extend(Arc::clone(&limit.free).acquire_owned().await.ok());
        }
        let running = self.0.iter().map(|limit| Arc::clone(&limit.running)).collect();
        Room::new(running, permits)
    }
}

/// Room for one reconcile in all of its limits.
pub(crate) struct Room {
    running: Vec<Arc<AtomicUsize>>,
    /// Given back after it was counted out: never are more counted than there may be.
    _permits: Vec<OwnedSemaphorePermit>,
}

impl Room {
    fn new(running: Vec<Arc<AtomicUsize>>, permits: Vec<OwnedSemaphorePermit>) -> Self {
        for running in &running {
            running.fetch_add(1, Ordering::Relaxed);
        }
        Self { running, _permits: permits }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        for running in &self.running {
            running.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl fmt::Debug for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Limit({} of {})", self.running(), self.most)
    }
}
