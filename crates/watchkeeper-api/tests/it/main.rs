//! The public API of the crate, with every group.

mod filled;
