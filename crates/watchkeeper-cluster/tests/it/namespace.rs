//! A namespace that goes takes everything in it along, and waits for what is held.

use serde_json::json;
use watchkeeper_api::Object;
use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};
use watchkeeper_api::core::v1::{ConfigMap, Namespace, Pod};
use watchkeeper_client::{DeleteOptions, ListOptions, Patch, PatchOptions};

use crate::world::{World, run};

async fn shop(world: &World, finalizers: &[&str]) {
    world
        .make::<Namespace>(json!({"apiVersion": "v1", "kind": "Namespace",
            "metadata": {"name": "shop"}}))
        .await;
    world
        .make::<ConfigMap>(json!({"apiVersion": "v1", "kind": "ConfigMap",
            "metadata": {"name": "settings", "namespace": "shop", "finalizers": finalizers}}))
        .await;
    world
        .make::<Deployment>(json!({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": "web", "namespace": "shop"},
            "spec": {
                "replicas": 2,
                "selector": {"matchLabels": {"app": "web"}},
                "template": {
                    "metadata": {"labels": {"app": "web"}},
                    "spec": {"containers": [{"name": "web", "image": "web:1"}]},
                },
            },
        }))
        .await;
    world.settled().await;
    let pods = world.client.api::<Pod>().namespace("shop");
    assert_eq!(pods.list_all(&ListOptions::default()).await.expect("a list").items.len(), 2);
    let namespaces = world.client.api::<Namespace>();
    namespaces.delete("shop", &DeleteOptions::default()).await.expect("a deletion");
    world.settled().await;
}

async fn left<K: watchkeeper_api::StaticKind>(world: &World) -> usize {
    let api = world.client.api::<K>().namespace("shop");
    api.list_all(&ListOptions::default()).await.expect("a list").items.len()
}

#[tokio::test(start_paused = true)]
async fn a_namespace_goes_with_all_it_holds() {
    run(1, async |world| {
        shop(world, &[]).await;
        assert!(world.client.api::<Namespace>().get_opt("shop").await.expect("a read").is_none());
        let left = (
            left::<Pod>(world).await,
            left::<ReplicaSet>(world).await,
            left::<Deployment>(world).await,
            left::<ConfigMap>(world).await,
        );
        assert_eq!(left, (0, 0, 0, 0));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_namespace_waits_for_what_is_held_and_names_it() {
    run(1, async |world| {
        shop(world, &["example.com/hold"]).await;
        let namespaces = world.client.api::<Namespace>();
        let going = namespaces.get("shop").await.expect("it waits");
        assert!(going.is_deleting());
        assert_eq!(going.status.phase, "Terminating");
        let condition = |name: &str| {
            let found = going.status.conditions.iter().find(|is| is.type_ == *name);
            found.map(|is| (is.status.to_string(), is.message.to_string()))
        };
        let (status, message) = condition("NamespaceFinalizersRemaining").expect("a condition");
        assert_eq!(status, "True");
        assert!(message.contains("example.com/hold in 1 resource instances"), "{message}");
        assert_eq!((left::<Pod>(world).await, left::<ConfigMap>(world).await), (0, 1));

        let maps = world.client.api::<ConfigMap>().namespace("shop");
        let free = Patch::merge(&json!({"metadata": {"finalizers": null}}));
        maps.patch("settings", &free, &PatchOptions::default()).await.expect("a patch");
        world.settled().await;
        assert!(namespaces.get_opt("shop").await.expect("a read").is_none());
    })
    .await;
}
