//! How keys come in.

use std::hash::Hash;
use std::time::Duration;

use super::{Change, Inner, RateLimitingQueue};
use crate::state::Slot;

/// When a key runs, and before which others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddOptions {
    /// Keys of a higher priority leave before others; see [`Order`](crate::Order) for the part
    /// that those of a lower one get. Of several priorities of a key that waits the highest
    /// counts. controller-runtime gives what did not change, and the first list, -100.
    pub priority: i32,
    /// Not before so much time has passed.
    pub after: Option<Duration>,
    /// Not before the rate limiter allows it; together with `after`, at the sooner of both.
    pub rate_limited: bool,
}

/// Where a key is to be found.
pub(super) enum Place<'a, K> {
    New(K),
    Kept(Slot, &'a K),
}

impl<K: Clone + Eq + Hash> RateLimitingQueue<K> {
    /// Marks `key` as needing a run now.
    ///
    /// A key that is queued already stays where it is; one that is held runs once more when it is
    /// given back. After a shutdown this does nothing.
    pub fn add(&self, key: K) {
        let mut inner = self.lock_in_time();
        let ready = inner.state.add(key, 0).into();
        self.leave(inner, Change { ready, ..Change::default() });
    }

    /// Marks `key` as needing a run, with everything said.
    ///
    /// ```
    /// use watchkeeper_queue::{AddOptions, RateLimitingQueue, per_item_rate_limiter};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let queue = RateLimitingQueue::new(per_item_rate_limiter());
    /// queue.add_with("seen at the start", AddOptions { priority: -100, ..AddOptions::default() });
    /// queue.add("changed");
    /// assert_eq!(queue.get().await, Some("changed"));
    /// # }
    /// ```
    pub fn add_with(&self, key: K, options: AddOptions) {
        self.add_to(Place::New(key), options);
    }

    /// Marks each of `keys` as needing a run now.
    pub fn add_all(&self, keys: impl IntoIterator<Item = K>) {
        // The iterator is the caller's: it may call the queue, or take long.
        let keys: Vec<K> = keys.into_iter().collect();
        let mut inner = self.lock_in_time();
        let ready = keys.into_iter().map(|key| usize::from(inner.state.add(key, 0))).sum();
        self.leave(inner, Change { ready, ..Change::default() });
    }

    /// Marks `key` as needing a run after `delay`; at once if that is zero.
    ///
    /// Of several times for one key the earliest wins. The time stays set when the key is added
    /// and run meanwhile.
    pub fn add_after(&self, key: K, delay: Duration) {
        self.add_with(key, AddOptions { after: Some(delay), ..AddOptions::default() });
    }

    /// Marks `key` as needing a run after as long as the rate limiter says.
    pub fn add_rate_limited(&self, key: K) {
        self.add_with(key, AddOptions { rate_limited: true, ..AddOptions::default() });
    }

    pub(super) fn add_to(&self, place: Place<'_, K>, options: AddOptions) {
        let mut inner = self.lock_in_time();
        let needs_time = options.rate_limited || options.after.is_some();
        let now = if needs_time { self.now() } else { Duration::ZERO };
        let delay = inner.delay_of(place.key(), options, now);
        if delay.is_some() {
            inner.state.count_retry();
        }
        let change = inner.add_in(place, options.priority, now, delay);
        self.leave(inner, change);
    }
}

impl<K> Place<'_, K> {
    fn key(&self) -> &K {
        match self {
            Self::New(key) => key,
            Self::Kept(_, key) => key,
        }
    }
}

impl<K: Clone + Eq + Hash> Inner<K> {
    fn delay_of(&mut self, key: &K, options: AddOptions, now: Duration) -> Option<Duration> {
        let AddOptions { after, rate_limited, .. } = options;
        if !rate_limited {
            return after;
        }
        let limit = self.limiter.when(key, now);
        Some(after.map_or(limit, |after| after.min(limit)))
    }

    /// Adds a key after `delay`, at once without one.
    pub(super) fn add_in(
        &mut self,
        place: Place<'_, K>,
        priority: i32,
        now: Duration,
        delay: Option<Duration>,
    ) -> Change {
        let state = &mut self.state;
        let delay = delay.unwrap_or_default();
        let mut change = Change::default();
        if delay.is_zero() {
            change.ready = match place {
                Place::New(key) => state.add(key, priority),
                Place::Kept(slot, _) => state.add_slot(slot, priority),
            }
            .into();
        } else {
            let at = now.saturating_add(delay);
            change.is_sooner = match place {
                Place::New(key) => state.add_at(key, at, priority),
                Place::Kept(slot, _) => state.add_slot_at(slot, at, priority),
            };
        }
        change
    }
}
