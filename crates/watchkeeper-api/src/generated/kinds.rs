//! Every kind of the enabled groups.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::registry::Visitor;

/// Shows every kind to `visitor`, sorted by group, version and kind.
pub(crate) fn visit(visitor: &mut impl Visitor) {
    #[cfg(feature = "core")]
    core_v1(visitor);
    #[cfg(feature = "admissionregistration")]
    admissionregistration_v1(visitor);
    #[cfg(feature = "apiextensions")]
    apiextensions_v1(visitor);
    #[cfg(feature = "apps")]
    apps_v1(visitor);
    #[cfg(feature = "authentication")]
    authentication_v1(visitor);
    #[cfg(feature = "authorization")]
    authorization_v1(visitor);
    #[cfg(feature = "autoscaling")]
    autoscaling_v1(visitor);
    #[cfg(feature = "autoscaling")]
    autoscaling_v2(visitor);
    #[cfg(feature = "batch")]
    batch_v1(visitor);
    #[cfg(feature = "coordination")]
    coordination_v1(visitor);
    #[cfg(feature = "discovery")]
    discovery_v1(visitor);
    #[cfg(feature = "events")]
    events_v1(visitor);
    #[cfg(feature = "networking")]
    networking_v1(visitor);
    #[cfg(feature = "policy")]
    policy_v1(visitor);
    #[cfg(feature = "rbac")]
    rbac_v1(visitor);
    #[cfg(feature = "storage")]
    storage_v1(visitor);
    meta_v1(visitor);
}

#[cfg(feature = "core")]
fn core_v1(visitor: &mut impl Visitor) {
    use crate::core::v1;

    visitor.visit::<v1::Binding>();
    visitor.visit::<v1::ComponentStatus>();
    visitor.visit::<v1::ConfigMap>();
    visitor.visit::<v1::Endpoints>();
    visitor.visit::<v1::Event>();
    visitor.visit::<v1::LimitRange>();
    visitor.visit::<v1::Namespace>();
    visitor.visit::<v1::Node>();
    visitor.visit::<v1::PersistentVolume>();
    visitor.visit::<v1::PersistentVolumeClaim>();
    visitor.visit::<v1::Pod>();
    visitor.visit::<v1::PodStatusResult>();
    visitor.visit::<v1::PodTemplate>();
    visitor.visit::<v1::RangeAllocation>();
    visitor.visit::<v1::ReplicationController>();
    visitor.visit::<v1::ResourceQuota>();
    visitor.visit::<v1::Secret>();
    visitor.visit::<v1::Service>();
    visitor.visit::<v1::ServiceAccount>();
    visitor.visit_plain::<v1::NodeProxyOptions>("v1", "NodeProxyOptions");
    visitor.visit_plain::<v1::PodAttachOptions>("v1", "PodAttachOptions");
    visitor.visit_plain::<v1::PodExecOptions>("v1", "PodExecOptions");
    visitor.visit_plain::<v1::PodLogOptions>("v1", "PodLogOptions");
    visitor.visit_plain::<v1::PodPortForwardOptions>("v1", "PodPortForwardOptions");
    visitor.visit_plain::<v1::PodProxyOptions>("v1", "PodProxyOptions");
    visitor.visit_plain::<v1::SerializedReference>("v1", "SerializedReference");
    visitor.visit_plain::<v1::ServiceProxyOptions>("v1", "ServiceProxyOptions");
}

#[cfg(feature = "admissionregistration")]
fn admissionregistration_v1(visitor: &mut impl Visitor) {
    use crate::admissionregistration::v1;

    visitor.visit::<v1::MutatingAdmissionPolicy>();
    visitor.visit::<v1::MutatingAdmissionPolicyBinding>();
    visitor.visit::<v1::MutatingWebhookConfiguration>();
    visitor.visit::<v1::ValidatingAdmissionPolicy>();
    visitor.visit::<v1::ValidatingAdmissionPolicyBinding>();
    visitor.visit::<v1::ValidatingWebhookConfiguration>();
}

#[cfg(feature = "apiextensions")]
fn apiextensions_v1(visitor: &mut impl Visitor) {
    use crate::apiextensions::v1;

    visitor.visit::<v1::CustomResourceDefinition>();
    visitor.visit_plain::<v1::ConversionReview>("apiextensions.k8s.io/v1", "ConversionReview");
}

#[cfg(feature = "apps")]
fn apps_v1(visitor: &mut impl Visitor) {
    use crate::apps::v1;

    visitor.visit::<v1::ControllerRevision>();
    visitor.visit::<v1::DaemonSet>();
    visitor.visit::<v1::Deployment>();
    visitor.visit::<v1::ReplicaSet>();
    visitor.visit::<v1::StatefulSet>();
}

#[cfg(feature = "authentication")]
fn authentication_v1(visitor: &mut impl Visitor) {
    use crate::authentication::v1;

    visitor.visit::<v1::SelfSubjectReview>();
    visitor.visit::<v1::TokenRequest>();
    visitor.visit::<v1::TokenReview>();
}

#[cfg(feature = "authorization")]
fn authorization_v1(visitor: &mut impl Visitor) {
    use crate::authorization::v1;

    visitor.visit::<v1::LocalSubjectAccessReview>();
    visitor.visit::<v1::SelfSubjectAccessReview>();
    visitor.visit::<v1::SelfSubjectRulesReview>();
    visitor.visit::<v1::SubjectAccessReview>();
}

#[cfg(feature = "autoscaling")]
fn autoscaling_v1(visitor: &mut impl Visitor) {
    use crate::autoscaling::v1;

    visitor.visit::<v1::HorizontalPodAutoscaler>();
    visitor.visit::<v1::Scale>();
}

#[cfg(feature = "autoscaling")]
fn autoscaling_v2(visitor: &mut impl Visitor) {
    use crate::autoscaling::v2;

    visitor.visit::<v2::HorizontalPodAutoscaler>();
}

#[cfg(feature = "batch")]
fn batch_v1(visitor: &mut impl Visitor) {
    use crate::batch::v1;

    visitor.visit::<v1::CronJob>();
    visitor.visit::<v1::Job>();
}

#[cfg(feature = "coordination")]
fn coordination_v1(visitor: &mut impl Visitor) {
    use crate::coordination::v1;

    visitor.visit::<v1::Lease>();
}

#[cfg(feature = "discovery")]
fn discovery_v1(visitor: &mut impl Visitor) {
    use crate::discovery::v1;

    visitor.visit::<v1::EndpointSlice>();
}

#[cfg(feature = "events")]
fn events_v1(visitor: &mut impl Visitor) {
    use crate::events::v1;

    visitor.visit::<v1::Event>();
}

#[cfg(feature = "networking")]
fn networking_v1(visitor: &mut impl Visitor) {
    use crate::networking::v1;

    visitor.visit::<v1::IPAddress>();
    visitor.visit::<v1::Ingress>();
    visitor.visit::<v1::IngressClass>();
    visitor.visit::<v1::NetworkPolicy>();
    visitor.visit::<v1::ServiceCIDR>();
}

#[cfg(feature = "policy")]
fn policy_v1(visitor: &mut impl Visitor) {
    use crate::policy::v1;

    visitor.visit::<v1::Eviction>();
    visitor.visit::<v1::PodDisruptionBudget>();
}

#[cfg(feature = "rbac")]
fn rbac_v1(visitor: &mut impl Visitor) {
    use crate::rbac::v1;

    visitor.visit::<v1::ClusterRole>();
    visitor.visit::<v1::ClusterRoleBinding>();
    visitor.visit::<v1::Role>();
    visitor.visit::<v1::RoleBinding>();
}

#[cfg(feature = "storage")]
fn storage_v1(visitor: &mut impl Visitor) {
    use crate::storage::v1;

    visitor.visit::<v1::CSIDriver>();
    visitor.visit::<v1::CSINode>();
    visitor.visit::<v1::CSIStorageCapacity>();
    visitor.visit::<v1::StorageClass>();
    visitor.visit::<v1::VolumeAttachment>();
    visitor.visit::<v1::VolumeAttributesClass>();
}

fn meta_v1(visitor: &mut impl Visitor) {
    use crate::meta::v1;

    visitor.visit_plain::<v1::PartialObjectMetadata>("meta.k8s.io/v1", "PartialObjectMetadata");
    visitor.visit_plain::<v1::APIGroup>("v1", "APIGroup");
    visitor.visit_plain::<v1::APIGroupList>("v1", "APIGroupList");
    visitor.visit_plain::<v1::APIResourceList>("v1", "APIResourceList");
    visitor.visit_plain::<v1::APIVersions>("v1", "APIVersions");
    visitor.visit_plain::<v1::CreateOptions>("meta.k8s.io/v1", "CreateOptions");
    visitor.visit_plain::<v1::DeleteOptions>("meta.k8s.io/v1", "DeleteOptions");
    visitor.visit_plain::<v1::GetOptions>("meta.k8s.io/v1", "GetOptions");
    visitor.visit_plain::<v1::ListOptions>("meta.k8s.io/v1", "ListOptions");
    visitor.visit_plain::<v1::PatchOptions>("meta.k8s.io/v1", "PatchOptions");
    visitor.visit_plain::<v1::Status>("v1", "Status");
    visitor.visit_json::<v1::Table>("meta.k8s.io/v1", "Table");
    visitor.visit_plain::<v1::TableOptions>("meta.k8s.io/v1", "TableOptions");
    visitor.visit_plain::<v1::UpdateOptions>("meta.k8s.io/v1", "UpdateOptions");
}
