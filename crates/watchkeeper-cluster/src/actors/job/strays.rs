//! Pods with the finalizer that no job will count any more.

use watchkeeper_api::batch::v1::Job;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Object, ObjectKey};
use watchkeeper_cache::Watch;
use watchkeeper_controller::Request;

use super::{is_managed_elsewhere, look, pods, selector_of};

/// The label that names a pod's job.
const JOB_NAME: &str = "batch.kubernetes.io/job-name";

/// The jobs that have to see to a pod which nobody owns: those that might adopt it, and the one that it
/// names if it is held.
pub(super) fn concerned(jobs: &Watch<Job>, pod: &Pod) -> Vec<ObjectKey> {
    if pod.controller().is_some() {
        return Vec::new();
    }
    let namespace = pod.namespace().unwrap_or_default();
    let named = pod.label(JOB_NAME).filter(|_| pods::is_tracked(pod));
    let named = named.map(|name| ObjectKey::new(namespace, name));
    let adopts = |job: &Job| selector_of(job).is_some_and(|selector| selector.selects(pod));
    let adopters = jobs.peek_in(namespace).into_iter().filter(|job| adopts(job));
    adopters.map(|job| job.key()).chain(named).collect()
}

/// Whether the pod has the finalizer and was this job's, which is gone, over, or another one by now.
pub(super) fn is_stray(pod: &Pod, request: &Request, job: Option<&Job>) -> bool {
    if !pods::is_tracked(pod) || job.is_some_and(is_managed_elsewhere) {
        return false;
    }
    let at_work = job.filter(|job| !look::is_over(job));
    match pod.controller() {
        Some(owner) if owner.kind != "Job" || owner.name != request.name() => false,
        Some(owner) => at_work.is_none_or(|job| owner.uid != job.uid()),
        None if pod.label(JOB_NAME) != Some(request.name()) => false,
        None => {
            let selector = at_work.filter(|job| !job.is_deleting()).and_then(selector_of);
            selector.is_none_or(|selector| !selector.selects(pod))
        }
    }
}
