//! The API group `coordination`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

pub mod v1;
pub mod v1alpha2;
pub mod v1beta1;
