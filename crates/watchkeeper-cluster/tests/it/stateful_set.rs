//! A stateful set's pods come and go in their order, and find their claims again.

use std::time::Duration;

use serde_json::{Value, json};
use watchkeeper_api::Object;
use watchkeeper_api::apps::v1::{ControllerRevision, StatefulSet};
use watchkeeper_api::core::v1::{Event, PersistentVolume, PersistentVolumeClaim, Pod};
use watchkeeper_client::{ListOptions, Propagation};

use crate::extremes::follow;
use crate::world::{World, is_ready, run};

async fn set(world: &World, more: Value) -> StatefulSet {
    let mut set = json!({
        "apiVersion": "apps/v1", "kind": "StatefulSet",
        "metadata": {"name": "db", "namespace": "default"},
        "spec": {
            "serviceName": "peers",
            "replicas": 3,
            "selector": {"matchLabels": {"app": "db"}},
            "template": {
                "metadata": {"labels": {"app": "db"}},
                "spec": {"containers": [{"name": "db", "image": "db:1"}]},
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

fn claimed(retention: Value) -> Value {
    json!({
        "persistentVolumeClaimRetentionPolicy": retention,
        "volumeClaimTemplates": [{
            "metadata": {"name": "data"},
            "spec": {
                "accessModes": ["ReadWriteOnce"],
                "resources": {"requests": {"storage": "1Gi"}},
            },
        }],
    })
}

fn image(image: &str) -> Value {
    json!({"spec": {"template": {"spec": {"containers": [{"name": "db", "image": image}]}}}})
}

async fn change(world: &World, change: Value) {
    world.patch::<StatefulSet>("db", change).await;
    world.settled().await;
}

/// Name and image of each pod.
async fn pods(world: &World) -> Vec<String> {
    let pods = world.pods().await;
    pods.iter().map(|pod| format!("{} {}", pod.name(), pod.spec.containers[0].image)).collect()
}

async fn claims(world: &World) -> Vec<PersistentVolumeClaim> {
    let api = world.client.api::<PersistentVolumeClaim>().namespace("default");
    api.list_all(&ListOptions::default()).await.expect("a list").items
}

async fn claim_names(world: &World) -> Vec<String> {
    claims(world).await.iter().map(|claim| claim.name().to_owned()).collect()
}

/// Replicas, ready, current, updated, available; and whether the newest revision is the current one.
async fn numbers(world: &World) -> ([i32; 5], bool) {
    let set = world.get::<StatefulSet>("db").await.expect("the set");
    let status = set.status;
    assert_eq!(status.observed_generation, set.metadata.generation);
    assert_eq!(status.collision_count, Some(0));
    let numbers = [
        status.replicas,
        status.ready_replicas,
        status.current_replicas,
        status.updated_replicas,
        status.available_replicas,
    ];
    (numbers, status.current_revision == status.update_revision)
}

/// What was told of pods of the set, by the second.
async fn told(world: &World) -> Vec<String> {
    let api = world.client.api::<Event>().namespace("default");
    let mut events = api.list_all(&ListOptions::default()).await.expect("a list").items;
    events.sort_by_key(|event| event.first_timestamp);
    let told = events.iter().filter_map(|event| {
        event.message.strip_suffix(" in StatefulSet db successful").map(str::to_owned)
    });
    told.collect()
}

#[tokio::test(start_paused = true)]
async fn pods_have_numbers_names_and_labels_that_stay() {
    run(2, async |world| {
        let set = set(world, json!({})).await;
        assert_eq!(pods(world).await, ["db-0 db:1", "db-1 db:1", "db-2 db:1"]);
        assert_eq!(numbers(world).await, ([3; 5], true));
        let revision =
            world.get::<StatefulSet>("db").await.expect("the set").status.update_revision;
        for (pod, index) in world.pods().await.iter().zip(["0", "1", "2"]) {
            assert!(pod.is_controlled_by(&set) && is_ready(pod));
            assert_eq!((&*pod.spec.hostname, &*pod.spec.subdomain), (pod.name(), "peers"));
            assert_eq!(pod.label("statefulset.kubernetes.io/pod-name"), Some(pod.name()));
            assert_eq!(pod.label("apps.kubernetes.io/pod-index"), Some(index));
            assert_eq!(pod.label("controller-revision-hash"), Some(&*revision));
        }
        let uid = world.pods().await[1].uid().to_owned();
        world.delete::<Pod>("db-1", Propagation::Background).await;
        world.settled().await;
        let again = world.get::<Pod>("db-1").await.expect("it is there again");
        assert!(again.uid() != uid && is_ready(&again));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn pods_come_one_after_the_other_and_go_in_reverse() {
    run(2, async |world| {
        set(world, json!({"minReadySeconds": 2})).await;
        assert_eq!(told(world).await, ["create Pod db-0", "create Pod db-1", "create Pod db-2"]);
        let hold = |holders: Value| json!({"metadata": {"finalizers": holders}});
        world.patch::<Pod>("db-2", hold(json!(["example.com/hold"]))).await;
        change(world, json!({"spec": {"replicas": 1}})).await;
        assert_eq!(pods(world).await, ["db-0 db:1", "db-1 db:1", "db-2 db:1"]);
        assert!(!world.get::<Pod>("db-1").await.expect("a pod").is_deleting());
        world.patch::<Pod>("db-2", hold(json!(null))).await;
        world.settled().await;
        assert_eq!(pods(world).await, ["db-0 db:1"]);
        assert_eq!(numbers(world).await, ([1; 5], true));
        assert_eq!(told(world).await[3..], ["delete Pod db-2", "delete Pod db-1"]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn in_parallel_nobody_waits_for_the_others() {
    run(1, async |world| {
        set(world, json!({"podManagementPolicy": "Parallel", "minReadySeconds": 5})).await;
        let mut times: Vec<_> =
            world.pods().await.iter().map(|pod| pod.creation_timestamp()).collect();
        times.dedup();
        assert_eq!(times.len(), 1);
        change(world, json!({"spec": {"replicas": 0}})).await;
        assert!(pods(world).await.is_empty());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_rollout_replaces_one_pod_at_a_time_from_the_last_on() {
    run(1, async |world| {
        set(world, json!({"minReadySeconds": 3})).await;
        let (seen, ()) = tokio::join!(biased; follow(&world.client, 3), async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            world.patch::<StatefulSet>("db", image("db:2")).await;
        });
        assert_eq!((seen.most, seen.fewest), (3, 2));
        assert_eq!(pods(world).await, ["db-0 db:2", "db-1 db:2", "db-2 db:2"]);
        assert_eq!(numbers(world).await, ([3; 5], true));
        let deleted: Vec<_> =
            told(world).await.into_iter().filter(|event| event.starts_with("delete")).collect();
        assert_eq!(deleted, ["delete Pod db-2", "delete Pod db-1", "delete Pod db-0"]);
    })
    .await;
}

/// Pods below the partition keep the former template, even if they are made anew.
#[tokio::test(start_paused = true)]
async fn a_rollout_ends_at_the_partition() {
    run(1, async |world| {
        let strategy = json!({"type": "RollingUpdate", "rollingUpdate": {"partition": 2}});
        set(world, json!({"updateStrategy": strategy})).await;
        change(world, image("db:2")).await;
        assert_eq!(pods(world).await, ["db-0 db:1", "db-1 db:1", "db-2 db:2"]);
        assert_eq!(numbers(world).await, ([3, 3, 2, 1, 3], false));
        world.delete::<Pod>("db-0", Propagation::Background).await;
        world.settled().await;
        assert_eq!(pods(world).await, ["db-0 db:1", "db-1 db:1", "db-2 db:2"]);
        let all = json!({"type": "RollingUpdate", "rollingUpdate": {"partition": 0}});
        change(world, json!({"spec": {"updateStrategy": all}})).await;
        assert_eq!(pods(world).await, ["db-0 db:2", "db-1 db:2", "db-2 db:2"]);
        assert_eq!(numbers(world).await, ([3; 5], true));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn pods_are_updated_on_deletion_if_the_strategy_says_so() {
    run(1, async |world| {
        set(world, json!({"updateStrategy": {"type": "OnDelete"}})).await;
        change(world, image("db:2")).await;
        assert_eq!(numbers(world).await, ([3, 3, 3, 0, 3], false));
        world.delete::<Pod>("db-1", Propagation::Background).await;
        world.settled().await;
        assert_eq!(pods(world).await, ["db-0 db:1", "db-1 db:2", "db-2 db:1"]);
        assert_eq!(numbers(world).await, ([3, 3, 2, 1, 3], false));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_history_is_numbered_and_bounded() {
    run(1, async |world| {
        set(world, json!({"replicas": 1, "revisionHistoryLimit": 1})).await;
        for next in ["db:2", "db:3", "db:1", "db:4", "db:3"] {
            change(world, image(next)).await;
        }
        let api = world.client.api::<ControllerRevision>().namespace("default");
        let revisions = api.list_all(&ListOptions::default()).await.expect("a list").items;
        let mut lines: Vec<_> = revisions
            .iter()
            .map(|one| {
                let patch: Value = serde_json::from_str(one.data.as_str()).expect("a patch");
                let image = &patch["spec"]["template"]["spec"]["containers"][0]["image"];
                assert!(one.label("controller.kubernetes.io/hash").is_some());
                format!("{} {}", one.revision, image.as_str().unwrap_or_default())
            })
            .collect();
        lines.sort();
        assert_eq!(lines, ["5 db:4", "6 db:3"]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn claims_are_bound_and_wait_for_their_pod() {
    run(1, async |world| {
        set(world, claimed(json!(null))).await;
        assert_eq!(claim_names(world).await, ["data-db-0", "data-db-1", "data-db-2"]);
        let before = claims(world).await;
        for claim in &before {
            assert_eq!(claim.status.phase, "Bound");
            assert_eq!(claim.label("app"), Some("db"));
            let volumes = world.client.api::<PersistentVolume>();
            let volume = volumes.get(&claim.spec.volume_name).await.expect("the volume");
            let owner = volume.spec.claim_ref.as_ref().expect("a claim");
            assert_eq!((&*owner.uid, &*volume.status.phase), (claim.uid(), "Bound"));
        }
        assert!(world.pods().await.iter().all(is_ready));
        change(world, json!({"spec": {"replicas": 1}})).await;
        change(world, json!({"spec": {"replicas": 3}})).await;
        let uids = |claims: &[PersistentVolumeClaim]| {
            claims.iter().map(|claim| claim.uid().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(uids(&before), uids(&claims(world).await));
        world.delete::<StatefulSet>("db", Propagation::Background).await;
        world.settled().await;
        assert!(pods(world).await.is_empty());
        assert_eq!(claims(world).await.len(), 3, "they outlive the set");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn claims_go_with_what_the_policy_says() {
    run(1, async |world| {
        set(world, claimed(json!({"whenDeleted": "Delete", "whenScaled": "Delete"}))).await;
        change(world, json!({"spec": {"replicas": 2}})).await;
        assert_eq!(claim_names(world).await, ["data-db-0", "data-db-1"]);
        change(world, json!({"spec": {"replicas": 3}})).await;
        assert_eq!(claim_names(world).await, ["data-db-0", "data-db-1", "data-db-2"]);
        assert!(world.pods().await.iter().all(is_ready));
        world.delete::<StatefulSet>("db", Propagation::Background).await;
        world.settled().await;
        assert!(claims(world).await.is_empty());
        let volumes = world.client.api::<PersistentVolume>();
        let volumes = volumes.list_all(&ListOptions::default()).await.expect("a list").items;
        assert!(volumes.is_empty(), "they go with their claims");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_of_nobody_is_adopted_by_its_name_and_one_that_is_relabelled_released() {
    run(1, async |world| {
        for name in ["db-0", "other"] {
            let pod = json!({
                "apiVersion": "v1", "kind": "Pod",
                "metadata": {"name": name, "namespace": "default", "labels": {"app": "db"}},
                "spec": {"containers": [{"name": "db", "image": "db:0"}]},
            });
            world.make::<Pod>(pod).await;
        }
        world.settled().await;
        let strategy = json!({"type": "OnDelete"});
        let set = set(world, json!({"replicas": 1, "updateStrategy": strategy})).await;
        assert_eq!(pods(world).await, ["db-0 db:0", "other db:0"]);
        let adopted = world.get::<Pod>("db-0").await.expect("it stays");
        assert!(adopted.is_controlled_by(&set));
        assert_eq!(adopted.label("statefulset.kubernetes.io/pod-name"), Some("db-0"));
        let other = world.get::<Pod>("other").await.expect("it stays");
        assert_eq!(other.owners().count(), 0, "it has no number");
        world.patch::<Pod>("db-0", json!({"metadata": {"labels": {"app": "debug"}}})).await;
        world.settled().await;
        assert_eq!(world.get::<Pod>("db-0").await.expect("it stays").owners().count(), 0);
    })
    .await;
}
