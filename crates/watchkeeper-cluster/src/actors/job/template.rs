//! The pods that a job makes.

use watchkeeper_api::Object;
use watchkeeper_api::batch::v1::Job;
use watchkeeper_api::core::v1::{Container, EnvVar, EnvVarSource, ObjectFieldSelector, Pod};

use super::pods::{self, FAILURES, IGNORED_FAILURES, INDEX, TRACKING};
use super::policy::{self, Failing};
use crate::actors::template::pod_from;

/// The environment variable that tells a container its index.
const INDEX_VARIABLE: &str = "JOB_COMPLETION_INDEX";
/// The longest prefix of a generated name, five letters being added to it.
const LONGEST_PREFIX: usize = 58;

/// A pod from the job's template, for an index if the job has them; the server completes the name.
/// `replaced` is the pod that failed in its place, where each index has a limit of its own.
pub(crate) fn pod_of(job: &Job, index: Option<u32>, replaced: Option<&Pod>) -> Pod {
    let template = &job.spec.template;
    let mut pod = pod_from(job, template);
    pod.metadata.generate_name = generate_name(job.name(), index).as_str().into();
    if !pods::is_tracked(&pod) {
        pod.metadata.finalizers.push(TRACKING.into());
    }
    if let Some(index) = index {
        give_index(&mut pod, job, index);
        count_failures(&mut pod, job, replaced);
    }
    pod
}

fn generate_name(job: &str, index: Option<u32>) -> String {
    let Some(index) = index else { return format!("{job}-") };
    let suffix = format!("-{index}-");
    let kept = LONGEST_PREFIX - suffix.len();
    format!("{}{suffix}", job.get(..kept).unwrap_or(job))
}

fn give_index(pod: &mut Pod, job: &Job, index: u32) {
    let number = index.to_string();
    pod.metadata.annotations.insert(INDEX, number.as_str());
    pod.metadata.labels.insert(INDEX, number.as_str());
    pod.spec.hostname = format!("{}-{index}", job.name()).as_str().into();
    for containers in [&mut pod.spec.containers, &mut pod.spec.init_containers] {
        containers.edit(|containers| containers.iter_mut().for_each(tell_index));
    }
}

fn tell_index(container: &mut Container) {
    if container.env.iter().any(|variable| variable.name == INDEX_VARIABLE) {
        return;
    }
    let field = ObjectFieldSelector {
        field_path: format!("metadata.labels['{INDEX}']").as_str().into(),
        ..ObjectFieldSelector::default()
    };
    let source = EnvVarSource { field_ref: Some(Box::new(field)), ..EnvVarSource::default() };
    let variable = EnvVar {
        name: INDEX_VARIABLE.into(),
        value_from: Some(Box::new(source)),
        ..EnvVar::default()
    };
    container.env.push(variable);
}

/// Where each index has a limit of its own, its pods carry on the count.
fn count_failures(pod: &mut Pod, job: &Job, replaced: Option<&Pod>) {
    if job.spec.backoff_limit_per_index.is_none() {
        return;
    }
    let (mut counted, mut ignored) = replaced.map(pods::failures_before).unwrap_or_default();
    match replaced.map(|replaced| policy::failing(job, replaced)) {
        None => {}
        Some(Failing::Ignored) => ignored += 1,
        Some(Failing::Counts | Failing::FailsIndex | Failing::FailsJob(_)) => counted += 1,
    }
    pod.metadata.annotations.insert(FAILURES, counted.to_string().as_str());
    if ignored > 0 {
        pod.metadata.annotations.insert(IGNORED_FAILURES, ignored.to_string().as_str());
    }
}
