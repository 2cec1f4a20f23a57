//! A daemon set has one pod on each node that it is for, of its newest template in the end.

use std::time::Duration;

use serde_json::{Value, json};
use watchkeeper_api::Object;
use watchkeeper_api::apps::v1::{ControllerRevision, DaemonSet};
use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_client::{ListOptions, Patch, PatchOptions, Propagation};

use crate::extremes::follow;
use crate::world::{World, is_ready, run};

async fn set(world: &World, strategy: Value, more: Value) -> DaemonSet {
    let mut set = json!({
        "apiVersion": "apps/v1", "kind": "DaemonSet",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {
            "updateStrategy": strategy,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "web", "image": "web:1"}]},
            },
        },
    });
    for (name, value) in more.as_object().expect("members") {
        set["spec"][name] = value.clone();
    }
    let set = world.make(set).await;
    world.settled().await;
    set
}

fn rolling(surge: u32, unavailable: u32) -> Value {
    let bounds = json!({"maxSurge": surge, "maxUnavailable": unavailable});
    json!({"type": "RollingUpdate", "rollingUpdate": bounds})
}

fn image(image: &str) -> Value {
    json!({"spec": {"template": {"spec": {"containers": [{"name": "web", "image": image}]}}}})
}

async fn patch_node(world: &World, name: &str, change: Value) {
    let api = world.client.api::<Node>();
    api.patch(name, &Patch::merge(&change), &PatchOptions::default()).await.expect("a patch");
    world.settled().await;
}

/// Node and image of each pod, in order.
async fn placed(world: &World) -> Vec<String> {
    let pods = world.pods().await;
    let line = |pod: &Pod| format!("{} {}", pod.spec.node_name, pod.spec.containers[0].image);
    let mut lines: Vec<_> = pods.iter().map(line).collect();
    lines.sort();
    lines
}

/// Desired, current, misscheduled, ready, updated, available, unavailable.
async fn numbers(world: &World) -> [i32; 7] {
    let set = world.get::<DaemonSet>("web").await.expect("the set");
    let status = set.status;
    assert_eq!(status.observed_generation, set.metadata.generation);
    [
        status.desired_number_scheduled,
        status.current_number_scheduled,
        status.number_misscheduled,
        status.number_ready,
        status.updated_number_scheduled,
        status.number_available,
        status.number_unavailable,
    ]
}

async fn revisions(world: &World) -> Vec<ControllerRevision> {
    let api = world.client.api::<ControllerRevision>().namespace("default");
    let mut all = api.list_all(&ListOptions::default()).await.expect("a list").items;
    all.sort_by_key(|revision| revision.revision);
    all
}

#[tokio::test(start_paused = true)]
async fn each_node_has_a_pod_that_is_for_it_alone() {
    run(3, async |world| {
        let set = set(world, json!(null), json!({})).await;
        assert_eq!(placed(world).await, ["node-0 web:1", "node-1 web:1", "node-2 web:1"]);
        assert_eq!(numbers(world).await, [3, 3, 0, 3, 3, 3, 0]);
        let revisions = revisions(world).await;
        let [revision] = &revisions[..] else { panic!("{revisions:?}") };
        assert!(revision.is_controlled_by(&set) && revision.revision == 1);
        for pod in world.pods().await {
            assert!(pod.is_controlled_by(&set) && pod.name().starts_with("web-"));
            let hash = "controller-revision-hash";
            assert_eq!(pod.label(hash), revision.label(hash));
            let told = format!("Normal SuccessfulCreate: Created pod: {}", pod.name());
            assert!(world.events("web").await.contains(&told));
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn labels_and_taints_of_nodes_say_where_pods_are() {
    run(2, async |world| {
        set(
            world,
            json!(null),
            json!({"template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {
                    "nodeSelector": {"disk": "ssd"},
                    "containers": [{"name": "web", "image": "web:1"}],
                },
            }}),
        )
        .await;
        assert_eq!(numbers(world).await, [0; 7]);
        patch_node(world, "node-1", json!({"metadata": {"labels": {"disk": "ssd"}}})).await;
        assert_eq!(placed(world).await, ["node-1 web:1"]);
        let taint = |effect: &str| json!({"spec": {"taints": [{"key": "own", "effect": effect}]}});
        patch_node(world, "node-1", taint("NoSchedule")).await;
        assert_eq!(numbers(world).await, [0, 0, 1, 0, 0, 0, 0], "it may stay");
        patch_node(world, "node-1", taint("NoExecute")).await;
        assert!(placed(world).await.is_empty());
        patch_node(world, "node-1", json!({"spec": {"taints": null, "unschedulable": true}})).await;
        assert_eq!(placed(world).await, ["node-1 web:1"], "daemons run on cordoned nodes");
        patch_node(world, "node-1", json!({"metadata": {"labels": {"disk": null}}})).await;
        assert!(placed(world).await.is_empty());
    })
    .await;
}

async fn rolls_out(world: &World, surge: u32, unavailable: u32, most: usize, fewest: usize) {
    set(world, rolling(surge, unavailable), json!({"minReadySeconds": 3})).await;
    let (seen, ()) = tokio::join!(biased; follow(&world.client, 3), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        world.patch::<DaemonSet>("web", image("web:2")).await;
    });
    assert_eq!((seen.most, seen.fewest), (most, fewest), "pods at once, and ready ones");
    assert_eq!(placed(world).await, ["node-0 web:2", "node-1 web:2", "node-2 web:2"]);
    assert!(world.pods().await.iter().all(is_ready));
    assert_eq!(numbers(world).await, [3, 3, 0, 3, 3, 3, 0]);
    let numbers: Vec<_> = revisions(world).await.iter().map(|one| one.revision).collect();
    assert_eq!(numbers, [1, 2]);
}

#[tokio::test(start_paused = true)]
async fn without_a_surge_one_pod_after_the_other_is_replaced() {
    run(3, async |world| rolls_out(world, 0, 1, 3, 2).await).await;
}

#[tokio::test(start_paused = true)]
async fn with_a_surge_none_is_ever_missing() {
    run(3, async |world| rolls_out(world, 1, 0, 4, 3).await).await;
}

#[tokio::test(start_paused = true)]
async fn pods_are_updated_on_deletion_if_the_strategy_says_so() {
    run(2, async |world| {
        set(world, json!({"type": "OnDelete"}), json!({})).await;
        world.patch::<DaemonSet>("web", image("web:2")).await;
        world.settled().await;
        assert_eq!(placed(world).await, ["node-0 web:1", "node-1 web:1"]);
        assert_eq!(numbers(world).await, [2, 2, 0, 2, 0, 2, 0]);
        let pods = world.pods().await;
        let pod = pods.iter().find(|pod| pod.spec.node_name == "node-1").expect("a pod");
        world.delete::<Pod>(pod.name(), Propagation::Background).await;
        world.settled().await;
        assert_eq!(placed(world).await, ["node-0 web:1", "node-1 web:2"]);
        assert_eq!(numbers(world).await, [2, 2, 0, 2, 1, 2, 0]);
    })
    .await;
}

/// Going back makes the former revision the newest; of others as many are kept as the limit says.
#[tokio::test(start_paused = true)]
async fn the_history_is_numbered_and_bounded() {
    run(1, async |world| {
        set(world, rolling(0, 1), json!({"revisionHistoryLimit": 1})).await;
        let mut seen = Vec::new();
        for next in ["web:2", "web:1", "web:3", "web:4"] {
            world.patch::<DaemonSet>("web", image(next)).await;
            world.settled().await;
            let line = |one: &ControllerRevision| {
                let patch: Value = serde_json::from_str(one.data.as_str()).expect("a patch");
                assert_eq!(patch["spec"]["template"]["$patch"], "replace");
                let image = &patch["spec"]["template"]["spec"]["containers"][0]["image"];
                format!("{} {}", one.revision, image.as_str().unwrap_or_default())
            };
            seen.push(revisions(world).await.iter().map(line).collect::<Vec<_>>().join(", "));
        }
        let expected =
            ["1 web:1, 2 web:2", "2 web:2, 3 web:1", "3 web:1, 4 web:3", "4 web:3, 5 web:4"];
        assert_eq!(seen, expected);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_of_nobody_is_adopted_and_one_that_is_relabelled_released() {
    run(1, async |world| {
        let pod = json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "early", "namespace": "default", "labels": {"app": "web"}},
            "spec": {"nodeName": "node-0", "containers": [{"name": "web", "image": "web:0"}]},
        });
        world.make::<Pod>(pod).await;
        world.settled().await;
        let set = set(world, json!({"type": "OnDelete"}), json!({})).await;
        let pods = world.pods().await;
        assert_eq!(pods.len(), 1, "it is as good as one of its own");
        assert!(pods[0].is_controlled_by(&set));
        let label = json!({"metadata": {"labels": {"app": "debug"}}});
        world.patch::<Pod>("early", label).await;
        world.settled().await;
        assert_eq!(placed(world).await, ["node-0 web:0", "node-0 web:1"]);
        let released = world.get::<Pod>("early").await.expect("it stays");
        assert_eq!(released.owners().count(), 0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_that_fails_is_told_of_and_replaced() {
    run(1, async |world| {
        set(world, json!(null), json!({})).await;
        let first = world.pods().await[0].name().to_owned();
        let status = json!({"status": {"phase": "Failed"}});
        let api = world.client.api::<Pod>().namespace("default");
        let patch = Patch::merge(&status);
        api.patch_status(&first, &patch, &PatchOptions::default()).await.expect("a patch");
        world.settled().await;
        let pods = world.pods().await;
        assert!(pods.len() == 1 && pods[0].name() != first && is_ready(&pods[0]));
        let told = format!(
            "Warning FailedDaemonPod: Found failed daemon pod default/{first} on node node-0, \
             will try to kill it"
        );
        assert!(world.events("web").await.contains(&told));
    })
    .await;
}
