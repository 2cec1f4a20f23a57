//! Seeded randomness for jitter and timeouts: the same seed waits the same.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// A small deterministic generator (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A time in `[low, low + spread]`, to the millisecond.
    pub(crate) fn between(&mut self, low: Duration, spread: Duration) -> Duration {
        let millis = u64::try_from(spread.as_millis()).unwrap_or(u64::MAX - 1);
        low + Duration::from_millis(self.next() % (millis + 1))
    }
}

/// The seed of one among many: differs by `name`, stays the same from run to run.
pub(crate) fn derive(seed: u64, name: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in name.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    Rng::new(seed ^ hash).next()
}

/// A seed that differs from process to process.
pub(crate) fn arbitrary() -> u64 {
    RandomState::new().build_hasher().finish()
}
