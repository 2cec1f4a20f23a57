//! A roll-out stays within what it may have too many and too few.

use std::time::Duration;

use serde_json::json;
use watchkeeper_api::Object;
use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};
use watchkeeper_client::ListOptions;

use crate::extremes::follow;
use crate::world::{World, is_ready, run};

fn deployment(replicas: u32, surge: &str, unavailable: &str) -> serde_json::Value {
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
        tokio::time::sleep(Duration::from_secs(1)).await;
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
                let revision = set.annotation("deployment.kubernetes.io/revision");
                (image, set.status.replicas, revision.unwrap_or_default().to_owned())
            })
            .collect();
        sizes.sort();
        let expected = [("web:1", 2, "3"), ("web:2", 0, "2")];
        assert_eq!(sizes, expected.map(|(i, n, r)| (i.to_owned(), n, r.to_owned())));
    })
    .await;
}
