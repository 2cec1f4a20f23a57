//! The API group `meta`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

pub mod v1;
