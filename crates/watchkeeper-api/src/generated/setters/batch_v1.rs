//! `batch/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::batch::v1::{
    CronJob, CronJobSpec, CronJobStatus, Job, JobCondition, JobSpec, JobStatus, JobTemplateSpec,
    PodFailurePolicy, PodFailurePolicyOnExitCodesRequirement,
    PodFailurePolicyOnPodConditionsPattern, PodFailurePolicyRule, SuccessPolicy, SuccessPolicyRule,
    UncountedTerminatedPods,
};
use crate::core::v1::{ObjectReference, PodTemplateSpec};
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, List, Time, setters};

setters! {
    CronJob {
        with_metadata metadata: ObjectMeta,
        with_spec spec: CronJobSpec,
        with_status status: CronJobStatus,
    }
    CronJobSpec {
        with_schedule schedule: IStr,
        with_time_zone time_zone: Option<IStr>,
        with_starting_deadline_seconds starting_deadline_seconds: Option<i64>,
        with_concurrency_policy concurrency_policy: IStr,
        with_suspend suspend: Option<bool>,
        with_job_template job_template: JobTemplateSpec,
        with_successful_jobs_history_limit successful_jobs_history_limit: Option<i32>,
        with_failed_jobs_history_limit failed_jobs_history_limit: Option<i32>,
    }
    CronJobStatus {
        with_active active: List<ObjectReference>,
        with_last_schedule_time last_schedule_time: Option<Time>,
        with_last_successful_time last_successful_time: Option<Time>,
    }
    JobSpec {
        with_parallelism parallelism: Option<i32>,
        with_completions completions: Option<i32>,
        with_active_deadline_seconds active_deadline_seconds: Option<i64>,
        with_pod_failure_policy pod_failure_policy: Option<Box<PodFailurePolicy>>,
        with_success_policy success_policy: Option<Box<SuccessPolicy>>,
        with_backoff_limit backoff_limit: Option<i32>,
        with_backoff_limit_per_index backoff_limit_per_index: Option<i32>,
        with_max_failed_indexes max_failed_indexes: Option<i32>,
        with_selector selector: Option<Box<LabelSelector>>,
        with_manual_selector manual_selector: Option<bool>,
        with_template template: PodTemplateSpec,
        with_ttl_seconds_after_finished ttl_seconds_after_finished: Option<i32>,
        with_completion_mode completion_mode: Option<IStr>,
        with_suspend suspend: Option<bool>,
        with_pod_replacement_policy pod_replacement_policy: Option<IStr>,
        with_managed_by managed_by: Option<IStr>,
    }
    JobTemplateSpec {
        with_metadata metadata: ObjectMeta,
        with_spec spec: JobSpec,
    }
    PodFailurePolicy {
        with_rules rules: List<PodFailurePolicyRule>,
    }
    PodFailurePolicyOnExitCodesRequirement {
        with_container_name container_name: Option<IStr>,
        with_operator operator: IStr,
        with_values values: List<i32>,
    }
    PodFailurePolicyOnPodConditionsPattern {
        with_type type_: IStr,
        with_status status: IStr,
    }
    PodFailurePolicyRule {
        with_action action: IStr,
        with_on_exit_codes on_exit_codes: Option<Box<PodFailurePolicyOnExitCodesRequirement>>,
        with_on_pod_conditions on_pod_conditions: List<PodFailurePolicyOnPodConditionsPattern>,
    }
    SuccessPolicy {
        with_rules rules: List<SuccessPolicyRule>,
    }
    SuccessPolicyRule {
        with_succeeded_indexes succeeded_indexes: Option<IStr>,
        with_succeeded_count succeeded_count: Option<i32>,
    }
    Job {
        with_metadata metadata: ObjectMeta,
        with_spec spec: JobSpec,
        with_status status: JobStatus,
    }
    JobCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_last_probe_time last_probe_time: Option<Time>,
        with_last_transition_time last_transition_time: Option<Time>,
        with_reason reason: IStr,
        with_message message: IStr,
    }
    JobStatus {
        with_conditions conditions: List<JobCondition>,
        with_start_time start_time: Option<Time>,
        with_completion_time completion_time: Option<Time>,
        with_active active: i32,
        with_succeeded succeeded: i32,
        with_failed failed: i32,
        with_terminating terminating: Option<i32>,
        with_completed_indexes completed_indexes: IStr,
        with_failed_indexes failed_indexes: Option<IStr>,
        with_uncounted_terminated_pods uncounted_terminated_pods: Option<Box<UncountedTerminatedPods>>,
        with_ready ready: Option<i32>,
    }
    UncountedTerminatedPods {
        with_succeeded succeeded: List<IStr>,
        with_failed failed: List<IStr>,
    }
}
