//! A replica set's pods are those that its selector finds, and as many as it asks for.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;
use watchkeeper_api::Object;
use watchkeeper_api::apps::v1::ReplicaSet;
use watchkeeper_api::core::v1::{Node, Pod, ResourceQuota};
use watchkeeper_apiserver::hooks::Audit;
use watchkeeper_client::{DeleteOptions, Patch, PatchOptions, Propagation};

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
            "uid": world.client.api::<Node>().get("node-0").await
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

/// Replicas, ready ones, and those that are going.
async fn counts(world: &World) -> (i32, i32, Option<i32>) {
    let status = world.get::<ReplicaSet>("web").await.expect("the set").status;
    (status.replicas, status.ready_replicas, status.terminating_replicas)
}

#[tokio::test(start_paused = true)]
async fn of_too_many_pods_those_go_first_that_cost_least() {
    run(1, async |world| {
        set(world, 3).await;
        world.settled().await;
        let pods = world.pods().await;
        for (pod, cost) in pods.iter().zip(["10", "-10", "0"]) {
            let cost = json!({"controller.kubernetes.io/pod-deletion-cost": cost});
            world.patch::<Pod>(pod.name(), json!({"metadata": {"annotations": cost}})).await;
        }
        for (replicas, stay) in [(2, vec![0, 2]), (1, vec![0])] {
            world.patch::<ReplicaSet>("web", json!({"spec": {"replicas": replicas}})).await;
            world.settled().await;
            let left = world.pods().await;
            let left: Vec<&str> = left.iter().map(Object::name).collect();
            let expected: Vec<&str> =
                stay.into_iter().map(|place: usize| pods[place].name()).collect();
            assert_eq!(left, expected);
        }
        assert_eq!(counts(world).await, (1, 1, Some(0)));
    })
    .await;
}

async fn lose(world: &World, is_lost: Value) {
    let api = world.client.api::<Node>();
    let change = json!({"metadata": {"annotations": {"fake-kubelet/lost": is_lost}}});
    api.patch("node-0", &Patch::merge(&change), &PatchOptions::default()).await.expect("a patch");
}

/// Nobody confirms there that the pod has ended.
#[tokio::test(start_paused = true)]
async fn pods_that_are_going_are_counted_apart_and_replaced_at_once() {
    run(1, async |world| {
        set(world, 2).await;
        world.settled().await;
        lose(world, json!("true")).await;
        sleep(Duration::from_secs(1)).await;
        let first = world.pods().await[0].name().to_owned();
        world.delete::<Pod>(&first, Propagation::Background).await;
        sleep(Duration::from_secs(2)).await;
        assert_eq!(counts(world).await, (2, 1, Some(1)));
        lose(world, json!(null)).await;
        sleep(Duration::from_secs(120)).await;
        assert_eq!(counts(world).await, (2, 2, Some(0)));
    })
    .await;
}

/// The first one is made, of the next two none, and no more are asked for in that look.
#[tokio::test(start_paused = true)]
async fn pods_that_are_refused_are_told_of_and_not_asked_for_all_at_once() {
    run(1, async |world| {
        let quota = json!({
            "apiVersion": "v1", "kind": "ResourceQuota",
            "metadata": {"name": "few", "namespace": "default"},
            "spec": {"hard": {"pods": "1"}},
        });
        world.make::<ResourceQuota>(quota).await;
        let audit = Audit::default();
        world.cluster.server().add_hook(audit.clone());
        set(world, 20).await;
        sleep(Duration::from_millis(1)).await;
        let mut asked = audit.entries();
        asked.retain(|entry| entry.table == "pods" && entry.verb == "create");
        let answers: Vec<_> = asked.iter().map(|entry| entry.code).collect();
        assert_eq!(answers[..3], [Some(201), Some(403), Some(403)]);
        assert!(answers.len() < 20, "{answers:?}");

        world.settled().await;
        let events = world.events("web").await;
        let refused = |event: &String| {
            event.starts_with("Warning FailedCreate: Error creating: pods ")
                && event.contains("exceeded quota: few")
        };
        assert!(events.iter().any(refused), "{events:?}");
        let status = world.get::<ReplicaSet>("web").await.expect("the set").status;
        assert_eq!((status.replicas, status.observed_generation), (1, 1));
        let [failure] = &status.conditions[..] else { panic!("{:?}", status.conditions) };
        assert_eq!((&*failure.type_, &*failure.reason), ("ReplicaFailure", "FailedCreate"));
        assert!(failure.message.starts_with("pods "), "{}", failure.message);

        let api = world.client.api::<ResourceQuota>().namespace("default");
        api.delete("few", &DeleteOptions::default()).await.expect("it goes");
        sleep(Duration::from_secs(1_200)).await;
        assert_eq!(counts(world).await, (20, 20, Some(0)));
        let status = world.get::<ReplicaSet>("web").await.expect("the set").status;
        assert!(status.conditions.is_empty(), "{:?}", status.conditions);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_set_that_goes_adopts_nothing_and_makes_nothing() {
    run(1, async |world| {
        set(world, 1).await;
        let held = json!({"metadata": {"finalizers": ["example.com/held"]}});
        world.patch::<ReplicaSet>("web", held).await;
        world.settled().await;
        world.delete::<ReplicaSet>("web", Propagation::Orphan).await;
        world.settled().await;
        let pods = world.pods().await;
        assert!(pods.len() == 1 && pods[0].owners().count() == 0, "{pods:?}");
        world.delete::<Pod>(pods[0].name(), Propagation::Background).await;
        world.settled().await;
        assert_eq!((world.pods().await.len(), counts(world).await), (0, (0, 0, Some(0))));
    })
    .await;
}
