//! Cron jobs make jobs at their times.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;
use watchkeeper_api::batch::v1::{CronJob, Job};
use watchkeeper_api::{Object, Time};
use watchkeeper_client::{ListOptions, Propagation};

use crate::world::{World, run};

/// The minute in which every test begins, since 1970: the first one of 2026.
const FIRST: i64 = 29_453_760;

fn cron_job(spec: Value, fake: &[(&str, &str)]) -> Value {
    let annotations: serde_json::Map<String, Value> =
        fake.iter().map(|(name, value)| (format!("fake-kubelet/{name}"), json!(value))).collect();
    let mut cron = json!({
        "apiVersion": "batch/v1", "kind": "CronJob",
        "metadata": {"name": "tick", "namespace": "default"},
        "spec": {"schedule": "* * * * *", "jobTemplate": {
            "metadata": {"labels": {"app": "tick"}},
            "spec": {"template": {
                "metadata": {"annotations": annotations},
                "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "c:1"}]},
            }},
        }},
    });
    for (name, value) in spec.as_object().expect("members") {
        cron["spec"][name] = value.clone();
    }
    cron
}

async fn jobs(world: &World) -> Vec<Job> {
    let api = world.client.api::<Job>().namespace("default");
    api.list_all(&ListOptions::default()).await.expect("a list").items
}

/// The names of the jobs, by the minutes for which they are.
async fn minutes(world: &World) -> Vec<i64> {
    let jobs = jobs(world).await;
    let minute = |job: &Job| job.name().strip_prefix("tick-")?.parse::<i64>().ok();
    let mut minutes: Vec<i64> =
        jobs.iter().map(|job| minute(job).expect("a minute") - FIRST).collect();
    minutes.sort_unstable();
    minutes
}

async fn after(world: &World, seconds: u64) -> CronJob {
    sleep(Duration::from_secs(seconds)).await;
    world.get::<CronJob>("tick").await.expect("the cron job")
}

#[tokio::test(start_paused = true)]
async fn a_job_starts_whenever_the_schedule_says_so() {
    run(1, async |world| {
        world.make::<CronJob>(cron_job(json!({}), &[])).await;
        let cron = after(world, 130).await;
        assert_eq!(minutes(world).await, [1, 2]);
        let job = &jobs(world).await[0];
        assert!(job.is_controlled_by(&cron));
        assert_eq!(job.label("app"), Some("tick"));
        let stamp = job.annotation("batch.kubernetes.io/cronjob-scheduled-timestamp");
        assert_eq!(stamp, Some("2026-01-01T00:01:00Z"));
        assert_eq!(cron.status.last_schedule_time, Some(Time::from_unix((FIRST + 2) * 60)));
        let done = job.status.completion_time;
        assert!(done.is_some() && cron.status.last_successful_time > done);
        assert!(cron.status.active.is_empty());
        let name = format!("tick-{}", FIRST + 1);
        let events = world.events("tick").await;
        for told in [
            format!("Normal SuccessfulCreate: Created job {name}"),
            format!("Normal SawCompletedJob: Saw completed job: {name}, status: Complete"),
        ] {
            assert!(events.contains(&told), "{told}: {events:?}");
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_history_has_an_end() {
    run(1, async |world| {
        let spec = json!({"successfulJobsHistoryLimit": 2});
        world.make::<CronJob>(cron_job(spec, &[])).await;
        after(world, 310).await;
        assert_eq!(minutes(world).await, [4, 5]);
        assert_eq!(world.pods().await.len(), 2, "pods go with their jobs");
        let told = format!("Normal SuccessfulDelete: Deleted job tick-{}", FIRST + 1);
        assert!(world.events("tick").await.contains(&told));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn jobs_that_fail_have_a_history_of_their_own() {
    run(1, async |world| {
        let mut cron = cron_job(json!({"failedJobsHistoryLimit": 1}), &[("exit-code", "1")]);
        cron["spec"]["jobTemplate"]["spec"]["backoffLimit"] = json!(0);
        world.make::<CronJob>(cron).await;
        let cron = after(world, 190).await;
        assert_eq!(minutes(world).await, [3]);
        assert_eq!(cron.status.last_successful_time, None);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_job_at_work_may_keep_the_next_one_from_starting() {
    run(1, async |world| {
        let spec = json!({"concurrencyPolicy": "Forbid"});
        world.make::<CronJob>(cron_job(spec, &[("ends-after", "80")])).await;
        let cron = after(world, 125).await;
        assert_eq!(minutes(world).await, [1]);
        assert_eq!(cron.status.active.len(), 1);
        let told = "Normal JobAlreadyActive: Not starting job because prior execution is running and concurrency policy is Forbid";
        assert!(world.events("tick").await.contains(&told.to_owned()));
        after(world, 30).await;
        assert_eq!(minutes(world).await, [1, 2], "made up for when the first has ended");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_newest_job_may_replace_the_one_at_work() {
    run(1, async |world| {
        let spec = json!({"concurrencyPolicy": "Replace"});
        world.make::<CronJob>(cron_job(spec, &[("ends-after", "never")])).await;
        let cron = after(world, 190).await;
        assert_eq!(minutes(world).await, [3]);
        let active: Vec<String> =
            cron.status.active.iter().map(|job| job.name.to_string()).collect();
        assert_eq!(active, [format!("tick-{}", FIRST + 3)]);
        assert_eq!(world.pods().await.len(), 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn jobs_may_run_beside_each_other() {
    run(1, async |world| {
        world.make::<CronJob>(cron_job(json!({}), &[("ends-after", "never")])).await;
        assert_eq!(after(world, 190).await.status.active.len(), 3);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn nothing_starts_while_it_is_suspended() {
    run(1, async |world| {
        let spec = json!({"suspend": true, "startingDeadlineSeconds": 10});
        world.make::<CronJob>(cron_job(spec, &[])).await;
        after(world, 200).await;
        assert_eq!(minutes(world).await, [0_i64; 0]);
        world.patch::<CronJob>("tick", json!({"spec": {"suspend": false}})).await;
        after(world, 60).await;
        assert_eq!(minutes(world).await, [4], "too late for the others");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn times_are_those_of_a_zone() {
    run(1, async |world| {
        let spec = json!({"schedule": "35 5 * * *", "timeZone": "Asia/Kolkata"});
        world.make::<CronJob>(cron_job(spec, &[])).await;
        after(world, 270).await;
        assert_eq!(minutes(world).await, [0_i64; 0]);
        after(world, 60).await;
        assert_eq!(minutes(world).await, [5]);
        let stamp = jobs(world).await[0]
            .annotation("batch.kubernetes.io/cronjob-scheduled-timestamp")
            .map(str::to_owned);
        assert_eq!(stamp.as_deref(), Some("2026-01-01T05:35:00+05:30"));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_schedule_that_comes_never_is_told() {
    run(1, async |world| {
        world.make::<CronJob>(cron_job(json!({"schedule": "0 0 31 2 *"}), &[])).await;
        after(world, 70).await;
        let events = world.events("tick").await;
        let told = "Warning InvalidSchedule: invalid schedule: 0 0 31 2 * : ";
        assert!(events.iter().any(|event| event.starts_with(told)), "{events:?}");
        assert!(jobs(world).await.is_empty());
    })
    .await;
}

/// A schedule that changes does not ask for what it would have asked for before.
#[tokio::test(start_paused = true)]
async fn a_new_schedule_begins_with_its_next_time() {
    run(1, async |world| {
        let spec = json!({"schedule": "0 0 1 1 *"});
        world.make::<CronJob>(cron_job(spec, &[])).await;
        after(world, 270).await;
        world.patch::<CronJob>("tick", json!({"spec": {"schedule": "*/3 * * * *"}})).await;
        after(world, 60).await;
        assert_eq!(minutes(world).await, [0_i64; 0], "the third minute is over");
        after(world, 60).await;
        assert_eq!(minutes(world).await, [6]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn jobs_go_with_their_cron_job() {
    run(1, async |world| {
        world.make::<CronJob>(cron_job(json!({}), &[])).await;
        after(world, 70).await;
        assert_eq!(minutes(world).await, [1]);
        world.delete::<CronJob>("tick", Propagation::Background).await;
        world.settled().await;
        assert!(jobs(world).await.is_empty() && world.pods().await.is_empty());
    })
    .await;
}
