//! How much memory an input may take: so many bytes for each of its own. What asks for more ends
//! the target, and the fuzzer keeps the input that asked.

use std::alloc::System;

use cap::Cap;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// What every input may take: the tables of a decoder, a runtime, an error.
const FIXED: usize = 1 << 20;

/// Feeds `entry`, which may hold `growth` bytes at a time for each byte of input.
pub(crate) fn within(growth: usize, bytes: &[u8], entry: fn(&[u8])) {
    let limit = ALLOCATOR.allocated() + FIXED + growth * bytes.len();
    ALLOCATOR.set_limit(limit).expect("more than is taken already");
    entry(bytes);
    ALLOCATOR.set_limit(usize::MAX).expect("without a limit");
}
