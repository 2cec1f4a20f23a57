//! `apps/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::apps::v1::{
    ControllerRevision, DaemonSet, DaemonSetCondition, DaemonSetSpec, DaemonSetStatus,
    DaemonSetUpdateStrategy, Deployment, DeploymentCondition, DeploymentSpec, DeploymentStatus,
    DeploymentStrategy, ReplicaSet, ReplicaSetCondition, ReplicaSetSpec, ReplicaSetStatus,
    RollingUpdateDaemonSet, RollingUpdateDeployment, RollingUpdateStatefulSetStrategy, StatefulSet,
    StatefulSetCondition, StatefulSetOrdinals, StatefulSetPersistentVolumeClaimRetentionPolicy,
    StatefulSetSpec, StatefulSetStatus, StatefulSetUpdateStrategy,
};
use crate::core::v1::{PersistentVolumeClaim, PodTemplateSpec};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, IntOrString, List, Raw, Time, setters};

setters! {
    ControllerRevision {
        with_metadata metadata: ObjectMeta,
        with_data data: Raw,
        with_revision revision: i64,
    }
    DaemonSet {
        with_metadata metadata: ObjectMeta,
        with_spec spec: DaemonSetSpec,
        with_status status: DaemonSetStatus,
    }
    DaemonSetCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_last_transition_time last_transition_time: Option<Time>,
        with_reason reason: IStr,
        with_message message: IStr,
    }
    DaemonSetSpec {
        with_selector selector: Option<Box<LabelSelector>>,
        with_template template: PodTemplateSpec,
        with_update_strategy update_strategy: DaemonSetUpdateStrategy,
        with_min_ready_seconds min_ready_seconds: i32,
        with_revision_history_limit revision_history_limit: Option<i32>,
    }
    DaemonSetStatus {
        with_current_number_scheduled current_number_scheduled: i32,
        with_number_misscheduled number_misscheduled: i32,
        with_desired_number_scheduled desired_number_scheduled: i32,
        with_number_ready number_ready: i32,
        with_observed_generation observed_generation: i64,
        with_updated_number_scheduled updated_number_scheduled: i32,
        with_number_available number_available: i32,
        with_number_unavailable number_unavailable: i32,
        with_collision_count collision_count: Option<i32>,
        with_conditions conditions: List<DaemonSetCondition>,
    }
    DaemonSetUpdateStrategy {
        with_type type_: IStr,
        with_rolling_update rolling_update: Option<Box<RollingUpdateDaemonSet>>,
    }
    RollingUpdateDaemonSet {
        with_max_unavailable max_unavailable: Option<IntOrString>,
        with_max_surge max_surge: Option<IntOrString>,
    }
    Deployment {
        with_metadata metadata: ObjectMeta,
        with_spec spec: DeploymentSpec,
        with_status status: DeploymentStatus,
    }
    DeploymentCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_last_update_time last_update_time: Option<Time>,
        with_last_transition_time last_transition_time: Option<Time>,
        with_reason reason: IStr,
        with_message message: IStr,
    }
    DeploymentSpec {
        with_replicas replicas: Option<i32>,
        with_selector selector: Option<Box<LabelSelector>>,
        with_template template: PodTemplateSpec,
        with_strategy strategy: DeploymentStrategy,
        with_min_ready_seconds min_ready_seconds: i32,
        with_revision_history_limit revision_history_limit: Option<i32>,
        with_paused paused: bool,
        with_progress_deadline_seconds progress_deadline_seconds: Option<i32>,
    }
    DeploymentStatus {
        with_observed_generation observed_generation: i64,
        with_replicas replicas: i32,
        with_updated_replicas updated_replicas: i32,
        with_ready_replicas ready_replicas: i32,
        with_available_replicas available_replicas: i32,
        with_unavailable_replicas unavailable_replicas: i32,
        with_terminating_replicas terminating_replicas: Option<i32>,
        with_conditions conditions: List<DeploymentCondition>,
        with_collision_count collision_count: Option<i32>,
    }
    DeploymentStrategy {
        with_type type_: IStr,
        with_rolling_update rolling_update: Option<Box<RollingUpdateDeployment>>,
    }
    RollingUpdateDeployment {
        with_max_unavailable max_unavailable: Option<IntOrString>,
        with_max_surge max_surge: Option<IntOrString>,
    }
    ReplicaSet {
        with_metadata metadata: ObjectMeta,
        with_spec spec: ReplicaSetSpec,
        with_status status: ReplicaSetStatus,
    }
    ReplicaSetCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_last_transition_time last_transition_time: Option<Time>,
        with_reason reason: IStr,
        with_message message: IStr,
    }
    ReplicaSetSpec {
        with_replicas replicas: Option<i32>,
        with_min_ready_seconds min_ready_seconds: i32,
        with_selector selector: Option<Box<LabelSelector>>,
        with_template template: PodTemplateSpec,
    }
    ReplicaSetStatus {
        with_replicas replicas: i32,
        with_fully_labeled_replicas fully_labeled_replicas: i32,
        with_ready_replicas ready_replicas: i32,
        with_available_replicas available_replicas: i32,
        with_terminating_replicas terminating_replicas: Option<i32>,
        with_observed_generation observed_generation: i64,
        with_conditions conditions: List<ReplicaSetCondition>,
    }
    StatefulSet {
        with_metadata metadata: ObjectMeta,
        with_spec spec: StatefulSetSpec,
        with_status status: StatefulSetStatus,
    }
    RollingUpdateStatefulSetStrategy {
        with_partition partition: Option<i32>,
        with_max_unavailable max_unavailable: Option<IntOrString>,
    }
    StatefulSetCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_last_transition_time last_transition_time: Option<Time>,
        with_reason reason: IStr,
        with_message message: IStr,
    }
    StatefulSetOrdinals {
        with_start start: i32,
    }
    StatefulSetPersistentVolumeClaimRetentionPolicy {
        with_when_deleted when_deleted: IStr,
        with_when_scaled when_scaled: IStr,
    }
    StatefulSetSpec {
        with_replicas replicas: Option<i32>,
        with_selector selector: Option<Box<LabelSelector>>,
        with_template template: PodTemplateSpec,
        with_volume_claim_templates volume_claim_templates: List<PersistentVolumeClaim>,
        with_service_name service_name: IStr,
        with_pod_management_policy pod_management_policy: IStr,
        with_update_strategy update_strategy: StatefulSetUpdateStrategy,
        with_revision_history_limit revision_history_limit: Option<i32>,
        with_min_ready_seconds min_ready_seconds: i32,
        with_persistent_volume_claim_retention_policy persistent_volume_claim_retention_policy: Option<Box<StatefulSetPersistentVolumeClaimRetentionPolicy>>,
        with_ordinals ordinals: Option<Box<StatefulSetOrdinals>>,
    }
    StatefulSetStatus {
        with_observed_generation observed_generation: i64,
        with_replicas replicas: i32,
        with_ready_replicas ready_replicas: i32,
        with_current_replicas current_replicas: i32,
        with_updated_replicas updated_replicas: i32,
        with_current_revision current_revision: IStr,
        with_update_revision update_revision: IStr,
        with_collision_count collision_count: Option<i32>,
        with_conditions conditions: List<StatefulSetCondition>,
        with_available_replicas available_replicas: i32,
    }
    StatefulSetUpdateStrategy {
        with_type type_: IStr,
        with_rolling_update rolling_update: Option<Box<RollingUpdateStatefulSetStrategy>>,
    }
}
