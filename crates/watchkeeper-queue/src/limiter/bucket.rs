//! Limits all keys together.

use std::time::Duration;

use super::RateLimiter;

/// A token bucket over all keys: a burst goes through at once, then one per interval.
///
/// Every attempt takes its token at once, if need be one of the future, and waits for it.
#[derive(Clone, Debug)]
pub struct Bucket {
    interval: Duration,
    /// How far the bucket may run ahead: the burst without its first token.
    ahead: Duration,
    /// When the bucket will be full again.
    full_at: Duration,
}

impl Bucket {
    /// One attempt per `interval` after a burst of `burst`, which counts at least as one.
    #[must_use]
    pub fn new(interval: Duration, burst: u32) -> Self {
        let ahead = interval.saturating_mul(burst.saturating_sub(1));
        Self { interval, ahead, full_at: Duration::ZERO }
    }
}

impl<K> RateLimiter<K> for Bucket {
    fn when(&mut self, _key: &K, now: Duration) -> Duration {
        let full_at = self.full_at.max(now);
        self.full_at = full_at.saturating_add(self.interval);
        full_at.saturating_sub(now).saturating_sub(self.ahead)
    }

    fn forget(&mut self, _key: &K) {}

    fn num_requeues(&self, _key: &K) -> u32 {
        0
    }
}
