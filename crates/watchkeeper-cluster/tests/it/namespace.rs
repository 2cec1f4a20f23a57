//! A namespace that goes takes everything in it along, and waits for what is held.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;
use watchkeeper_api::Object;
use watchkeeper_api::apps::v1::{Deployment, ReplicaSet};
use watchkeeper_api::core::v1::{ConfigMap, Namespace, Node, Pod, ReplicationController, Service};
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
async fn addresses_of_services_go_with_their_namespace() {
    run(0, async |world| {
        let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}});
        world.make::<Namespace>(namespace).await;
        let metadata = json!({"name": "web", "namespace": "shop"});
        let service = json!({"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"ports": [{"port": 80}]}});
        world.make::<Service>(service).await;
        let namespaces = world.client.api::<Namespace>();
        namespaces.delete("shop", &DeleteOptions::default()).await.expect("a deletion");
        world.settled().await;
        let history = world.cluster.server().history();
        let entries = history.entries().iter();
        let of_addresses = entries.filter(|entry| &*entry.table == "ipaddresses.networking.k8s.io");
        let verbs: Vec<&str> = of_addresses.map(|entry| entry.verb.name()).collect();
        assert_eq!(verbs, ["create", "delete"]);
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

/// Whether a namespace tells that not all could be deleted, after a while.
async fn failure(world: &World, seconds: u64) -> (String, String) {
    sleep(Duration::from_secs(seconds)).await;
    let going = world.client.api::<Namespace>().get("shop").await.expect("it waits");
    let mut told = going.status.conditions.iter();
    let told = told.find(|is| is.type_ == "NamespaceDeletionContentFailure");
    told.map(|is| (is.status.to_string(), is.message.to_string())).expect("the condition")
}

#[tokio::test(start_paused = true)]
async fn pods_that_nobody_ends_are_told_of_when_their_time_is_over() {
    run(1, async |world| {
        let shop = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}});
        world.make::<Namespace>(shop).await;
        world
            .make::<Pod>(json!({"apiVersion": "v1", "kind": "Pod",
                "metadata": {"name": "web", "namespace": "shop"},
                "spec": {"containers": [{"name": "web", "image": "web:1"}]}}))
            .await;
        world.settled().await;
        let lose = async |value: Value| {
            let change = json!({"metadata": {"annotations": {"fake-kubelet/lost": value}}});
            let (nodes, options) = (world.client.api::<Node>(), PatchOptions::default());
            nodes.patch("node-0", &Patch::merge(&change), &options).await.expect("a patch");
        };
        lose(json!("true")).await;
        sleep(Duration::from_secs(60)).await;
        let namespaces = world.client.api::<Namespace>();
        namespaces.delete("shop", &DeleteOptions::default()).await.expect("a deletion");
        assert_eq!(failure(world, 20).await.0, "False", "the pod may take 30 seconds");
        let why = "Failed to delete all resource types, 1 remaining: unexpected items still remain \
                   in namespace: shop for gvr: /v1, Resource=pods";
        assert_eq!(failure(world, 20).await, ("True".to_owned(), why.to_owned()));
        lose(Value::Null).await;
        sleep(Duration::from_secs(120)).await;
        assert!(namespaces.get_opt("shop").await.expect("a read").is_none());
    })
    .await;
}

/// Of its own the server would orphan the dependents of such a controller.
#[tokio::test(start_paused = true)]
async fn nothing_is_orphaned_on_the_way() {
    run(0, async |world| {
        let shop = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}});
        world.make::<Namespace>(shop).await;
        let old = json!({
            "apiVersion": "v1", "kind": "ReplicationController",
            "metadata": {"name": "old", "namespace": "shop"},
            "spec": {"replicas": 0, "selector": {"app": "old"}, "template": {
                "metadata": {"labels": {"app": "old"}},
                "spec": {"containers": [{"name": "web", "image": "web:1"}]},
            }},
        });
        let old = world.make::<ReplicationController>(old).await;
        let owner = json!([{"apiVersion": "v1", "kind": "ReplicationController", "name": "old",
            "uid": old.uid()}]);
        let held = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {
            "name": "held", "namespace": "shop", "finalizers": ["example.com/hold"],
            "ownerReferences": owner}});
        world.make::<ConfigMap>(held).await;
        world.settled().await;
        let namespaces = world.client.api::<Namespace>();
        namespaces.delete("shop", &DeleteOptions::default()).await.expect("a deletion");
        world.settled().await;
        let maps = world.client.api::<ConfigMap>().namespace("shop");
        let held = maps.get("held").await.expect("it is held");
        assert!(held.is_deleting());
        assert_eq!(held.owners().count(), 1);
    })
    .await;
}
