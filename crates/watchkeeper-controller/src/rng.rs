//! Randomness that a seed repeats.

use std::hash::{BuildHasher, RandomState};

/// `SplitMix64`: tiny, well mixed, and the same on every platform.
#[derive(Clone, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    /// The numbers of `seed` for the one who is called `name`: others get others.
    pub(crate) fn named(seed: u64, name: &str) -> Self {
        // FNV-1a, as the standard hashers are not the same on every run.
        let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(name.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, fold))
    }

    /// The numbers of the `number`-th of many that share `seed`.
    pub(crate) const fn nth(seed: u64, number: u64) -> Self {
        // Far from those of its neighbours, which would be the same ones a step later.
        Self(seed ^ number.wrapping_add(1).wrapping_mul(0xd6e8_feb8_6659_fd93))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
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
