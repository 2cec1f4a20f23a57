//! Feeds `entries::watch`.
#![no_main]

#[path = "../../crates/watchkeeper-api/tests/it/entries.rs"]
#[expect(dead_code, reason = "each target feeds one of them")]
mod entries;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| entries::watch(bytes));
