//! Waits for what [`State`] decides, and hands out keys.

use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, Weak};
use std::time::Duration;

use tokio::time::Instant;

use crate::limiter::RateLimiter;
use crate::metrics::{Figures, Measured, MetricsProvider};
use crate::order::{Order, ReadyQueue};
use crate::state::State;
use crate::sync::{Mutex, MutexGuard, Notify};

mod add;
mod take;
mod answer;
mod ending;
mod slot;
#[cfg(test)]
mod tests;

pub use self::add::AddOptions;
pub(crate) use self::answer::Answer;
pub use self::slot::KeptKey;

/// A queue of keys that are deduplicated, delayed, put before others and kept away after failures.
///
/// A handle: clones share one queue. Made after client-go's `TypedRateLimitingQueue`, whose calls
/// keep their names and meaning, and controller-runtime's priority queue;
/// [`next`](Self::next) is the form that cannot forget an answer.
pub struct RateLimitingQueue<K> {
    shared: Arc<Shared<K>>,
}

/// What a queue may be given beside its rate limiter.
#[derive(Clone, Debug, Default)]
pub struct QueueOptions {
    /// How the queue is called by those who tell of it.
    pub name: String,
    /// Which ready key leaves first.
    pub order: Order,
    /// Who collects the queue's figures, if it has a name.
    pub metrics: Option<Arc<dyn MetricsProvider>>,
}

struct Shared<K> {
    name: String,
    /// The moment that the state's offsets count from.
    start: Instant,
    inner: Mutex<Inner<K>>,
    /// Somebody may find a key, or the end, by looking again.
    ///
    /// Whoever waits registers *before* the look at the state after which it waits, so that no
    /// wake-up falls between the look and the wait; and every waiter sleeps until the soonest
    /// delayed key, so that one that leaves or is cancelled need not hand its alarm over.
    wake: Notify,
    /// A drain ended.
    drained: Notify,
}

struct Inner<K> {
    state: State<K>,
    limiter: Box<dyn RateLimiter<K> + Send>,
    /// How many looked, found nothing and have not looked again: without any, nobody is woken.
    waiting: usize,
}

/// What a change to the state means for those who wait.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    /// How many keys can be taken that could not before.
    ready: usize,
    /// Some key is due sooner than all others were.
    is_sooner: bool,
    /// A held key came back.
    is_returned: bool,
}

impl<K: Clone + Eq + Hash + Send + 'static> RateLimitingQueue<K> {
    /// An unnamed queue.
    #[must_use]
    pub fn new(limiter: impl RateLimiter<K> + Send + 'static) -> Self {
        Self::with_options(limiter, QueueOptions::default())
    }

    /// A queue with a name for those who tell of it.
    #[must_use]
    pub fn named(name: &str, limiter: impl RateLimiter<K> + Send + 'static) -> Self {
        let name = name.to_owned();
        Self::with_options(limiter, QueueOptions { name, ..QueueOptions::default() })
    }

    /// A queue with everything said.
    #[must_use]
    pub fn with_options(
        limiter: impl RateLimiter<K> + Send + 'static,
        options: QueueOptions,
    ) -> Self {
        let state = State::new(options.order);
        Self::over(state, Box::new(limiter), options)
    }

    /// A queue whose ready keys leave in an order of one's own, whatever the options say of it.
    #[must_use]
    pub fn with_hook(
        limiter: impl RateLimiter<K> + Send + 'static,
        options: QueueOptions,
        hook: impl ReadyQueue<K> + Send + 'static,
    ) -> Self {
        Self::over(State::with_hook(hook), Box::new(limiter), options)
    }

    fn over(
        mut state: State<K>,
        limiter: Box<dyn RateLimiter<K> + Send>,
        options: QueueOptions,
    ) -> Self {
        let metrics = options.metrics.filter(|_| !options.name.is_empty());
        if metrics.is_some() {
            state.measure();
        }
        let shared = Arc::new(Shared {
            name: options.name,
            start: Instant::now(),
            inner: Mutex::new(Inner { state, limiter, waiting: 0 }),
            wake: Notify::new(),
            drained: Notify::new(),
        });
        if let Some(metrics) = metrics {
            let queue: Weak<Shared<K>> = Arc::downgrade(&shared);
            metrics.queue_made(&shared.name, queue);
        }
        Self { shared }
    }
}

impl<K: Clone + Eq + Hash> RateLimitingQueue<K> {
    /// How the queue is called; empty when it has no name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// How many keys can be taken now, without those held or delayed.
    #[must_use]
    pub fn len(&self) -> usize {
        let mut inner = self.lock_in_time();
        let now = self.time_for(&inner);
        inner.state.advance(now);
        inner.state.len()
    }

    /// Whether no key can be taken now.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many keys are held by workers.
    #[must_use]
    pub fn held(&self) -> usize {
        self.lock().state.held()
    }

    /// How many keys wait for their time.
    #[must_use]
    pub fn delayed(&self) -> usize {
        self.lock().state.delayed()
    }

    /// Whether `key` waits for its time, as far as the last look at the clock has shown; beside the run
    /// that it may have or wait for besides.
    #[must_use]
    pub fn is_delayed(&self, key: &K) -> bool {
        self.lock().state.is_delayed(key)
    }

    /// Forgets the failures of `key`, not the key: the classic call after success.
    pub fn forget(&self, key: &K) {
        self.lock().limiter.forget(key);
    }

    /// How often `key` was added rate-limited since it was last forgotten.
    #[must_use]
    pub fn num_requeues(&self, key: &K) -> u32 {
        self.lock().limiter.num_requeues(key)
    }

    /// The time as the state counts it.
    fn now(&self) -> Duration {
        self.shared.now()
    }

    /// The time, if anything depends on it: to ask for it costs as much as the rest of a call.
    fn time_for(&self, inner: &Inner<K>) -> Duration {
        if inner.state.delayed() == 0 { Duration::ZERO } else { self.now() }
    }

    fn lock(&self) -> MutexGuard<'_, Inner<K>> {
        self.shared.lock()
    }

    /// The lock, for a change that is to be counted.
    fn lock_in_time(&self) -> MutexGuard<'_, Inner<K>> {
        self.shared.lock_in_time()
    }

    /// Lets go of the lock, and then wakes those whom the change concerns, if there are any.
    #[inline]
    fn leave(&self, inner: MutexGuard<'_, Inner<K>>, change: Change) {
        let waiting = inner.waiting;
        let is_drained = change.is_returned && inner.state.is_drained();
        drop(inner);
        if waiting > 0 {
            self.wake(change, waiting);
        }
        if is_drained {
            self.shared.drained.notify_waiters();
        }
    }

    fn wake(&self, change: Change, waiting: usize) {
        if change.is_sooner {
            self.shared.wake.notify_waiters();
        }
        for _ in 0..change.ready.min(waiting) {
            self.shared.wake.notify_one();
        }
    }
}

impl<K> Shared<K> {
    fn now(&self) -> Duration {
        Instant::now().saturating_duration_since(self.start)
    }

    #[inline]
    fn lock(&self) -> MutexGuard<'_, Inner<K>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Clone + Eq + Hash> Shared<K> {
    #[inline]
    fn lock_in_time(&self) -> MutexGuard<'_, Inner<K>> {
        let mut inner = self.lock();
        if inner.state.is_measured() {
            inner.state.tell_time(self.now());
        }
        inner
    }
}

impl<K: Clone + Eq + Hash + Send> Measured for Shared<K> {
    fn figures(&self) -> Figures {
        self.lock_in_time().state.figures().unwrap_or_default()
    }
}

impl<K> Clone for RateLimitingQueue<K> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<K> fmt::Debug for RateLimitingQueue<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimitingQueue").field("name", &self.shared.name).finish_non_exhaustive()
    }
}
