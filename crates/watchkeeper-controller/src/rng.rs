//! Randomness that a seed repeats.

use std::hash::{BuildHasher, RandomState};

use crate::mix::{fnv, mixed};

/// `SplitMix64`: tiny, well mixed, and the same on every platform.
#[derive(Clone, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    /// The numbers of `seed` for the one who is called `name`: others get others.
    pub(crate) fn named(seed: u64, name: &str) -> Self {
        Self(fnv(seed, name.bytes()))
    }

    /// The numbers of the `number`-th of many that share `seed`.
    pub(crate) const fn nth(seed: u64, number: u64) -> Self {
        // Far from those of its neighbours, which would be the same ones a step later.
        Self(seed ^ number.wrapping_add(1).wrapping_mul(0xd6e8_feb8_6659_fd93))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }
}

/// The seed of one among many that share `seed`: it differs by name, and stays the same from run
/// to run.
#[must_use]
pub fn seed_for(seed: u64, name: &str) -> u64 {
    Rng::named(seed, name).next()
}

/// A seed that differs on every call.
pub(crate) fn random_seed() -> u64 {
    RandomState::new().hash_one(0_u8)
}
