//! The cron job actor: a job whenever a schedule says so.
//!
//! Upstream's cron job controller (`batch/v1`): names made of the minute, what happens when the last job is
//! still at work, times that were missed, a history of limited length, and the times of day of any zone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use watchkeeper_api::batch::v1::{CronJob, CronJobStatus, Job};
use watchkeeper_api::core::v1::ObjectReference;
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{Object, ObjectKey, Time};
use watchkeeper_cache::Watch;
use watchkeeper_client::{DeleteOptions, Propagation};
use watchkeeper_controller::{Action, Context, EventType, Failure, Request, controlled_by};
use watchkeeper_manager::Manager;

use self::plan::{Next, Told};
use self::schedule::Schedule;
use super::unless_gone;

mod fields;
mod plan;
mod schedule;
mod zone;

#[cfg(test)]
mod tests;

/// The annotation that says for which time a job was made.
const SCHEDULED: &str = "batch.kubernetes.io/cronjob-scheduled-timestamp";

/// Adds the cron job actor to `manager`.
pub fn cron_job(manager: &Manager) {
    let cron_jobs = manager.watch::<CronJob>();
    let jobs = manager.watch::<Job>();
    manager
        .controller("cronjob-controller", &cron_jobs)
        .owns(&jobs)
        .workers(2)
        .with(CronJobs { cron_jobs, jobs, known: Mutex::default() })
        .reconcile(CronJobs::reconcile);
}

#[derive(Debug)]
struct CronJobs {
    cron_jobs: Watch<CronJob>,
    jobs: Watch<Job>,
    /// The schedules and zones that were seen last, with the uids.
    known: Mutex<BTreeMap<ObjectKey, [String; 3]>>,
}

impl CronJobs {
    async fn reconcile(&self, request: Request, ctx: Context) -> Result<Action, Failure> {
        let Some(cron) = self.cron_jobs.get(&request).await? else {
            self.known.lock().unwrap_or_else(PoisonError::into_inner).remove(&request.key);
            return Ok(Action::done());
        };
        let jobs = self.jobs_of(&cron).await?;
        let (mut status, told) = plan::follow(&cron, &jobs);
        tell(&cron, told, &ctx);
        for job in plan::surplus(&cron, &jobs) {
            remove(&cron, &job, &mut status, &ctx).await?;
        }
        let mut done = Ok(None);
        if !cron.is_deleting() && cron.spec.suspend != Some(true) {
            done = self.keep_schedule(&cron, &jobs, &mut status, &ctx).await;
        }
        unless_gone(ctx.edit_status(&cron, |current| *current = status).await)?;
        let now = ctx.now();
        Ok(done?.map_or_else(Action::done, |due: Time| Action::after(due.since(now))))
    }

    async fn jobs_of(&self, cron: &CronJob) -> Result<Vec<Arc<Job>>, Failure> {
        self.jobs.caught_up().await?;
        let nearby = self.jobs.peek_in(cron.namespace().unwrap_or_default());
        Ok(nearby.into_iter().filter(|job| job.is_controlled_by(cron)).collect())
    }

    /// Starts the job that is due, if one is; says when to look again.
    async fn keep_schedule(
        &self,
        cron: &Arc<CronJob>,
        jobs: &[Arc<Job>],
        status: &mut CronJobStatus,
        ctx: &Context,
    ) -> Result<Option<Time>, Failure> {
        let now = ctx.now();
        let (schedule, zone) = match schedule_of(cron) {
            Ok(found) => found,
            Err(why) => {
                tell(cron, [why], ctx);
                return Ok(None);
            }
        };
        if cron.spec.schedule.contains("TZ") {
            tell(cron, [unsupported(cron)], ctx);
        }
        if self.is_changed(cron) {
            // What the new schedule would have asked for before is not made up for.
            return Ok(plan::look_again(cron, status, &schedule, now));
        }
        match plan::next(cron, status, &schedule, now) {
            Ok((next, told)) => {
                tell(cron, told, ctx);
                if let Next::Start(due) = next {
                    replace(cron, jobs, status, ctx).await?;
                    start(cron, due, &zone, status, ctx).await?;
                }
                Ok(plan::look_again(cron, status, &schedule, now))
            }
            Err(why) => {
                let message = format!("invalid schedule: {} : {why}", cron.spec.schedule);
                tell(cron, [(EventType::Warning, "InvalidSchedule", message)], ctx);
                Ok(None)
            }
        }
    }

    /// Whether this is another schedule than the last time.
    fn is_changed(&self, cron: &CronJob) -> bool {
        let zone = cron.spec.time_zone.as_deref().unwrap_or_default();
        let seen = [cron.uid(), &cron.spec.schedule, zone].map(str::to_owned);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match known.insert(cron.key(), seen.clone()) {
            Some(before) => before[0] == seen[0] && before != seen,
            None => false,
        }
    }
}

/// The schedule and its zone, or what is to be told of one that cannot be read.
fn schedule_of(cron: &CronJob) -> Result<(Schedule, TimeZone), Told> {
    let zone = cron.spec.time_zone.as_deref().unwrap_or_default();
    let zone = zone::find(zone).map_err(|why| {
        let message = format!("invalid timeZone: {zone:?}: {why}");
        (EventType::Warning, "UnknownTimeZone", message)
    })?;
    let text = cron.spec.schedule.as_str();
    let schedule = Schedule::parse(text, zone.clone()).map_err(|why| {
        let message = format!("unparseable schedule: {text:?} : {why}");
        (EventType::Warning, "UnparseableSchedule", message)
    })?;
    Ok((schedule, zone))
}

fn unsupported(cron: &CronJob) -> Told {
    let message = format!(
        "CRON_TZ or TZ used in schedule {:?} is not officially supported, see \
         https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details",
        cron.spec.schedule.as_str()
    );
    (EventType::Warning, "UnsupportedSchedule", message)
}

fn tell(cron: &CronJob, told: impl IntoIterator<Item = Told>, ctx: &Context) {
    for (type_, reason, message) in told {
        ctx.event(cron, type_, reason, message);
    }
}

/// Where only the newest job is to be at work, the others go.
async fn replace(
    cron: &CronJob,
    jobs: &[Arc<Job>],
    status: &mut CronJobStatus,
    ctx: &Context,
) -> Result<(), Failure> {
    if cron.spec.concurrency_policy != "Replace" {
        return Ok(());
    }
    for active in &*status.active.clone() {
        if let Some(job) = jobs.iter().find(|job| job.uid() == &*active.uid) {
            remove(cron, job, status, ctx).await?;
        }
    }
    Ok(())
}

/// Deletes a job, and its pods after it.
async fn remove(
    cron: &CronJob,
    job: &Arc<Job>,
    status: &mut CronJobStatus,
    ctx: &Context,
) -> Result<(), Failure> {
    let options = DeleteOptions::only(job.uid()).propagation(Propagation::Background);
    match ctx.client().api_for(&**job).delete(job.name(), &options).await {
        Err(error) if !error.is_not_found() => {
            let message = format!("Deleted job: {error}");
            ctx.event(cron, EventType::Warning, "FailedDelete", message);
            return Err(error.into());
        }
        _ => {}
    }
    plan::forget(status, job.uid());
    let message = format!("Deleted job {}", job.name());
    ctx.event(cron, EventType::Normal, "SuccessfulDelete", message);
    Ok(())
}

/// Makes the job for this time and lists it. One that is there already was made before its listing failed.
async fn start(
    cron: &CronJob,
    due: Time,
    zone: &TimeZone,
    status: &mut CronJobStatus,
    ctx: &Context,
) -> Result<(), Failure> {
    let job = job_of(cron, due, zone);
    let job = match ctx.create(&job).await {
        Ok(job) => {
            let message = format!("Created job {}", job.name());
            ctx.event(cron, EventType::Normal, "SuccessfulCreate", message);
            job
        }
        Err(error) if error.is_already_exists() => {
            let known = ctx.client().api_for(&job).get(job.name()).await?;
            if !known.is_controlled_by(cron) {
                return Ok(());
            }
            known
        }
        Err(error) => {
            if error.cause("NamespaceTerminating").is_none() {
                let message = format!("Error creating job: {error}");
                ctx.event(cron, EventType::Warning, "FailedCreate", message);
            }
            return Err(error.into());
        }
    };
    status.active.push(reference(&job));
    status.last_schedule_time = Some(due);
    Ok(())
}

fn reference(job: &Job) -> ObjectReference {
    ObjectReference {
        kind: "Job".into(),
        api_version: "batch/v1".into(),
        namespace: job.metadata.namespace.clone(),
        name: job.metadata.name.clone(),
        uid: job.metadata.uid.clone(),
        resource_version: job.metadata.resource_version.clone(),
        ..ObjectReference::default()
    }
}

/// The job for this time.
fn job_of(cron: &CronJob, due: Time, zone: &TimeZone) -> Job {
    let template = &cron.spec.job_template;
    let mut annotations = template.metadata.annotations.clone();
    annotations.insert(SCHEDULED, written(due, zone).as_str());
    Job {
        metadata: ObjectMeta {
            name: plan::job_name(cron, due).as_str().into(),
            namespace: cron.metadata.namespace.clone(),
            labels: template.metadata.labels.clone(),
            annotations,
            owner_references: [controlled_by(cron)].into(),
            ..ObjectMeta::default()
        },
        spec: template.spec.clone(),
        ..Job::default()
    }
}

/// The time as the clocks of the zone show it (RFC 3339).
fn written(time: Time, zone: &TimeZone) -> String {
    let time = Timestamp::from_second(time.unix()).unwrap_or_default().to_zoned(zone.clone());
    let format =
        if time.offset().is_zero() { "%Y-%m-%dT%H:%M:%SZ" } else { "%Y-%m-%dT%H:%M:%S%:z" };
    time.strftime(format).to_string()
}
