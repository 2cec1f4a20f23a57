//! What a job's status says, so that every pod that ends is counted once.
//!
//! A pod that ends is noted in the status by its uid (by its index where that is enough), then loses the
//! finalizer, and only then counts: whoever stops in between finds either the finalizer or the note.

use std::collections::BTreeSet;
use std::sync::Arc;

use watchkeeper_api::batch::v1::{JobCondition, JobStatus};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{IStr, List, Object, Time};

use super::look::{End, Look, indexed, is_suspended};
use super::pods;
use super::policy::{self, Failing};

/// The most pods that are noted at once (upstream's `MaxUncountedPods`): a status stays small.
const MOST_NOTED: usize = 500;

/// A status with the pods that ended noted in it, and what may be let go once that is written.
#[derive(Debug)]
pub(crate) struct Noted {
    pub(crate) status: JobStatus,
    /// The pods that lose the finalizer.
    pub(crate) release: Vec<Arc<Pod>>,
    /// Whether pods are left for the next time.
    pub(crate) more: bool,
}

/// Notes the pods that ended, and how the job ends, if `end` says so.
pub(crate) fn note(look: &Look, mut status: JobStatus, end: Option<&End>, now: Time) -> Noted {
    let tracked: BTreeSet<&str> =
        look.pods.iter().filter(|pod| pods::is_tracked(pod)).map(|pod| pod.uid()).collect();
    count_released(&mut status, &tracked);
    let mut lists = Lists::of(&status, look);
    let (mut release, mut more) = (Vec::new(), false);
    for pod in in_order(look) {
        if !may_go(look, &pod, end) {
            continue;
        }
        if lists.len() >= MOST_NOTED {
            more = true;
            break;
        }
        lists.note(look, &pod, end);
        release.push(pod);
    }
    lists.write(look, &mut status);
    if let Some(end) = end {
        set_condition(&mut status, end.announced(), "True", &end.reason, &end.message, now);
    }
    Noted { status, release, more }
}

/// The tracked pods, those of an indexed job by their indexes.
fn in_order(look: &Look) -> Vec<Arc<Pod>> {
    let mut pods: Vec<Arc<Pod>> =
        look.pods.iter().filter(|pod| pods::is_tracked(pod)).cloned().collect();
    if let Some(completions) = indexed(&look.job) {
        pods.sort_by_key(|pod| pods::index(pod, completions));
    }
    pods
}

/// Whether nothing needs the pod any more.
fn may_go(look: &Look, pod: &Pod, end: Option<&End>) -> bool {
    if look.job.is_deleting() || end.is_some() || pods::succeeded(pod) {
        return true;
    }
    let index = indexed(&look.job).and_then(|completions| pods::index(pod, completions));
    let awaiting = index.and_then(|index| look.awaiting.get(&index));
    pods::failed(pod, &look.job) && awaiting.is_none_or(|awaiting| awaiting.uid() != pod.uid())
}

/// The pods and indexes that a status notes.
struct Lists {
    succeeded: Vec<IStr>,
    failed: Vec<IStr>,
    indexes: Vec<u32>,
}

impl Lists {
    fn of(status: &JobStatus, look: &Look) -> Self {
        let lists = status.uncounted_terminated_pods.as_deref().cloned().unwrap_or_default();
        let indexes = Vec::with_capacity(look.pods.len().min(MOST_NOTED));
        Self { succeeded: lists.succeeded.into_vec(), failed: lists.failed.into_vec(), indexes }
    }

    fn len(&self) -> usize {
        self.succeeded.len() + self.failed.len() + self.indexes.len()
    }

    fn note(&mut self, look: &Look, pod: &Pod, end: Option<&End>) {
        let completions = indexed(&look.job);
        let index = completions.and_then(|completions| pods::index(pod, completions));
        let uid = &pod.metadata.uid;
        if pods::succeeded(pod) && !self.failed.contains(uid) {
            if completions.is_some() {
                self.indexes.extend(index.filter(|index| !look.indexes_before.has(*index)));
            } else if !self.succeeded.contains(uid) {
                self.succeeded.push(uid.clone());
            }
            return;
        }
        // With a job that fails, all that it has at work fails.
        let failed = pods::failed(pod, &look.job) || end.is_some_and(|end| !end.good);
        let misplaced = completions.is_some() && index.is_none();
        let passes = policy::failing(&look.job, pod) == Failing::Ignored;
        if failed && !misplaced && !passes && !self.failed.contains(uid) {
            self.failed.push(uid.clone());
        }
    }

    fn write(self, look: &Look, status: &mut JobStatus) {
        let lists = status.uncounted_terminated_pods.get_or_insert_default();
        lists.succeeded = self.succeeded.into_iter().collect();
        lists.failed = self.failed.into_iter().collect();
        if indexed(&look.job).is_some() {
            let indexes = look.indexes_before.with(self.indexes);
            status.succeeded = i32::try_from(indexes.len()).unwrap_or(i32::MAX);
            status.completed_indexes = indexes.to_string().as_str().into();
            let failed = look.failed_indexes.as_ref();
            status.failed_indexes = failed.map(|failed| failed.to_string().as_str().into());
        }
    }
}

/// Counts the noted pods that have lost the finalizer; `tracked` are the uids of those that have it.
pub(crate) fn count_released(status: &mut JobStatus, tracked: &BTreeSet<&str>) {
    let lists = status.uncounted_terminated_pods.get_or_insert_default();
    let keep = |uids: &mut List<IStr>| {
        let before = uids.len();
        if uids.iter().any(|uid| !tracked.contains(uid.as_str())) {
            uids.retain(|uid| tracked.contains(uid.as_str()));
        }
        i32::try_from(before - uids.len()).unwrap_or(i32::MAX)
    };
    status.succeeded = status.succeeded.saturating_add(keep(&mut lists.succeeded));
    status.failed = status.failed.saturating_add(keep(&mut lists.failed));
}

/// Says that the job has ended, unless pods are still uncounted or on their way out.
pub(crate) fn enact(status: &mut JobStatus, end: &End, now: Time) -> bool {
    let lists = status.uncounted_terminated_pods.as_deref();
    let uncounted =
        lists.is_some_and(|lists| !(lists.succeeded.is_empty() && lists.failed.is_empty()));
    if uncounted || status.terminating.unwrap_or(0) > 0 {
        return false;
    }
    set_condition(status, end.enacted(), "True", &end.reason, &end.message, now);
    if end.good {
        status.completion_time = Some(now);
    }
    true
}

/// Says whether the job is suspended; returns the event that tells so, if that is new. A job that is
/// resumed starts anew, as far as its deadline is concerned.
pub(crate) fn tell_suspension(
    look: &Look,
    status: &mut JobStatus,
    now: Time,
) -> Option<(&'static str, &'static str)> {
    if is_suspended(&look.job) {
        let told = set_condition(status, "Suspended", "True", "JobSuspended", "Job suspended", now);
        if told {
            status.start_time = None;
        }
        return told.then_some(("Suspended", "Job suspended"));
    }
    let told = set_condition(status, "Suspended", "False", "JobResumed", "Job resumed", now);
    if told {
        status.start_time = Some(now);
    }
    told.then_some(("Resumed", "Job resumed"))
}

/// Sets a condition; says whether that is new. What was never true is not said to be false.
fn set_condition(
    status: &mut JobStatus,
    type_: &str,
    value: &str,
    reason: &str,
    message: &str,
    now: Time,
) -> bool {
    let condition = JobCondition {
        type_: type_.into(),
        status: value.into(),
        last_probe_time: Some(now),
        last_transition_time: Some(now),
        reason: reason.into(),
        message: message.into(),
    };
    let same = |known: &JobCondition| {
        (&known.status, &known.reason, &known.message)
            == (&condition.status, &condition.reason, &condition.message)
    };
    let known = status.conditions.iter().position(|known| known.type_ == *type_);
    match known {
        Some(place) if same(&status.conditions[place]) => return false,
        Some(place) => status.conditions.edit(|conditions| conditions[place] = condition),
        None if value == "False" => return false,
        None => status.conditions.push(condition),
    }
    true
}
