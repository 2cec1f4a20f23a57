//! Pods get a node, or are told why not, and get one when that changes.

use serde_json::json;
use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_client::{Patch, PatchOptions};

use crate::world::{World, run};

async fn pod(world: &World, name: &str, spec: serde_json::Value) {
    let mut spec = spec;
    spec["containers"] = json!([{"name": "web", "image": "web:1"}]);
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "spec": spec,
        "metadata": {"name": name, "namespace": "default"}});
    world.make::<Pod>(pod).await;
}

async fn cordon(world: &World, yes: bool) {
    let change = json!({"spec": {"unschedulable": yes}});
    let api = world.client.api::<Node>();
    api.patch("node-0", &Patch::merge(&change), &PatchOptions::default()).await.expect("a patch");
}

#[tokio::test(start_paused = true)]
async fn a_pod_waits_for_a_cordoned_node_and_is_told_so() {
    run(1, async |world| {
        cordon(world, true).await;
        pod(world, "a", json!({})).await;
        world.settled().await;
        let waiting = world.get::<Pod>("a").await.expect("the pod");
        assert_eq!(waiting.spec.node_name, "");
        assert_eq!(waiting.status.phase, "Pending");
        let told =
            "Warning FailedScheduling: 0/1 nodes are available: 1 node(s) were unschedulable.";
        let events = world.events("a").await;
        assert!(events.iter().any(|event| event == told), "{events:?}");
        cordon(world, false).await;
        world.settled().await;
        let placed = world.get::<Pod>("a").await.expect("the pod");
        assert_eq!((&*placed.spec.node_name, &*placed.status.phase), ("node-0", "Running"));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn pods_are_spread_and_those_of_another_scheduler_are_left_alone() {
    run(3, async |world| {
        for name in ["a", "b", "c"] {
            pod(world, name, json!({})).await;
        }
        pod(world, "foreign", json!({"schedulerName": "another"})).await;
        world.settled().await;
        let mut nodes: Vec<String> =
            world.pods().await.iter().map(|pod| pod.spec.node_name.to_string()).collect();
        nodes.sort();
        assert_eq!(nodes, ["", "node-0", "node-1", "node-2"]);
        assert!(world.events("foreign").await.is_empty());
    })
    .await;
}
