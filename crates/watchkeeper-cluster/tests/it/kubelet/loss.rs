//! A node that is lost: nobody hears of it, and nothing happens to its pods.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;
use watchkeeper_api::coordination::v1::Lease;
use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_api::{MicroTime, Object};
use watchkeeper_client::{DeleteOptions, Patch, PatchOptions, Propagation};

use crate::world::{World, is_ready, run};

async fn pod(world: &World, name: &str) {
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"containers": [{"name": "web", "image": "web:1"}]},
    });
    world.make::<Pod>(pod).await;
}

async fn get(world: &World, name: &str) -> Pod {
    world.get::<Pod>(name).await.expect("the pod")
}

/// Loses the node, or finds it again.
async fn lose(world: &World, lost: Value) {
    let change = json!({"metadata": {"annotations": {"fake-kubelet/lost": lost}}});
    let api = world.client.api::<Node>();
    api.patch("node-0", &Patch::merge(&change), &PatchOptions::default()).await.expect("a patch");
}

/// Whether the node is ready, and its taints, so many seconds later.
async fn node_after(world: &World, seconds: u64) -> (String, Vec<String>) {
    sleep(Duration::from_secs(seconds)).await;
    let node = world.client.api::<Node>().get("node-0").await.expect("the node");
    let ready = node.status.conditions.iter().find(|is| is.type_ == "Ready");
    let taints = node.spec.taints.iter();
    let taints = taints.map(|taint| format!("{}:{}", taint.key, taint.effect)).collect();
    (ready.expect("the condition").status.to_string(), taints)
}

async fn renewed(world: &World) -> Option<MicroTime> {
    let api = world.client.api::<Lease>().namespace("kube-node-lease");
    api.get("node-0").await.expect("the lease").spec.renew_time
}

#[tokio::test(start_paused = true)]
async fn a_lost_node_is_given_up_and_may_come_back() {
    run(1, async |world| {
        lose(world, json!("true")).await;
        // Its lease may be renewed in the same moment.
        sleep(Duration::from_secs(1)).await;
        let last = renewed(world).await;
        assert_eq!(node_after(world, 30).await, ("True".to_owned(), Vec::new()));
        let unreachable = ["NoSchedule", "NoExecute"]
            .map(|effect| format!("node.kubernetes.io/unreachable:{effect}"));
        assert_eq!(node_after(world, 30).await, ("Unknown".to_owned(), unreachable.into()));
        assert_eq!(renewed(world).await, last);
        let told = "Normal NodeNotReady: Node node-0 status is now: NodeNotReady".to_owned();
        assert!(world.events("node-0").await.contains(&told));
        lose(world, json!(null)).await;
        assert_eq!(node_after(world, 10).await, ("True".to_owned(), Vec::new()));
        assert!(renewed(world).await > last);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn pods_of_a_lost_node_stay_as_they_are_until_it_is_back() {
    run(1, async |world| {
        for name in ["stays", "goes"] {
            pod(world, name).await;
        }
        world.settled().await;
        lose(world, json!("true")).await;
        sleep(Duration::from_secs(1)).await;
        world.delete::<Pod>("goes", Propagation::Background).await;
        sleep(Duration::from_secs(100)).await;
        let stays = get(world, "stays").await;
        assert!(!is_ready(&stays) && stays.status.phase == "Running");
        let told = "Warning NodeNotReady: Node is not ready".to_owned();
        assert!(world.events("stays").await.contains(&told));
        let goes = get(world, "goes").await;
        assert!(goes.is_deleting() && goes.status.phase == "Running");
        pod(world, "late").await;
        sleep(Duration::from_secs(10)).await;
        assert!(get(world, "late").await.spec.node_name.is_empty(), "no node takes it");

        lose(world, json!(null)).await;
        world.settled().await;
        assert!(is_ready(&get(world, "stays").await) && is_ready(&get(world, "late").await));
        assert!(world.get::<Pod>("goes").await.is_none());
    })
    .await;
}

/// It is registered anew, without the annotation that says that it is lost.
#[tokio::test(start_paused = true)]
async fn pods_of_a_lost_node_that_is_deleted_are_seen_to_when_it_is_back() {
    run(1, async |world| {
        for name in ["stays", "goes"] {
            pod(world, name).await;
        }
        world.settled().await;
        lose(world, json!("true")).await;
        sleep(Duration::from_secs(100)).await;
        world.delete::<Pod>("goes", Propagation::Background).await;
        sleep(Duration::from_secs(5)).await;
        assert!(!is_ready(&get(world, "stays").await), "its node was given up");
        world.client.api::<Node>().delete("node-0", &DeleteOptions::default()).await.expect("gone");
        assert_eq!(node_after(world, 20).await, ("True".to_owned(), Vec::new()));
        assert!(is_ready(&get(world, "stays").await));
        assert!(world.get::<Pod>("goes").await.is_none());
    })
    .await;
}

/// What a test has said of it stays, too.
#[tokio::test(start_paused = true)]
async fn a_lost_node_that_comes_back_is_as_it_was() {
    run(1, async |world| {
        let change = json!({"status": {"allocatable": {"cpu": "64"},
            "conditions": [{"type": "Foreign", "status": "True"}]}});
        let api = world.client.api::<Node>();
        let patch = Patch::strategic(&change);
        api.patch_status("node-0", &patch, &PatchOptions::default()).await.expect("a patch");
        lose(world, json!("true")).await;
        assert_eq!(node_after(world, 100).await.0, "Unknown");
        lose(world, json!(null)).await;
        assert_eq!(node_after(world, 10).await, ("True".to_owned(), Vec::new()));
        let node = api.get("node-0").await.expect("the node");
        assert_eq!(node.status.allocatable.get("cpu").map(ToString::to_string), Some("64".into()));
        assert!(node.status.conditions.iter().any(|one| one.type_ == "Foreign"));
    })
    .await;
}
