//! What a job and its pods are at one moment, and whether the job ends.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::batch::v1::{Job, JobCondition};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Object, Time};

use super::backoff::Backoff;
use super::indexes::Indexes;
use super::{pods, policy};
use crate::actors::replicaset::{is_active, ready_since};

/// How a job ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct End {
    pub(crate) good: bool,
    pub(crate) reason: String,
    pub(crate) message: String,
}

impl End {
    pub(crate) fn complete() -> Self {
        let message = "Reached expected number of succeeded pods";
        Self { good: true, reason: "CompletionsReached".to_owned(), message: message.to_owned() }
    }

    fn bad(reason: &str, message: impl Into<String>) -> Self {
        Self { good: false, reason: reason.to_owned(), message: message.into() }
    }

    /// The condition that says so while pods are still about.
    pub(crate) const fn announced(&self) -> &'static str {
        if self.good { "SuccessCriteriaMet" } else { "FailureTarget" }
    }

    /// The condition that says so when all is over.
    pub(crate) const fn enacted(&self) -> &'static str {
        if self.good { "Complete" } else { "Failed" }
    }

    /// The end that the job has announced already.
    fn announced_by(job: &Job) -> Option<Self> {
        let of = |type_: &str, good: bool| {
            let condition = condition(job, type_).filter(|found| found.status == "True")?;
            let (reason, message) = (condition.reason.to_string(), condition.message.to_string());
            Some(Self { good, reason, message })
        };
        of("SuccessCriteriaMet", true).or_else(|| of("FailureTarget", false))
    }
}

pub(crate) fn condition<'j>(job: &'j Job, type_: &str) -> Option<&'j JobCondition> {
    job.status.conditions.iter().find(|condition| condition.type_ == *type_)
}

/// How a job has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Complete,
    Failed,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// The condition that says that the job has ended, for better or worse.
fn over(job: &Job) -> Option<(Outcome, &JobCondition)> {
    let over = |type_, outcome| {
        let said = condition(job, type_).filter(|condition| condition.status == "True");
        said.map(|condition| (outcome, condition))
    };
    over("Complete", Outcome::Complete).or_else(|| over("Failed", Outcome::Failed))
}

/// How the job has ended, if it has.
pub(crate) fn outcome(job: &Job) -> Option<Outcome> {
    over(job).map(|(outcome, _)| outcome)
}

/// When the job ended, if it has.
pub(crate) fn ended_at(job: &Job) -> Option<Time> {
    over(job)?.1.last_transition_time
}

/// Whether the job has ended.
pub(crate) fn is_over(job: &Job) -> bool {
    over(job).is_some()
}

pub(crate) fn is_suspended(job: &Job) -> bool {
    job.spec.suspend == Some(true)
}

/// How many indexes an indexed job has; `None` for other jobs.
pub(crate) fn indexed(job: &Job) -> Option<u32> {
    let mode = job.spec.completion_mode.as_ref()?;
    (mode == "Indexed").then(|| u32::try_from(job.spec.completions.unwrap_or(0)).unwrap_or(0))
}

pub(crate) fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// A job and its pods.
#[derive(Debug)]
pub(crate) struct Look {
    pub(crate) job: Arc<Job>,
    pub(crate) pods: Vec<Arc<Pod>>,
    pub(crate) active: Vec<Arc<Pod>>,
    pub(crate) ready: i32,
    pub(crate) terminating: i32,
    /// What has succeeded, whether or not the status says so already.
    pub(crate) succeeded: i32,
    /// The indexes that had succeeded before these pods, and with them.
    pub(crate) indexes_before: Indexes,
    pub(crate) indexes: Indexes,
    /// The indexes that have failed for good, where each index has a limit of its own.
    pub(crate) failed_indexes: Option<Indexes>,
    /// By index, the failed pod that stays until another one takes its place and its count of failures.
    pub(crate) awaiting: BTreeMap<u32, Arc<Pod>>,
    pub(crate) backoff: Backoff,
    /// How the job ends, if it does.
    pub(crate) end: Option<End>,
    /// When its deadline is.
    pub(crate) deadline: Option<Time>,
}

impl Look {
    /// Looks at a job that is not over. `job` must have its start time.
    pub(crate) fn at(job: Arc<Job>, pods: Vec<Arc<Pod>>, backoff: Backoff, now: Time) -> Self {
        let ended = Ended::of(&job, &pods);
        let active: Vec<Arc<Pod>> = pods.iter().filter(|pod| is_active(pod)).cloned().collect();
        let mut look = Self {
            ready: count(active.iter().filter(|pod| ready_since(pod).is_some()).count()),
            terminating: count(pods.iter().filter(|pod| pods::terminating(pod)).count()),
            succeeded: ended.all_succeeded(&job),
            indexes_before: Indexes::default(),
            indexes: Indexes::default(),
            failed_indexes: None,
            awaiting: BTreeMap::new(),
            backoff: backoff.after(&ended.succeeded, &ended.failed),
            end: None,
            deadline: deadline(&job),
            job,
            pods,
            active,
        };
        if let Some(completions) = indexed(&look.job) {
            look.sort_by_index(completions);
        }
        look.end = End::announced_by(&look.job)
            .or_else(|| look.failed_by_policy())
            .or_else(|| look.failed_by_limits(ended.all_failed(&look.job), now))
            .or_else(|| look.failed_by_indexes())
            .or_else(|| look.met_success_policy());
        look
    }

    fn sort_by_index(&mut self, completions: u32) {
        let job = &self.job;
        let tracked = |pod: &&Arc<Pod>| pods::is_tracked(pod);
        let of = |pod: &Arc<Pod>| pods::index(pod, completions);
        self.indexes_before = Indexes::parse(&job.status.completed_indexes, completions);
        let succeeded = self.pods.iter().filter(tracked).filter(|pod| pods::succeeded(pod));
        self.indexes = self.indexes_before.with(succeeded.filter_map(of));
        self.succeeded = i32::try_from(self.indexes.len()).unwrap_or(i32::MAX);
        if job.spec.backoff_limit_per_index.is_none() {
            return;
        }
        let before = job.status.failed_indexes.as_deref().unwrap_or_default();
        let failed = self.pods.iter().filter(tracked).filter(|pod| policy::ends_index(job, pod));
        let failed = Indexes::parse(before, completions).with(failed.filter_map(of));
        self.awaiting = self.awaiting_replacement(completions, &failed);
        self.failed_indexes = Some(failed);
    }

    /// Of each index that is neither done nor worked on, the pod that failed last.
    fn awaiting_replacement(&self, completions: u32, failed: &Indexes) -> BTreeMap<u32, Arc<Pod>> {
        let active = self.active.iter().filter_map(|pod| pods::index(pod, completions));
        let settled = self.indexes.and(failed).with(active);
        let rank = |pod: &Pod| {
            let (counted, ignored) = pods::failures_before(pod);
            (counted.saturating_add(ignored), pods::finished_at(pod))
        };
        let mut awaiting: BTreeMap<u32, Arc<Pod>> = BTreeMap::new();
        for pod in self.pods.iter().filter(|pod| pods::is_tracked(pod)) {
            let index = pods::index(pod, completions).filter(|index| !settled.has(*index));
            let Some(index) = index.filter(|_| pods::failed(pod, &self.job)) else { continue };
            let last = awaiting.entry(index).or_insert_with(|| pod.clone());
            if rank(last) <= rank(pod) {
                *last = pod.clone();
            }
        }
        awaiting
    }

    fn failed_by_policy(&self) -> Option<End> {
        self.job.spec.pod_failure_policy.as_ref()?;
        let failed = self.pods.iter().filter(|pod| pods::failed(pod, &self.job));
        let mut verdicts = failed.map(|pod| policy::failing(&self.job, pod));
        verdicts.find_map(|verdict| match verdict {
            policy::Failing::FailsJob(why) => Some(End::bad("PodFailurePolicy", why)),
            policy::Failing::Counts | policy::Failing::Ignored | policy::Failing::FailsIndex => {
                None
            }
        })
    }

    fn failed_by_limits(&self, failed: i32, now: Time) -> Option<End> {
        let limit = self.job.spec.backoff_limit.unwrap_or(6);
        if failed > limit || self.restarts_exceed(limit) {
            let message = "Job has reached the specified backoff limit";
            return Some(End::bad("BackoffLimitExceeded", message));
        }
        self.deadline.filter(|deadline| *deadline <= now)?;
        Some(End::bad("DeadlineExceeded", "Job was active longer than specified deadline"))
    }

    /// Pods that restart their containers themselves count by these restarts.
    fn restarts_exceed(&self, limit: i32) -> bool {
        if self.job.spec.template.spec.restart_policy != "OnFailure" {
            return false;
        }
        let alive = |pod: &&Arc<Pod>| matches!(&*pod.status.phase, "Running" | "Pending");
        let restarts = self.pods.iter().filter(alive).map(|pod| pods::restarts(pod));
        let restarts = restarts.fold(0, i32::saturating_add);
        if limit == 0 { restarts > 0 } else { restarts >= limit }
    }

    fn failed_by_indexes(&self) -> Option<End> {
        let failed = self.failed_indexes.as_ref()?.len();
        let most = self.job.spec.max_failed_indexes.and_then(|most| u32::try_from(most).ok());
        if most.is_some_and(|most| failed > most) {
            let message = "Job has exceeded the specified maximal number of failed indexes";
            return Some(End::bad("MaxFailedIndexesExceeded", message));
        }
        let all = failed.saturating_add(self.indexes.len()) >= indexed(&self.job)?;
        (failed > 0 && all).then(|| End::bad("FailedIndexes", "Job has failed indexes"))
    }

    fn met_success_policy(&self) -> Option<End> {
        let message = policy::success(&self.job, indexed(&self.job)?, &self.indexes)?;
        Some(End { good: true, reason: "SuccessPolicy".to_owned(), message })
    }
}

/// When a job that runs has to be done.
fn deadline(job: &Job) -> Option<Time> {
    let seconds = u64::try_from(job.spec.active_deadline_seconds?).ok()?;
    let start = job.status.start_time.filter(|_| !is_suspended(job))?;
    Some(start + Duration::from_secs(seconds))
}

/// The pods that have ended and stand in no list of the status yet.
#[derive(Debug, Default)]
struct Ended {
    succeeded: Vec<Arc<Pod>>,
    failed: Vec<Arc<Pod>>,
}

impl Ended {
    fn of(job: &Job, pods: &[Arc<Pod>]) -> Self {
        let uncounted = job.status.uncounted_terminated_pods.as_deref();
        let completions = indexed(job);
        let mut ended = Self::default();
        for pod in pods.iter().filter(|pod| pods::is_tracked(pod)) {
            let misplaced = completions.is_some_and(|all| pods::index(pod, all).is_none());
            let listed = |uids: &[watchkeeper_api::IStr]| uids.iter().any(|uid| *uid == *pod.uid());
            if misplaced {
                continue;
            }
            let (in_succeeded, in_failed) = uncounted
                .map(|lists| (listed(&lists.succeeded), listed(&lists.failed)))
                .unwrap_or_default();
            if pods::succeeded(pod) && !in_succeeded {
                ended.succeeded.push(pod.clone());
            } else if pods::failed(pod, job) && !in_failed {
                ended.failed.push(pod.clone());
            }
        }
        ended
    }

    /// How many pods have succeeded, those that the status counts with them.
    fn all_succeeded(&self, job: &Job) -> i32 {
        let lists = job.status.uncounted_terminated_pods.as_deref();
        let listed = lists.map_or(0, |lists| lists.succeeded.len());
        job.status.succeeded.saturating_add(count(listed + self.succeeded.len()))
    }

    /// The same of those that failed, without those that the policy lets pass.
    fn all_failed(&self, job: &Job) -> i32 {
        let lists = job.status.uncounted_terminated_pods.as_deref();
        let listed = lists.map_or(0, |lists| lists.failed.len());
        let counts = |pod: &&Arc<Pod>| policy::failing(job, pod) != policy::Failing::Ignored;
        let new = self.failed.iter().filter(counts).count();
        job.status.failed.saturating_add(count(listed + new))
    }
}
