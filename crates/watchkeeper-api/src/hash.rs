//! A quick keyed hash for tables whose input is untrusted.

use std::hash::{BuildHasher, RandomState};

use crate::ObjectKey;

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
        fold(fold(first ^ key, second ^ state) ^ key, 0x9E37_79B9_7F4A_7C15)
    }

    /// The hash of which object it is.
    #[must_use]
    pub fn hash_of(self, object: &ObjectKey) -> u64 {
        let [_, key] = self.0;
        Self([self.hash(object.namespace.as_bytes()), key]).hash(object.name.as_bytes())
    }
}

/// Up to three bytes as a number.
fn word(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}
