//! A replica set's pods are those that its selector finds, and as many as it asks for.

use serde_json::json;
use watchkeeper_api::Object;
use watchkeeper_api::apps::v1::ReplicaSet;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::Propagation;

use crate::world::{World, run};

async fn pod(world: &World, name: &str) -> Pod {
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "labels": {"app": "web"}},
        "spec": {"containers": [{"name": "web", "image": "web:1"}]},
    });
    world.make(pod).await
}

async fn set(world: &World, replicas: u32) -> ReplicaSet {
    let set = json!({
        "apiVersion": "apps/v1", "kind": "ReplicaSet",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "web", "image": "web:1"}]},
            },
        },
    });
    world.make(set).await
}

#[tokio::test(start_paused = true)]
async fn a_pod_without_an_owner_is_adopted_and_counts() {
    run(1, async |world| {
        pod(world, "orphan").await;
        let set = set(world, 2).await;
        world.settled().await;
        let pods = world.pods().await;
        assert_eq!(pods.len(), 2, "one was there already");
        assert!(pods.iter().all(|pod| pod.is_controlled_by(&set)));
        assert!(pods.iter().any(|pod| pod.name() == "orphan"));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_that_comes_too_late_is_adopted_and_one_goes() {
    run(1, async |world| {
        set(world, 2).await;
        world.settled().await;
        pod(world, "late").await;
        world.settled().await;
        assert_eq!(world.pods().await.len(), 2);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_whose_labels_change_is_released_and_replaced() {
    run(1, async |world| {
        let set = set(world, 2).await;
        world.settled().await;
        let first = world.pods().await[0].name().to_owned();
        world.patch::<Pod>(&first, json!({"metadata": {"labels": {"app": "debug"}}})).await;
        world.settled().await;
        let pods = world.pods().await;
        assert_eq!(pods.len(), 3);
        let released = pods.iter().find(|pod| pod.name() == first).expect("it stays");
        assert_eq!(released.owners().count(), 0);
        assert_eq!(pods.iter().filter(|pod| pod.is_controlled_by(&set)).count(), 2);
        let status = world.get::<ReplicaSet>("web").await.expect("the set").status;
        assert_eq!((status.replicas, status.ready_replicas), (2, 2));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_that_is_deleted_is_replaced_and_one_of_another_owner_is_left_alone() {
    run(1, async |world| {
        let other = pod(world, "other").await;
        let owner = json!([{"apiVersion": "v1", "kind": "Node", "name": "node-0", "controller": true,
            "uid": world.client.api::<watchkeeper_api::core::v1::Node>().get("node-0").await
                .expect("the node").metadata.uid.to_string()}]);
        world.patch::<Pod>(other.name(), json!({"metadata": {"ownerReferences": owner}})).await;
        let set = set(world, 1).await;
        world.settled().await;
        let mine = |pods: Vec<Pod>| {
            let mut mine = pods.into_iter().filter(|pod| pod.is_controlled_by(&set));
            (mine.next().expect("a pod").name().to_owned(), mine.count())
        };
        let (first, more) = mine(world.pods().await);
        assert_eq!(more, 0);
        world.delete::<Pod>(&first, Propagation::Background).await;
        world.settled().await;
        let (second, more) = mine(world.pods().await);
        assert_ne!(first, second);
        assert_eq!(more, 0);
    })
    .await;
}
