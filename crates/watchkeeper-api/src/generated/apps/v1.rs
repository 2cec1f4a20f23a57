//! `apps/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

mod controller_revision;
mod daemon_set;
mod deployment;
mod replica_set;
mod stateful_set;

pub use controller_revision::*;
pub use daemon_set::*;
pub use deployment::*;
pub use replica_set::*;
pub use stateful_set::*;
