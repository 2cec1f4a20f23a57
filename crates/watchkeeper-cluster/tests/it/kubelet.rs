//! The life of a pod on a fake node, to its end.

use serde_json::json;
use watchkeeper_api::Object;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::{DeleteOptions, Propagation};

use crate::world::{World, is_ready, run};

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
