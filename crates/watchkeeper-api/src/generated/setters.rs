//! `with_…` methods of the built-in types.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

#[cfg(feature = "admission")]
mod admission_v1;
#[cfg(feature = "admissionregistration")]
mod admissionregistration_v1;
#[cfg(feature = "admissionregistration")]
mod admissionregistration_v1alpha1;
#[cfg(feature = "admissionregistration")]
mod admissionregistration_v1beta1;
#[cfg(feature = "apiextensions")]
mod apiextensions_v1;
#[cfg(feature = "apidiscovery")]
mod apidiscovery_v2;
#[cfg(feature = "apiregistration")]
mod apiregistration_v1;
#[cfg(feature = "apiserverinternal")]
mod apiserverinternal_v1alpha1;
#[cfg(feature = "apps")]
mod apps_v1;
#[cfg(feature = "authentication")]
mod authentication_v1;
#[cfg(feature = "authorization")]
mod authorization_v1;
#[cfg(feature = "autoscaling")]
mod autoscaling_v1;
#[cfg(feature = "autoscaling")]
mod autoscaling_v2;
#[cfg(feature = "batch")]
mod batch_v1;
#[cfg(feature = "certificates")]
mod certificates_v1;
#[cfg(feature = "certificates")]
mod certificates_v1alpha1;
#[cfg(feature = "certificates")]
mod certificates_v1beta1;
#[cfg(feature = "coordination")]
mod coordination_v1;
#[cfg(feature = "coordination")]
mod coordination_v1alpha2;
#[cfg(feature = "coordination")]
mod coordination_v1beta1;
#[cfg(feature = "core")]
mod core_v1;
#[cfg(feature = "discovery")]
mod discovery_v1;
#[cfg(feature = "events")]
mod events_v1;
#[cfg(feature = "flowcontrol")]
mod flowcontrol_v1;
mod meta_v1;
#[cfg(feature = "networking")]
mod networking_v1;
#[cfg(feature = "networking")]
mod networking_v1beta1;
#[cfg(feature = "node")]
mod node_v1;
#[cfg(feature = "policy")]
mod policy_v1;
#[cfg(feature = "rbac")]
mod rbac_v1;
#[cfg(feature = "resource")]
mod resource_v1;
#[cfg(feature = "resource")]
mod resource_v1alpha3;
#[cfg(feature = "resource")]
mod resource_v1beta1;
#[cfg(feature = "resource")]
mod resource_v1beta2;
#[cfg(feature = "scheduling")]
mod scheduling_v1;
#[cfg(feature = "scheduling")]
mod scheduling_v1alpha2;
#[cfg(feature = "storage")]
mod storage_v1;
#[cfg(feature = "storage")]
mod storage_v1beta1;
#[cfg(feature = "storagemigration")]
mod storagemigration_v1beta1;
