//! Limiters made of limiters.

use std::fmt;
use std::time::Duration;

use super::RateLimiter;

/// Asks every limiter and takes the longest wait.
pub struct MaxOf<K> {
    limiters: Vec<Box<dyn RateLimiter<K> + Send>>,
}

impl<K> MaxOf<K> {
    /// The longest wait of `limiters`; none at all without any.
    #[must_use]
    pub fn new(limiters: impl IntoIterator<Item = Box<dyn RateLimiter<K> + Send>>) -> Self {
        Self { limiters: limiters.into_iter().collect() }
    }
}

impl<K> RateLimiter<K> for MaxOf<K> {
    fn when(&mut self, key: &K, now: Duration) -> Duration {
        let waits = self.limiters.iter_mut().map(|limiter| limiter.when(key, now));
        waits.max().unwrap_or(Duration::ZERO)
    }

    fn forget(&mut self, key: &K) {
        for limiter in &mut self.limiters {
            limiter.forget(key);
        }
    }

    fn num_requeues(&self, key: &K) -> u32 {
        self.limiters.iter().map(|limiter| limiter.num_requeues(key)).max().unwrap_or(0)
    }
}

impl<K> fmt::Debug for MaxOf<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MaxOf").field("limiters", &self.limiters.len()).finish()
    }
}

/// Another limiter, whose waits are cut at a maximum.
#[derive(Clone, Debug)]
pub struct WithMaxWait<L> {
    limiter: L,
    max: Duration,
}

impl<L> WithMaxWait<L> {
    /// Never waits longer than `max`.
    #[must_use]
    pub fn new(limiter: L, max: Duration) -> Self {
        Self { limiter, max }
    }
}

impl<K, L: RateLimiter<K>> RateLimiter<K> for WithMaxWait<L> {
    fn when(&mut self, key: &K, now: Duration) -> Duration {
        self.limiter.when(key, now).min(self.max)
    }

    fn forget(&mut self, key: &K) {
        self.limiter.forget(key);
    }

    fn num_requeues(&self, key: &K) -> u32 {
        self.limiter.num_requeues(key)
    }
}
