//! Waits for what [`State`] decides, and hands out keys.

use std::fmt;
use std::hash::Hash;
use std::pin::pin;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::job::Job;
use crate::limiter::RateLimiter;
use crate::order::Order;
use crate::state::State;
use crate::sync::{Mutex, MutexGuard, Notify, sleep_until};

#[cfg(test)]
mod tests;

/// A queue of keys that are deduplicated, delayed and kept away after failures.
///
/// A handle: clones share one queue. Made after client-go's `TypedRateLimitingQueue`, whose calls
/// keep their names and meaning; [`next`](Self::next) is the form that cannot forget an answer.
pub struct RateLimitingQueue<K> {
    shared: Arc<Shared<K>>,
}

/// What a queue may be given beside its rate limiter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueOptions {
    /// How the queue is called by those who tell of it.
    pub name: String,
    /// Which ready key leaves first.
    pub order: Order,
}

struct Shared<K> {
    name: String,
    /// The moment that the state's offsets count from.
    start: Instant,
    inner: Mutex<Inner<K>>,
    /// Somebody may find a key, or the end, by looking again.
    ///
    /// Whoever waits registers *before* looking at the state, so that no wake-up falls between
    /// the look and the wait; and every waiter sleeps until the soonest delayed key, so that one
    /// that leaves or is cancelled need not hand its alarm over.
    wake: Notify,
    /// Held keys came back, or a drain ended.
    returned: Notify,
}

struct Inner<K> {
    state: State<K>,
    limiter: Box<dyn RateLimiter<K> + Send>,
}

/// How a worker answers for its key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer {
    Done,
    Retry,
    After(Duration),
    RetryAfter(Duration),
}

impl<K: Clone + Eq + Hash> RateLimitingQueue<K> {
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
        let inner = Inner { state: State::new(options.order), limiter: Box::new(limiter) };
        let shared = Shared {
            name: options.name,
            start: Instant::now(),
            inner: Mutex::new(inner),
            wake: Notify::new(),
            returned: Notify::new(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// How the queue is called; empty when it has no name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// Waits for the next key and holds it as a [`Job`]; `None` when the queue is shut down and
    /// empty.
    ///
    /// # Cancel safety
    ///
    /// Dropping the returned future before it completes takes no key.
    pub async fn next(&self) -> Option<Job<K>> {
        let key = self.get().await?;
        Some(Job::new(self.clone(), key))
    }

    /// Waits for the next key; `None` when the queue is shut down and empty.
    ///
    /// The classic call: the key is held until [`done`](Self::done) is called with it, whatever
    /// becomes of the caller. Prefer [`next`](Self::next).
    ///
    /// # Cancel safety
    ///
    /// Dropping the returned future before it completes takes no key.
    pub async fn get(&self) -> Option<K> {
        loop {
            let mut woken = pin!(self.shared.wake.notified());
            woken.as_mut().enable();
            let wake_at = match self.look() {
                Look::Key(key) => return Some(key),
                Look::End => return None,
                Look::Wait(wake_at) => wake_at,
            };
            #[cfg(test)]
            tests::gap();
            tokio::select! {
                biased;
                () = woken => {}
                () = sleep_until_or_forever(wake_at) => {}
            }
        }
    }

    /// Marks `key` as needing a run now.
    ///
    /// A key that is queued already stays where it is; one that is held runs once more when it is
    /// given back. After a shutdown this does nothing.
    pub fn add(&self, key: K) {
        let ready = self.lock().state.add(key);
        if ready {
            self.shared.wake.notify_one();
        }
    }

    /// Marks `key` as needing a run after `delay`; at once if that is zero.
    ///
    /// Of several times for one key the earliest wins. The time stays set when the key is added
    /// and run meanwhile.
    pub fn add_after(&self, key: K, delay: Duration) {
        if delay.is_zero() {
            return self.add(key);
        }
        let at = self.now().saturating_add(delay);
        let soonest = self.lock().state.add_at(key, at);
        if soonest {
            self.shared.wake.notify_waiters();
        }
    }

    /// Marks `key` as needing a run after as long as the rate limiter says.
    pub fn add_rate_limited(&self, key: K) {
        let now = self.now();
        let delay = self.lock().limiter.when(&key, now);
        self.add_after(key, delay);
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

    /// Gives back a key taken with [`get`](Self::get). A key that is not held is ignored.
    pub fn done(&self, key: &K) {
        let ready = self.lock().state.done(key);
        if ready {
            self.shared.wake.notify_one();
        }
        self.shared.returned.notify_waiters();
    }

    /// How many keys can be taken now, without those held or delayed.
    #[must_use]
    pub fn len(&self) -> usize {
        let now = self.now();
        let mut inner = self.lock();
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

    /// Stops accepting keys and forgets the delayed ones. Keys already queued are still handed
    /// out; then every waiter gets `None`. Ends a drain at once.
    pub fn shut_down(&self) {
        self.lock().state.shut_down();
        self.shared.wake.notify_waiters();
        self.shared.returned.notify_waiters();
    }

    /// Stops accepting keys, and waits until every held key was given back.
    ///
    /// Keys that are queued and not held do not hold it up, except those that were added while
    /// they were held. A key taken with [`get`](Self::get) and never given back holds it up for
    /// ever.
    ///
    /// # Cancel safety
    ///
    /// Dropping the returned future stops the wait; the queue stays shut.
    pub async fn shut_down_with_drain(&self) {
        self.lock().state.drain();
        self.shared.wake.notify_waiters();
        loop {
            let mut returned = pin!(self.shared.returned.notified());
            returned.as_mut().enable();
            if self.lock().state.is_drained() {
                return;
            }
            returned.await;
        }
    }

    /// Whether a shutdown has begun.
    #[must_use]
    pub fn shutting_down(&self) -> bool {
        self.lock().state.is_shutting_down()
    }

    /// Answers for a held key: the rate limiter, the next run and the key itself under one lock.
    pub(crate) fn answer(&self, key: &K, answer: Answer) {
        let now = self.now();
        let mut inner = self.lock();
        let delay = inner.delay(key, answer, now);
        let soonest = delay.is_some_and(|delay| inner.add_in(key, now, delay));
        let ready = inner.state.done(key);
        drop(inner);
        if soonest {
            self.shared.wake.notify_waiters();
        }
        if ready {
            self.shared.wake.notify_one();
        }
        self.shared.returned.notify_waiters();
    }

    fn look(&self) -> Look<K> {
        let now = self.now();
        let mut inner = self.lock();
        let key = inner.state.next(now);
        // One alarm may make several keys ready while the other waiters have gone to work.
        let more = key.is_some() && !inner.state.is_empty();
        let wake_at = inner.state.wake_at();
        let end = inner.state.is_shutting_down();
        drop(inner);
        if more {
            self.shared.wake.notify_one();
        }
        match key {
            Some(key) => Look::Key(key),
            None if end => Look::End,
            None => Look::Wait(wake_at.and_then(|at| self.shared.start.checked_add(at))),
        }
    }

    /// The time as the state counts it.
    fn now(&self) -> Duration {
        Instant::now().saturating_duration_since(self.shared.start)
    }

    fn lock(&self) -> MutexGuard<'_, Inner<K>> {
        self.shared.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a waiter finds.
enum Look<K> {
    Key(K),
    End,
    Wait(Option<Instant>),
}

impl<K: Clone + Eq + Hash> Inner<K> {
    /// Tells the limiter how the run went; when the key must come back.
    fn delay(&mut self, key: &K, answer: Answer, now: Duration) -> Option<Duration> {
        match answer {
            Answer::Done => {
                self.limiter.forget(key);
                None
            }
            Answer::After(delay) => {
                self.limiter.forget(key);
                Some(delay)
            }
            Answer::Retry => Some(self.limiter.when(key, now)),
            Answer::RetryAfter(delay) => {
                self.limiter.when(key, now);
                Some(delay)
            }
        }
    }

    /// Adds `key` after `delay`. True if every waiter must set its alarm anew.
    fn add_in(&mut self, key: &K, now: Duration, delay: Duration) -> bool {
        if delay.is_zero() {
            self.state.add(key.clone());
            return false;
        }
        self.state.add_at(key.clone(), now.saturating_add(delay))
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

async fn sleep_until_or_forever(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}
