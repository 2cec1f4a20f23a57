//! An embedded Kubernetes API server.
//!
//! The core is a synchronous state machine: requests and moments in time go in, replies, watch
//! frames and wake-up times come out. It reads no clock and rolls no dice of its own, so the same
//! seed and the same inputs give the same history, byte for byte. Async lives at the edge only.

pub mod rng;

// The rules of the API as pure functions over JSON values.
pub mod apply;
pub mod fields;
pub mod jsonpath;
pub mod patch;
pub mod shape;
pub mod table;
