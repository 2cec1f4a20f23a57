//! The life of a pod on a fake node, to its end.

use std::time::Duration;

use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use watchkeeper_api::Object;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::{DeleteOptions, Propagation, WatchEvent, WatchOptions};
use watchkeeper_cluster::User;

use crate::world::{World, is_ready, run};

mod addresses;
mod init;
mod loss;

async fn pod(world: &World, finalizers: &[&str]) -> Pod {
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "a", "namespace": "default", "finalizers": finalizers},
        "spec": {"containers": [{"name": "web", "image": "web:1"}]},
    });
    world.make(pod).await
}

#[tokio::test(start_paused = true)]
async fn a_placed_pod_runs_and_says_so() {
    run(1, async |world| {
        pod(world, &[]).await;
        world.settled().await;
        let pod = world.get::<Pod>("a").await.expect("the pod");
        assert!(is_ready(&pod));
        assert_eq!((&*pod.status.phase, &*pod.status.host_ip), ("Running", "10.0.0.2"));
        assert!(pod.status.pod_ip.starts_with("10.244.0."), "{}", pod.status.pod_ip);
        let reasons: Vec<String> = world.events("a").await;
        for reason in ["Scheduled", "Pulled", "Created", "Started"] {
            let told = reasons.iter().any(|event| event.starts_with(&format!("Normal {reason}:")));
            assert!(told, "{reason}: {reasons:?}");
        }
    })
    .await;
}

/// A deletion gives the pod its grace period; the kubelet has the last word, and only then is it gone.
#[tokio::test(start_paused = true)]
async fn a_pod_ends_gracefully() {
    run(1, async |world| {
        let made = pod(world, &[]).await;
        world.settled().await;
        let api = world.client.api::<Pod>().namespace("default");
        api.delete("a", &DeleteOptions::only(made.uid())).await.expect("a deletion");
        let ending = world.get::<Pod>("a").await.expect("it is still there");
        assert!(ending.is_deleting());
        assert_eq!(ending.metadata.deletion_grace_period_seconds, Some(30));
        world.settled().await;
        assert!(world.get::<Pod>("a").await.is_none());
        let events = world.events("a").await;
        assert!(events.iter().any(|event| event == "Normal Killing: Stopping container web"));
    })
    .await;
}

/// A finalizer holds a pod that has ended; its kubelet stops it once and then rests.
#[tokio::test(start_paused = true)]
async fn a_pod_that_is_held_is_stopped_once() {
    run(1, async |world| {
        pod(world, &["example.com/hold"]).await;
        world.settled().await;
        world.delete::<Pod>("a", Propagation::Background).await;
        world.settled().await;
        let held = world.get::<Pod>("a").await.expect("it is held");
        assert_eq!(held.metadata.deletion_grace_period_seconds, Some(0));
        let killed = world.events("a").await;
        let killed = killed.iter().filter(|event| event.starts_with("Normal Killing")).count();
        assert_eq!(killed, 1);
        world.patch::<Pod>("a", json!({"metadata": {"finalizers": null}})).await;
        world.settled().await;
        assert!(world.get::<Pod>("a").await.is_none());
    })
    .await;
}

/// A pod that ends as the annotations say, `seconds` after it was made.
async fn ending(world: &World, restart: &str, fake: &[(&str, &str)], seconds: u64) -> Pod {
    let annotations: serde_json::Map<String, Value> =
        fake.iter().map(|(name, value)| (format!("fake-kubelet/{name}"), json!(value))).collect();
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "a", "namespace": "default", "annotations": annotations},
        "spec": {"restartPolicy": restart, "containers": [{"name": "web", "image": "web:1"}]},
    });
    world.make::<Pod>(pod).await;
    sleep(Duration::from_secs(seconds)).await;
    world.get::<Pod>("a").await.expect("the pod")
}

/// The phase, what the container returned and why, and how often it was started anew.
fn end_of(pod: &Pod) -> (String, i32, String, i32) {
    let container = &pod.status.container_statuses[0];
    let ended = container.state.terminated.as_ref().or(container.last_state.terminated.as_ref());
    let (code, reason) =
        ended.map(|ended| (ended.exit_code, ended.reason.to_string())).unwrap_or_default();
    (pod.status.phase.to_string(), code, reason, container.restart_count)
}

fn end(phase: &str, code: i32, reason: &str, restarts: i32) -> (String, i32, String, i32) {
    (phase.to_owned(), code, reason.to_owned(), restarts)
}

#[tokio::test(start_paused = true)]
async fn a_pod_that_may_end_succeeds_after_a_second() {
    run(1, async |world| {
        let pod = ending(world, "Never", &[], 5).await;
        assert_eq!(end_of(&pod), end("Succeeded", 0, "Completed", 0));
        assert!(!is_ready(&pod));
        let ready =
            pod.status.conditions.iter().find(|is| is.type_ == "Ready").expect("a condition");
        assert_eq!(&*ready.reason, "PodCompleted");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_ends_when_and_as_it_is_told_to() {
    run(1, async |world| {
        let pod = ending(world, "Never", &[("ends-after", "20"), ("exit-code", "3")], 15).await;
        assert!(is_ready(&pod));
        sleep(Duration::from_secs(10)).await;
        let pod = world.get::<Pod>("a").await.expect("the pod");
        assert_eq!(end_of(&pod), end("Failed", 3, "Error", 0));
    })
    .await;
    run(1, async |world| {
        let pod = ending(world, "Never", &[("reason", "OOMKilled")], 5).await;
        assert_eq!(end_of(&pod), end("Failed", 137, "OOMKilled", 0));
    })
    .await;
    run(1, async |world| {
        assert!(is_ready(&ending(world, "Never", &[("ends-after", "never")], 600).await));
    })
    .await;
}

/// The first time at once, then after ten seconds, twenty, and so on.
#[tokio::test(start_paused = true)]
async fn a_container_that_crashes_is_started_again_later_each_time() {
    run(1, async |world| {
        let pod = ending(world, "Always", &[("reason", "OOMKilled"), ("ends-after", "2")], 8).await;
        let container = &pod.status.container_statuses[0];
        let waiting = container.state.waiting.as_ref().expect("it waits");
        assert_eq!(&*waiting.reason, "CrashLoopBackOff");
        assert!(
            waiting
                .message
                .starts_with("back-off 10s restarting failed container=web pod=a_default(")
        );
        assert_eq!(end_of(&pod), end("Running", 137, "OOMKilled", 1));
        assert!(!is_ready(&pod));
        sleep(Duration::from_secs(7)).await;
        let pod = world.get::<Pod>("a").await.expect("the pod");
        assert!(is_ready(&pod), "{:?}", pod.status.container_statuses[0].state.waiting.is_some());
        assert_eq!(end_of(&pod).3, 2);
        sleep(Duration::from_secs(50)).await;
        assert_eq!(end_of(&world.get::<Pod>("a").await.expect("the pod")).3, 3);
        let events = world.events("a").await;
        let told = "Warning BackOff: Back-off restarting failed container web in pod a_default(";
        assert!(events.iter().any(|event| event.starts_with(told)), "{events:?}");
    })
    .await;
}

/// Whoever holds a pod reads from its phase that it has ended.
#[tokio::test(start_paused = true)]
async fn a_pod_that_is_held_and_deleted_has_failed() {
    run(1, async |world| {
        pod(world, &["example.com/hold"]).await;
        world.settled().await;
        world.delete::<Pod>("a", Propagation::Background).await;
        world.settled().await;
        let held = world.get::<Pod>("a").await.expect("it is held");
        assert_eq!(end_of(&held), end("Failed", 143, "Error", 0));
    })
    .await;
}

/// Who watches reads that a pod has ended, and how, before it is gone.
#[tokio::test(start_paused = true)]
async fn a_pod_that_is_deleted_ends_before_it_is_gone() {
    run(1, async |world| {
        pod(world, &[]).await;
        world.settled().await;
        let running = world.get::<Pod>("a").await.expect("the pod");
        let api = world.client.api::<Pod>().namespace("default");
        let from = WatchOptions::since(running.resource_version());
        let mut watch = api.watch(&from).await.expect("a watch");
        api.delete("a", &DeleteOptions::default()).await.expect("a deletion");
        let mut seen = Vec::new();
        while let Ok(Some(event)) = timeout(Duration::from_secs(60), watch.next()).await {
            match event.expect("an event") {
                WatchEvent::Modified(pod) => seen.push(format!("is {}", pod.status.phase)),
                WatchEvent::Deleted(pod) => seen.push(format!("was {}", pod.status.phase)),
                WatchEvent::Bookmark { .. } => {}
                other => panic!("neither a change nor the end: {other:?}"),
            }
        }
        seen.dedup();
        assert_eq!(seen, ["is Running", "is Failed", "was Failed"]);
    })
    .await;
}

/// What `kubectl get` shows of the pod under READY and STATUS, so many seconds later.
async fn shown_after(world: &World, seconds: u64) -> String {
    sleep(Duration::from_secs(seconds)).await;
    let accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    let request = http::Request::get("/api/v1/namespaces/default/pods/a").header("accept", accept);
    let request = request.body(String::new()).expect("a request");
    let mut server = world.cluster.server().acting_as(User::admin());
    let answer = tower_service::Service::call(&mut server, request).await.expect("an answer");
    let body = answer.into_body().collect().await.expect("a body").to_bytes();
    let table: Value = serde_json::from_slice(&body).expect("a table");
    let cell = |at: usize| table["rows"][0]["cells"][at].as_str().unwrap_or_default();
    format!("{} {}", cell(1), cell(2))
}

#[tokio::test(start_paused = true)]
async fn containers_start_become_ready_and_end_each_for_itself() {
    run(1, async |world| {
        let script = json!({
            "fake-kubelet/starts-after": "10",
            "a.fake-kubelet/ready-after": "10",
            "b.fake-kubelet/ends-after": "30", "b.fake-kubelet/exit-code": "1",
        });
        let pod = json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "a", "namespace": "default", "annotations": script},
            "spec": {"containers": [{"name": "a", "image": "a:1"}, {"name": "b", "image": "b:1"}]},
        });
        world.make::<Pod>(pod).await;
        assert_eq!(shown_after(world, 5).await, "0/2 ContainerCreating");
        assert_eq!(shown_after(world, 10).await, "1/2 Running");
        assert_eq!(shown_after(world, 10).await, "2/2 Running");
        // It runs to the second 40, and again to the second 70.
        assert_eq!(shown_after(world, 20).await, "2/2 Running");
        assert_eq!(shown_after(world, 30).await, "1/2 CrashLoopBackOff");
        let pod = world.get::<Pod>("a").await.expect("the pod");
        let restarts = pod.status.container_statuses.iter().map(|one| one.restart_count);
        assert_eq!(restarts.collect::<Vec<_>>(), [0, 1]);
    })
    .await;
}
