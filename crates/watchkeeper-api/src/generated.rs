//! The built-in API types, one module a group.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

#[cfg(feature = "admission")]
pub mod admission;
#[cfg(feature = "admissionregistration")]
pub mod admissionregistration;
#[cfg(feature = "apiextensions")]
pub mod apiextensions;
#[cfg(feature = "apidiscovery")]
pub mod apidiscovery;
#[cfg(feature = "apiregistration")]
pub mod apiregistration;
#[cfg(feature = "apiserverinternal")]
pub mod apiserverinternal;
#[cfg(feature = "apps")]
pub mod apps;
#[cfg(feature = "authentication")]
pub mod authentication;
#[cfg(feature = "authorization")]
pub mod authorization;
#[cfg(feature = "autoscaling")]
pub mod autoscaling;
#[cfg(feature = "batch")]
pub mod batch;
#[cfg(feature = "certificates")]
pub mod certificates;
#[cfg(feature = "coordination")]
pub mod coordination;
#[cfg(feature = "core")]
pub mod core;
#[cfg(feature = "discovery")]
pub mod discovery;
#[cfg(feature = "events")]
pub mod events;
#[cfg(feature = "flowcontrol")]
pub mod flowcontrol;
pub mod meta;
#[cfg(feature = "networking")]
pub mod networking;
#[cfg(feature = "node")]
pub mod node;
#[cfg(feature = "policy")]
pub mod policy;
#[cfg(feature = "rbac")]
pub mod rbac;
#[cfg(feature = "resource")]
pub mod resource;
#[cfg(feature = "scheduling")]
pub mod scheduling;
#[cfg(feature = "storage")]
pub mod storage;
#[cfg(feature = "storagemigration")]
pub mod storagemigration;

pub(crate) mod kinds;
pub(crate) mod merge;
#[cfg(feature = "builders")]
mod setters;
