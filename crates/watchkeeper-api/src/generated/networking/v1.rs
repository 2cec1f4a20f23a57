//! `networking/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

mod ingress;
mod ingress_class;
mod ip_address;
mod network_policy;
mod service_cidr;

pub use ingress::*;
pub use ingress_class::*;
pub use ip_address::*;
pub use network_policy::*;
pub use service_cidr::*;
