//! `admissionregistration/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

mod mutating_admission_policy;
mod mutating_admission_policy_binding;
mod mutating_webhook_configuration;
mod validating_admission_policy;
mod validating_admission_policy_binding;
mod validating_webhook_configuration;

pub use mutating_admission_policy::*;
pub use mutating_admission_policy_binding::*;
pub use mutating_webhook_configuration::*;
pub use validating_admission_policy::*;
pub use validating_admission_policy_binding::*;
pub use validating_webhook_configuration::*;
