//! How long a key stays away after it failed.
//!
//! The limiters and their figures are those of client-go's `util/workqueue`. They keep no clock:
//! the time comes as an offset, as in [`State`](crate::State).

use std::hash::Hash;
use std::time::Duration;

mod exponential;
mod fast_slow;
mod bucket;
mod combine;
#[cfg(test)]
mod tests;

pub use self::bucket::Bucket;
pub use self::combine::{MaxOf, WithMaxWait};
pub use self::exponential::ItemExponentialFailure;
pub use self::fast_slow::ItemFastSlow;

/// Says how long a key must wait before it is tried again.
pub trait RateLimiter<K> {
    /// Counts one more attempt of `key` at `now`, and says how long it must wait.
    fn when(&mut self, key: &K, now: Duration) -> Duration;

    /// Forgets the attempts of `key`.
    fn forget(&mut self, key: &K);

    /// How many attempts of `key` are remembered.
    fn num_requeues(&self, key: &K) -> u32;
}

/// The first wait of a key that fails, for controllers.
const CONTROLLER_BASE: Duration = Duration::from_millis(5);
/// The first wait of a key that fails, where the item is all that counts.
const ITEM_BASE: Duration = Duration::from_millis(1);
/// The longest wait.
const MAX: Duration = Duration::from_secs(1000);

/// The limiter of upstream's controllers: 5 ms doubled per failure up to 1000 s, and at most ten
/// retries a second over all keys after a burst of a hundred.
#[must_use]
pub fn default_controller_rate_limiter<K: Clone + Eq + Hash + Send + 'static>() -> MaxOf<K> {
    MaxOf::new([
        Box::new(per_item_rate_limiter()) as Box<dyn RateLimiter<K> + Send>,
        Box::new(Bucket::new(Duration::from_millis(100), 100)),
    ])
}

/// 5 ms doubled per failure up to 1000 s, without a limit over all keys: what controller-runtime
/// gives its controllers, so that many failing objects do not hold up the others.
#[must_use]
pub fn per_item_rate_limiter<K: Clone + Eq + Hash>() -> ItemExponentialFailure<K> {
    ItemExponentialFailure::new(CONTROLLER_BASE, MAX)
}

/// Upstream's `DefaultItemBasedRateLimiter`: 1 ms doubled per failure up to 1000 s.
#[must_use]
pub fn default_item_based_rate_limiter<K: Clone + Eq + Hash>() -> ItemExponentialFailure<K> {
    ItemExponentialFailure::new(ITEM_BASE, MAX)
}
