//! `batch/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::core::v1::{ObjectReference, PodTemplateSpec};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, List, Time};

/// `io.k8s.api.batch.v1.CronJob`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CronJob {
    pub metadata: ObjectMeta,
    pub spec: CronJobSpec,
    pub status: CronJobStatus,
}

codec! { CronJob: "batch/v1"
    2 "metadata" opt metadata
    3 "spec" opt spec .required()
    4 "status" opt status
}

kind! { CronJob "batch" "v1" "cronjobs" Namespaced, CronJobStatus }

/// `io.k8s.api.batch.v1.CronJobSpec`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "schedule" req schedule .required()
    1 "timeZone" opt time_zone
    2 "startingDeadlineSeconds" opt starting_deadline_seconds
    3 "concurrencyPolicy" opt concurrency_policy
    4 "suspend" opt suspend
    5 "jobTemplate" opt job_template .required()
    6 "successfulJobsHistoryLimit" opt successful_jobs_history_limit
    7 "failedJobsHistoryLimit" opt failed_jobs_history_limit
}

/// `io.k8s.api.batch.v1.CronJobStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CronJobStatus {
    pub active: List<ObjectReference>,
    pub last_schedule_time: Option<Time>,
    pub last_successful_time: Option<Time>,
}

codec! { CronJobStatus
    0 "active" opt active .list_atomic()
    1 "lastScheduleTime" opt last_schedule_time
    2 "lastSuccessfulTime" opt last_successful_time
}

/// `io.k8s.api.batch.v1.JobSpec`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "parallelism" opt parallelism
    1 "completions" opt completions
    2 "activeDeadlineSeconds" opt active_deadline_seconds
    3 "podFailurePolicy" opt pod_failure_policy
    4 "successPolicy" opt success_policy
    5 "backoffLimit" opt backoff_limit
    6 "backoffLimitPerIndex" opt backoff_limit_per_index
    7 "maxFailedIndexes" opt max_failed_indexes
    8 "selector" opt selector .map_atomic()
    9 "manualSelector" opt manual_selector
    10 "template" opt template .required()
    11 "ttlSecondsAfterFinished" opt ttl_seconds_after_finished
    12 "completionMode" opt completion_mode
    13 "suspend" opt suspend
    14 "podReplacementPolicy" opt pod_replacement_policy
    15 "managedBy" opt managed_by
}

/// `io.k8s.api.batch.v1.JobTemplateSpec`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JobTemplateSpec {
    pub metadata: ObjectMeta,
    pub spec: JobSpec,
}

codec! { JobTemplateSpec
    0 "metadata" opt metadata
    1 "spec" opt spec
}

/// `io.k8s.api.batch.v1.PodFailurePolicy`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodFailurePolicy {
    pub rules: List<PodFailurePolicyRule>,
}

codec! { PodFailurePolicy
    0 "rules" opt rules .required() .list_atomic()
}

/// `io.k8s.api.batch.v1.PodFailurePolicyOnExitCodesRequirement`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodFailurePolicyOnExitCodesRequirement {
    pub container_name: Option<IStr>,
    pub operator: IStr,
    pub values: List<i32>,
}

codec! { PodFailurePolicyOnExitCodesRequirement
    0 "containerName" opt container_name
    1 "operator" req operator .required()
    2 "values" opt values .required() .list_set()
}

/// `io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodFailurePolicyOnPodConditionsPattern {
    pub type_: IStr,
    pub status: IStr,
}

codec! { PodFailurePolicyOnPodConditionsPattern
    0 "type" req type_ .required()
    1 "status" req status
}

/// `io.k8s.api.batch.v1.PodFailurePolicyRule`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PodFailurePolicyRule {
    pub action: IStr,
    pub on_exit_codes: Option<Box<PodFailurePolicyOnExitCodesRequirement>>,
    pub on_pod_conditions: List<PodFailurePolicyOnPodConditionsPattern>,
}

codec! { PodFailurePolicyRule
    0 "action" req action .required()
    1 "onExitCodes" opt on_exit_codes
    2 "onPodConditions" opt on_pod_conditions .list_atomic()
}

/// `io.k8s.api.batch.v1.SuccessPolicy`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SuccessPolicy {
    pub rules: List<SuccessPolicyRule>,
}

codec! { SuccessPolicy
    0 "rules" opt rules .required() .list_atomic()
}

/// `io.k8s.api.batch.v1.SuccessPolicyRule`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SuccessPolicyRule {
    pub succeeded_indexes: Option<IStr>,
    pub succeeded_count: Option<i32>,
}

codec! { SuccessPolicyRule
    0 "succeededIndexes" opt succeeded_indexes
    1 "succeededCount" opt succeeded_count
}

/// `io.k8s.api.batch.v1.Job`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Job {
    pub metadata: ObjectMeta,
    pub spec: JobSpec,
    pub status: JobStatus,
}

codec! { Job: "batch/v1"
    2 "metadata" opt metadata
    3 "spec" opt spec
    4 "status" opt status
}

kind! { Job "batch" "v1" "jobs" Namespaced, JobStatus }

/// `io.k8s.api.batch.v1.JobCondition`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JobCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_probe_time: Option<Time>,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { JobCondition
    0 "type" req type_ .required()
    1 "status" req status .required()
    2 "lastProbeTime" opt last_probe_time
    3 "lastTransitionTime" opt last_transition_time
    4 "reason" opt reason
    5 "message" opt message
}

/// `io.k8s.api.batch.v1.JobStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "conditions" opt conditions .list_atomic()
    1 "startTime" opt start_time
    2 "completionTime" opt completion_time
    3 "active" opt active
    4 "succeeded" opt succeeded
    5 "failed" opt failed
    6 "terminating" opt terminating
    7 "completedIndexes" opt completed_indexes
    8 "failedIndexes" opt failed_indexes
    9 "uncountedTerminatedPods" opt uncounted_terminated_pods
    10 "ready" opt ready
}

/// `io.k8s.api.batch.v1.UncountedTerminatedPods`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UncountedTerminatedPods {
    pub succeeded: List<IStr>,
    pub failed: List<IStr>,
}

codec! { UncountedTerminatedPods
    0 "succeeded" opt succeeded .list_set()
    1 "failed" opt failed .list_set()
}
