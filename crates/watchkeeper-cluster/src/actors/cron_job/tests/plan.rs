//! What is due, and what is told of it.

use std::sync::Arc;

use expect_test::{Expect, expect};
use jiff::tz::TimeZone;
use watchkeeper_api::batch::v1::{CronJob, Job, JobCondition};
use watchkeeper_api::core::v1::ObjectReference;
use watchkeeper_api::{Object, Time};

use crate::actors::cron_job::plan::{self, Next};
use crate::actors::cron_job::schedule::Schedule;

const MINUTE: i64 = 60;

fn every(minutes: u32) -> Schedule {
    let text = format!("*/{minutes} * * * *");
    Schedule::parse(&text, TimeZone::UTC).expect("a schedule")
}

/// A cron job that was made at the beginning of the first hour.
fn cron(last: Option<i64>, deadline: Option<i64>, policy: &str, active: &[&str]) -> CronJob {
    let mut cron = CronJob::default();
    cron.metadata.name = "tick".into();
    cron.metadata.creation_timestamp = Some(Time::from_unix(0));
    cron.spec.starting_deadline_seconds = deadline;
    cron.spec.concurrency_policy = policy.into();
    cron.status.last_schedule_time = last.map(|minutes| Time::from_unix(minutes * MINUTE));
    for name in active {
        let reference =
            ObjectReference { name: (*name).into(), uid: (*name).into(), ..Default::default() };
        cron.status.active.push(reference);
    }
    cron
}

/// What is done at this second of a cron job that is due every ten minutes.
fn check(cron: &CronJob, now: i64, expected: &Expect) {
    let now = Time::from_unix(now);
    let (next, told) = plan::next(cron, &cron.status, &every(10), now).expect("it is due some day");
    let mut lines: Vec<String> = told.iter().map(|(_, reason, _)| (*reason).to_owned()).collect();
    lines.push(match next {
        Next::Start(due) => format!("starts {} for {}", plan::job_name(cron, due), due.unix()),
        Next::Wait => "waits".to_owned(),
    });
    let again = plan::look_again(cron, &cron.status, &every(10), now);
    lines.push(format!("looks again at {:?}", again.map(Time::unix)));
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn a_job_starts_at_its_time_and_once() {
    let expected = &expect![[r"
        waits
        looks again at Some(600)"]];
    check(&cron(None, None, "Allow", &[]), 599, expected);
    let expected = &expect![[r"
        starts tick-10 for 600
        looks again at Some(1200)"]];
    check(&cron(None, None, "Allow", &[]), 600, expected);
    let expected = &expect![[r"
        waits
        looks again at Some(1200)"]];
    check(&cron(Some(10), None, "Allow", &[]), 601, expected);
    check(&cron(None, None, "Allow", &["tick-10"]), 601, expected);
}

#[test]
fn of_several_times_that_passed_the_last_one_counts() {
    let expected = &expect![[r"
        starts tick-50 for 3000
        looks again at Some(3600)"]];
    check(&cron(Some(10), None, "Allow", &[]), 3300, expected);
    let expected = &expect![[r"
        TooManyMissedTimes
        starts tick-2000 for 120000
        looks again at Some(120600)"]];
    check(&cron(Some(10), None, "Allow", &[]), 120_300, expected);
}

#[test]
fn a_deadline_lets_old_times_pass() {
    let expected = &expect![[r"
        waits
        looks again at Some(3600)"]];
    check(&cron(Some(10), Some(100), "Allow", &[]), 3300, expected);
    let expected = &expect![[r"
        starts tick-50 for 3000
        looks again at Some(3600)"]];
    check(&cron(Some(10), Some(100), "Allow", &[]), 3050, expected);
}

#[test]
fn a_job_at_work_may_forbid_the_next() {
    let expected = &expect![[r"
        JobAlreadyActive
        waits
        looks again at Some(1800)"]];
    check(&cron(Some(10), None, "Forbid", &["tick-10"]), 1200, expected);
    let expected = &expect![[r"
        starts tick-20 for 1200
        looks again at Some(1800)"]];
    check(&cron(Some(10), None, "Replace", &["tick-10"]), 1200, expected);
}

#[test]
fn a_schedule_that_is_never_due_is_told() {
    let never = Schedule::parse("0 0 31 2 *", TimeZone::UTC).expect("a schedule");
    let cron = cron(None, None, "Allow", &[]);
    let refused = plan::next(&cron, &cron.status, &never, Time::from_unix(60));
    assert_eq!(
        refused.expect_err("it is"),
        "time difference between two schedules is less than 1 second"
    );
    assert_eq!(plan::look_again(&cron, &cron.status, &never, Time::from_unix(60)), None);
}

/// A job that began and ended at these seconds.
fn job(name: &str, ended: Option<(&str, i64)>, started: Option<i64>) -> Arc<Job> {
    let mut job = Job::default();
    job.metadata.name = name.into();
    job.metadata.uid = name.into();
    job.status.start_time = started.map(Time::from_unix);
    if let Some((type_, seconds)) = ended {
        job.status.conditions.push(JobCondition {
            type_: type_.into(),
            status: "True".into(),
            ..JobCondition::default()
        });
        job.status.completion_time = (type_ == "Complete").then_some(Time::from_unix(seconds));
    }
    Arc::new(job)
}

#[test]
fn the_list_of_active_jobs_follows_them() {
    let cron = cron(None, None, "Allow", &["done", "gone", "busy"]);
    let jobs = [
        job("done", Some(("Complete", 90)), Some(60)),
        job("busy", None, Some(60)),
        job("strange", None, Some(60)),
        job("older", Some(("Complete", 80)), Some(60)),
    ];
    let (status, told) = plan::follow(&cron, &jobs);
    let names: Vec<&str> = status.active.iter().map(|active| &*active.name).collect();
    assert_eq!(names, ["busy"]);
    assert_eq!(status.last_successful_time, Some(Time::from_unix(90)));
    let told: Vec<String> =
        told.iter().map(|(_, reason, what)| format!("{reason}: {what}")).collect();
    expect![[r"
        SawCompletedJob: Saw completed job: done, status: Complete
        UnexpectedJob: Saw a job that the controller did not create or forgot: strange
        MissingJob: Active job went missing: gone"]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn the_oldest_of_too_many_go_by_how_they_ended() {
    let mut cron = cron(None, None, "Allow", &[]);
    cron.spec.successful_jobs_history_limit = Some(1);
    cron.spec.failed_jobs_history_limit = Some(0);
    let jobs = [
        job("late", Some(("Complete", 90)), Some(60)),
        job("early", Some(("Complete", 90)), Some(30)),
        job("middle", Some(("Complete", 90)), Some(40)),
        job("bad", Some(("Failed", 90)), None),
        job("busy", None, Some(0)),
    ];
    let surplus = plan::surplus(&cron, &jobs);
    let names: Vec<&str> = surplus.iter().map(|job| job.name()).collect();
    assert_eq!(names, ["early", "middle", "bad"]);
    cron.spec.failed_jobs_history_limit = None;
    assert_eq!(plan::surplus(&cron, &jobs).len(), 2);
}
