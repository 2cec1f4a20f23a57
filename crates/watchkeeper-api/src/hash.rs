//! A quick keyed hash for tables whose input is untrusted.

use std::hash::{BuildHasher, RandomState};

/// The key of a table, drawn when it is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HashKey([u64; 2]);

impl HashKey {
    /// A new key from the system's randomness. Where it leads is never seen: it decides which slot
    /// of a table a text goes to, and nothing else.
    pub(crate) fn draw() -> Self {
        let word = || RandomState::new().hash_one(0_u8);
        Self([word(), word() | 1])
    }

    /// The hash of some bytes: each word is mixed into the state by a full multiplication whose halves
    /// are folded together.
    pub(crate) fn hash(self, bytes: &[u8]) -> u64 {
        let mut state = self.0[0] ^ bytes.len() as u64;
        let mut words = bytes.chunks_exact(8);
        for word in words.by_ref() {
            state =
                fold(state ^ u64::from_le_bytes(word.try_into().unwrap_or_default()), self.0[1]);
        }
        let mut tail = [0; 8];
        tail[..words.remainder().len()].copy_from_slice(words.remainder());
        state = fold(state ^ u64::from_le_bytes(tail), self.0[1]);
        fold(state ^ self.0[1], 0x9E37_79B9_7F4A_7C15)
    }
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}
