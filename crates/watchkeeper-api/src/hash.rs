//! A quick keyed hash for tables whose input is untrusted.

use std::hash::{BuildHasher, RandomState};

use crate::{IStr, ObjectKey};

/// What a last multiplication spreads all bits by.
const LAST: u64 = 0x9E37_79B9_7F4A_7C15;

/// The key of a table, drawn when it is made.
#[derive(Clone, Copy, Debug)]
pub struct HashKey([u64; 2]);

impl HashKey {
    /// A new key from the system's randomness. Where it leads is never seen: it decides which slot
    /// of a table a text goes to, and nothing else.
    #[must_use]
    pub fn draw() -> Self {
        let word = || RandomState::new().hash_one(0_u8);
        Self([word(), word() | 1])
    }

    /// The hash of some bytes: sixteen at a time are mixed into the state by a full multiplication
    /// whose halves are folded together.
    #[must_use]
    pub fn hash(self, bytes: &[u8]) -> u64 {
        let [seed, key] = self.0;
        let mut state = seed ^ bytes.len() as u64;
        let mut rest = bytes;
        while let (Some((pair, more)), true) = (rest.split_first_chunk::<16>(), rest.len() > 16) {
            let pair = u128::from_le_bytes(*pair);
            state = fold(pair as u64 ^ key, (pair >> 64) as u64 ^ state);
            rest = more;
        }
        // What is left may overlap, or be looked at twice: the length is in the state.
        let (first, second) =
            if let (Some(first), Some(second)) = (rest.first_chunk(), rest.last_chunk()) {
                (u64::from_le_bytes(*first), u64::from_le_bytes(*second))
            } else if let (Some(first), Some(second)) = (rest.first_chunk(), rest.last_chunk()) {
                (u32::from_le_bytes(*first).into(), u32::from_le_bytes(*second).into())
            } else {
                (word(rest), 0)
            };
        fold(fold(first ^ key, second ^ state) ^ key, LAST)
    }

    /// The hash of which object it is.
    #[must_use]
    #[inline]
    pub fn hash_of(self, object: &ObjectKey) -> u64 {
        let [seed, key] = self.0;
        let namespace = Self([seed, key]).mix(&object.namespace);
        fold(Self([namespace, key]).mix(&object.name) ^ key, LAST)
    }

    /// A text mixed into the state. Names of usual lengths are mixed here, in few steps and without a call.
    #[inline]
    fn mix(self, text: &IStr) -> u64 {
        let [state, key] = self.0;
        if let Some(word) = text.short_word() {
            // Turned, so that no longer text can be chosen to come to the same.
            return fold(word ^ key, state.rotate_left(32));
        }
        let bytes = text.as_bytes();
        let state = state ^ bytes.len() as u64;
        match bytes.len() {
            8..=16 => fold(eight(bytes.first_chunk()) ^ key, eight(bytes.last_chunk()) ^ state),
            17..=32 => pair(bytes.last_chunk(), pair(bytes.first_chunk(), state, key), key),
            _ => self.hash(bytes),
        }
    }
}

/// Eight bytes as a number.
#[inline]
fn eight(bytes: Option<&[u8; 8]>) -> u64 {
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Sixteen bytes mixed into the state.
#[inline]
fn pair(bytes: Option<&[u8; 16]>, state: u64, key: u64) -> u64 {
    let both = bytes.map_or(0, |bytes| u128::from_le_bytes(*bytes));
    fold(both as u64 ^ key, (both >> 64) as u64 ^ state)
}

/// Up to three bytes as a number.
fn word(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

#[cfg(test)]
mod tests;
