//! `batch/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::core::v1::{ObjectReference, PodTemplateSpec};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, List, Time};

/// `io.k8s.api.batch.v1.CronJob`.
#[derive(Clone, Default, PartialEq)]
pub struct CronJob {
    pub metadata: ObjectMeta,
    pub spec: CronJobSpec,
    pub status: CronJobStatus,
}

codec! { CronJob: "batch/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { CronJob "batch" "v1" "cronjobs" Namespaced, CronJobStatus }

/// `io.k8s.api.batch.v1.CronJobSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct CronJobSpec {
    pub schedule: IStr,
    pub time_zone: Option<IStr>,
    pub starting_deadline_seconds: Option<i64>,
    pub concurrency_policy: IStr,
    pub suspend: Option<bool>,
    pub job_template: JobTemplateSpec,
    pub successful_jobs_history_limit: Option<i32>,
    pub failed_jobs_history_limit: Option<i32>,
}

codec! { CronJobSpec
    0 "schedule" [1] req schedule .required()
    1 "timeZone" [8] opt time_zone
    2 "startingDeadlineSeconds" [2] opt starting_deadline_seconds
    3 "concurrencyPolicy" [3] opt concurrency_policy
    4 "suspend" [4] opt suspend
    5 "jobTemplate" [5] opt job_template .required()
    6 "successfulJobsHistoryLimit" [6] opt successful_jobs_history_limit
    7 "failedJobsHistoryLimit" [7] opt failed_jobs_history_limit
    => [8 time_zone] [7 failed_jobs_history_limit] [6 successful_jobs_history_limit]
       [5 job_template] [4 suspend] [3 concurrency_policy] [2 starting_deadline_seconds]
       [1 schedule]
}

/// `io.k8s.api.batch.v1.CronJobStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct CronJobStatus {
    pub active: List<ObjectReference>,
    pub last_schedule_time: Option<Time>,
    pub last_successful_time: Option<Time>,
}

codec! { CronJobStatus
    0 "active" [1] opt active .list_atomic()
    1 "lastScheduleTime" [4] opt last_schedule_time
    2 "lastSuccessfulTime" [5] opt last_successful_time
    => [5 last_successful_time] [4 last_schedule_time] [1 active]
}

/// `io.k8s.api.batch.v1.JobSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct JobSpec {
    pub parallelism: Option<i32>,
    pub completions: Option<i32>,
    pub active_deadline_seconds: Option<i64>,
    pub pod_failure_policy: Option<Box<PodFailurePolicy>>,
    pub success_policy: Option<Box<SuccessPolicy>>,
    pub backoff_limit: Option<i32>,
    pub backoff_limit_per_index: Option<i32>,
    pub max_failed_indexes: Option<i32>,
    pub selector: Option<Box<LabelSelector>>,
    pub manual_selector: Option<bool>,
    pub template: PodTemplateSpec,
    pub ttl_seconds_after_finished: Option<i32>,
    pub completion_mode: Option<IStr>,
    pub suspend: Option<bool>,
    pub pod_replacement_policy: Option<IStr>,
    pub managed_by: Option<IStr>,
}

codec! { JobSpec
    0 "parallelism" [1] opt parallelism
    1 "completions" [2] opt completions
    2 "activeDeadlineSeconds" [3] opt active_deadline_seconds
    3 "podFailurePolicy" [11] opt pod_failure_policy
    4 "successPolicy" [16] opt success_policy
    5 "backoffLimit" [7] opt backoff_limit
    6 "backoffLimitPerIndex" [12] opt backoff_limit_per_index
    7 "maxFailedIndexes" [13] opt max_failed_indexes
    8 "selector" [4] opt selector .map_atomic()
    9 "manualSelector" [5] opt manual_selector
    10 "template" [6] opt template .required()
    11 "ttlSecondsAfterFinished" [8] opt ttl_seconds_after_finished
    12 "completionMode" [9] opt completion_mode
    13 "suspend" [10] opt suspend
    14 "podReplacementPolicy" [14] opt pod_replacement_policy
    15 "managedBy" [15] opt managed_by
    => [16 success_policy] [15 managed_by] [14 pod_replacement_policy] [13 max_failed_indexes]
       [12 backoff_limit_per_index] [11 pod_failure_policy] [10 suspend] [9 completion_mode]
       [8 ttl_seconds_after_finished] [7 backoff_limit] [6 template] [5 manual_selector]
       [4 selector] [3 active_deadline_seconds] [2 completions] [1 parallelism]
}

/// `io.k8s.api.batch.v1.JobTemplateSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct JobTemplateSpec {
    pub metadata: ObjectMeta,
    pub spec: JobSpec,
}

codec! { JobTemplateSpec
    0 "metadata" [1] opt metadata
    1 "spec" [2] opt spec
    => [2 spec] [1 metadata]
}

/// `io.k8s.api.batch.v1.PodFailurePolicy`.
#[derive(Clone, Default, PartialEq)]
pub struct PodFailurePolicy {
    pub rules: List<PodFailurePolicyRule>,
}

codec! { PodFailurePolicy
    0 "rules" [1] opt rules .required() .list_atomic()
    => [1 rules]
}

/// `io.k8s.api.batch.v1.PodFailurePolicyOnExitCodesRequirement`.
#[derive(Clone, Default, PartialEq)]
pub struct PodFailurePolicyOnExitCodesRequirement {
    pub container_name: Option<IStr>,
    pub operator: IStr,
    pub values: List<i32>,
}

codec! { PodFailurePolicyOnExitCodesRequirement
    0 "containerName" [1] opt container_name
    1 "operator" [2] req operator .required()
    2 "values" [3] opt values .required() .list_set()
    => [3 values] [2 operator] [1 container_name]
}

/// `io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern`.
#[derive(Clone, Default, PartialEq)]
pub struct PodFailurePolicyOnPodConditionsPattern {
    pub type_: IStr,
    pub status: IStr,
}

codec! { PodFailurePolicyOnPodConditionsPattern
    0 "type" [1] req type_ .required()
    1 "status" [2] req status
    => [2 status] [1 type_]
}

/// `io.k8s.api.batch.v1.PodFailurePolicyRule`.
#[derive(Clone, Default, PartialEq)]
pub struct PodFailurePolicyRule {
    pub action: IStr,
    pub on_exit_codes: Option<Box<PodFailurePolicyOnExitCodesRequirement>>,
    pub on_pod_conditions: List<PodFailurePolicyOnPodConditionsPattern>,
}

codec! { PodFailurePolicyRule
    0 "action" [1] req action .required()
    1 "onExitCodes" [2] opt on_exit_codes
    2 "onPodConditions" [3] opt on_pod_conditions .list_atomic()
    => [3 on_pod_conditions] [2 on_exit_codes] [1 action]
}

/// `io.k8s.api.batch.v1.SuccessPolicy`.
#[derive(Clone, Default, PartialEq)]
pub struct SuccessPolicy {
    pub rules: List<SuccessPolicyRule>,
}

codec! { SuccessPolicy
    0 "rules" [1] opt rules .required() .list_atomic()
    => [1 rules]
}

/// `io.k8s.api.batch.v1.SuccessPolicyRule`.
#[derive(Clone, Default, PartialEq)]
pub struct SuccessPolicyRule {
    pub succeeded_indexes: Option<IStr>,
    pub succeeded_count: Option<i32>,
}

codec! { SuccessPolicyRule
    0 "succeededIndexes" [1] opt succeeded_indexes
    1 "succeededCount" [2] opt succeeded_count
    => [2 succeeded_count] [1 succeeded_indexes]
}

/// `io.k8s.api.batch.v1.Job`.
#[derive(Clone, Default, PartialEq)]
pub struct Job {
    pub metadata: ObjectMeta,
    pub spec: JobSpec,
    pub status: JobStatus,
}

codec! { Job: "batch/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { Job "batch" "v1" "jobs" Namespaced, JobStatus }

/// `io.k8s.api.batch.v1.JobCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct JobCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_probe_time: Option<Time>,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { JobCondition
    0 "type" [1] req type_ .required()
    1 "status" [2] req status .required()
    2 "lastProbeTime" [3; time] opt last_probe_time
    3 "lastTransitionTime" [4; time] opt last_transition_time
    4 "reason" [5] opt reason
    5 "message" [6] opt message
    => [6 message] [5 reason] [4 last_transition_time; time] [3 last_probe_time; time] [2 status]
       [1 type_]
}

/// `io.k8s.api.batch.v1.JobStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct JobStatus {
    pub conditions: List<JobCondition>,
    pub start_time: Option<Time>,
    pub completion_time: Option<Time>,
    pub active: i32,
    pub succeeded: i32,
    pub failed: i32,
    pub terminating: Option<i32>,
    pub completed_indexes: IStr,
    pub failed_indexes: Option<IStr>,
    pub uncounted_terminated_pods: Option<Box<UncountedTerminatedPods>>,
    pub ready: Option<i32>,
}

codec! { JobStatus
    0 "conditions" [1] opt conditions .list_atomic()
    1 "startTime" [2] opt start_time
    2 "completionTime" [3] opt completion_time
    3 "active" [4] opt active
    4 "succeeded" [5] opt succeeded
    5 "failed" [6] opt failed
    6 "terminating" [11] opt terminating
    7 "completedIndexes" [7] opt completed_indexes
    8 "failedIndexes" [10] opt failed_indexes
    9 "uncountedTerminatedPods" [8] opt uncounted_terminated_pods
    10 "ready" [9] opt ready
    => [11 terminating] [10 failed_indexes] [9 ready] [8 uncounted_terminated_pods]
       [7 completed_indexes] [6 failed] [5 succeeded] [4 active] [3 completion_time] [2 start_time]
       [1 conditions]
}

/// `io.k8s.api.batch.v1.UncountedTerminatedPods`.
#[derive(Clone, Default, PartialEq)]
pub struct UncountedTerminatedPods {
    pub succeeded: List<IStr>,
    pub failed: List<IStr>,
}

codec! { UncountedTerminatedPods
    0 "succeeded" [1] opt succeeded .list_set()
    1 "failed" [2] opt failed .list_set()
    => [2 failed] [1 succeeded]
}
