//! Init containers and sidecars, as `kubectl get` shows them.

use serde_json::{Value, json};
use watchkeeper_api::core::v1::Pod;

use super::shown_after;
use crate::world::{World, run};

/// A pod with these init containers before the one that is called `web`.
async fn pod(world: &World, script: Value, restarts: &str, init: Value) {
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "a", "namespace": "default", "annotations": script},
        "spec": {
            "restartPolicy": restarts,
            "initContainers": init,
            "containers": [{"name": "web", "image": "web:1"}],
        },
    });
    world.make::<Pod>(pod).await;
}

fn container(name: &str) -> Value {
    json!({"name": name, "image": "init:1"})
}

#[tokio::test(start_paused = true)]
async fn init_containers_have_their_turns_before_the_others() {
    run(1, async |world| {
        let script = json!({
            "one.fake-kubelet/ends-after": "10", "two.fake-kubelet/ends-after": "10",
            "fake-kubelet/starts-after": "10",
        });
        pod(world, script, "Always", json!([container("one"), container("two")])).await;
        assert_eq!(shown_after(world, 5).await, "0/1 Init:0/2");
        assert_eq!(shown_after(world, 10).await, "0/1 Init:1/2");
        assert_eq!(shown_after(world, 10).await, "0/1 PodInitializing");
        assert_eq!(shown_after(world, 10).await, "1/1 Running");
        let events = world.events("a").await;
        let started: Vec<&str> = events
            .iter()
            .filter_map(|event| event.strip_prefix("Normal Started: Started container "))
            .collect();
        assert_eq!(started.len(), 3, "{started:?}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_init_container_that_fails_is_started_again() {
    run(1, async |world| {
        let script = json!({"one.fake-kubelet/exit-code": "1"});
        pod(world, script, "Always", json!([container("one")])).await;
        assert_eq!(shown_after(world, 8).await, "0/1 Init:CrashLoopBackOff");
        let told = "Warning BackOff: Back-off restarting failed container one in pod a_default(";
        let events = world.events("a").await;
        assert!(events.iter().any(|event| event.starts_with(told)), "{events:?}");
        let better = json!({"metadata": {"annotations": {"one.fake-kubelet/exit-code": "0"}}});
        world.patch::<Pod>("a", better).await;
        assert_eq!(shown_after(world, 10).await, "1/1 Running");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_that_is_not_started_again_fails_with_its_init_container() {
    run(1, async |world| {
        let script = json!({"one.fake-kubelet/exit-code": "1"});
        pod(world, script, "Never", json!([container("one"), container("two")])).await;
        assert_eq!(shown_after(world, 8).await, "0/1 Init:Error");
        let pod = world.get::<Pod>("a").await.expect("the pod");
        assert_eq!(&*pod.status.phase, "Failed");
        let initialized = pod.status.conditions.iter().find(|is| is.type_ == "Initialized");
        let initialized = initialized.expect("the condition");
        assert_eq!(&*initialized.message, "containers with incomplete status: [one two]");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_sidecar_does_not_keep_a_pod_from_completing() {
    run(1, async |world| {
        let sidecar = json!({"name": "side", "image": "side:1", "restartPolicy": "Always"});
        let script = json!({"fake-kubelet/ends-after": "10"});
        pod(world, script, "Never", json!([sidecar])).await;
        assert_eq!(shown_after(world, 5).await, "2/2 Running");
        assert_eq!(shown_after(world, 10).await, "0/2 Completed");
        let events = world.events("a").await;
        assert!(events.contains(&"Normal Killing: Stopping container side".to_owned()));
    })
    .await;
}
