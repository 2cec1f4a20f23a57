//! A scheduler whose requests a test sees before the server does.

use std::future::pending;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::{Client, DeleteOptions, status_answer};
use watchkeeper_cluster::Cluster;
use watchkeeper_cluster::actors::{Actor, FakeNode, scheduler};
use watchkeeper_manager::{LeaderElection, Manager};

use super::{cpu, node_of, pod, pod_with, refusals};
use crate::world::{EPOCH, World};

/// Runs `script` beside a cluster of one node and a scheduler with this client and a manager of its own, which needs a
/// lease.
async fn run(client: impl FnOnce(&Cluster) -> Client, script: impl AsyncFnOnce(&World)) {
    let others = Actor::ALL.into_iter().filter(|actor| *actor != Actor::Scheduler);
    let cluster = Cluster::builder().nodes(1).actors(others).seed(36).clock(EPOCH).build();
    let manager = Manager::new(&client(&cluster)).seed(36).clock(cluster.clock());
    let election = LeaderElection::new("scheduler").identity("one").step_down();
    let manager = manager.leader_election(election);
    let client = cluster.client("script").field_manager("script");
    let world = World { cluster, client };
    scheduler(&manager, &FakeNode::first(1));
    let script = async {
        world.settled().await;
        script(&world).await;
    };
    tokio::select! {
        biased;
        () = Box::pin(script) => {}
        ended = world.cluster.run(pending()) => panic!("the cluster ended: {ended:?}"),
        ended = Box::pin(manager.run(pending())) => panic!("the scheduler ended: {ended:?}"),
    }
}

/// Takes a pod away without waiting for its end.
async fn remove(client: &Client, name: &str) {
    let pods = client.api::<Pod>().namespace("default");
    _ = pods.delete(name, &DeleteOptions::default().grace_period(0)).await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_that_leaves_while_another_is_refused_is_not_missed() {
    let client = |cluster: &Cluster| {
        let helper = cluster.client("helper");
        cluster.client("scheduler").intercept(move |request, next| {
            let helper = helper.clone();
            async move {
                if request.method() == "PATCH" && request.uri().path().ends_with("/pods/b/status") {
                    remove(&helper, "a").await;
                    sleep(Duration::from_secs(1)).await;
                }
                next.send(request).await
            }
        })
    };
    run(client, async |world| {
        pod_with(world, "a", json!({}), cpu("20")).await;
        assert_eq!(node_of(world, "a").await, "node-0");
        pod_with(world, "b", json!({}), cpu("20")).await;
        assert_eq!(node_of(world, "b").await, "node-0");
        assert_eq!(refusals(world, "b").await.len(), 1, "it was refused first");
    })
    .await;
}

/// A webhook may refuse its binding each time.
#[tokio::test(start_paused = true)]
async fn a_pod_that_cannot_be_bound_keeps_none_of_a_lower_priority() {
    let client = |cluster: &Cluster| {
        cluster.client("scheduler").intercept(|request, next| async move {
            if request.uri().path().ends_with("/pods/high/binding") {
                return Ok(status_answer(403, "Forbidden", "not this one"));
            }
            next.send(request).await
        })
    };
    run(client, async |world| {
        pod(world, "high", json!({"priorityClassName": "system-cluster-critical"})).await;
        sleep(Duration::from_secs(1)).await;
        for name in ["a", "b", "c"] {
            pod(world, name, json!({})).await;
        }
        sleep(Duration::from_secs(30)).await;
        for name in ["a", "b", "c"] {
            assert_eq!(world.get::<Pod>(name).await.expect("the pod").spec.node_name, "node-0");
        }
        assert_eq!(world.get::<Pod>("high").await.expect("the pod").spec.node_name, "");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_happened_without_the_lease_is_known_when_it_is_back() {
    let is_cut = Arc::new(AtomicBool::new(false));
    let cut = is_cut.clone();
    let client = |cluster: &Cluster| {
        cluster.client("scheduler").intercept(move |request, next| {
            let is_cut = cut.load(Ordering::Relaxed);
            async move {
                if is_cut && request.uri().path().contains("/leases") {
                    return Err(io::Error::from(io::ErrorKind::ConnectionReset).into());
                }
                next.send(request).await
            }
        })
    };
    run(client, async |world| {
        pod_with(world, "a", json!({}), cpu("32")).await;
        assert_eq!(node_of(world, "a").await, "node-0");
        is_cut.store(true, Ordering::Relaxed);
        sleep(Duration::from_secs(60)).await;
        remove(&world.client, "a").await;
        sleep(Duration::from_secs(5)).await;
        is_cut.store(false, Ordering::Relaxed);
        sleep(Duration::from_secs(60)).await;
        pod_with(world, "b", json!({}), cpu("32")).await;
        assert_eq!(node_of(world, "b").await, "node-0", "there is room");
    })
    .await;
}

/// As on a real cluster with other nodes.
#[tokio::test(start_paused = true)]
async fn a_pod_is_refused_although_nobody_registers_the_nodes() {
    let cluster =
        Cluster::builder().nodes(1).actors([Actor::Scheduler]).seed(36).clock(EPOCH).build();
    let client = cluster.client("script").field_manager("script");
    let world = World { cluster, client };
    let script = async {
        pod(&world, "a", json!({})).await;
        sleep(Duration::from_secs(50)).await;
        assert!(refusals(&world, "a").await.is_empty(), "the node may come yet");
        sleep(Duration::from_secs(30)).await;
        assert_eq!(refusals(&world, "a").await, ["no nodes available to schedule pods"]);
    };
    tokio::select! {
        biased;
        () = script => {}
        ended = world.cluster.run(pending()) => panic!("the cluster ended: {ended:?}"),
    }
}
