//! The API group `flowcontrol`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

pub mod v1;
