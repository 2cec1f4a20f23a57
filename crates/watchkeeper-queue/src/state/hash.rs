//! A quick keyed hash: keys may bear names that strangers chose.

use std::hash::BuildHasher;
use std::hash::{Hash, Hasher, RandomState};

/// The key of one table, drawn when it is made. Where it leads is never seen: it decides which
/// bucket a key goes to, and nothing else.
#[derive(Clone, Copy, Debug)]
pub(super) struct HashKey([u64; 2]);

impl HashKey {
    pub(super) fn draw() -> Self {
        let word = || RandomState::new().hash_one(0_u8);
        Self([word(), word() | 1])
    }

    #[inline]
    pub(super) fn hash(self, value: &impl Hash) -> u32 {
        let [seed, key] = self.0;
        let mut folding = Folding { state: seed, key };
        value.hash(&mut folding);
        (folding.finish() >> 32) as u32
    }
}

/// Mixes each word into the state by a full multiplication whose halves are folded together.
struct Folding {
    state: u64,
    key: u64,
}

impl Folding {
    #[inline]
    fn mix(&mut self, word: u64) {
        self.state = fold(self.state ^ word, self.key);
    }
}

impl Hasher for Folding {
    fn write(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let (Some((pair, more)), true) = (rest.split_first_chunk::<16>(), rest.len() > 16) {
            self.mix_pair(u128::from_le_bytes(*pair));
            rest = more;
        }
        // What is left may be looked at twice: the length is mixed in as well.
        let (first, second) = ends(rest);
        self.mix_pair(u128::from(first) | u128::from(second) << 64);
        self.mix(bytes.len() as u64);
    }

    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.mix(word.into());
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.mix(word.into());
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.mix(word);
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.mix(word as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        fold(self.state ^ self.key, 0x9E37_79B9_7F4A_7C15)
    }
}

impl Folding {
    #[inline]
    fn mix_pair(&mut self, pair: u128) {
        self.state = fold(pair as u64 ^ self.key, (pair >> 64) as u64 ^ self.state);
    }
}

/// At most sixteen bytes as two words that overlap when there are fewer.
fn ends(bytes: &[u8]) -> (u64, u64) {
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        (u64::from_le_bytes(*first), u64::from_le_bytes(*last))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        (u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into())
    } else {
        (bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)), 0)
    }
}

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

#[cfg(test)]
mod tests;
