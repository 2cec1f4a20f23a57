//! Feeds `entries_pb::protobuf`.
#![no_main]

mod bounds;
#[path = "../../crates/watchkeeper-api/tests/it/entries_pb.rs"]
mod entries_pb;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bounds::within(2_048, bytes, entries_pb::protobuf));
