//! Feeds `entries::manifests`.
#![no_main]

mod bounds;
#[path = "../../crates/watchkeeper-api/tests/it/entries.rs"]
#[expect(dead_code, reason = "each target feeds one of them")]
mod entries;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bounds::within(8_192, bytes, entries::manifests));
