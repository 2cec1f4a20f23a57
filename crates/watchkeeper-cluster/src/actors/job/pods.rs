//! What a pod tells its job.

use std::time::Duration;

use watchkeeper_api::batch::v1::Job;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Object, Time};

use crate::actors::doubled;

/// The finalizer that keeps a pod from going before its job has counted it.
pub(crate) const TRACKING: &str = "batch.kubernetes.io/job-tracking";
/// The annotation and label that say which index of an indexed job a pod works on.
pub(crate) const INDEX: &str = "batch.kubernetes.io/job-completion-index";
/// The annotation that says how often the pod's index failed before it.
pub(crate) const FAILURES: &str = "batch.kubernetes.io/job-index-failure-count";
/// The same for the failures that the job's policy lets pass.
pub(crate) const IGNORED_FAILURES: &str = "batch.kubernetes.io/job-index-ignored-failure-count";

pub(crate) fn is_tracked(pod: &Pod) -> bool {
    pod.finalizers().any(|finalizer| finalizer == TRACKING)
}

/// The index that the pod works on; `None` where it names none below `completions`.
pub(crate) fn index(pod: &Pod, completions: u32) -> Option<u32> {
    let index = pod.annotation(INDEX)?.parse().ok()?;
    (index < completions).then_some(index)
}

pub(crate) fn succeeded(pod: &Pod) -> bool {
    pod.status.phase == "Succeeded"
}

/// Whether the job is to take the pod for failed. One that is asked to go is, at once, unless the job
/// replaces only what has failed: an orphan may never come to its phase.
pub(crate) fn failed(pod: &Pod, job: &Job) -> bool {
    if pod.status.phase == "Failed" {
        return true;
    }
    !replaces_failed_only(job) && pod.is_deleting() && !succeeded(pod)
}

/// Whether a pod that is asked to go is replaced only when it has gone.
pub(crate) fn replaces_failed_only(job: &Job) -> bool {
    let asked = job.spec.pod_replacement_policy.as_ref().is_some_and(|policy| policy == "Failed");
    asked || job.spec.pod_failure_policy.is_some()
}

/// Asked to go, and not at its end.
pub(crate) fn terminating(pod: &Pod) -> bool {
    pod.is_deleting() && pod.status.phase != "Failed" && !succeeded(pod)
}

/// How often the pod's index failed before it: what counts, and what the policy lets pass.
pub(crate) fn failures_before(pod: &Pod) -> (i32, i32) {
    let number = |name: &str| {
        let number: Option<i32> = pod.annotation(name).and_then(|text| text.parse().ok());
        number.unwrap_or(0).max(0)
    };
    (number(FAILURES), number(IGNORED_FAILURES))
}

/// When the pod ended, as far as it says.
pub(crate) fn finished_at(pod: &Pod) -> Time {
    let ends: Option<Vec<Time>> = pod
        .status
        .container_statuses
        .iter()
        .map(|container| container.state.terminated.as_ref()?.finished_at)
        .collect();
    let unready = pod
        .status
        .conditions
        .iter()
        .find(|condition| condition.type_ == "Ready" && condition.status == "False")
        .and_then(|condition| condition.last_transition_time);
    let asked = pod.deletion_timestamp().map(|gone| {
        let grace = pod.metadata.deletion_grace_period_seconds.unwrap_or(0);
        Time::from_unix(gone.unix().saturating_sub(grace))
    });
    ends.and_then(|ends| ends.into_iter().max())
        .or(unready)
        .or(asked)
        .or_else(|| pod.creation_timestamp())
        .unwrap_or_default()
}

/// How often containers of the pod were started anew.
pub(crate) fn restarts(pod: &Pod) -> i32 {
    let containers = pod.status.init_container_statuses.iter();
    let restarts = containers.chain(pod.status.container_statuses.iter());
    restarts.map(|container| container.restart_count).fold(0, i32::saturating_add)
}

/// How long a job waits after this many failures: ten seconds, doubled up to ten minutes.
pub(crate) fn backoff_after(failures: i32) -> Duration {
    doubled(10, failures, 600)
}
