//! The API group `apiregistration`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

pub mod v1;
