//! Doubles the wait with every failure of a key.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

use super::RateLimiter;

/// `base * 2^n` after `n` earlier failures, at most `max`.
#[derive(Clone, Debug)]
pub struct ItemExponentialFailure<K> {
    base: Duration,
    max: Duration,
    failures: HashMap<K, u32>,
}

impl<K: Clone + Eq + Hash> ItemExponentialFailure<K> {
    /// Waits `base` after the first failure and never longer than `max`.
    #[must_use]
    pub fn new(base: Duration, max: Duration) -> Self {
        Self { base, max, failures: HashMap::new() }
    }
}

impl<K: Clone + Eq + Hash> RateLimiter<K> for ItemExponentialFailure<K> {
    fn when(&mut self, key: &K, _now: Duration) -> Duration {
        let failures = self.failures.entry(key.clone()).or_insert(0);
        let wait = doubled(self.base, *failures).unwrap_or(self.max);
        *failures = failures.saturating_add(1);
        wait.min(self.max)
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

/// `base * 2^times`, unless that is beyond some 500 years.
fn doubled(base: Duration, times: u32) -> Option<Duration> {
    let factor = 1_u128.checked_shl(times)?;
    let nanos = base.as_nanos().checked_mul(factor)?;
    u64::try_from(nanos).ok().map(Duration::from_nanos)
}
