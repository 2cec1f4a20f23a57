//! Feeds `entries::streams` of the client.
#![no_main]

mod bounds;
#[path = "../../crates/watchkeeper-client/tests/it/entries.rs"]
mod entries;
#[path = "../../crates/watchkeeper-client/tests/it/fake.rs"]
#[allow(dead_code, reason = "this target needs little of it")]
mod fake;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bounds::within(4_096, bytes, entries::streams));
