//! `core/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

mod affinity;
mod binding;
mod component_status;
mod config_map;
mod container;
mod endpoints;
mod event;
mod limit_range;
mod namespace;
mod node;
mod other;
mod persistent_volume;
mod persistent_volume_claim;
mod persistent_volume_spec;
mod pod;
mod pod_spec;
mod pod_status_result;
mod pod_template;
mod range_allocation;
mod replication_controller;
mod resource_quota;
mod secret;
mod service;
mod service_account;
mod volume;

pub use affinity::*;
pub use binding::*;
pub use component_status::*;
pub use config_map::*;
pub use container::*;
pub use endpoints::*;
pub use event::*;
pub use limit_range::*;
pub use namespace::*;
pub use node::*;
pub use other::*;
pub use persistent_volume::*;
pub use persistent_volume_claim::*;
pub use persistent_volume_spec::*;
pub use pod::*;
pub use pod_spec::*;
pub use pod_status_result::*;
pub use pod_template::*;
pub use range_allocation::*;
pub use replication_controller::*;
pub use resource_quota::*;
pub use secret::*;
pub use service::*;
pub use service_account::*;
pub use volume::*;
