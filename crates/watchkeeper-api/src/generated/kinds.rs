//! Every kind of the enabled groups.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::registry::Visitor;

/// Shows every kind to `visitor`, sorted by group, version and kind.
pub(crate) fn visit(visitor: &mut impl Visitor) {
    #[cfg(feature = "core")]
    core(visitor);
    #[cfg(feature = "admission")]
    admission(visitor);
    #[cfg(feature = "admissionregistration")]
    admissionregistration(visitor);
    #[cfg(feature = "apidiscovery")]
    apidiscovery(visitor);
    #[cfg(feature = "apiextensions")]
    apiextensions(visitor);
    #[cfg(feature = "apiregistration")]
    apiregistration(visitor);
    #[cfg(feature = "apps")]
    apps(visitor);
    #[cfg(feature = "authentication")]
    authentication(visitor);
    #[cfg(feature = "authorization")]
    authorization(visitor);
    #[cfg(feature = "autoscaling")]
    autoscaling(visitor);
    #[cfg(feature = "batch")]
    batch(visitor);
    #[cfg(feature = "certificates")]
    certificates(visitor);
    #[cfg(feature = "coordination")]
    coordination(visitor);
    #[cfg(feature = "discovery")]
    discovery(visitor);
    #[cfg(feature = "events")]
    events(visitor);
    #[cfg(feature = "flowcontrol")]
    flowcontrol(visitor);
    #[cfg(feature = "apiserverinternal")]
    apiserverinternal(visitor);
    #[cfg(feature = "networking")]
    networking(visitor);
    #[cfg(feature = "node")]
    node(visitor);
    #[cfg(feature = "policy")]
    policy(visitor);
    #[cfg(feature = "rbac")]
    rbac(visitor);
    #[cfg(feature = "resource")]
    resource(visitor);
    #[cfg(feature = "scheduling")]
    scheduling(visitor);
    #[cfg(feature = "storage")]
    storage(visitor);
    #[cfg(feature = "storagemigration")]
    storagemigration(visitor);
    meta(visitor);
}

#[cfg(feature = "core")]
fn core(visitor: &mut impl Visitor) {
    core_v1(visitor);
}

#[cfg(feature = "admission")]
fn admission(visitor: &mut impl Visitor) {
    admission_v1(visitor);
}

#[cfg(feature = "admissionregistration")]
fn admissionregistration(visitor: &mut impl Visitor) {
    admissionregistration_v1(visitor);
    admissionregistration_v1alpha1(visitor);
    admissionregistration_v1beta1(visitor);
}

#[cfg(feature = "apidiscovery")]
fn apidiscovery(visitor: &mut impl Visitor) {
    apidiscovery_v2(visitor);
}

#[cfg(feature = "apiextensions")]
fn apiextensions(visitor: &mut impl Visitor) {
    apiextensions_v1(visitor);
}

#[cfg(feature = "apiregistration")]
fn apiregistration(visitor: &mut impl Visitor) {
    apiregistration_v1(visitor);
}

#[cfg(feature = "apps")]
fn apps(visitor: &mut impl Visitor) {
    apps_v1(visitor);
}

#[cfg(feature = "authentication")]
fn authentication(visitor: &mut impl Visitor) {
    authentication_v1(visitor);
}

#[cfg(feature = "authorization")]
fn authorization(visitor: &mut impl Visitor) {
    authorization_v1(visitor);
}

#[cfg(feature = "autoscaling")]
fn autoscaling(visitor: &mut impl Visitor) {
    autoscaling_v1(visitor);
    autoscaling_v2(visitor);
}

#[cfg(feature = "batch")]
fn batch(visitor: &mut impl Visitor) {
    batch_v1(visitor);
}

#[cfg(feature = "certificates")]
fn certificates(visitor: &mut impl Visitor) {
    certificates_v1(visitor);
    certificates_v1alpha1(visitor);
    certificates_v1beta1(visitor);
}

#[cfg(feature = "coordination")]
fn coordination(visitor: &mut impl Visitor) {
    coordination_v1(visitor);
    coordination_v1alpha2(visitor);
    coordination_v1beta1(visitor);
}

#[cfg(feature = "discovery")]
fn discovery(visitor: &mut impl Visitor) {
    discovery_v1(visitor);
}

#[cfg(feature = "events")]
fn events(visitor: &mut impl Visitor) {
    events_v1(visitor);
}

#[cfg(feature = "flowcontrol")]
fn flowcontrol(visitor: &mut impl Visitor) {
    flowcontrol_v1(visitor);
}

#[cfg(feature = "apiserverinternal")]
fn apiserverinternal(visitor: &mut impl Visitor) {
    apiserverinternal_v1alpha1(visitor);
}

#[cfg(feature = "networking")]
fn networking(visitor: &mut impl Visitor) {
    networking_v1(visitor);
    networking_v1beta1(visitor);
}

#[cfg(feature = "node")]
fn node(visitor: &mut impl Visitor) {
    node_v1(visitor);
}

#[cfg(feature = "policy")]
fn policy(visitor: &mut impl Visitor) {
    policy_v1(visitor);
}

#[cfg(feature = "rbac")]
fn rbac(visitor: &mut impl Visitor) {
    rbac_v1(visitor);
}

#[cfg(feature = "resource")]
fn resource(visitor: &mut impl Visitor) {
    resource_v1(visitor);
    resource_v1alpha3(visitor);
    resource_v1beta1(visitor);
    resource_v1beta2(visitor);
}

#[cfg(feature = "scheduling")]
fn scheduling(visitor: &mut impl Visitor) {
    scheduling_v1(visitor);
    scheduling_v1alpha2(visitor);
}

#[cfg(feature = "storage")]
fn storage(visitor: &mut impl Visitor) {
    storage_v1(visitor);
    storage_v1beta1(visitor);
}

#[cfg(feature = "storagemigration")]
fn storagemigration(visitor: &mut impl Visitor) {
    storagemigration_v1beta1(visitor);
}

fn meta(visitor: &mut impl Visitor) {
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

#[cfg(feature = "admission")]
fn admission_v1(visitor: &mut impl Visitor) {
    use crate::admission::v1;

    visitor.visit_plain::<v1::AdmissionReview>("admission.k8s.io/v1", "AdmissionReview");
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

#[cfg(feature = "admissionregistration")]
fn admissionregistration_v1alpha1(visitor: &mut impl Visitor) {
    use crate::admissionregistration::v1alpha1;

    visitor.visit::<v1alpha1::MutatingAdmissionPolicy>();
    visitor.visit::<v1alpha1::MutatingAdmissionPolicyBinding>();
}

#[cfg(feature = "admissionregistration")]
fn admissionregistration_v1beta1(visitor: &mut impl Visitor) {
    use crate::admissionregistration::v1beta1;

    visitor.visit::<v1beta1::MutatingAdmissionPolicy>();
    visitor.visit::<v1beta1::MutatingAdmissionPolicyBinding>();
}

#[cfg(feature = "apidiscovery")]
fn apidiscovery_v2(visitor: &mut impl Visitor) {
    use crate::apidiscovery::v2;

    visitor.visit::<v2::APIGroupDiscovery>();
}

#[cfg(feature = "apiextensions")]
fn apiextensions_v1(visitor: &mut impl Visitor) {
    use crate::apiextensions::v1;

    visitor.visit::<v1::CustomResourceDefinition>();
    visitor.visit_plain::<v1::ConversionReview>("apiextensions.k8s.io/v1", "ConversionReview");
}

#[cfg(feature = "apiregistration")]
fn apiregistration_v1(visitor: &mut impl Visitor) {
    use crate::apiregistration::v1;

    visitor.visit::<v1::APIService>();
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

#[cfg(feature = "certificates")]
fn certificates_v1(visitor: &mut impl Visitor) {
    use crate::certificates::v1;

    visitor.visit::<v1::CertificateSigningRequest>();
}

#[cfg(feature = "certificates")]
fn certificates_v1alpha1(visitor: &mut impl Visitor) {
    use crate::certificates::v1alpha1;

    visitor.visit::<v1alpha1::ClusterTrustBundle>();
}

#[cfg(feature = "certificates")]
fn certificates_v1beta1(visitor: &mut impl Visitor) {
    use crate::certificates::v1beta1;

    visitor.visit::<v1beta1::ClusterTrustBundle>();
    visitor.visit::<v1beta1::PodCertificateRequest>();
}

#[cfg(feature = "coordination")]
fn coordination_v1(visitor: &mut impl Visitor) {
    use crate::coordination::v1;

    visitor.visit::<v1::Lease>();
}

#[cfg(feature = "coordination")]
fn coordination_v1alpha2(visitor: &mut impl Visitor) {
    use crate::coordination::v1alpha2;

    visitor.visit::<v1alpha2::LeaseCandidate>();
}

#[cfg(feature = "coordination")]
fn coordination_v1beta1(visitor: &mut impl Visitor) {
    use crate::coordination::v1beta1;

    visitor.visit::<v1beta1::LeaseCandidate>();
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

#[cfg(feature = "flowcontrol")]
fn flowcontrol_v1(visitor: &mut impl Visitor) {
    use crate::flowcontrol::v1;

    visitor.visit::<v1::FlowSchema>();
    visitor.visit::<v1::PriorityLevelConfiguration>();
}

#[cfg(feature = "apiserverinternal")]
fn apiserverinternal_v1alpha1(visitor: &mut impl Visitor) {
    use crate::apiserverinternal::v1alpha1;

    visitor.visit::<v1alpha1::StorageVersion>();
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

#[cfg(feature = "networking")]
fn networking_v1beta1(visitor: &mut impl Visitor) {
    use crate::networking::v1beta1;

    visitor.visit::<v1beta1::IPAddress>();
    visitor.visit::<v1beta1::ServiceCIDR>();
}

#[cfg(feature = "node")]
fn node_v1(visitor: &mut impl Visitor) {
    use crate::node::v1;

    visitor.visit::<v1::RuntimeClass>();
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

#[cfg(feature = "resource")]
fn resource_v1(visitor: &mut impl Visitor) {
    use crate::resource::v1;

    visitor.visit::<v1::DeviceClass>();
    visitor.visit::<v1::ResourceClaim>();
    visitor.visit::<v1::ResourceClaimTemplate>();
    visitor.visit::<v1::ResourceSlice>();
}

#[cfg(feature = "resource")]
fn resource_v1alpha3(visitor: &mut impl Visitor) {
    use crate::resource::v1alpha3;

    visitor.visit::<v1alpha3::DeviceTaintRule>();
    visitor.visit::<v1alpha3::ResourcePoolStatusRequest>();
}

#[cfg(feature = "resource")]
fn resource_v1beta1(visitor: &mut impl Visitor) {
    use crate::resource::v1beta1;

    visitor.visit::<v1beta1::DeviceClass>();
    visitor.visit::<v1beta1::ResourceClaim>();
    visitor.visit::<v1beta1::ResourceClaimTemplate>();
    visitor.visit::<v1beta1::ResourceSlice>();
}

#[cfg(feature = "resource")]
fn resource_v1beta2(visitor: &mut impl Visitor) {
    use crate::resource::v1beta2;

    visitor.visit::<v1beta2::DeviceClass>();
    visitor.visit::<v1beta2::DeviceTaintRule>();
    visitor.visit::<v1beta2::ResourceClaim>();
    visitor.visit::<v1beta2::ResourceClaimTemplate>();
    visitor.visit::<v1beta2::ResourceSlice>();
}

#[cfg(feature = "scheduling")]
fn scheduling_v1(visitor: &mut impl Visitor) {
    use crate::scheduling::v1;

    visitor.visit::<v1::PriorityClass>();
}

#[cfg(feature = "scheduling")]
fn scheduling_v1alpha2(visitor: &mut impl Visitor) {
    use crate::scheduling::v1alpha2;

    visitor.visit::<v1alpha2::PodGroup>();
    visitor.visit::<v1alpha2::Workload>();
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

#[cfg(feature = "storage")]
fn storage_v1beta1(visitor: &mut impl Visitor) {
    use crate::storage::v1beta1;

    visitor.visit::<v1beta1::VolumeAttributesClass>();
}

#[cfg(feature = "storagemigration")]
fn storagemigration_v1beta1(visitor: &mut impl Visitor) {
    use crate::storagemigration::v1beta1;

    visitor.visit::<v1beta1::StorageVersionMigration>();
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
