//! `resource/v1beta2`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

mod device_class;
mod device_taint_rule;
mod resource_claim;
mod resource_claim_template;
mod resource_slice;

pub use device_class::*;
pub use device_taint_rule::*;
pub use resource_claim::*;
pub use resource_claim_template::*;
pub use resource_slice::*;
