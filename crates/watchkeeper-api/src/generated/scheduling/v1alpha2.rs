//! `scheduling/v1alpha2`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::{Condition, ObjectMeta};
use crate::{IStr, List};

/// `io.k8s.api.scheduling.v1alpha2.PodGroup`.
#[derive(Clone, Default, PartialEq)]
pub struct PodGroup {
    pub metadata: ObjectMeta,
    pub spec: PodGroupSpec,
    pub status: PodGroupStatus,
}

codec! { PodGroup: "scheduling.k8s.io/v1alpha2"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { PodGroup "scheduling.k8s.io" "v1alpha2" "podgroups" Namespaced, PodGroupStatus }

/// `io.k8s.api.scheduling.v1alpha2.BasicSchedulingPolicy`.
#[derive(Clone, Default, PartialEq)]
pub struct BasicSchedulingPolicy {}

codec! { BasicSchedulingPolicy
    =>
}

/// `io.k8s.api.scheduling.v1alpha2.GangSchedulingPolicy`.
#[derive(Clone, Default, PartialEq)]
pub struct GangSchedulingPolicy {
    pub min_count: i32,
}

codec! { GangSchedulingPolicy
    0 "minCount" [1] req min_count .required()
    => [1 min_count]
}

/// `io.k8s.api.scheduling.v1alpha2.PodGroupResourceClaim`.
#[derive(Clone, Default, PartialEq)]
pub struct PodGroupResourceClaim {
    pub name: IStr,
    pub resource_claim_name: Option<IStr>,
    pub resource_claim_template_name: Option<IStr>,
}

codec! { PodGroupResourceClaim
    0 "name" [1] req name .required()
    1 "resourceClaimName" [2] opt resource_claim_name
    2 "resourceClaimTemplateName" [3] opt resource_claim_template_name
    => [3 resource_claim_template_name] [2 resource_claim_name] [1 name]
}

/// `io.k8s.api.scheduling.v1alpha2.PodGroupResourceClaimStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct PodGroupResourceClaimStatus {
    pub name: IStr,
    pub resource_claim_name: Option<IStr>,
}

codec! { PodGroupResourceClaimStatus
    0 "name" [1] req name .required()
    1 "resourceClaimName" [2] opt resource_claim_name
    => [2 resource_claim_name] [1 name]
}

/// `io.k8s.api.scheduling.v1alpha2.PodGroupSchedulingConstraints`.
#[derive(Clone, Default, PartialEq)]
pub struct PodGroupSchedulingConstraints {
    pub topology: List<TopologyConstraint>,
}

codec! { PodGroupSchedulingConstraints
    0 "topology" [1] opt topology .list_atomic()
    => [1 topology]
}

/// `io.k8s.api.scheduling.v1alpha2.PodGroupSchedulingPolicy`.
#[derive(Clone, Default, PartialEq)]
pub struct PodGroupSchedulingPolicy {
    pub basic: Option<Box<BasicSchedulingPolicy>>,
    pub gang: Option<Box<GangSchedulingPolicy>>,
}

codec! { PodGroupSchedulingPolicy
    0 "basic" [1] opt basic
    1 "gang" [2] opt gang
    => [2 gang] [1 basic]
}

/// `io.k8s.api.scheduling.v1alpha2.PodGroupSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct PodGroupSpec {
    pub pod_group_template_ref: Option<Box<PodGroupTemplateReference>>,
    pub scheduling_policy: PodGroupSchedulingPolicy,
    pub scheduling_constraints: Option<Box<PodGroupSchedulingConstraints>>,
    pub resource_claims: List<PodGroupResourceClaim>,
    pub disruption_mode: Option<IStr>,
    pub priority_class_name: IStr,
    pub priority: Option<i32>,
}

codec! { PodGroupSpec
    0 "podGroupTemplateRef" [1] opt pod_group_template_ref
    1 "schedulingPolicy" [2] opt scheduling_policy .required()
    2 "schedulingConstraints" [3] opt scheduling_constraints
    3 "resourceClaims" [4] opt resource_claims .list_map(&["name"])
    4 "disruptionMode" [5] opt disruption_mode .default_json("\"Pod\"")
    5 "priorityClassName" [6] opt priority_class_name
    6 "priority" [7] opt priority
    => [7 priority] [6 priority_class_name] [5 disruption_mode] [4 resource_claims]
       [3 scheduling_constraints] [2 scheduling_policy] [1 pod_group_template_ref]
}

/// `io.k8s.api.scheduling.v1alpha2.PodGroupStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct PodGroupStatus {
    pub conditions: List<Condition>,
    pub resource_claim_statuses: List<PodGroupResourceClaimStatus>,
}

codec! { PodGroupStatus
    0 "conditions" [1] opt conditions .list_map(&["type"])
    1 "resourceClaimStatuses" [2] opt resource_claim_statuses .list_map(&["name"])
    => [2 resource_claim_statuses] [1 conditions]
}

/// `io.k8s.api.scheduling.v1alpha2.PodGroupTemplateReference`.
#[derive(Clone, Default, PartialEq)]
pub struct PodGroupTemplateReference {
    pub workload: Option<Box<WorkloadPodGroupTemplateReference>>,
}

codec! { PodGroupTemplateReference
    0 "workload" [1] opt workload
    => [1 workload]
}

/// `io.k8s.api.scheduling.v1alpha2.TopologyConstraint`.
#[derive(Clone, Default, PartialEq)]
pub struct TopologyConstraint {
    pub key: IStr,
}

codec! { TopologyConstraint
    0 "key" [1] req key .required()
    => [1 key]
}

/// `io.k8s.api.scheduling.v1alpha2.WorkloadPodGroupTemplateReference`.
#[derive(Clone, Default, PartialEq)]
pub struct WorkloadPodGroupTemplateReference {
    pub workload_name: IStr,
    pub pod_group_template_name: IStr,
}

codec! { WorkloadPodGroupTemplateReference
    0 "workloadName" [1] req workload_name .required()
    1 "podGroupTemplateName" [2] req pod_group_template_name .required()
    => [2 pod_group_template_name] [1 workload_name]
}

/// `io.k8s.api.scheduling.v1alpha2.Workload`.
#[derive(Clone, Default, PartialEq)]
pub struct Workload {
    pub metadata: ObjectMeta,
    pub spec: WorkloadSpec,
}

codec! { Workload: "scheduling.k8s.io/v1alpha2"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    => [2 spec] [1 metadata]
}

kind! { Workload "scheduling.k8s.io" "v1alpha2" "workloads" Namespaced }

/// `io.k8s.api.scheduling.v1alpha2.PodGroupTemplate`.
#[derive(Clone, Default, PartialEq)]
pub struct PodGroupTemplate {
    pub name: IStr,
    pub scheduling_policy: PodGroupSchedulingPolicy,
    pub scheduling_constraints: Option<Box<PodGroupSchedulingConstraints>>,
    pub resource_claims: List<PodGroupResourceClaim>,
    pub disruption_mode: Option<IStr>,
    pub priority_class_name: IStr,
    pub priority: Option<i32>,
}

codec! { PodGroupTemplate
    0 "name" [1] req name .required()
    1 "schedulingPolicy" [2] opt scheduling_policy .required()
    2 "schedulingConstraints" [3] opt scheduling_constraints
    3 "resourceClaims" [4] opt resource_claims .list_map(&["name"])
    4 "disruptionMode" [5] opt disruption_mode
    5 "priorityClassName" [6] opt priority_class_name
    6 "priority" [7] opt priority
    => [7 priority] [6 priority_class_name] [5 disruption_mode] [4 resource_claims]
       [3 scheduling_constraints] [2 scheduling_policy] [1 name]
}

/// `io.k8s.api.scheduling.v1alpha2.TypedLocalObjectReference`.
#[derive(Clone, Default, PartialEq)]
pub struct TypedLocalObjectReference {
    pub api_group: IStr,
    pub kind: IStr,
    pub name: IStr,
}

codec! { TypedLocalObjectReference
    0 "apiGroup" [1] opt api_group
    1 "kind" [2] req kind .required()
    2 "name" [3] req name .required()
    => [3 name] [2 kind] [1 api_group]
}

/// `io.k8s.api.scheduling.v1alpha2.WorkloadSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct WorkloadSpec {
    pub controller_ref: Option<Box<TypedLocalObjectReference>>,
    pub pod_group_templates: List<PodGroupTemplate>,
}

codec! { WorkloadSpec
    0 "controllerRef" [1] opt controller_ref
    1 "podGroupTemplates" [2] opt pod_group_templates .required() .list_map(&["name"])
    => [2 pod_group_templates] [1 controller_ref]
}
