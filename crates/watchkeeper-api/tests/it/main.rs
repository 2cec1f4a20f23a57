//! The public API of the crate, with every group.

mod build;
mod built;
mod filled;
mod hostile;
mod hostile_pb;
mod protobuf;
mod sizes;
mod upstream;
