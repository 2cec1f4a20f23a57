//! The API group `resource`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

pub mod v1;
pub mod v1alpha3;
pub mod v1beta1;
pub mod v1beta2;
