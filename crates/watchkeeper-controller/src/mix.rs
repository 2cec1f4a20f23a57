//! Hashes that are the same on every platform and in every run.

/// FNV-1a, as the standard hashers are not the same on every run.
pub(crate) fn fnv(seed: u64, bytes: impl Iterator<Item = u8>) -> u64 {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.fold(seed ^ 0xcbf2_9ce4_8422_2325, fold)
}

/// What `SplitMix64` makes of its state: every bit depends on all.
pub(crate) const fn mixed(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
