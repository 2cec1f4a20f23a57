//! The job actor: pods that run to their end, until enough have succeeded or too many failed.
//!
//! Upstream's job controller (`batch/v1`): parallelism and completions, indexed jobs, limits of failures
//! for the whole and for each index, deadlines, suspension, and the policies for failures and successes.
//! Every pod carries a finalizer until its end is in the status, so that each counts once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use watchkeeper_api::batch::v1::{Job, JobStatus};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::selector::Selector;
use watchkeeper_api::{Object, ObjectKey, Time};
use watchkeeper_cache::Watch;
use watchkeeper_controller::{Action, Context, EventType, Failure, Request};
use watchkeeper_manager::Manager;

use self::backoff::Backoff;
use self::look::{End, Look};
use self::work::Done;

mod backoff;
mod indexes;
mod look;
mod plan;
mod pods;
mod policy;
mod strays;
mod template;
mod track;
mod work;

#[cfg(test)]
mod tests;

pub(super) use self::look::{Outcome, ended_at, outcome};

/// Whose jobs these are, by `spec.managedBy`.
const MANAGER: &str = "kubernetes.io/job-controller";

/// Adds the job actor to `manager`.
pub fn job(manager: &Manager) {
    let jobs = manager.watch::<Job>();
    let pods = manager.watch::<Pod>();
    let known = jobs.clone();
    manager
        .controller("job-controller", &jobs)
        .owns(&pods)
        .watches(&pods, move |pod: &Pod| strays::concerned(&known, pod))
        .workers(2)
        .with(Jobs { jobs, pods, backoffs: Mutex::default() })
        .reconcile(Jobs::reconcile);
}

/// The job's selector; `None` for one that selects nothing or cannot be read.
fn selector_of(job: &Job) -> Option<Selector> {
    let selector = Selector::try_from(job.spec.selector.as_deref()?).ok()?;
    (!selector.is_empty()).then_some(selector)
}

/// Whether another controller sees to the job.
fn is_managed_elsewhere(job: &Job) -> bool {
    job.spec.managed_by.as_ref().is_some_and(|manager| *manager != *MANAGER)
}

#[derive(Debug)]
struct Jobs {
    jobs: Watch<Job>,
    pods: Watch<Pod>,
    /// How the jobs at work have failed so far, with their uids. After a restart they begin anew.
    backoffs: Mutex<BTreeMap<ObjectKey, (String, Backoff)>>,
}

impl Jobs {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let job = self.jobs.get(&request).await?;
        self.pods.caught_up().await?;
        let nearby = self.pods.peek_in(request.namespace());
        for pod in nearby.iter().filter(|pod| strays::is_stray(pod, &request, job.as_deref())) {
            work::release(pod, &ctx).await?;
        }
        let Some(job) = job.filter(|job| !look::is_over(job)) else {
            self.forget(&request);
            return Ok(Action::done());
        };
        if is_managed_elsewhere(&job) {
            return Ok(Action::done());
        }
        let Some(selector) = selector_of(&job) else { return Ok(Action::done()) };
        work::claim(&job, &selector, nearby, &ctx).await?;
        self.pods.caught_up().await?;
        let now = ctx.now();
        let look = Look::at(started(&job, now), self.pods_of(&job), self.backoff(&job), now);
        let mut done = work::act(&look, now, &ctx).await;
        self.tell(&job, &look, &mut done, &ctx).await?;
        if let Some(failure) = done.failure {
            return Err(failure);
        }
        let deadline = look.deadline.filter(|_| look.end.is_none());
        let due = deadline.into_iter().chain(done.wait).min();
        Ok(due.map_or_else(Action::done, |due| Action::after(due.since(ctx.now()))))
    }

    fn pods_of(&self, job: &Job) -> Vec<Arc<Pod>> {
        let nearby = self.pods.peek_in(job.namespace().unwrap_or_default()).into_iter();
        nearby.filter(|pod| pod.is_controlled_by(job)).collect()
    }

    /// Writes the status, lets go of the pods that it counts, and writes it again.
    async fn tell(
        &self,
        job: &Arc<Job>,
        look: &Look,
        done: &mut Done,
        ctx: &Context,
    ) -> Result<(), Failure> {
        let now = ctx.now();
        let mut status = counted(look, done);
        let suspension = done.steered.then(|| track::tell_suspension(look, &mut status, now));
        let noted = track::note(look, status, done.end.as_ref(), now);
        let stored = match write(job, &noted.status, ctx).await? {
            Written::Gone => return Ok(()),
            Written::Same => job.clone(),
            Written::Anew(stored) => stored,
        };
        self.remember(job, look.backoff);
        if let Some((reason, message)) = suspension.flatten() {
            ctx.event(&**job, EventType::Normal, reason, message);
        }
        let mut tracked: BTreeSet<&str> =
            look.pods.iter().filter(|pod| pods::is_tracked(pod)).map(|pod| pod.uid()).collect();
        for pod in &noted.release {
            match work::release(pod, ctx).await {
                Ok(()) => _ = tracked.remove(pod.uid()),
                Err(failure) => done.failure = Some(failure),
            }
        }
        let mut status = stored.status.clone();
        track::count_released(&mut status, &tracked);
        let end = done.end.as_ref().filter(|_| done.failure.is_none() && !noted.more);
        let ended = end.filter(|end| track::enact(&mut status, end, ctx.now()));
        if let (Written::Anew(stored), Some(end)) = (write(&stored, &status, ctx).await?, ended) {
            tell_end(&stored, end, ctx);
        }
        Ok(())
    }

    fn backoff(&self, job: &Job) -> Backoff {
        let backoffs = self.backoffs.lock().unwrap_or_else(PoisonError::into_inner);
        let known = backoffs.get(&job.key()).filter(|(uid, _)| uid == job.uid());
        known.map(|(_, backoff)| *backoff).unwrap_or_default()
    }

    fn remember(&self, job: &Job, backoff: Backoff) {
        let mut backoffs = self.backoffs.lock().unwrap_or_else(PoisonError::into_inner);
        backoffs.insert(job.key(), (job.uid().to_owned(), backoff));
    }

    fn forget(&self, key: &ObjectKey) {
        self.backoffs.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }
}

/// The job, with the time at which it starts if that is now.
fn started(job: &Arc<Job>, now: Time) -> Arc<Job> {
    let mut job = job.clone();
    if job.status.start_time.is_none() && !look::is_suspended(&job) {
        Arc::make_mut(&mut job).status.start_time = Some(now);
    }
    job
}

/// The status with the numbers of pods as they are after what was done.
fn counted(look: &Look, done: &Done) -> JobStatus {
    let mut status = look.job.status.clone();
    status.active = look::count(look.active.len()) + done.made - done.gone;
    status.ready = Some(look.ready - done.ready_gone);
    status.terminating = Some(look.terminating + done.gone);
    status
}

/// What writing a status came to.
enum Written {
    Anew(Arc<Job>),
    Same,
    Gone,
}

async fn write(job: &Arc<Job>, status: &JobStatus, ctx: &Context) -> Result<Written, Failure> {
    match ctx.edit_status(job, |current| current.clone_from(status)).await {
        Ok(Some(job)) => Ok(Written::Anew(Arc::new(job))),
        Ok(None) => Ok(Written::Same),
        Err(error) if error.is_not_found() => Ok(Written::Gone),
        Err(error) => Err(error.into()),
    }
}

fn tell_end(job: &Job, end: &End, ctx: &Context) {
    if !end.good {
        ctx.event(job, EventType::Warning, end.reason.as_str(), end.message.as_str());
        return;
    }
    if job.spec.completions.is_some_and(|completions| job.status.succeeded > completions) {
        let message = "Too many succeeded pods running after completion count reached";
        ctx.event(job, EventType::Warning, "TooManySucceededPods", message);
    }
    ctx.event(job, EventType::Normal, "Completed", "Job completed");
}
