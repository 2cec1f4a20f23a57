//! A budget says how many pods may be evicted, and evictions keep to it.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::policy::v1::{PodDisruptionBudget, PodDisruptionBudgetStatus};
use watchkeeper_api::{Kind, Object, Scope, Unstructured};
use watchkeeper_client::{CreateOptions, DeleteOptions};

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
        let warned = "Warning UnmanagedPods: Pods selected by this PodDisruptionBudget (selector: \
                    &LabelSelector{MatchLabels:map[string]string{app: web,},\
                    MatchExpressions:[]LabelSelectorRequirement{},}) were found to be unmanaged.";
        assert!(events.iter().any(|event| event.starts_with(warned)), "{events:?}");
        let number = json!({"spec": {"maxUnavailable": null, "minAvailable": 0}});
        world.patch::<PodDisruptionBudget>("web", number).await;
        world.settled().await;
        assert_eq!(told(world).await, ([1, 0, 1, 1], enough()));
    })
    .await;
}

/// A pod of somebody, which is held should that be gone.
async fn pod_of(world: &World, name: &str, owner: Value) {
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "labels": {"app": "web"},
            "finalizers": ["example.com/hold"], "ownerReferences": [owner]},
        "spec": {"containers": [{"name": "web", "image": "web:1"}]},
    });
    world.make::<Pod>(pod).await;
}

#[tokio::test(start_paused = true)]
async fn a_budget_whose_workload_is_not_there_allows_nothing_and_says_why() {
    run(1, async |world| {
        let owner = json!({"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "gone",
            "uid": "1", "controller": true});
        pod_of(world, "alone", owner).await;
        budget(world, json!({"maxUnavailable": 1})).await;
        let status = status(world).await;
        assert_eq!(status.disruptions_allowed, 0);
        let condition = &status.conditions[0];
        assert_eq!((&*condition.status, &*condition.reason), ("False", "SyncFailed"));
        assert_eq!(condition.message, "found no controllers for pod \"alone\"");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_workload_that_has_no_scale_is_told_of() {
    run(1, async |world| {
        let owner = json!({"apiVersion": "batch/v1", "kind": "Job", "name": "gone",
            "uid": "1", "controller": true});
        pod_of(world, "alone", owner).await;
        budget(world, json!({"maxUnavailable": 1})).await;
        let why = "jobs.batch does not implement the scale subresource";
        assert_eq!(&*status(world).await.conditions[0].message, why);
        let told = format!(
            "Warning CalculateExpectedPodCountFailed: Failed to calculate the number of expected \
             pods: {why}"
        );
        assert!(world.events("web").await.contains(&told));
    })
    .await;
}

/// Defines a kind that can be scaled, and makes one that asks for four.
async fn fleet(world: &World) -> Unstructured {
    let replicas = json!({"type": "object", "properties": {"replicas": {"type": "integer"}}});
    let schema = json!({"type": "object", "properties": {"spec": replicas, "status": replicas}});
    let scale =
        json!({"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"});
    let version = json!({"name": "v1", "served": true, "storage": true,
        "schema": {"openAPIV3Schema": schema}, "subresources": {"scale": scale}});
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "fleets.example.com"},
        "spec": {"group": "example.com", "scope": "Namespaced", "versions": [version],
            "names": {"plural": "fleets", "singular": "fleet", "kind": "Fleet"}},
    });
    world.make::<CustomResourceDefinition>(definition).await;
    world.settled().await;
    let fleet = json!({"apiVersion": "example.com/v1", "kind": "Fleet",
        "metadata": {"name": "boats", "namespace": "default"}, "spec": {"replicas": 4}});
    let fleet: Unstructured =
        watchkeeper_api::json::from_slice(fleet.to_string().as_bytes()).expect("one");
    let kind = Kind::new("example.com", "v1", "Fleet", "fleets", Scope::Namespaced);
    let api = world.client.dynamic(kind).namespace("default");
    api.create(&fleet, &CreateOptions::default()).await.expect("it is made")
}

#[tokio::test(start_paused = true)]
async fn a_workload_of_any_kind_is_asked_for_its_scale() {
    run(1, async |world| {
        let fleet = fleet(world).await;
        for name in ["a", "b", "c"] {
            let owner = json!({"apiVersion": "example.com/v1", "kind": "Fleet", "name": "boats",
                "uid": fleet.uid(), "controller": true});
            pod_of(world, name, owner).await;
        }
        budget(world, json!({"maxUnavailable": "50%"})).await;
        assert_eq!(told(world).await, ([4, 2, 3, 1], enough()));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn it_is_taken_back_that_a_pod_goes_which_does_not() {
    run(1, async |world| {
        let pod = json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "default"},
            "spec": {"containers": [{"name": "web", "image": "web:1"}]},
        });
        world.make::<Pod>(pod).await;
        world.settled().await;
        // When every test begins.
        let condition = json!({"type": "DisruptionTarget", "status": "True",
            "reason": "EvictionByEvictionAPI", "lastTransitionTime": "2026-01-01T00:00:00Z"});
        world.patch_status("a", json!({"status": {"conditions": [condition]}})).await;
        let after = async |seconds| {
            sleep(Duration::from_secs(seconds)).await;
            let pod = world.get::<Pod>("a").await.expect("the pod");
            let mut told = pod.status.conditions.iter();
            let told = told.find(|one| one.type_ == "DisruptionTarget").expect("the condition");
            format!("{} {}", told.status, told.reason)
        };
        assert_eq!(after(60).await, "True EvictionByEvictionAPI");
        assert_eq!(after(60).await, "False ");
    })
    .await;
}
