//! A budget says how many pods may be evicted, and evictions keep to it.

use serde_json::{Value, json};
use watchkeeper_api::Object;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::policy::v1::{PodDisruptionBudget, PodDisruptionBudgetStatus};
use watchkeeper_client::DeleteOptions;

use crate::world::{World, run};

async fn budget(world: &World, bounds: Value) {
    let mut budget = json!({
        "apiVersion": "policy/v1", "kind": "PodDisruptionBudget",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"app": "web"}}},
    });
    for (name, value) in bounds.as_object().expect("members") {
        budget["spec"][name] = value.clone();
    }
    world.make::<PodDisruptionBudget>(budget).await;
    world.settled().await;
}

async fn deployment(world: &World, replicas: u32) {
    let deployment = json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {
            "replicas": replicas,
            "minReadySeconds": 30,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "web", "image": "web:1"}]},
            },
        },
    });
    world.make::<Deployment>(deployment).await;
    world.settled().await;
}

async fn status(world: &World) -> PodDisruptionBudgetStatus {
    world.get::<PodDisruptionBudget>("web").await.expect("the budget").status
}

/// Expected, desired, healthy, allowed; and what the condition says.
async fn told(world: &World) -> ([i32; 4], String) {
    let status = status(world).await;
    let numbers = [
        status.expected_pods,
        status.desired_healthy,
        status.current_healthy,
        status.disruptions_allowed,
    ];
    let condition = &status.conditions[0];
    (numbers, format!("{} {}", condition.status, condition.reason))
}

fn enough() -> String {
    "True SufficientPods".to_owned()
}

fn too_few() -> String {
    "False InsufficientPods".to_owned()
}

#[tokio::test(start_paused = true)]
async fn a_budget_follows_its_pods_and_what_their_workload_asks_for() {
    run(1, async |world| {
        budget(world, json!({"maxUnavailable": "25%"})).await;
        assert_eq!(told(world).await, ([0; 4], too_few()));
        assert!(
            world.events("web").await.contains(&"Normal NoPods: No matching pods found".into())
        );
        deployment(world, 4).await;
        assert_eq!(told(world).await, ([4, 3, 4, 1], enough()));
        let scale = json!({"spec": {"replicas": 8}});
        world.patch::<Deployment>("web", scale).await;
        world.settled().await;
        assert_eq!(told(world).await, ([8, 6, 8, 2], enough()));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn evictions_keep_to_the_budget() {
    run(1, async |world| {
        deployment(world, 2).await;
        budget(world, json!({"minAvailable": 2})).await;
        assert_eq!(told(world).await, ([2, 2, 2, 0], too_few()));
        let api = world.client.api::<Pod>().namespace("default");
        let pods = world.pods().await;
        let refused = api.evict(pods[0].name(), &DeleteOptions::default()).await;
        assert_eq!(
            refused.expect_err("all are needed").status().map(|status| status.code),
            Some(429)
        );
        world.patch::<PodDisruptionBudget>("web", json!({"spec": {"minAvailable": 1}})).await;
        world.settled().await;
        assert_eq!(told(world).await, ([2, 1, 2, 1], enough()));
        api.evict(pods[0].name(), &DeleteOptions::default()).await.expect("one may go");
        let refused = api.evict(pods[1].name(), &DeleteOptions::default()).await;
        assert_eq!(
            refused.expect_err("the other one is needed").status().map(|status| status.code),
            Some(429)
        );
        world.settled().await;
        assert_eq!(told(world).await, ([2, 1, 2, 1], enough()));
        assert!(status(world).await.disrupted_pods.is_empty());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn pods_of_nobody_count_only_where_a_number_is_asked_for() {
    run(1, async |world| {
        let pod = json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "alone", "namespace": "default", "labels": {"app": "web"}},
            "spec": {"containers": [{"name": "web", "image": "web:1"}]},
        });
        world.make::<Pod>(pod).await;
        budget(world, json!({"maxUnavailable": 1})).await;
        assert_eq!(told(world).await, ([0, 0, 1, 0], too_few()));
        let events = world.events("web").await;
        assert!(events.iter().any(|event| event.starts_with("Warning UnmanagedPods: ")));
        let number = json!({"spec": {"maxUnavailable": null, "minAvailable": 0}});
        world.patch::<PodDisruptionBudget>("web", number).await;
        world.settled().await;
        assert_eq!(told(world).await, ([1, 0, 1, 1], enough()));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_budget_whose_workload_is_not_there_allows_nothing_and_says_why() {
    run(1, async |world| {
        let owner = json!([{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "gone",
            "uid": "1", "controller": true}]);
        let pod = json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "alone", "namespace": "default", "labels": {"app": "web"},
                "finalizers": ["example.com/hold"], "ownerReferences": owner},
            "spec": {"containers": [{"name": "web", "image": "web:1"}]},
        });
        world.make::<Pod>(pod).await;
        budget(world, json!({"maxUnavailable": 1})).await;
        let status = status(world).await;
        assert_eq!(status.disruptions_allowed, 0);
        let condition = &status.conditions[0];
        assert_eq!((&*condition.status, &*condition.reason), ("False", "SyncFailed"));
        assert_eq!(condition.message, "found no controllers for pod \"alone\"");
    })
    .await;
}
