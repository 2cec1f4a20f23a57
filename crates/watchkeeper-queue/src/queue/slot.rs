//! Keys that are found without looking.

use std::fmt;
use std::hash::Hash;

use super::add::Place;
use super::{AddOptions, Change, RateLimitingQueue};
use crate::state::Slot;

/// A key with a place in a queue, for those who add it often: no add has to look for it.
///
/// The place is kept until this is dropped.
pub struct KeptKey<K: Clone + Eq + Hash> {
    queue: RateLimitingQueue<K>,
    key: K,
    slot: Slot,
}

impl<K: Clone + Eq + Hash> RateLimitingQueue<K> {
    /// Gives `key` a place that is kept, so that adding it costs no look-up. What is kept 65,535 times at once
    /// stays for good.
    ///
    /// ```
    /// use watchkeeper_queue::{RateLimitingQueue, per_item_rate_limiter};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let queue = RateLimitingQueue::new(per_item_rate_limiter());
    /// let kept = queue.keep("default/a");
    /// kept.add();
    /// queue.add("default/a");
    /// assert_eq!((queue.len(), queue.get().await), (1, Some("default/a")));
    /// # }
    /// ```
    #[must_use = "the place is given up with the value"]
    pub fn keep(&self, key: K) -> KeptKey<K> {
        let slot = self.lock().state.keep(key.clone());
        KeptKey { queue: self.clone(), key, slot }
    }
}

impl<K: Clone + Eq + Hash> KeptKey<K> {
    /// The key.
    pub fn key(&self) -> &K {
        &self.key
    }

    /// Marks the key as needing a run now, as [`RateLimitingQueue::add`] does.
    pub fn add(&self) {
        let mut inner = self.queue.lock_in_time();
        let ready = inner.state.add_slot(self.slot, 0).into();
        self.queue.leave(inner, Change { ready, ..Change::default() });
    }

    /// Marks the key as needing a run, with everything said.
    pub fn add_with(&self, options: AddOptions) {
        self.queue.add_to(Place::Kept(self.slot, &self.key), options);
    }
}

impl<K: Clone + Eq + Hash> Drop for KeptKey<K> {
    fn drop(&mut self) {
        self.queue.lock().state.let_go(self.slot);
    }
}

impl<K: Clone + Eq + Hash + fmt::Debug> fmt::Debug for KeptKey<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KeptKey").field(&self.key).finish()
    }
}
