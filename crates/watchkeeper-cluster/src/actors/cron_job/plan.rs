//! What a cron job does next.

use std::sync::Arc;

use jiff::Timestamp;
use watchkeeper_api::batch::v1::{CronJob, CronJobStatus, Job};
use watchkeeper_api::{Object, Time};
use watchkeeper_controller::EventType;

use super::schedule::Schedule;
use crate::actors::job::{Outcome, outcome};

/// Something to be told of the cron job: how bad it is, the reason, the message.
pub(crate) type Told = (EventType, &'static str, String);

/// Whether times have passed without a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missed {
    None,
    Some,
    /// More than a hundred: the clock or the controller was wrong for long.
    Many,
}

/// What there is to do now.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    /// A job for this time.
    Start(Time),
    /// Nothing.
    Wait,
}

/// The status as its jobs are, and what is to be told of that.
pub(crate) fn follow(cron: &CronJob, jobs: &[Arc<Job>]) -> (CronJobStatus, Vec<Told>) {
    let (mut status, mut told) = (cron.status.clone(), Vec::new());
    for job in jobs {
        let listed = status.active.iter().any(|active| *active.uid == *job.uid());
        match outcome(job) {
            None if !listed => {
                let name = job.name();
                let message =
                    format!("Saw a job that the controller did not create or forgot: {name}");
                told.push((EventType::Warning, "UnexpectedJob", message));
            }
            None => {}
            Some(end) => {
                if listed {
                    let message = format!("Saw completed job: {}, status: {end}", job.name());
                    told.push((EventType::Normal, "SawCompletedJob", message));
                    forget(&mut status, job.uid());
                }
                if end == Outcome::Complete {
                    let last = status.last_successful_time;
                    status.last_successful_time = last.max(job.status.completion_time);
                }
            }
        }
    }
    let gone = |uid: &str| !jobs.iter().any(|job| job.uid() == uid);
    for active in status.active.iter().filter(|active| gone(&active.uid)) {
        let message = format!("Active job went missing: {}", active.name);
        told.push((EventType::Normal, "MissingJob", message));
    }
    if status.active.iter().any(|active| gone(&active.uid)) {
        status.active.retain(|active| !gone(&active.uid));
    }
    (status, told)
}

/// Takes a job off the list of those at work.
pub(crate) fn forget(status: &mut CronJobStatus, uid: &str) {
    if status.active.iter().any(|active| *active.uid == *uid) {
        status.active.retain(|active| *active.uid != *uid);
    }
}

/// The jobs that have ended and are more than the history holds: the oldest ones.
pub(crate) fn surplus(cron: &CronJob, jobs: &[Arc<Job>]) -> Vec<Arc<Job>> {
    let limits = [
        (Outcome::Complete, cron.spec.successful_jobs_history_limit),
        (Outcome::Failed, cron.spec.failed_jobs_history_limit),
    ];
    let mut surplus = Vec::new();
    for (end, limit) in limits {
        let Some(limit) = limit.and_then(|limit| usize::try_from(limit).ok()) else { continue };
        let ended = jobs.iter().filter(|job| outcome(job) == Some(end) && !job.is_deleting());
        let mut ended: Vec<Arc<Job>> = ended.cloned().collect();
        // Those that never started come last.
        ended.sort_by_key(|job| {
            let start = job.status.start_time;
            (start.is_none(), start, job.name().to_owned())
        });
        let count = ended.len().saturating_sub(limit);
        surplus.extend(ended.into_iter().take(count));
    }
    surplus
}

/// Decides whether a job is due, and what is to be told of that.
///
/// # Errors
/// A schedule that is never due, in words.
pub(crate) fn next(
    cron: &CronJob,
    status: &CronJobStatus,
    schedule: &Schedule,
    now: Time,
) -> Result<(Next, Vec<Told>), String> {
    let mut told = Vec::new();
    let deadline = cron.spec.starting_deadline_seconds;
    let earliest = earliest(cron, status);
    let no_earlier = deadline.map(|seconds| Time::from_unix(now.unix().saturating_sub(seconds)));
    let (due, missed) = most_recent(schedule, earliest.max(no_earlier.unwrap_or(earliest)), now)?;
    let Some(due) = due else { return Ok((Next::Wait, told)) };
    if missed == Missed::Many {
        let message = "too many missed start times. Set or decrease \
                       .spec.startingDeadlineSeconds or check clock skew";
        told.push((EventType::Warning, "TooManyMissedTimes", message.to_owned()));
    }
    if deadline.is_some_and(|seconds| due.unix().saturating_add(seconds) < now.unix()) {
        let message = format!("Missed scheduled time to start a job: {}", in_words(due));
        told.push((EventType::Warning, "MissSchedule", message));
        return Ok((Next::Wait, told));
    }
    let name = job_name(cron, due);
    let listed = status.active.iter().any(|active| *active.name == *name);
    if listed || status.last_schedule_time == Some(due) {
        return Ok((Next::Wait, told));
    }
    if cron.spec.concurrency_policy == "Forbid" && !status.active.is_empty() {
        let message =
            "Not starting job because prior execution is running and concurrency policy is Forbid";
        told.push((EventType::Normal, "JobAlreadyActive", message.to_owned()));
        return Ok((Next::Wait, told));
    }
    Ok((Next::Start(due), told))
}

/// When to look at the schedule again; `None` if it is never due.
pub(crate) fn look_again(
    cron: &CronJob,
    status: &CronJobStatus,
    schedule: &Schedule,
    now: Time,
) -> Option<Time> {
    let earliest = earliest(cron, status);
    let from = match most_recent(schedule, earliest, now) {
        Ok((Some(due), _)) => due,
        Ok((None, Missed::None)) => earliest,
        Ok((None, _)) | Err(_) => now,
    };
    next_after(schedule, from)
}

/// What a job for this time is called: a second one for it is refused by the server.
pub(crate) fn job_name(cron: &CronJob, due: Time) -> String {
    format!("{}-{}", cron.name(), due.unix() / 60)
}

/// Since when times count that have passed.
fn earliest(cron: &CronJob, status: &CronJobStatus) -> Time {
    status.last_schedule_time.or_else(|| cron.creation_timestamp()).unwrap_or_default()
}

/// The last time between `earliest` and `now` that the schedule names, and whether there were others.
fn most_recent(
    schedule: &Schedule,
    earliest: Time,
    now: Time,
) -> Result<(Option<Time>, Missed), String> {
    let never = || "time difference between two schedules is less than 1 second".to_owned();
    let first = next_after(schedule, earliest).ok_or_else(never)?;
    if now < first {
        return Ok((None, Missed::None));
    }
    let second = next_after(schedule, first).filter(|second| *second > first).ok_or_else(never)?;
    if now < second {
        return Ok((Some(first), Missed::None));
    }
    // A guess, as if all were as far apart as the first two; one step back from it is exact.
    let apart = second.unix() - first.unix();
    let missed = (now.unix() - first.unix()) / apart + 1;
    let guess = Time::from_unix(first.unix() + (missed - 2) * apart);
    let times =
        std::iter::successors(next_after(schedule, guess), |time| next_after(schedule, *time));
    let last = times.take_while(|time| *time <= now).last();
    Ok((last, if missed > 100 { Missed::Many } else { Missed::Some }))
}

fn next_after(schedule: &Schedule, time: Time) -> Option<Time> {
    let next = schedule.next(Timestamp::from_second(time.unix()).ok()?)?;
    Some(Time::from_unix(next.as_second()))
}

/// As in the header of a letter, such as `Mon, 02 Jan 2006 15:04:05 +0000`.
fn in_words(time: Time) -> String {
    let time = Timestamp::from_second(time.unix()).unwrap_or_default();
    time.strftime("%a, %d %b %Y %H:%M:%S +0000").to_string()
}
