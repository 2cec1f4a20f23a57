//! A roll-out stays within what it may have too many and too few, and what comes of it is told.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;
use watchkeeper_api::Object;
use watchkeeper_api::apps::v1::{Deployment, DeploymentCondition, ReplicaSet};
use watchkeeper_api::core::v1::{Pod, ResourceQuota};
use watchkeeper_apiserver::storage::Change;
use watchkeeper_client::{DeleteOptions, ListOptions, Propagation};

use crate::extremes::follow;
use crate::world::{World, is_ready, run};

fn deployment(replicas: u32, surge: &str, unavailable: &str) -> Value {
    let number = |text: &str| text.parse::<u32>().map_or_else(|_| json!(text), |n| json!(n));
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {
            "replicas": replicas,
            "minReadySeconds": 3,
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {
                "maxSurge": number(surge), "maxUnavailable": number(unavailable)}},
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "web", "image": "web:1"}]},
            },
        },
    })
}

async fn rolls_out(world: &World, surge: &str, unavailable: &str, most: usize, fewest: usize) {
    world.make::<Deployment>(deployment(4, surge, unavailable)).await;
    world.settled().await;
    let change = json!({"spec": {"template": {"spec": {"containers": [
        {"name": "web", "image": "web:2"}]}}}});
    let (seen, ()) = tokio::join!(biased; follow(&world.client, 4), async {
        sleep(Duration::from_secs(1)).await;
        world.patch::<Deployment>("web", change).await;
    });
    assert_eq!(seen.most, most, "pods at once");
    assert_eq!(seen.fewest, fewest, "ready pods");
    let pods = world.pods().await;
    assert_eq!(pods.len(), 4);
    assert!(pods.iter().all(|pod| is_ready(pod) && pod.spec.containers[0].image == "web:2"));
    let status = world.get::<Deployment>("web").await.expect("the deployment").status;
    assert_eq!((status.updated_replicas, status.available_replicas), (4, 4));
}

#[tokio::test(start_paused = true)]
async fn with_surge_alone_none_is_ever_missing() {
    run(2, async |world| rolls_out(world, "1", "0", 5, 4).await).await;
}

#[tokio::test(start_paused = true)]
async fn without_surge_there_is_never_one_too_many() {
    run(2, async |world| rolls_out(world, "0", "1", 4, 3).await).await;
}

#[tokio::test(start_paused = true)]
async fn percentages_bound_a_rollout_as_numbers_do() {
    run(2, async |world| rolls_out(world, "50%", "25%", 6, 3).await).await;
}

/// A deployment whose spec says more than what it must say.
async fn web(world: &World, more: Value) -> Deployment {
    let mut deployment = json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "web", "image": "web:1"}]},
            },
        },
    });
    for (name, value) in more.as_object().expect("members") {
        deployment["spec"][name] = value.clone();
    }
    let deployment = world.make(deployment).await;
    world.settled().await;
    deployment
}

async fn change(world: &World, spec: Value) {
    world.patch::<Deployment>("web", json!({"spec": spec})).await;
    world.settled().await;
}

/// Another image; its pods become ready, or never do.
fn image(image: &str, gets_ready: bool) -> Value {
    let never = if gets_ready { Value::Null } else { "never".into() };
    json!({"template": {
        "metadata": {"annotations": {"fake-kubelet/ready-after": never}},
        "spec": {"containers": [{"name": "web", "image": image}]},
    }})
}

async fn told(world: &World) -> Deployment {
    world.get::<Deployment>("web").await.expect("the deployment")
}

/// The conditions, as `Type=Status Reason`.
async fn conditions(world: &World) -> Vec<String> {
    let conditions = told(world).await.status.conditions;
    let line = |one: &DeploymentCondition| format!("{}={} {}", one.type_, one.status, one.reason);
    conditions.iter().map(line).collect()
}

async fn sets(world: &World) -> Vec<ReplicaSet> {
    let api = world.client.api::<ReplicaSet>().namespace("default");
    let mut sets = api.list_all(&ListOptions::default()).await.expect("a list").items;
    sets.sort_by_key(|set| image_of(set).to_owned());
    sets
}

fn image_of(set: &ReplicaSet) -> &str {
    &set.spec.template.spec.containers[0].image
}

/// Image and replicas of each set.
async fn sizes(world: &World) -> Vec<(String, i32)> {
    let size = |set: &ReplicaSet| (image_of(set).to_owned(), set.spec.replicas.unwrap_or(1));
    sets(world).await.iter().map(size).collect()
}

fn of_sizes<const N: usize>(sizes: [(&str, i32); N]) -> Vec<(String, i32)> {
    sizes.map(|(image, replicas)| (image.to_owned(), replicas)).into()
}

const ALL_IS_WELL: [&str; 2] =
    ["Available=True MinimumReplicasAvailable", "Progressing=True NewReplicaSetAvailable"];

/// The revision is noted with the status, and so leaves the generation as it was.
#[tokio::test(start_paused = true)]
async fn what_is_told_of_a_rollout_is_no_change_of_the_deployment() {
    run(1, async |world| {
        web(world, json!({"replicas": 2})).await;
        let deployment = told(world).await;
        let status = &deployment.status;
        assert_eq!((deployment.metadata.generation, status.observed_generation), (1, 1));
        assert_eq!(deployment.annotation("deployment.kubernetes.io/revision"), Some("1"));
        assert_eq!((status.terminating_replicas, status.unavailable_replicas), (Some(0), 0));
        assert_eq!(conditions(world).await, ALL_IS_WELL);
        let sets = sets(world).await;
        let [set] = &sets[..] else { panic!("{sets:?}") };
        let name = set.name();
        let expected = format!("ReplicaSet \"{name}\" has successfully progressed.");
        assert_eq!(status.conditions[1].message, expected);
        let noted = |annotation: &str| set.annotation(annotation).map(str::to_owned);
        assert_eq!(noted("deployment.kubernetes.io/desired-replicas").as_deref(), Some("2"));
        assert_eq!(noted("deployment.kubernetes.io/max-replicas").as_deref(), Some("3"));
        let scaled = format!("Normal ScalingReplicaSet: Scaled up replica set {name} from 0 to 2");
        assert_eq!(world.events("web").await, [scaled]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_paused_deployment_is_scaled_but_rolls_nothing_out_before_it_goes_on() {
    run(1, async |world| {
        web(world, json!({"replicas": 2})).await;
        change(world, json!({"paused": true})).await;
        let paused = "Progressing=Unknown DeploymentPaused";
        assert_eq!(conditions(world).await, [ALL_IS_WELL[0], paused]);
        change(world, image("web:2", true)).await;
        change(world, json!({"replicas": 3})).await;
        assert_eq!(sizes(world).await, of_sizes([("web:1", 3)]));
        let deployment = told(world).await;
        assert_eq!(deployment.status.observed_generation, deployment.metadata.generation);
        assert_eq!(deployment.status.updated_replicas, 0);
        change(world, json!({"paused": null})).await;
        assert_eq!(sizes(world).await, of_sizes([("web:1", 0), ("web:2", 3)]));
        assert_eq!(conditions(world).await, ALL_IS_WELL);
    })
    .await;
}

/// Neither template gains by a change of the replicas.
#[tokio::test(start_paused = true)]
async fn in_the_midst_of_a_rollout_the_sets_grow_and_shrink_in_proportion() {
    run(2, async |world| {
        let rolling = json!({"maxSurge": 2, "maxUnavailable": 0});
        let strategy = json!({"type": "RollingUpdate", "rollingUpdate": rolling});
        web(world, json!({"replicas": 4, "strategy": strategy})).await;
        change(world, image("web:2", false)).await;
        assert_eq!(sizes(world).await, of_sizes([("web:1", 4), ("web:2", 2)]));
        change(world, json!({"replicas": 8})).await;
        assert_eq!(sizes(world).await, of_sizes([("web:1", 7), ("web:2", 3)]));
        change(world, json!({"replicas": 4})).await;
        assert_eq!(sizes(world).await, of_sizes([("web:1", 4), ("web:2", 2)]));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_rollout_that_stands_still_for_too_long_says_so_until_it_gets_on() {
    run(1, async |world| {
        web(world, json!({"replicas": 1, "progressDeadlineSeconds": 60})).await;
        change(world, image("web:2", false)).await;
        sleep(Duration::from_secs(30)).await;
        let moves = "Progressing=True ReplicaSetUpdated";
        assert_eq!(conditions(world).await, [ALL_IS_WELL[0], moves]);
        sleep(Duration::from_secs(60)).await;
        let late = "Progressing=False ProgressDeadlineExceeded";
        assert_eq!(conditions(world).await, [ALL_IS_WELL[0], late]);
        let name = sets(world).await[1].name().to_owned();
        let expected = format!("ReplicaSet \"{name}\" has timed out progressing.");
        assert_eq!(told(world).await.status.conditions[1].message, expected);
        change(world, image("web:3", true)).await;
        assert_eq!(conditions(world).await, ALL_IS_WELL);
    })
    .await;
}

/// As the last one of the old pods is gone, and not before, the first new one comes.
#[tokio::test(start_paused = true)]
async fn recreated_pods_never_meet_the_old_ones() {
    run(1, async |world| {
        web(world, json!({"replicas": 2, "strategy": {"type": "Recreate"}})).await;
        change(world, image("web:2", true)).await;
        assert_eq!(sizes(world).await, of_sizes([("web:1", 0), ("web:2", 2)]));
        let history = world.cluster.server().history();
        let of = |table: &str, change: Change| {
            let entries = history.entries().iter().enumerate();
            let found = entries.filter(|(_, it)| &*it.table == table && it.change == change);
            found.map(|(place, _)| place).collect::<Vec<_>>()
        };
        let (gone, made) = (of("pods", Change::Deleted), of("pods", Change::Added));
        assert_eq!((gone.len(), made.len()), (2, 4));
        let second = of("replicasets.apps", Change::Added)[1];
        assert!(gone[1] < second && second < made[2], "{gone:?} {second} {made:?}");
    })
    .await;
}

/// Its name is taken by then, so the hash changes.
#[tokio::test(start_paused = true)]
async fn a_set_whose_labels_change_is_released_and_another_one_made() {
    run(1, async |world| {
        let deployment = web(world, json!({"replicas": 1})).await;
        let first = sets(world).await[0].name().to_owned();
        world.patch::<ReplicaSet>(&first, json!({"metadata": {"labels": {"app": "mine"}}})).await;
        world.settled().await;
        let released = world.get::<ReplicaSet>(&first).await.expect("it stays");
        assert_eq!(released.owners().count(), 0);
        let sets = sets(world).await;
        let mut others = sets.iter().filter(|set| set.is_controlled_by(&deployment));
        assert_ne!(others.next().expect("another one").name(), first);
        assert_eq!((others.count(), sets.len()), (0, 2));
        let status = told(world).await.status;
        assert_eq!((status.collision_count, status.available_replicas), (Some(1), 1));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_set_that_was_left_behind_is_adopted_with_its_pods() {
    run(1, async |world| {
        web(world, json!({"replicas": 2})).await;
        let names = |pods: Vec<Pod>| -> Vec<String> {
            pods.iter().map(|pod| pod.name().to_owned()).collect()
        };
        let before = (sets(world).await[0].name().to_owned(), names(world.pods().await));
        world.delete::<Deployment>("web", Propagation::Orphan).await;
        world.settled().await;
        assert_eq!(sets(world).await[0].owners().count(), 0);
        let deployment = web(world, json!({"replicas": 2})).await;
        let sets = sets(world).await;
        let [set] = &sets[..] else { panic!("{sets:?}") };
        assert!(set.is_controlled_by(&deployment));
        assert_eq!((set.name().to_owned(), names(world.pods().await)), before);
        assert_eq!(conditions(world).await, ALL_IS_WELL);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_keeps_a_set_from_its_pods_is_told_until_it_is_over() {
    run(1, async |world| {
        let quota = json!({
            "apiVersion": "v1", "kind": "ResourceQuota",
            "metadata": {"name": "few", "namespace": "default"},
            "spec": {"hard": {"pods": "1"}},
        });
        world.make::<ResourceQuota>(quota).await;
        web(world, json!({"replicas": 3})).await;
        let failure = told(world).await.status.conditions[2].clone();
        assert_eq!((&*failure.type_, &*failure.reason), ("ReplicaFailure", "FailedCreate"));
        assert!(failure.message.contains("exceeded quota"), "{}", failure.message);
        let api = world.client.api::<ResourceQuota>().namespace("default");
        api.delete("few", &DeleteOptions::default()).await.expect("it goes");
        sleep(Duration::from_secs(1_200)).await;
        assert_eq!(conditions(world).await, ALL_IS_WELL);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_change_of_annotations_or_seconds_reaches_the_current_set_alone() {
    run(1, async |world| {
        web(world, json!({"replicas": 1, "revisionHistoryLimit": 1})).await;
        for number in 2..=3 {
            change(world, image(&format!("web:{number}"), true)).await;
        }
        let cause = json!({"metadata": {"annotations": {"kubernetes.io/change-cause": "a test"}}});
        world.patch::<Deployment>("web", cause).await;
        change(world, json!({"minReadySeconds": 1})).await;
        let noted = |set: &ReplicaSet| {
            let cause = set.annotation("kubernetes.io/change-cause").map(str::to_owned);
            (image_of(set).to_owned(), cause, set.spec.min_ready_seconds)
        };
        let noted: Vec<_> = sets(world).await.iter().map(noted).collect();
        let current = ("web:3".to_owned(), Some("a test".to_owned()), 1);
        assert_eq!(noted, [("web:2".to_owned(), None, 0), current], "the first one went");
    })
    .await;
}

/// The set of the former template stays, empty, for a way back; going back uses it again.
#[tokio::test(start_paused = true)]
async fn going_back_uses_the_former_set_again() {
    run(1, async |world| {
        world.make::<Deployment>(deployment(2, "1", "0")).await;
        world.settled().await;
        let image = |image: &str| {
            json!({"spec": {"template": {"spec": {"containers": [{"name": "web", "image": image}]}}}})
        };
        world.patch::<Deployment>("web", image("web:2")).await;
        world.settled().await;
        world.patch::<Deployment>("web", image("web:1")).await;
        world.settled().await;
        let sets = world.client.api::<ReplicaSet>().namespace("default");
        let sets = sets.list_all(&ListOptions::default()).await.expect("a list").items;
        let mut sizes: Vec<_> = sets
            .iter()
            .map(|set| {
                let image = set.spec.template.spec.containers[0].image.to_string();
                let noted = |name: &str| {
                    let noted = set.annotation(&format!("deployment.kubernetes.io/{name}"));
                    noted.unwrap_or_default().to_owned()
                };
                (image, set.status.replicas, noted("revision"), noted("revision-history"))
            })
            .collect();
        sizes.sort();
        let expected = [("web:1", 2, "3", "1"), ("web:2", 0, "2", "")];
        let expected =
            expected.map(|(i, n, r, former)| (i.to_owned(), n, r.to_owned(), former.to_owned()));
        assert_eq!(sizes, expected);
    })
    .await;
}
