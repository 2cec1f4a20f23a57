//! Feeds `entries::definitions` of the generator.
#![no_main]

mod bounds;
#[path = "../../crates/watchkeeper-codegen/tests/it/entries.rs"]
mod entries;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bounds::within(8_192, bytes, entries::definitions));
