//! Every kind of the enabled groups.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::registry::Visitor;

/// Shows every kind to `visitor`, sorted by group, version and kind.
pub(crate) fn visit(visitor: &mut impl Visitor) {
    // Without any group there is nothing to show.
    let _ = &visitor;
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::Binding>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::ComponentStatus>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::ConfigMap>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::Endpoints>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::Event>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::LimitRange>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::Namespace>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::Node>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::PersistentVolume>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::PersistentVolumeClaim>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::Pod>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::PodStatusResult>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::PodTemplate>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::RangeAllocation>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::ReplicationController>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::ResourceQuota>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::Secret>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::Service>();
    #[cfg(feature = "core")]
    visitor.visit::<crate::core::v1::ServiceAccount>();
    #[cfg(feature = "admissionregistration")]
    visitor.visit::<crate::admissionregistration::v1::MutatingAdmissionPolicy>();
    #[cfg(feature = "admissionregistration")]
    visitor.visit::<crate::admissionregistration::v1::MutatingAdmissionPolicyBinding>();
    #[cfg(feature = "admissionregistration")]
    visitor.visit::<crate::admissionregistration::v1::MutatingWebhookConfiguration>();
    #[cfg(feature = "admissionregistration")]
    visitor.visit::<crate::admissionregistration::v1::ValidatingAdmissionPolicy>();
    #[cfg(feature = "admissionregistration")]
    visitor.visit::<crate::admissionregistration::v1::ValidatingAdmissionPolicyBinding>();
    #[cfg(feature = "admissionregistration")]
    visitor.visit::<crate::admissionregistration::v1::ValidatingWebhookConfiguration>();
    #[cfg(feature = "apiextensions")]
    visitor.visit::<crate::apiextensions::v1::CustomResourceDefinition>();
    #[cfg(feature = "apps")]
    visitor.visit::<crate::apps::v1::ControllerRevision>();
    #[cfg(feature = "apps")]
    visitor.visit::<crate::apps::v1::DaemonSet>();
    #[cfg(feature = "apps")]
    visitor.visit::<crate::apps::v1::Deployment>();
    #[cfg(feature = "apps")]
    visitor.visit::<crate::apps::v1::ReplicaSet>();
    #[cfg(feature = "apps")]
    visitor.visit::<crate::apps::v1::StatefulSet>();
    #[cfg(feature = "authentication")]
    visitor.visit::<crate::authentication::v1::SelfSubjectReview>();
    #[cfg(feature = "authentication")]
    visitor.visit::<crate::authentication::v1::TokenRequest>();
    #[cfg(feature = "authentication")]
    visitor.visit::<crate::authentication::v1::TokenReview>();
    #[cfg(feature = "authorization")]
    visitor.visit::<crate::authorization::v1::LocalSubjectAccessReview>();
    #[cfg(feature = "authorization")]
    visitor.visit::<crate::authorization::v1::SelfSubjectAccessReview>();
    #[cfg(feature = "authorization")]
    visitor.visit::<crate::authorization::v1::SelfSubjectRulesReview>();
    #[cfg(feature = "authorization")]
    visitor.visit::<crate::authorization::v1::SubjectAccessReview>();
    #[cfg(feature = "autoscaling")]
    visitor.visit::<crate::autoscaling::v1::HorizontalPodAutoscaler>();
    #[cfg(feature = "autoscaling")]
    visitor.visit::<crate::autoscaling::v1::Scale>();
    #[cfg(feature = "autoscaling")]
    visitor.visit::<crate::autoscaling::v2::HorizontalPodAutoscaler>();
    #[cfg(feature = "batch")]
    visitor.visit::<crate::batch::v1::CronJob>();
    #[cfg(feature = "batch")]
    visitor.visit::<crate::batch::v1::Job>();
    #[cfg(feature = "coordination")]
    visitor.visit::<crate::coordination::v1::Lease>();
    #[cfg(feature = "discovery")]
    visitor.visit::<crate::discovery::v1::EndpointSlice>();
    #[cfg(feature = "events")]
    visitor.visit::<crate::events::v1::Event>();
    #[cfg(feature = "networking")]
    visitor.visit::<crate::networking::v1::IPAddress>();
    #[cfg(feature = "networking")]
    visitor.visit::<crate::networking::v1::Ingress>();
    #[cfg(feature = "networking")]
    visitor.visit::<crate::networking::v1::IngressClass>();
    #[cfg(feature = "networking")]
    visitor.visit::<crate::networking::v1::NetworkPolicy>();
    #[cfg(feature = "networking")]
    visitor.visit::<crate::networking::v1::ServiceCIDR>();
    #[cfg(feature = "policy")]
    visitor.visit::<crate::policy::v1::Eviction>();
    #[cfg(feature = "policy")]
    visitor.visit::<crate::policy::v1::PodDisruptionBudget>();
    #[cfg(feature = "rbac")]
    visitor.visit::<crate::rbac::v1::ClusterRole>();
    #[cfg(feature = "rbac")]
    visitor.visit::<crate::rbac::v1::ClusterRoleBinding>();
    #[cfg(feature = "rbac")]
    visitor.visit::<crate::rbac::v1::Role>();
    #[cfg(feature = "rbac")]
    visitor.visit::<crate::rbac::v1::RoleBinding>();
    #[cfg(feature = "storage")]
    visitor.visit::<crate::storage::v1::CSIDriver>();
    #[cfg(feature = "storage")]
    visitor.visit::<crate::storage::v1::CSINode>();
    #[cfg(feature = "storage")]
    visitor.visit::<crate::storage::v1::CSIStorageCapacity>();
    #[cfg(feature = "storage")]
    visitor.visit::<crate::storage::v1::StorageClass>();
    #[cfg(feature = "storage")]
    visitor.visit::<crate::storage::v1::VolumeAttachment>();
    #[cfg(feature = "storage")]
    visitor.visit::<crate::storage::v1::VolumeAttributesClass>();
}
