//! Which kinds of k8s-openapi have a status that is written apart from the rest.

use std::fmt::Debug;

use k8s_openapi::api::{
    admissionregistration, apps, autoscaling, batch, certificates, core, flowcontrol, networking,
    policy, storage,
};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions;
use k8s_openapi::kube_aggregator::pkg::apis::apiregistration;
use serde::Serialize;

/// A kind of k8s-openapi with a status.
///
/// Kinds whose version is alpha or beta are not among them, as not each release of Kubernetes has
/// them: write their status by `patch_status`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no status, or one of a kind that is not stable yet",
    note = "write it by `api.patch_status(…)`"
)]
pub trait OpenApiStatus {
    /// What the status is made of.
    type Status: Clone + Debug + PartialEq + Serialize + Send + Sync + 'static;

    /// The status.
    fn status(&self) -> &Option<Self::Status>;

    /// The status, to change it.
    fn status_mut(&mut self) -> &mut Option<Self::Status>;
}

macro_rules! with_status {
    ($($group:ident::$version:ident: $($kind:ident($status:ident)),+;)+) => {$($(
        impl OpenApiStatus for $group::$version::$kind {
            type Status = $group::$version::$status;

            fn status(&self) -> &Option<Self::Status> {
                &self.status
            }

            fn status_mut(&mut self) -> &mut Option<Self::Status> {
                &mut self.status
            }
        }
    )+)+};
}

with_status! {
    admissionregistration::v1: ValidatingAdmissionPolicy(ValidatingAdmissionPolicyStatus);
    apiextensions::v1: CustomResourceDefinition(CustomResourceDefinitionStatus);
    apiregistration::v1: APIService(APIServiceStatus);
    apps::v1:
        DaemonSet(DaemonSetStatus), Deployment(DeploymentStatus), ReplicaSet(ReplicaSetStatus),
        StatefulSet(StatefulSetStatus);
    autoscaling::v1: HorizontalPodAutoscaler(HorizontalPodAutoscalerStatus);
    autoscaling::v2: HorizontalPodAutoscaler(HorizontalPodAutoscalerStatus);
    batch::v1: CronJob(CronJobStatus), Job(JobStatus);
    certificates::v1: CertificateSigningRequest(CertificateSigningRequestStatus);
    core::v1:
        Namespace(NamespaceStatus), Node(NodeStatus), PersistentVolume(PersistentVolumeStatus),
        PersistentVolumeClaim(PersistentVolumeClaimStatus), Pod(PodStatus),
        ReplicationController(ReplicationControllerStatus), ResourceQuota(ResourceQuotaStatus),
        Service(ServiceStatus);
    flowcontrol::v1:
        FlowSchema(FlowSchemaStatus), PriorityLevelConfiguration(PriorityLevelConfigurationStatus);
    networking::v1: Ingress(IngressStatus), ServiceCIDR(ServiceCIDRStatus);
    policy::v1: PodDisruptionBudget(PodDisruptionBudgetStatus);
    storage::v1: VolumeAttachment(VolumeAttachmentStatus);
}

k8s_openapi::k8s_if_ge_1_34! {
    use k8s_openapi::api::resource;

    with_status! {
        resource::v1: ResourceClaim(ResourceClaimStatus);
    }
}
