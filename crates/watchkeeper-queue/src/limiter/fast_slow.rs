//! Tries a few times quickly, then slowly.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

use super::RateLimiter;

/// Waits `fast` for the first attempts of a key and `slow` for all after them.
#[derive(Clone, Debug)]
pub struct ItemFastSlow<K> {
    fast: Duration,
    slow: Duration,
    fast_attempts: u32,
    failures: HashMap<K, u32>,
}

impl<K: Clone + Eq + Hash> ItemFastSlow<K> {
    /// `fast_attempts` times `fast`, then `slow`.
    #[must_use]
    pub fn new(fast: Duration, slow: Duration, fast_attempts: u32) -> Self {
        Self { fast, slow, fast_attempts, failures: HashMap::new() }
    }
}

impl<K: Clone + Eq + Hash> RateLimiter<K> for ItemFastSlow<K> {
    fn when(&mut self, key: &K, _now: Duration) -> Duration {
        let failures = self.failures.entry(key.clone()).or_insert(0);
        *failures = failures.saturating_add(1);
        if *failures <= self.fast_attempts { self.fast } else { self.slow }
    }

    fn forget(&mut self, key: &K) {
        // Most keys have not failed, and to look for one takes longer than the rest of an answer.
        if !self.failures.is_empty() {
            self.failures.remove(key);
        }
    }

    fn num_requeues(&self, key: &K) -> u32 {
        self.failures.get(key).copied().unwrap_or(0)
    }
}
