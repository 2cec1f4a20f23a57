//! Typed accessors for every group and version.
//!
//! `client.apps().v1().deployments("default")` is `client.api::<Deployment>()` in that namespace.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::client::Client;

#[cfg(feature = "admissionregistration")]
pub mod admissionregistration;
#[cfg(feature = "apiextensions")]
pub mod apiextensions;
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

impl Client {
    /// The group `admissionregistration`.
    #[cfg(feature = "admissionregistration")]
    #[must_use]
    pub const fn admissionregistration(&self) -> admissionregistration::Group<'_> {
        admissionregistration::Group::new(self)
    }

    /// The group `apiextensions`.
    #[cfg(feature = "apiextensions")]
    #[must_use]
    pub const fn apiextensions(&self) -> apiextensions::Group<'_> {
        apiextensions::Group::new(self)
    }

    /// The group `apiregistration`.
    #[cfg(feature = "apiregistration")]
    #[must_use]
    pub const fn apiregistration(&self) -> apiregistration::Group<'_> {
        apiregistration::Group::new(self)
    }

    /// The group `apiserverinternal`.
    #[cfg(feature = "apiserverinternal")]
    #[must_use]
    pub const fn apiserverinternal(&self) -> apiserverinternal::Group<'_> {
        apiserverinternal::Group::new(self)
    }

    /// The group `apps`.
    #[cfg(feature = "apps")]
    #[must_use]
    pub const fn apps(&self) -> apps::Group<'_> {
        apps::Group::new(self)
    }

    /// The group `authentication`.
    #[cfg(feature = "authentication")]
    #[must_use]
    pub const fn authentication(&self) -> authentication::Group<'_> {
        authentication::Group::new(self)
    }

    /// The group `authorization`.
    #[cfg(feature = "authorization")]
    #[must_use]
    pub const fn authorization(&self) -> authorization::Group<'_> {
        authorization::Group::new(self)
    }

    /// The group `autoscaling`.
    #[cfg(feature = "autoscaling")]
    #[must_use]
    pub const fn autoscaling(&self) -> autoscaling::Group<'_> {
        autoscaling::Group::new(self)
    }

    /// The group `batch`.
    #[cfg(feature = "batch")]
    #[must_use]
    pub const fn batch(&self) -> batch::Group<'_> {
        batch::Group::new(self)
    }

    /// The group `certificates`.
    #[cfg(feature = "certificates")]
    #[must_use]
    pub const fn certificates(&self) -> certificates::Group<'_> {
        certificates::Group::new(self)
    }

    /// The group `coordination`.
    #[cfg(feature = "coordination")]
    #[must_use]
    pub const fn coordination(&self) -> coordination::Group<'_> {
        coordination::Group::new(self)
    }

    /// The group `core`.
    #[cfg(feature = "core")]
    #[must_use]
    pub const fn core(&self) -> core::Group<'_> {
        core::Group::new(self)
    }

    /// The group `discovery`.
    #[cfg(feature = "discovery")]
    #[must_use]
    pub const fn discovery(&self) -> discovery::Group<'_> {
        discovery::Group::new(self)
    }

    /// The group `events`.
    #[cfg(feature = "events")]
    #[must_use]
    pub const fn events(&self) -> events::Group<'_> {
        events::Group::new(self)
    }

    /// The group `flowcontrol`.
    #[cfg(feature = "flowcontrol")]
    #[must_use]
    pub const fn flowcontrol(&self) -> flowcontrol::Group<'_> {
        flowcontrol::Group::new(self)
    }

    /// The group `networking`.
    #[cfg(feature = "networking")]
    #[must_use]
    pub const fn networking(&self) -> networking::Group<'_> {
        networking::Group::new(self)
    }

    /// The group `node`.
    #[cfg(feature = "node")]
    #[must_use]
    pub const fn node(&self) -> node::Group<'_> {
        node::Group::new(self)
    }

    /// The group `policy`.
    #[cfg(feature = "policy")]
    #[must_use]
    pub const fn policy(&self) -> policy::Group<'_> {
        policy::Group::new(self)
    }

    /// The group `rbac`.
    #[cfg(feature = "rbac")]
    #[must_use]
    pub const fn rbac(&self) -> rbac::Group<'_> {
        rbac::Group::new(self)
    }

    /// The group `resource`.
    #[cfg(feature = "resource")]
    #[must_use]
    pub const fn resource(&self) -> resource::Group<'_> {
        resource::Group::new(self)
    }

    /// The group `scheduling`.
    #[cfg(feature = "scheduling")]
    #[must_use]
    pub const fn scheduling(&self) -> scheduling::Group<'_> {
        scheduling::Group::new(self)
    }

    /// The group `storage`.
    #[cfg(feature = "storage")]
    #[must_use]
    pub const fn storage(&self) -> storage::Group<'_> {
        storage::Group::new(self)
    }

    /// The group `storagemigration`.
    #[cfg(feature = "storagemigration")]
    #[must_use]
    pub const fn storagemigration(&self) -> storagemigration::Group<'_> {
        storagemigration::Group::new(self)
    }
}
