//! No two pods have one address.

use std::collections::BTreeSet;
use std::future::pending;

use serde_json::json;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_cluster::Cluster;

use crate::world::{EPOCH, World, run};

async fn pod(world: &World, name: &str, host_network: bool) {
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"nodeName": "node-0", "hostNetwork": host_network,
            "containers": [{"name": "web", "image": "web:1"}]},
    });
    world.make::<Pod>(pod).await;
}

async fn address(world: &World, name: &str) -> String {
    world.get::<Pod>(name).await.expect("the pod").status.pod_ip.to_string()
}

/// Runs the actors from their start until they have nothing to do.
async fn start(world: &World) {
    tokio::select! {
        biased;
        () = world.settled() => {}
        ended = world.cluster.run(pending()) => panic!("the cluster ended: {ended:?}"),
    }
}

/// Whichever pods a kubelet looks at first when it starts.
#[tokio::test(start_paused = true)]
async fn pods_that_ran_before_keep_their_addresses_to_themselves() {
    for seed in 0..5 {
        let cluster = Cluster::builder().nodes(1).seed(seed).clock(EPOCH).build();
        let client = cluster.client("script").field_manager("script");
        let world = World { cluster, client };
        start(&world).await;
        for place in 0..5 {
            pod(&world, &format!("old-{place}"), false).await;
        }
        start(&world).await;
        for place in 0..5 {
            pod(&world, &format!("new-{place}"), false).await;
        }
        start(&world).await;
        let pods = world.pods().await;
        let addresses: BTreeSet<_> = pods.iter().map(|pod| pod.status.pod_ip.clone()).collect();
        assert_eq!(addresses.len(), 10, "seed {seed}: {addresses:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_pod_on_the_network_of_its_node_takes_no_address_of_its_own() {
    run(1, async |world| {
        pod(world, "host", true).await;
        world.settled().await;
        pod(world, "own", false).await;
        world.settled().await;
        assert_eq!(address(world, "host").await, "10.0.0.2");
        assert_eq!(address(world, "own").await, "10.244.0.2", "the first one is free");
    })
    .await;
}
