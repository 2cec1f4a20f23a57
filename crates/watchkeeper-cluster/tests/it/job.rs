//! Jobs run to their end.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;
use watchkeeper_api::Object;
use watchkeeper_api::batch::v1::Job;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::Propagation;

use crate::world::{World, is_ready, run};

const TRACKING: &str = "batch.kubernetes.io/job-tracking";

/// A job whose pods end as `fake` says (annotations of the fake kubelet, without their prefix).
fn job(spec: Value, fake: &[(&str, &str)]) -> Value {
    let annotations: serde_json::Map<String, Value> =
        fake.iter().map(|(name, value)| (format!("fake-kubelet/{name}"), json!(value))).collect();
    let mut job = json!({
        "apiVersion": "batch/v1", "kind": "Job",
        "metadata": {"name": "pi", "namespace": "default"},
        "spec": {"template": {
            "metadata": {"annotations": annotations},
            "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "pi:1"}]},
        }},
    });
    for (name, value) in spec.as_object().expect("members") {
        job["spec"][name] = value.clone();
    }
    job
}

async fn get(world: &World) -> Job {
    world.get::<Job>("pi").await.expect("the job")
}

async fn seconds(world: &World, seconds: u64) -> Job {
    sleep(Duration::from_secs(seconds)).await;
    get(world).await
}

/// Its conditions, as `Type=Status Reason`.
fn conditions(job: &Job) -> Vec<String> {
    let conditions = job.status.conditions.iter();
    conditions.map(|is| format!("{}={} {}", is.type_, is.status, is.reason)).collect()
}

fn is_held(pod: &Pod) -> bool {
    pod.finalizers().any(|finalizer| finalizer == TRACKING)
}

#[tokio::test(start_paused = true)]
async fn a_job_completes_when_enough_pods_have_succeeded() {
    run(1, async |world| {
        world.make::<Job>(job(json!({"parallelism": 2, "completions": 3}), &[])).await;
        world.settled().await;
        let job = get(world).await;
        let expected =
            ["SuccessCriteriaMet=True CompletionsReached", "Complete=True CompletionsReached"];
        assert_eq!(conditions(&job), expected);
        let status = &job.status;
        assert_eq!((status.succeeded, status.failed, status.active), (3, 0, 0));
        assert_eq!((status.ready, status.terminating), (Some(0), Some(0)));
        assert!(status.start_time < status.completion_time, "{:?}", status.completion_time);
        let lists = status.uncounted_terminated_pods.as_deref().expect("the lists");
        assert!(lists.succeeded.is_empty() && lists.failed.is_empty());
        let pods = world.pods().await;
        assert_eq!(pods.len(), 3);
        for pod in &pods {
            assert!(pod.name().starts_with("pi-") && pod.is_controlled_by(&job));
            assert_eq!(pod.label("batch.kubernetes.io/job-name"), Some("pi"));
            assert_eq!(pod.label("batch.kubernetes.io/controller-uid"), Some(job.uid()));
            assert_eq!(&*pod.status.phase, "Succeeded");
            assert!(!is_held(pod) && !is_ready(pod));
        }
        let events = world.events("pi").await;
        for pod in &pods {
            let created = format!("Normal SuccessfulCreate: Created pod: {}", pod.name());
            assert!(events.contains(&created), "{created}: {events:?}");
        }
        assert!(events.contains(&"Normal Completed: Job completed".to_owned()), "{events:?}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn pods_at_work_carry_the_finalizer_and_are_counted() {
    run(1, async |world| {
        let spec = json!({"parallelism": 2, "completions": 2});
        world.make::<Job>(job(spec, &[("ends-after", "never")])).await;
        world.settled().await;
        let status = get(world).await.status;
        assert_eq!((status.active, status.ready, status.succeeded), (2, Some(2), 0));
        assert!(world.pods().await.iter().all(is_held));
        world.patch::<Job>("pi", json!({"spec": {"parallelism": 1}})).await;
        world.settled().await;
        let status = get(world).await.status;
        assert_eq!((status.active, status.failed), (1, 0), "what is too many has not failed");
        assert_eq!(world.pods().await.len(), 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn pods_that_fail_are_replaced_later_each_time_until_the_limit() {
    run(1, async |world| {
        let spec = json!({"backoffLimit": 2});
        world.make::<Job>(job(spec, &[("exit-code", "1")])).await;
        assert_eq!(seconds(world, 5).await.status.failed, 1);
        assert_eq!(seconds(world, 4).await.status.failed, 1, "ten seconds have not passed");
        assert_eq!(seconds(world, 10).await.status.failed, 2);
        assert_eq!(seconds(world, 10).await.status.failed, 2, "nor have twenty");
        let job = seconds(world, 30).await;
        assert_eq!(job.status.failed, 3);
        let expected =
            ["FailureTarget=True BackoffLimitExceeded", "Failed=True BackoffLimitExceeded"];
        assert_eq!(conditions(&job), expected);
        assert_eq!(job.status.completion_time, None);
        let told = "Warning BackoffLimitExceeded: Job has reached the specified backoff limit";
        assert!(world.events("pi").await.contains(&told.to_owned()));
        let pods = world.pods().await;
        assert_eq!(pods.len(), 3);
        assert!(pods.iter().all(|pod| pod.status.phase == "Failed" && !is_held(pod)));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn each_index_of_an_indexed_job_succeeds_once() {
    run(1, async |world| {
        let spec = json!({"parallelism": 2, "completions": 4, "completionMode": "Indexed"});
        world.make::<Job>(job(spec, &[])).await;
        world.settled().await;
        let status = get(world).await.status;
        assert_eq!((&*status.completed_indexes, status.succeeded), ("0-3", 4));
        let mut hosts: Vec<String> =
            world.pods().await.iter().map(|pod| pod.spec.hostname.to_string()).collect();
        hosts.sort();
        assert_eq!(hosts, ["pi-0", "pi-1", "pi-2", "pi-3"]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_index_may_fail_while_the_others_go_on() {
    run(1, async |world| {
        let spec = json!({"parallelism": 2, "completions": 2, "completionMode": "Indexed",
            "backoffLimitPerIndex": 1});
        world.make::<Job>(job(spec, &[("ends-after", "never")])).await;
        world.settled().await;
        let end = async |index: &str, code: &str| {
            let pods = world.pods().await;
            let alive = |pod: &&Pod| pod.status.phase == "Running";
            let of =
                |pod: &&Pod| pod.label("batch.kubernetes.io/job-completion-index") == Some(index);
            let pod = pods.iter().filter(alive).find(of).expect("a pod of that index");
            let annotations =
                json!({"fake-kubelet/ends-after": "0", "fake-kubelet/exit-code": code});
            world.patch::<Pod>(pod.name(), json!({"metadata": {"annotations": annotations}})).await;
            world.settled().await;
        };
        end("1", "1").await;
        assert_eq!(get(world).await.status.failed_indexes.as_deref(), Some(""));
        sleep(Duration::from_secs(15)).await;
        end("1", "1").await;
        let status = get(world).await.status;
        assert_eq!((status.failed_indexes.as_deref(), status.active), (Some("1"), 1));
        end("0", "0").await;
        let job = get(world).await;
        assert_eq!(
            conditions(&job),
            ["FailureTarget=True FailedIndexes", "Failed=True FailedIndexes"]
        );
        assert_eq!((&*job.status.completed_indexes, job.status.failed), ("0", 2));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_success_policy_ends_the_other_pods_without_failures() {
    run(1, async |world| {
        let spec = json!({"parallelism": 3, "completions": 3, "completionMode": "Indexed",
            "successPolicy": {"rules": [{"succeededIndexes": "0"}]}});
        world.make::<Job>(job(spec, &[("ends-after", "never")])).await;
        world.settled().await;
        let pods = world.pods().await;
        let leader = pods.iter().find(|pod| pod.spec.hostname == "pi-0").expect("the leader");
        let annotations = json!({"fake-kubelet/ends-after": "0"});
        world.patch::<Pod>(leader.name(), json!({"metadata": {"annotations": annotations}})).await;
        world.settled().await;
        let job = get(world).await;
        let expected = ["SuccessCriteriaMet=True SuccessPolicy", "Complete=True SuccessPolicy"];
        assert_eq!(conditions(&job), expected);
        assert_eq!((job.status.succeeded, job.status.failed, job.status.active), (1, 0, 0));
        assert_eq!(world.pods().await.len(), 1, "the others are gone");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn containers_that_are_restarted_count_towards_the_limit() {
    run(1, async |world| {
        let mut job = job(json!({"backoffLimit": 2}), &[("exit-code", "1")]);
        job["spec"]["template"]["spec"]["restartPolicy"] = json!("OnFailure");
        world.make::<Job>(job).await;
        let status = seconds(world, 8).await.status;
        assert_eq!((status.active, status.failed), (1, 0), "it is down for ten seconds");
        let job = seconds(world, 60).await;
        let expected =
            ["FailureTarget=True BackoffLimitExceeded", "Failed=True BackoffLimitExceeded"];
        assert_eq!(conditions(&job), expected);
        assert_eq!((job.status.active, job.status.failed), (0, 1));
        assert_eq!(world.pods().await.len(), 0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_job_that_takes_too_long_fails() {
    run(1, async |world| {
        let spec = json!({"parallelism": 2, "completions": 2, "activeDeadlineSeconds": 20});
        world.make::<Job>(job(spec, &[("ends-after", "never")])).await;
        assert_eq!(conditions(&seconds(world, 18).await), [""; 0]);
        let job = seconds(world, 10).await;
        let expected = ["FailureTarget=True DeadlineExceeded", "Failed=True DeadlineExceeded"];
        assert_eq!(conditions(&job), expected);
        assert_eq!((job.status.failed, job.status.active), (2, 0));
        assert_eq!(world.pods().await.len(), 0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_suspended_job_stops_and_goes_on_later() {
    run(1, async |world| {
        let spec = json!({"parallelism": 1, "activeDeadlineSeconds": 60});
        world.make::<Job>(job(spec, &[("ends-after", "40")])).await;
        world.settled().await;
        world.patch::<Job>("pi", json!({"spec": {"suspend": true}})).await;
        world.settled().await;
        let job = get(world).await;
        assert_eq!(conditions(&job), ["Suspended=True JobSuspended"]);
        assert_eq!((job.status.start_time, job.status.active, job.status.failed), (None, 0, 0));
        assert_eq!(world.pods().await.len(), 0);
        sleep(Duration::from_secs(60)).await;
        world.patch::<Job>("pi", json!({"spec": {"suspend": false}})).await;
        let job = seconds(world, 50).await;
        let expected = [
            "Suspended=False JobResumed",
            "SuccessCriteriaMet=True CompletionsReached",
            "Complete=True CompletionsReached",
        ];
        assert_eq!(conditions(&job), expected);
        let events = world.events("pi").await;
        for told in ["Normal Suspended: Job suspended", "Normal Resumed: Job resumed"] {
            assert!(events.contains(&told.to_owned()), "{told}: {events:?}");
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_that_somebody_deletes_has_failed_and_is_replaced() {
    run(1, async |world| {
        world.make::<Job>(job(json!({}), &[("ends-after", "never")])).await;
        world.settled().await;
        let first = world.pods().await[0].name().to_owned();
        world.delete::<Pod>(&first, Propagation::Background).await;
        let status = seconds(world, 5).await.status;
        assert_eq!((status.failed, status.active), (1, 0), "it waits before it makes another");
        let status = seconds(world, 15).await.status;
        assert_eq!((status.failed, status.active), (1, 1));
        assert_ne!(world.pods().await[0].name(), first);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_job_that_replaces_what_has_failed_waits_for_the_end_of_a_pod() {
    run(1, async |world| {
        let spec = json!({"podReplacementPolicy": "Failed"});
        world.make::<Job>(job(spec, &[("ends-after", "never")])).await;
        world.settled().await;
        let first = world.pods().await[0].name().to_owned();
        world.delete::<Pod>(&first, Propagation::Background).await;
        let status = seconds(world, 20).await.status;
        assert_eq!((status.failed, status.active, status.terminating), (1, 1, Some(0)));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_deleted_job_lets_its_pods_go() {
    for (how, left) in
        [(Propagation::Background, 0), (Propagation::Foreground, 0), (Propagation::Orphan, 2)]
    {
        run(1, async |world| {
            let spec = json!({"parallelism": 2, "completions": 2});
            world.make::<Job>(job(spec, &[("ends-after", "never")])).await;
            world.settled().await;
            world.delete::<Job>("pi", how).await;
            world.settled().await;
            assert!(world.get::<Job>("pi").await.is_none(), "{how:?}");
            let pods = world.pods().await;
            assert_eq!(pods.len(), left, "{how:?}");
            assert!(!pods.iter().any(is_held), "{how:?}");
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_pod_that_the_selector_finds_is_adopted_and_counts() {
    run(1, async |world| {
        let pod = json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "orphan", "namespace": "default", "labels": {"app": "pi"}},
            "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "pi:1"}]},
        });
        let mut job = job(
            json!({"parallelism": 1, "completions": 1, "manualSelector": true,
            "selector": {"matchLabels": {"app": "pi"}}}),
            &[],
        );
        job["spec"]["template"]["metadata"]["labels"] = json!({"app": "pi"});
        world.make::<Pod>(pod).await;
        let job = world.make::<Job>(job).await;
        world.settled().await;
        let pods = world.pods().await;
        assert_eq!(pods.len(), 1, "no other is needed");
        assert!(pods[0].is_controlled_by(&job) && !is_held(&pods[0]));
        assert_eq!(get(world).await.status.succeeded, 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_job_that_another_controller_manages_is_left_alone() {
    run(1, async |world| {
        world.make::<Job>(job(json!({"managedBy": "example.com/other"}), &[])).await;
        world.settled().await;
        assert!(world.pods().await.is_empty());
        assert_eq!(get(world).await.status.start_time, None);
    })
    .await;
}

/// A node has 253 addresses, and a pod that has ended needs none.
#[tokio::test(start_paused = true)]
async fn a_job_may_have_more_pods_than_its_node_has_addresses() {
    run(1, async |world| {
        world.make::<Job>(job(json!({"parallelism": 90, "completions": 270}), &[])).await;
        world.settled().await;
        let job = get(world).await;
        assert_eq!((job.status.succeeded, job.status.failed), (270, 0));
        assert_eq!(conditions(&job).last().expect("an end"), "Complete=True CompletionsReached");
    })
    .await;
}
