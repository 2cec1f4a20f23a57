//! `scheduling/v1alpha2`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::meta::v1::{Condition, ObjectMeta};
use crate::scheduling::v1alpha2::{
    BasicSchedulingPolicy, GangSchedulingPolicy, PodGroup, PodGroupResourceClaim,
    PodGroupResourceClaimStatus, PodGroupSchedulingConstraints, PodGroupSchedulingPolicy,
    PodGroupSpec, PodGroupStatus, PodGroupTemplate, PodGroupTemplateReference, TopologyConstraint,
    TypedLocalObjectReference, Workload, WorkloadPodGroupTemplateReference, WorkloadSpec,
};
use crate::{IStr, List, setters};

setters! {
    PodGroup {
        with_metadata metadata: ObjectMeta,
        with_spec spec: PodGroupSpec,
        with_status status: PodGroupStatus,
    }
    GangSchedulingPolicy {
        with_min_count min_count: i32,
    }
    PodGroupResourceClaim {
        with_name name: IStr,
        with_resource_claim_name resource_claim_name: Option<IStr>,
        with_resource_claim_template_name resource_claim_template_name: Option<IStr>,
    }
    PodGroupResourceClaimStatus {
        with_name name: IStr,
        with_resource_claim_name resource_claim_name: Option<IStr>,
    }
    PodGroupSchedulingConstraints {
        with_topology topology: List<TopologyConstraint>,
    }
    PodGroupSchedulingPolicy {
        with_basic basic: Option<Box<BasicSchedulingPolicy>>,
        with_gang gang: Option<Box<GangSchedulingPolicy>>,
    }
    PodGroupSpec {
        with_pod_group_template_ref pod_group_template_ref: Option<Box<PodGroupTemplateReference>>,
        with_scheduling_policy scheduling_policy: PodGroupSchedulingPolicy,
        with_scheduling_constraints scheduling_constraints: Option<Box<PodGroupSchedulingConstraints>>,
        with_resource_claims resource_claims: List<PodGroupResourceClaim>,
        with_disruption_mode disruption_mode: Option<IStr>,
        with_priority_class_name priority_class_name: IStr,
        with_priority priority: Option<i32>,
    }
    PodGroupStatus {
        with_conditions conditions: List<Condition>,
        with_resource_claim_statuses resource_claim_statuses: List<PodGroupResourceClaimStatus>,
    }
    PodGroupTemplateReference {
        with_workload workload: Option<Box<WorkloadPodGroupTemplateReference>>,
    }
    TopologyConstraint {
        with_key key: IStr,
    }
    WorkloadPodGroupTemplateReference {
        with_workload_name workload_name: IStr,
        with_pod_group_template_name pod_group_template_name: IStr,
    }
    Workload {
        with_metadata metadata: ObjectMeta,
        with_spec spec: WorkloadSpec,
    }
    PodGroupTemplate {
        with_name name: IStr,
        with_scheduling_policy scheduling_policy: PodGroupSchedulingPolicy,
        with_scheduling_constraints scheduling_constraints: Option<Box<PodGroupSchedulingConstraints>>,
        with_resource_claims resource_claims: List<PodGroupResourceClaim>,
        with_disruption_mode disruption_mode: Option<IStr>,
        with_priority_class_name priority_class_name: IStr,
        with_priority priority: Option<i32>,
    }
    TypedLocalObjectReference {
        with_api_group api_group: IStr,
        with_kind kind: IStr,
        with_name name: IStr,
    }
    WorkloadSpec {
        with_controller_ref controller_ref: Option<Box<TypedLocalObjectReference>>,
        with_pod_group_templates pod_group_templates: List<PodGroupTemplate>,
    }
}
