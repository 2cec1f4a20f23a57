//! The addresses behind a service, as the older kind tells them.

use std::future::pending;

use serde_json::{Value, json};
use watchkeeper_api::Object;
use watchkeeper_api::core::v1::{EndpointAddress, Endpoints, Node, Pod, Service};
use watchkeeper_client::{DeleteOptions, Propagation};
use watchkeeper_cluster::Cluster;

use crate::world::{EPOCH, World, run};

const MOMENT: &str = "endpoints.kubernetes.io/last-change-trigger-time";

async fn service(world: &World, spec: Value) -> Service {
    let mut service = json!({
        "apiVersion": "v1", "kind": "Service",
        "metadata": {"name": "web", "namespace": "default", "labels": {"team": "a"}},
        "spec": {"selector": {"app": "web"}, "ports": [{"name": "http", "port": 80}]},
    });
    for (name, value) in spec.as_object().expect("members") {
        service["spec"][name] = value.clone();
    }
    world.make(service).await
}

/// A node that no kubelet works on, so that a test says how the pods there are.
async fn node(world: &World) {
    let node = json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "edge"}});
    world.make::<Node>(node).await;
}

/// A pod there, with an address.
async fn pod(world: &World, name: &str, ip: &str, ready: bool) {
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "labels": {"app": "web"}},
        "spec": {"nodeName": "edge", "containers": [{"name": "c", "image": "c:1"}]},
    });
    world.make::<Pod>(pod).await;
    turn(world, name, ip, ready).await;
}

/// The pod becomes ready, or ceases to be.
async fn turn(world: &World, name: &str, ip: &str, ready: bool) {
    let is_ready = if ready { "True" } else { "False" };
    let since = if ready { "2026-01-01T01:00:00Z" } else { "2026-01-01T02:00:00Z" };
    let condition = json!({"type": "Ready", "status": is_ready, "lastTransitionTime": since});
    let status = json!({
        "phase": "Running", "podIP": ip, "podIPs": [{"ip": ip}], "conditions": [condition],
    });
    world.patch_status(name, json!({"status": status})).await;
    world.settled().await;
}

async fn endpoints(world: &World, name: &str) -> Option<Endpoints> {
    world.settled().await;
    world.get(name).await
}

/// The addresses that are ready, and the others.
fn told(endpoints: &Endpoints) -> (Vec<&str>, Vec<&str>) {
    let subsets = endpoints.subsets.iter();
    let ready = texts(subsets.clone().flat_map(|subset| &*subset.addresses));
    (ready, texts(subsets.flat_map(|subset| &*subset.not_ready_addresses)))
}

fn texts<'a>(addresses: impl Iterator<Item = &'a EndpointAddress>) -> Vec<&'a str> {
    addresses.map(|address| &*address.ip).collect()
}

/// How often anybody wrote Endpoints.
fn writes(world: &World) -> usize {
    let entries = world.cluster.server().history().entries().to_vec();
    entries.iter().filter(|entry| &*entry.table == "endpoints").count()
}

#[tokio::test(start_paused = true)]
async fn a_service_has_the_addresses_of_its_pods() {
    run(0, async |world| {
        node(world).await;
        let made = service(world, json!({})).await;
        let found = endpoints(world, "web").await.expect("they come with the service");
        assert!(found.subsets.is_empty());
        let since = made.creation_timestamp().expect("a moment").to_string();
        assert_eq!(found.annotation(MOMENT), Some(&*since));
        pod(world, "a", "10.9.0.1", true).await;
        pod(world, "b", "10.9.0.2", false).await;
        let found = endpoints(world, "web").await.expect("endpoints");
        assert_eq!(told(&found), (vec!["10.9.0.1"], vec!["10.9.0.2"]));
        assert_eq!(found.label("team"), Some("a"));
        let manager = found.label("endpoints.kubernetes.io/managed-by");
        assert_eq!(manager, Some("endpoint-controller"));
        let port = &found.subsets[0].ports[0];
        assert_eq!((&*port.name, port.port, &*port.protocol), ("http", 80, "TCP"));
        let address = &found.subsets[0].addresses[0];
        assert_eq!(address.node_name.as_deref(), Some("edge"));
        let target = address.target_ref.as_deref().map(|target| &*target.name);
        assert_eq!(target, Some("a"));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn addresses_follow_their_pods() {
    run(0, async |world| {
        node(world).await;
        service(world, json!({})).await;
        pod(world, "a", "10.9.0.1", true).await;
        pod(world, "b", "10.9.0.2", true).await;
        turn(world, "b", "10.9.0.2", false).await;
        let found = endpoints(world, "web").await.expect("endpoints");
        assert_eq!(told(&found), (vec!["10.9.0.1"], vec!["10.9.0.2"]));
        assert_eq!(found.annotation(MOMENT), Some("2026-01-01T02:00:00Z"));
        world.patch::<Service>("web", json!({"spec": {"publishNotReadyAddresses": true}})).await;
        let found = endpoints(world, "web").await.expect("endpoints");
        assert_eq!(told(&found), (vec!["10.9.0.1", "10.9.0.2"], vec![]));
        assert_eq!(found.annotation(MOMENT), None, "nothing new happened to a pod");
        world.patch::<Pod>("a", json!({"metadata": {"labels": {"app": "debug"}}})).await;
        let found = endpoints(world, "web").await.expect("endpoints");
        assert_eq!(told(&found), (vec!["10.9.0.2"], vec![]));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn nothing_is_written_when_nothing_changes() {
    run(0, async |world| {
        node(world).await;
        service(world, json!({})).await;
        pod(world, "a", "10.9.0.1", true).await;
        let before = writes(world);
        assert!(before >= 1);
        world.patch::<Pod>("a", json!({"metadata": {"annotations": {"note": "1"}}})).await;
        world.patch::<Service>("web", json!({"metadata": {"annotations": {"note": "1"}}})).await;
        world.settled().await;
        assert_eq!(writes(world), before);
        world.patch::<Service>("web", json!({"metadata": {"labels": {"team": "b"}}})).await;
        world.settled().await;
        assert_eq!(writes(world), before + 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_headless_service_says_so_there_too() {
    run(0, async |world| {
        service(world, json!({"clusterIP": "None"})).await;
        let found = endpoints(world, "web").await.expect("endpoints");
        assert_eq!(found.label("service.kubernetes.io/headless"), Some(""));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn endpoints_that_somebody_deletes_come_again_and_go_with_their_service() {
    run(0, async |world| {
        node(world).await;
        service(world, json!({})).await;
        pod(world, "a", "10.9.0.1", true).await;
        world.delete::<Endpoints>("web", Propagation::Background).await;
        let found = endpoints(world, "web").await.expect("they are made anew");
        assert_eq!(told(&found), (vec!["10.9.0.1"], vec![]));
        world.delete::<Service>("web", Propagation::Background).await;
        assert!(endpoints(world, "web").await.is_none());
    })
    .await;
}

/// Endpoints that somebody made by hand.
fn by_hand(name: &str, annotations: Value) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Endpoints",
        "metadata": {"name": name, "namespace": "default", "annotations": annotations},
        "subsets": [{"addresses": [{"ip": "10.9.8.7"}], "ports": [{"port": 80}]}],
    })
}

#[tokio::test(start_paused = true)]
async fn what_others_made_for_a_service_without_a_selector_stays() {
    run(0, async |world| {
        world.make::<Endpoints>(by_hand("web", json!({}))).await;
        assert!(endpoints(world, "web").await.is_some(), "they may come before their service");
        service(world, json!({"selector": null})).await;
        let found = endpoints(world, "web").await.expect("endpoints");
        assert_eq!(told(&found), (vec!["10.9.8.7"], vec![]));
        world.delete::<Service>("web", Propagation::Background).await;
        assert!(endpoints(world, "web").await.is_none(), "but they go with it");
    })
    .await;
}

/// Whoever begins may have missed that a service went. An election has no service.
#[tokio::test(start_paused = true)]
async fn at_first_what_has_no_service_any_more_is_removed() {
    let cluster = Cluster::builder().nodes(0).seed(36).clock(EPOCH).build();
    let world = World { client: cluster.client("script").field_manager("script"), cluster };
    world.make::<Endpoints>(by_hand("left", json!({}))).await;
    let election = json!({"control-plane.alpha.kubernetes.io/leader": "{}"});
    world.make::<Endpoints>(by_hand("election", election)).await;
    let script = async {
        assert!(endpoints(&world, "left").await.is_none());
        assert!(endpoints(&world, "election").await.is_some());
        let api = world.client.api::<Endpoints>().namespace("default");
        api.delete("election", &DeleteOptions::default()).await.expect("a deletion");
        assert!(endpoints(&world, "election").await.is_none());
    };
    tokio::select! {
        biased;
        () = script => {}
        ended = world.cluster.run(pending()) => panic!("the cluster ended: {ended:?}"),
    }
}
