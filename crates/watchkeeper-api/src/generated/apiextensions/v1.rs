//! `apiextensions/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

mod custom_resource_definition;
mod other;

pub use custom_resource_definition::*;
pub use other::*;
