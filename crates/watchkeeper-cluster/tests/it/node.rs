//! Fake nodes stay: they renew their leases, and come back.

use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;
use watchkeeper_api::coordination::v1::Lease;
use watchkeeper_api::core::v1::Node;
use watchkeeper_client::{DeleteOptions, Patch, PatchOptions};

use crate::world::{World, run};

async fn lease(world: &World) -> Lease {
    let api = world.client.api::<Lease>().namespace("kube-node-lease");
    api.get("node-0").await.expect("the lease")
}

async fn node(world: &World) -> Node {
    world.client.api::<Node>().get("node-0").await.expect("the node")
}

fn is_ready(node: &Node) -> bool {
    node.status.conditions.iter().any(|is| is.type_ == "Ready" && is.status == "True")
}

#[tokio::test(start_paused = true)]
async fn a_node_renews_its_lease_before_it_ends() {
    run(1, async |world| {
        let seconds =
            |lease: Lease| lease.spec.renew_time.expect("a time").unix_micros() / 1_000_000;
        let mut last = seconds(lease(world).await);
        for _ in 0..20 {
            sleep(Duration::from_secs(20)).await;
            let next = seconds(lease(world).await);
            assert!((10..=30).contains(&(next - last)), "renewed after {} s", next - last);
            last = next;
        }
        assert_eq!(lease(world).await.spec.lease_duration_seconds, Some(40));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_node_that_was_deleted_registers_again() {
    run(1, async |world| {
        let first = node(world).await;
        world.client.api::<Node>().delete("node-0", &DeleteOptions::default()).await.expect("gone");
        sleep(Duration::from_secs(60)).await;
        let second = node(world).await;
        assert_ne!(first.metadata.uid, second.metadata.uid);
        assert!(is_ready(&second));
        assert!(second.spec.taints.is_empty(), "{:?}", second.spec.taints);
        let owners = lease(world).await.metadata.owner_references;
        assert_eq!(owners[0].uid, second.metadata.uid, "the lease is the new node's");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_node_that_was_made_unready_is_ready_again() {
    run(1, async |world| {
        let change = json!({"status": {"conditions": [{"type": "Ready", "status": "False"}]}});
        let api = world.client.api::<Node>();
        let options = PatchOptions::default();
        api.patch_status("node-0", &Patch::merge(&change), &options).await.expect("a patch");
        sleep(Duration::from_secs(60)).await;
        assert!(is_ready(&node(world).await));
    })
    .await;
}
