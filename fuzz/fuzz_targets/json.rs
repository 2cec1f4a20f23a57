//! Feeds `entries::json`.
#![no_main]

mod bounds;
#[path = "../../crates/watchkeeper-api/tests/it/entries.rs"]
#[expect(dead_code, reason = "each target feeds one of them")]
mod entries;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bounds::within(4_096, bytes, entries::json));
