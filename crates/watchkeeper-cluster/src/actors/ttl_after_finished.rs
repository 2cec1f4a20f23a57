//! The actor that removes jobs some time after their end (`ttlSecondsAfterFinished`).
//!
//! Upstream's TTL-after-finished controller: pods first (a foreground deletion), and only after the server
//! itself has said that the job is still to go.

use std::time::Duration;

use watchkeeper_api::batch::v1::Job;
use watchkeeper_api::{Object, Time};
use watchkeeper_cache::Watch;
use watchkeeper_client::{DeleteOptions, Propagation};
use watchkeeper_controller::{Action, Context, Failure, Request};
use watchkeeper_manager::Manager;

use super::job::ended_at;

#[cfg(test)]
mod tests;

/// Adds the actor that removes finished jobs to `manager`.
pub fn ttl_after_finished(manager: &Manager) {
    let jobs = manager.watch::<Job>();
    manager
        .controller("ttl-after-finished-controller", &jobs)
        .workers(2)
        .with(jobs)
        .reconcile(reconcile);
}

async fn reconcile(jobs: &Watch<Job>, request: Request, ctx: Context) -> Result<Action, Failure> {
    let Some(job) = jobs.get(&request).await? else { return Ok(Action::done()) };
    if let Some(action) = waits(&job, ctx.now()) {
        return Ok(action);
    }
    // The time may have been changed, and a deletion cannot be taken back.
    let api = ctx.client().api_for(&*job);
    let Some(fresh) = api.get_opt(job.name()).await? else { return Ok(Action::done()) };
    if let Some(action) = waits(&fresh, ctx.now()) {
        return Ok(action);
    }
    let options = DeleteOptions::only(fresh.uid()).propagation(Propagation::Foreground);
    match api.delete(fresh.name(), &options).await {
        Err(error) if !error.is_not_found() => Err(error.into()),
        _ => Ok(Action::done()),
    }
}

/// What is left to be done about a job that is not to go now; `None` for one that is.
fn waits(job: &Job, now: Time) -> Option<Action> {
    let Some(expiry) = expiry(job) else { return Some(Action::done()) };
    (expiry > now).then(|| Action::after(expiry.since(now)))
}

/// When the job is to go; `None` if it is not to, is not over, or is on its way.
fn expiry(job: &Job) -> Option<Time> {
    let seconds = u64::try_from(job.spec.ttl_seconds_after_finished?).ok()?;
    let ended = ended_at(job).filter(|_| !job.is_deleting())?;
    Some(ended + Duration::from_secs(seconds))
}
