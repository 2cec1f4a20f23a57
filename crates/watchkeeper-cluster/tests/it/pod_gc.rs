//! Pods that nobody will end are ended.

use std::future::pending;
use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::{Propagation, status_answer};
use watchkeeper_cluster::{Cluster, actors};
use watchkeeper_manager::Manager;

use crate::world::{EPOCH, World, run};

async fn pod(world: &World, node: Option<&str>, finalizers: &[&str]) {
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "a", "namespace": "default", "finalizers": finalizers},
        "spec": {"nodeName": node, "schedulerName": "nobody",
            "containers": [{"name": "web", "image": "web:1"}]},
    });
    world.make::<Pod>(pod).await;
}

async fn after(world: &World, seconds: u64) -> Option<Pod> {
    sleep(Duration::from_secs(seconds)).await;
    world.get::<Pod>("a").await
}

#[tokio::test(start_paused = true)]
async fn a_pod_of_a_node_that_is_gone_goes_after_a_while() {
    run(1, async |world| {
        pod(world, Some("gone"), &[]).await;
        assert!(after(world, 35).await.is_some(), "the node may come back");
        assert!(after(world, 60).await.is_none());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn whoever_holds_such_a_pod_reads_that_it_has_failed() {
    run(1, async |world| {
        pod(world, Some("gone"), &["example.com/hold"]).await;
        let pod = after(world, 90).await.expect("it is held");
        assert_eq!(&*pod.status.phase, "Failed");
        let told = pod.status.conditions.iter().find(|is| is.type_ == "DisruptionTarget");
        let told = told.expect("the condition");
        assert_eq!((&*told.status, &*told.reason), ("True", "DeletionByPodGC"));
        assert_eq!(&*told.message, "PodGC: node no longer exists");
        assert_eq!(
            (told.observed_generation, pod.metadata.generation),
            (1, 2),
            "told before it was asked to go"
        );
        assert_eq!(pod.metadata.deletion_grace_period_seconds, Some(0));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_without_a_node_that_is_asked_to_go_has_failed() {
    run(1, async |world| {
        pod(world, None, &["example.com/hold"]).await;
        world.delete::<Pod>("a", Propagation::Background).await;
        let pod = after(world, 30).await.expect("it is held");
        assert_eq!(&*pod.status.phase, "Failed");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn other_pods_are_left_alone() {
    run(1, async |world| {
        pod(world, None, &[]).await;
        assert_eq!(&*after(world, 300).await.expect("the pod").status.phase, "Pending");
    })
    .await;
}

/// The others are looked at all the same.
#[tokio::test(start_paused = true)]
async fn a_node_that_cannot_be_looked_for_keeps_no_other_pods() {
    let cluster = Cluster::builder().nodes(1).actors([]).seed(36).clock(EPOCH).build();
    let client = cluster.client("gc").intercept(|request, next| async move {
        if request.uri().path().ends_with("/nodes/gone") {
            return Ok(status_answer(403, "Forbidden", "not this one"));
        }
        next.send(request).await
    });
    let manager = Manager::new(&client).seed(36).clock(cluster.clock());
    actors::pod_gc(&manager, 0);
    let client = cluster.client("script").field_manager("script");
    let world = World { cluster, client };
    let script = async {
        pod(&world, Some("gone"), &[]).await;
        let unplaced = json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "b", "namespace": "default", "finalizers": ["example.com/hold"]},
            "spec": {"schedulerName": "nobody", "containers": [{"name": "web", "image": "web:1"}]},
        });
        world.make::<Pod>(unplaced).await;
        sleep(Duration::from_secs(90)).await;
        world.delete::<Pod>("b", Propagation::Background).await;
        sleep(Duration::from_secs(30)).await;
        assert_eq!(world.get::<Pod>("b").await.expect("it is held").status.phase, "Failed");
        assert!(world.get::<Pod>("a").await.is_some(), "nobody knows whether its node is there");
    };
    tokio::select! {
        biased;
        () = script => {}
        ended = manager.run(pending()) => panic!("the collector ended: {ended:?}"),
    }
}
