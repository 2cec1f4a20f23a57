//! The lists that a strategic merge patch merges.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::merge::Line;
use crate::merge::Merge::{Key, No, Values};

/// The structs, by number.
#[rustfmt::skip]
pub(crate) static STRUCTS: &[&[Line]] = &[
    // io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicy
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(2)),
    ],
    // io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicyBinding
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicySpec
    &[
        ("matchConditions", Key("name"), None),
    ],
    // io.k8s.api.admissionregistration.v1.MutatingWebhook
    &[
        ("matchConditions", Key("name"), None),
    ],
    // io.k8s.api.admissionregistration.v1.MutatingWebhookConfiguration
    &[
        ("metadata", No, Some(148)),
        ("webhooks", Key("name"), Some(3)),
    ],
    // io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicy
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(7)),
    ],
    // io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBinding
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicySpec
    &[
        ("matchConditions", Key("name"), None),
        ("variables", Key("name"), None),
    ],
    // io.k8s.api.admissionregistration.v1.ValidatingWebhook
    &[
        ("matchConditions", Key("name"), None),
    ],
    // io.k8s.api.admissionregistration.v1.ValidatingWebhookConfiguration
    &[
        ("metadata", No, Some(148)),
        ("webhooks", Key("name"), Some(8)),
    ],
    // io.k8s.api.admissionregistration.v1alpha1.MutatingAdmissionPolicy
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(12)),
    ],
    // io.k8s.api.admissionregistration.v1alpha1.MutatingAdmissionPolicyBinding
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.admissionregistration.v1alpha1.MutatingAdmissionPolicySpec
    &[
        ("matchConditions", Key("name"), None),
    ],
    // io.k8s.api.admissionregistration.v1beta1.MutatingAdmissionPolicy
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(15)),
    ],
    // io.k8s.api.admissionregistration.v1beta1.MutatingAdmissionPolicyBinding
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.admissionregistration.v1beta1.MutatingAdmissionPolicySpec
    &[
        ("matchConditions", Key("name"), None),
    ],
    // io.k8s.api.apiserverinternal.v1alpha1.StorageVersion
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.apps.v1.ControllerRevision
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.apps.v1.DaemonSet
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(19)),
        ("status", No, Some(20)),
    ],
    // io.k8s.api.apps.v1.DaemonSetSpec
    &[
        ("template", No, Some(75)),
    ],
    // io.k8s.api.apps.v1.DaemonSetStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.apps.v1.Deployment
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(22)),
        ("status", No, Some(23)),
    ],
    // io.k8s.api.apps.v1.DeploymentSpec
    &[
        ("template", No, Some(75)),
    ],
    // io.k8s.api.apps.v1.DeploymentStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.apps.v1.ReplicaSet
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(25)),
        ("status", No, Some(26)),
    ],
    // io.k8s.api.apps.v1.ReplicaSetSpec
    &[
        ("template", No, Some(75)),
    ],
    // io.k8s.api.apps.v1.ReplicaSetStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.apps.v1.StatefulSet
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(28)),
        ("status", No, Some(29)),
    ],
    // io.k8s.api.apps.v1.StatefulSetSpec
    &[
        ("template", No, Some(75)),
    ],
    // io.k8s.api.apps.v1.StatefulSetStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.authentication.v1.SelfSubjectReview
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.authentication.v1.TokenReview
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.authorization.v1.LocalSubjectAccessReview
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.authorization.v1.SelfSubjectAccessReview
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.authorization.v1.SelfSubjectRulesReview
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.authorization.v1.SubjectAccessReview
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.autoscaling.v1.HorizontalPodAutoscaler
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler
    &[
        ("metadata", No, Some(148)),
        ("status", No, Some(38)),
    ],
    // io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.batch.v1.CronJob
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(40)),
    ],
    // io.k8s.api.batch.v1.CronJobSpec
    &[
        ("jobTemplate", No, Some(44)),
    ],
    // io.k8s.api.batch.v1.Job
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(42)),
        ("status", No, Some(43)),
    ],
    // io.k8s.api.batch.v1.JobSpec
    &[
        ("template", No, Some(75)),
    ],
    // io.k8s.api.batch.v1.JobStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.batch.v1.JobTemplateSpec
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(42)),
    ],
    // io.k8s.api.certificates.v1.CertificateSigningRequest
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.certificates.v1alpha1.ClusterTrustBundle
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.certificates.v1beta1.ClusterTrustBundle
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.certificates.v1beta1.PodCertificateRequest
    &[
        ("metadata", No, Some(148)),
        ("status", No, Some(49)),
    ],
    // io.k8s.api.certificates.v1beta1.PodCertificateRequestStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.coordination.v1.Lease
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.coordination.v1alpha2.LeaseCandidate
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.coordination.v1beta1.LeaseCandidate
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.core.v1.Binding
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.core.v1.ComponentStatus
    &[
        ("metadata", No, Some(148)),
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.core.v1.ConfigMap
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.core.v1.Container
    &[
        ("ports", Key("containerPort"), None),
        ("env", Key("name"), None),
        ("volumeMounts", Key("mountPath"), None),
        ("volumeDevices", Key("devicePath"), None),
    ],
    // io.k8s.api.core.v1.Endpoints
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.core.v1.EphemeralContainer
    &[
        ("ports", Key("containerPort"), None),
        ("env", Key("name"), None),
        ("volumeMounts", Key("mountPath"), None),
        ("volumeDevices", Key("devicePath"), None),
    ],
    // io.k8s.api.core.v1.EphemeralVolumeSource
    &[
        ("volumeClaimTemplate", No, Some(70)),
    ],
    // io.k8s.api.core.v1.Event
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.core.v1.LimitRange
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.core.v1.Namespace
    &[
        ("metadata", No, Some(148)),
        ("status", No, Some(63)),
    ],
    // io.k8s.api.core.v1.NamespaceStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.core.v1.Node
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(65)),
        ("status", No, Some(66)),
    ],
    // io.k8s.api.core.v1.NodeSpec
    &[
        ("podCIDRs", Values, None),
    ],
    // io.k8s.api.core.v1.NodeStatus
    &[
        ("conditions", Key("type"), None),
        ("addresses", Key("type"), None),
    ],
    // io.k8s.api.core.v1.PersistentVolume
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.core.v1.PersistentVolumeClaim
    &[
        ("metadata", No, Some(148)),
        ("status", No, Some(69)),
    ],
    // io.k8s.api.core.v1.PersistentVolumeClaimStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.core.v1.PersistentVolumeClaimTemplate
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.core.v1.Pod
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(72)),
        ("status", No, Some(73)),
    ],
    // io.k8s.api.core.v1.PodSpec
    &[
        ("volumes", Key("name"), Some(85)),
        ("initContainers", Key("name"), Some(56)),
        ("containers", Key("name"), Some(56)),
        ("ephemeralContainers", Key("name"), Some(58)),
        ("imagePullSecrets", Key("name"), None),
        ("hostAliases", Key("ip"), None),
        ("topologySpreadConstraints", Key("topologyKey"), None),
        ("schedulingGates", Key("name"), None),
        ("resourceClaims", Key("name"), None),
    ],
    // io.k8s.api.core.v1.PodStatus
    &[
        ("conditions", Key("type"), None),
        ("hostIPs", Key("ip"), None),
        ("podIPs", Key("ip"), None),
        ("resourceClaimStatuses", Key("name"), None),
    ],
    // io.k8s.api.core.v1.PodTemplate
    &[
        ("metadata", No, Some(148)),
        ("template", No, Some(75)),
    ],
    // io.k8s.api.core.v1.PodTemplateSpec
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(72)),
    ],
    // io.k8s.api.core.v1.ReplicationController
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(77)),
        ("status", No, Some(78)),
    ],
    // io.k8s.api.core.v1.ReplicationControllerSpec
    &[
        ("template", No, Some(75)),
    ],
    // io.k8s.api.core.v1.ReplicationControllerStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.core.v1.ResourceQuota
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.core.v1.Secret
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.core.v1.Service
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(83)),
        ("status", No, Some(84)),
    ],
    // io.k8s.api.core.v1.ServiceAccount
    &[
        ("metadata", No, Some(148)),
        ("secrets", Key("name"), None),
    ],
    // io.k8s.api.core.v1.ServiceSpec
    &[
        ("ports", Key("port"), None),
    ],
    // io.k8s.api.core.v1.ServiceStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.core.v1.Volume
    &[
        ("ephemeral", No, Some(59)),
    ],
    // io.k8s.api.discovery.v1.EndpointSlice
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.events.v1.Event
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.flowcontrol.v1.FlowSchema
    &[
        ("metadata", No, Some(148)),
        ("status", No, Some(89)),
    ],
    // io.k8s.api.flowcontrol.v1.FlowSchemaStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.flowcontrol.v1.PriorityLevelConfiguration
    &[
        ("metadata", No, Some(148)),
        ("status", No, Some(91)),
    ],
    // io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.networking.v1.IPAddress
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.networking.v1.Ingress
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.networking.v1.IngressClass
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.networking.v1.NetworkPolicy
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.networking.v1.ServiceCIDR
    &[
        ("metadata", No, Some(148)),
        ("status", No, Some(97)),
    ],
    // io.k8s.api.networking.v1.ServiceCIDRStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.networking.v1beta1.IPAddress
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.networking.v1beta1.ServiceCIDR
    &[
        ("metadata", No, Some(148)),
        ("status", No, Some(100)),
    ],
    // io.k8s.api.networking.v1beta1.ServiceCIDRStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.node.v1.RuntimeClass
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.policy.v1.PodDisruptionBudget
    &[
        ("metadata", No, Some(148)),
        ("status", No, Some(103)),
    ],
    // io.k8s.api.policy.v1.PodDisruptionBudgetStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.rbac.v1.ClusterRole
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.rbac.v1.ClusterRoleBinding
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.rbac.v1.Role
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.rbac.v1.RoleBinding
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.resource.v1.DeviceClass
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.resource.v1.ResourceClaim
    &[
        ("metadata", No, Some(148)),
        ("status", No, Some(110)),
    ],
    // io.k8s.api.resource.v1.ResourceClaimStatus
    &[
        ("reservedFor", Key("uid"), None),
    ],
    // io.k8s.api.resource.v1.ResourceClaimTemplate
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(112)),
    ],
    // io.k8s.api.resource.v1.ResourceClaimTemplateSpec
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.resource.v1.ResourceSlice
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.resource.v1alpha3.DeviceTaintRule
    &[
        ("metadata", No, Some(148)),
        ("status", No, Some(115)),
    ],
    // io.k8s.api.resource.v1alpha3.DeviceTaintRuleStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.resource.v1alpha3.ResourcePoolStatusRequest
    &[
        ("metadata", No, Some(148)),
        ("status", No, Some(117)),
    ],
    // io.k8s.api.resource.v1alpha3.ResourcePoolStatusRequestStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.resource.v1beta1.DeviceClass
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.resource.v1beta1.ResourceClaim
    &[
        ("metadata", No, Some(148)),
        ("status", No, Some(120)),
    ],
    // io.k8s.api.resource.v1beta1.ResourceClaimStatus
    &[
        ("reservedFor", Key("uid"), None),
    ],
    // io.k8s.api.resource.v1beta1.ResourceClaimTemplate
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(122)),
    ],
    // io.k8s.api.resource.v1beta1.ResourceClaimTemplateSpec
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.resource.v1beta1.ResourceSlice
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.resource.v1beta2.DeviceClass
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.resource.v1beta2.DeviceTaintRule
    &[
        ("metadata", No, Some(148)),
        ("status", No, Some(126)),
    ],
    // io.k8s.api.resource.v1beta2.DeviceTaintRuleStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.api.resource.v1beta2.ResourceClaim
    &[
        ("metadata", No, Some(148)),
        ("status", No, Some(128)),
    ],
    // io.k8s.api.resource.v1beta2.ResourceClaimStatus
    &[
        ("reservedFor", Key("uid"), None),
    ],
    // io.k8s.api.resource.v1beta2.ResourceClaimTemplate
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(130)),
    ],
    // io.k8s.api.resource.v1beta2.ResourceClaimTemplateSpec
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.resource.v1beta2.ResourceSlice
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.scheduling.v1.PriorityClass
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.scheduling.v1alpha2.PodGroup
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(134)),
        ("status", No, Some(135)),
    ],
    // io.k8s.api.scheduling.v1alpha2.PodGroupSpec
    &[
        ("resourceClaims", Key("name"), None),
    ],
    // io.k8s.api.scheduling.v1alpha2.PodGroupStatus
    &[
        ("conditions", Key("type"), None),
        ("resourceClaimStatuses", Key("name"), None),
    ],
    // io.k8s.api.scheduling.v1alpha2.Workload
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.storage.v1.CSIDriver
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.storage.v1.CSINode
    &[
        ("metadata", No, Some(148)),
        ("spec", No, Some(139)),
    ],
    // io.k8s.api.storage.v1.CSINodeSpec
    &[
        ("drivers", Key("name"), None),
    ],
    // io.k8s.api.storage.v1.CSIStorageCapacity
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.storage.v1.StorageClass
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.storage.v1.VolumeAttachment
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.storage.v1.VolumeAttributesClass
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.storage.v1beta1.VolumeAttributesClass
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.api.storagemigration.v1beta1.StorageVersionMigration
    &[
        ("metadata", No, Some(148)),
        ("status", No, Some(146)),
    ],
    // io.k8s.api.storagemigration.v1beta1.StorageVersionMigrationStatus
    &[
        ("conditions", Key("type"), None),
    ],
    // io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition
    &[
        ("metadata", No, Some(148)),
    ],
    // io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta
    &[
        ("ownerReferences", Key("uid"), None),
        ("finalizers", Values, None),
    ],
    // io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService
    &[
        ("metadata", No, Some(148)),
        ("status", No, Some(150)),
    ],
    // io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceStatus
    &[
        ("conditions", Key("type"), None),
    ],
];

/// The kinds, sorted, and the numbers of their structs.
#[rustfmt::skip]
pub(crate) static KINDS: &[(&str, &str, &str, u16)] = &[
    ("", "v1", "Binding", 53),
    ("", "v1", "ComponentStatus", 54),
    ("", "v1", "ConfigMap", 55),
    ("", "v1", "Endpoints", 57),
    ("", "v1", "Event", 60),
    ("", "v1", "LimitRange", 61),
    ("", "v1", "Namespace", 62),
    ("", "v1", "Node", 64),
    ("", "v1", "PersistentVolume", 67),
    ("", "v1", "PersistentVolumeClaim", 68),
    ("", "v1", "Pod", 71),
    ("", "v1", "PodTemplate", 74),
    ("", "v1", "ReplicationController", 76),
    ("", "v1", "ResourceQuota", 79),
    ("", "v1", "Secret", 80),
    ("", "v1", "Service", 81),
    ("", "v1", "ServiceAccount", 82),
    ("admissionregistration.k8s.io", "v1", "MutatingAdmissionPolicy", 0),
    ("admissionregistration.k8s.io", "v1", "MutatingAdmissionPolicyBinding", 1),
    ("admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration", 4),
    ("admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy", 5),
    ("admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicyBinding", 6),
    ("admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration", 9),
    ("admissionregistration.k8s.io", "v1alpha1", "MutatingAdmissionPolicy", 10),
    ("admissionregistration.k8s.io", "v1alpha1", "MutatingAdmissionPolicyBinding", 11),
    ("admissionregistration.k8s.io", "v1beta1", "MutatingAdmissionPolicy", 13),
    ("admissionregistration.k8s.io", "v1beta1", "MutatingAdmissionPolicyBinding", 14),
    ("apiextensions.k8s.io", "v1", "CustomResourceDefinition", 147),
    ("apiregistration.k8s.io", "v1", "APIService", 149),
    ("apps", "v1", "ControllerRevision", 17),
    ("apps", "v1", "DaemonSet", 18),
    ("apps", "v1", "Deployment", 21),
    ("apps", "v1", "ReplicaSet", 24),
    ("apps", "v1", "StatefulSet", 27),
    ("authentication.k8s.io", "v1", "SelfSubjectReview", 30),
    ("authentication.k8s.io", "v1", "TokenReview", 31),
    ("authorization.k8s.io", "v1", "LocalSubjectAccessReview", 32),
    ("authorization.k8s.io", "v1", "SelfSubjectAccessReview", 33),
    ("authorization.k8s.io", "v1", "SelfSubjectRulesReview", 34),
    ("authorization.k8s.io", "v1", "SubjectAccessReview", 35),
    ("autoscaling", "v1", "HorizontalPodAutoscaler", 36),
    ("autoscaling", "v2", "HorizontalPodAutoscaler", 37),
    ("batch", "v1", "CronJob", 39),
    ("batch", "v1", "Job", 41),
    ("certificates.k8s.io", "v1", "CertificateSigningRequest", 45),
    ("certificates.k8s.io", "v1alpha1", "ClusterTrustBundle", 46),
    ("certificates.k8s.io", "v1beta1", "ClusterTrustBundle", 47),
    ("certificates.k8s.io", "v1beta1", "PodCertificateRequest", 48),
    ("coordination.k8s.io", "v1", "Lease", 50),
    ("coordination.k8s.io", "v1alpha2", "LeaseCandidate", 51),
    ("coordination.k8s.io", "v1beta1", "LeaseCandidate", 52),
    ("discovery.k8s.io", "v1", "EndpointSlice", 86),
    ("events.k8s.io", "v1", "Event", 87),
    ("flowcontrol.apiserver.k8s.io", "v1", "FlowSchema", 88),
    ("flowcontrol.apiserver.k8s.io", "v1", "PriorityLevelConfiguration", 90),
    ("internal.apiserver.k8s.io", "v1alpha1", "StorageVersion", 16),
    ("networking.k8s.io", "v1", "IPAddress", 92),
    ("networking.k8s.io", "v1", "Ingress", 93),
    ("networking.k8s.io", "v1", "IngressClass", 94),
    ("networking.k8s.io", "v1", "NetworkPolicy", 95),
    ("networking.k8s.io", "v1", "ServiceCIDR", 96),
    ("networking.k8s.io", "v1beta1", "IPAddress", 98),
    ("networking.k8s.io", "v1beta1", "ServiceCIDR", 99),
    ("node.k8s.io", "v1", "RuntimeClass", 101),
    ("policy", "v1", "PodDisruptionBudget", 102),
    ("rbac.authorization.k8s.io", "v1", "ClusterRole", 104),
    ("rbac.authorization.k8s.io", "v1", "ClusterRoleBinding", 105),
    ("rbac.authorization.k8s.io", "v1", "Role", 106),
    ("rbac.authorization.k8s.io", "v1", "RoleBinding", 107),
    ("resource.k8s.io", "v1", "DeviceClass", 108),
    ("resource.k8s.io", "v1", "ResourceClaim", 109),
    ("resource.k8s.io", "v1", "ResourceClaimTemplate", 111),
    ("resource.k8s.io", "v1", "ResourceSlice", 113),
    ("resource.k8s.io", "v1alpha3", "DeviceTaintRule", 114),
    ("resource.k8s.io", "v1alpha3", "ResourcePoolStatusRequest", 116),
    ("resource.k8s.io", "v1beta1", "DeviceClass", 118),
    ("resource.k8s.io", "v1beta1", "ResourceClaim", 119),
    ("resource.k8s.io", "v1beta1", "ResourceClaimTemplate", 121),
    ("resource.k8s.io", "v1beta1", "ResourceSlice", 123),
    ("resource.k8s.io", "v1beta2", "DeviceClass", 124),
    ("resource.k8s.io", "v1beta2", "DeviceTaintRule", 125),
    ("resource.k8s.io", "v1beta2", "ResourceClaim", 127),
    ("resource.k8s.io", "v1beta2", "ResourceClaimTemplate", 129),
    ("resource.k8s.io", "v1beta2", "ResourceSlice", 131),
    ("scheduling.k8s.io", "v1", "PriorityClass", 132),
    ("scheduling.k8s.io", "v1alpha2", "PodGroup", 133),
    ("scheduling.k8s.io", "v1alpha2", "Workload", 136),
    ("storage.k8s.io", "v1", "CSIDriver", 137),
    ("storage.k8s.io", "v1", "CSINode", 138),
    ("storage.k8s.io", "v1", "CSIStorageCapacity", 140),
    ("storage.k8s.io", "v1", "StorageClass", 141),
    ("storage.k8s.io", "v1", "VolumeAttachment", 142),
    ("storage.k8s.io", "v1", "VolumeAttributesClass", 143),
    ("storage.k8s.io", "v1beta1", "VolumeAttributesClass", 144),
    ("storagemigration.k8s.io", "v1beta1", "StorageVersionMigration", 145),
];
