//! What a job's own rules say of failures and successes.

use watchkeeper_api::Object;
use watchkeeper_api::batch::v1::{
    Job, PodFailurePolicyOnExitCodesRequirement as OnExitCodes, PodFailurePolicyRule,
};
use watchkeeper_api::core::v1::{ContainerStatus, Pod};

use super::indexes::Indexes;
use super::pods;

/// What is to be done about a pod that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failing {
    /// It counts towards the limits, as without any rule.
    Counts,
    /// It counts towards none.
    Ignored,
    /// Its index has failed for good.
    FailsIndex,
    /// The job has failed; why.
    FailsJob(String),
}

/// What the first rule that matches says of a failed pod.
pub(crate) fn failing(job: &Job, pod: &Pod) -> Failing {
    let Some(policy) = &job.spec.pod_failure_policy else { return Failing::Counts };
    for (place, rule) in policy.rules.iter().enumerate() {
        let Some(what) = matched(rule, pod) else { continue };
        return match rule.action.as_ref() {
            "Ignore" => Failing::Ignored,
            "FailIndex" => Failing::FailsIndex,
            "FailJob" => {
                Failing::FailsJob(format!("{what} matching {} rule at index {place}", rule.action))
            }
            "Count" => Failing::Counts,
            // A later version's: no rule of ours.
            _ => continue,
        };
    }
    Failing::Counts
}

/// What of the pod the rule matches, in words.
fn matched(rule: &PodFailurePolicyRule, pod: &Pod) -> Option<String> {
    let name = pod.key();
    if let Some(codes) = &rule.on_exit_codes {
        let statuses = &pod.status;
        let all = statuses.container_statuses.iter().chain(&*statuses.init_container_statuses);
        return all.into_iter().find_map(|container| {
            let code = exit_code(container, codes)?;
            Some(format!(
                "Container {} for pod {name} failed with exit code {code}",
                container.name
            ))
        });
    }
    let wanted = |type_: &str, status: &str| {
        rule.on_pod_conditions.iter().any(|is| is.type_ == *type_ && is.status == *status)
    };
    let mut conditions = pod.status.conditions.iter();
    let found = conditions.find(|condition| wanted(&condition.type_, &condition.status))?;
    Some(format!("Pod {name} has condition {}", found.type_))
}

/// The code that the container failed with, if it is one that is asked for.
fn exit_code(container: &ContainerStatus, wanted: &OnExitCodes) -> Option<i32> {
    let code = container.state.terminated.as_ref()?.exit_code;
    let named = wanted.container_name.as_ref().is_none_or(|name| *name == container.name);
    let listed = wanted.values.contains(&code);
    let matches = match wanted.operator.as_ref() {
        "In" => listed,
        "NotIn" => !listed,
        _ => false,
    };
    (named && code != 0 && matches).then_some(code)
}

/// Whether the failure of a pod ends its index: the policy says so, or it is one too many.
pub(crate) fn ends_index(job: &Job, pod: &Pod) -> bool {
    let Some(limit) = job.spec.backoff_limit_per_index else { return false };
    if !pods::failed(pod, job) {
        return false;
    }
    match failing(job, pod) {
        Failing::FailsIndex => true,
        Failing::Ignored => false,
        Failing::Counts | Failing::FailsJob(_) => pods::failures_before(pod).0 >= limit,
    }
}

/// The rule by which these indexes are successes enough, in words.
pub(crate) fn success(job: &Job, completions: u32, succeeded: &Indexes) -> Option<String> {
    let policy = job.spec.success_policy.as_ref().filter(|_| succeeded.len() > 0)?;
    let enough = |have: u32, count: Option<i32>| {
        count.is_some_and(|count| u32::try_from(count).is_ok_and(|count| have >= count))
    };
    let place = policy.rules.iter().position(|rule| match &rule.succeeded_indexes {
        Some(text) => {
            let wanted = Indexes::parse(text, completions);
            let have = wanted.shared_with(succeeded);
            wanted.len() > 0 && (have == wanted.len() || enough(have, rule.succeeded_count))
        }
        None => enough(succeeded.len(), rule.succeeded_count),
    })?;
    Some(format!("Matched rules at index {place}"))
}
