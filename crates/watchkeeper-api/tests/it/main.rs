//! The public API of the crate, with every group.

mod build;
mod built;
mod entries;
mod entries_pb;
mod filled;
mod fuzzed;
mod hostile;
mod hostile_pb;
mod lists;
mod protobuf;
mod sizes;
mod upstream;
