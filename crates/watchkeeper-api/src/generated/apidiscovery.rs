//! The API group `apidiscovery`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

pub mod v2;
