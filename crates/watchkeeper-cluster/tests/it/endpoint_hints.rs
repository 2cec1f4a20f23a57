//! For whom the endpoints of a service are, and when it says that they changed.

use serde_json::{Value, json};
use watchkeeper_api::Object;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::{Node, Pod, Service};
use watchkeeper_api::discovery::v1::{Endpoint, EndpointSlice};
use watchkeeper_client::{ListOptions, Patch, PatchOptions};

use crate::world::{World, run};

const ZONE: &str = "topology.kubernetes.io/zone";

async fn move_to(world: &World, node: &str, zone: &str) {
    let change = json!({"metadata": {"labels": {ZONE: zone}}});
    let api = world.client.api::<Node>();
    api.patch(node, &Patch::merge(&change), &PatchOptions::default()).await.expect("a patch");
}

/// A service with so many pods, on nodes in two zones.
async fn begin(world: &World, replicas: u32) {
    move_to(world, "node-0", "north").await;
    move_to(world, "node-1", "south").await;
    let service = json!({
        "apiVersion": "v1", "kind": "Service",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"selector": {"app": "web"}, "ports": [{"port": 80}]},
    });
    world.make::<Service>(service).await;
    world.settled().await;
    let deployment = json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "pods", "namespace": "default"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "web", "image": "web:1"}]},
            },
        },
    });
    world.make::<Deployment>(deployment).await;
}

/// The one slice of the service, after everything has settled.
async fn slice(world: &World) -> EndpointSlice {
    world.settled().await;
    let api = world.client.api::<EndpointSlice>().namespace("default");
    let of = ListOptions::default().labels("kubernetes.io/service-name=web");
    let slices = api.list_all(&of).await.expect("a list").items;
    assert_eq!(slices.len(), 1);
    slices.into_iter().next().expect("a slice")
}

async fn change(world: &World, change: Value) {
    world.patch::<Service>("web", change).await;
}

fn zones(endpoint: &Endpoint) -> Vec<String> {
    let zones = endpoint.hints.iter().flat_map(|hints| &*hints.for_zones);
    zones.map(|zone| zone.name.to_string()).collect()
}

fn nodes(endpoint: &Endpoint) -> Vec<String> {
    let nodes = endpoint.hints.iter().flat_map(|hints| &*hints.for_nodes);
    nodes.map(|node| node.name.to_string()).collect()
}

#[tokio::test(start_paused = true)]
async fn endpoints_are_for_whom_the_distribution_of_traffic_says() {
    run(2, async |world| {
        begin(world, 3).await;
        assert!(slice(world).await.endpoints.iter().all(|endpoint| endpoint.hints.is_none()));
        for (distribution, by_node) in [("PreferSameZone", false), ("PreferSameNode", true)] {
            change(world, json!({"spec": {"trafficDistribution": distribution}})).await;
            let slice = slice(world).await;
            assert_eq!(slice.endpoints.len(), 3);
            for endpoint in &slice.endpoints {
                assert_eq!(zones(endpoint), [endpoint.zone.as_deref().expect("a zone")]);
                let node = endpoint.node_name.as_deref().filter(|_| by_node);
                assert_eq!(nodes(endpoint), Vec::from_iter(node), "{distribution}");
            }
        }
        change(world, json!({"spec": {"trafficDistribution": null}})).await;
        assert!(slice(world).await.endpoints.iter().all(|endpoint| endpoint.hints.is_none()));
    })
    .await;
}

fn mode(mode: Value) -> Value {
    json!({"metadata": {"annotations": {"service.kubernetes.io/topology-mode": mode}}})
}

/// How many endpoints are for the north, and how many for the south.
async fn spread(world: &World) -> [usize; 2] {
    let slice = slice(world).await;
    let in_zone = |zone: &str| slice.endpoints.iter().filter(|of| zones(of) == [zone]).count();
    [in_zone("north"), in_zone("south")]
}

#[tokio::test(start_paused = true)]
async fn zones_get_endpoints_for_their_share_of_the_processors() {
    run(2, async |world| {
        begin(world, 4).await;
        change(world, mode(json!("Auto"))).await;
        assert_eq!(spread(world).await, [2, 2]);
        let enabled = "Normal TopologyAwareHintsEnabled: \
            Topology Aware Hints has been enabled, addressType: IPv4";
        let events = world.events("web").await;
        assert!(events.iter().any(|event| event == enabled), "{events:?}");
        change(world, mode(Value::Null)).await;
        assert_eq!(spread(world).await, [0, 0]);
        let disabled = "Warning TopologyAwareHintsDisabled: \
            Topology Aware Hints has been disabled, addressType: IPv4";
        let events = world.events("web").await;
        assert!(events.iter().any(|event| event == disabled), "{events:?}");
    })
    .await;
}

/// The nodes are looked at when they change, although nothing happens to the service.
#[tokio::test(start_paused = true)]
async fn hints_go_when_the_nodes_are_in_one_zone() {
    run(2, async |world| {
        begin(world, 4).await;
        change(world, mode(json!("Auto"))).await;
        assert_eq!(spread(world).await, [2, 2]);
        move_to(world, "node-1", "north").await;
        let slice = slice(world).await;
        assert!(slice.endpoints.iter().all(|endpoint| endpoint.hints.is_none()));
        let in_north = |endpoint: &Endpoint| endpoint.zone.as_deref() == Some("north");
        assert!(slice.endpoints.iter().all(in_north), "the nodes' zones are told, too");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_slice_says_when_that_happened_which_changed_it() {
    run(2, async |world| {
        begin(world, 1).await;
        let moment = "endpoints.kubernetes.io/last-change-trigger-time";
        let pod = slice(world).await.endpoints[0].target_ref.as_ref().map(|pod| pod.name.clone());
        let pod: Pod = world.get(&pod.expect("a pod")).await.expect("the pod");
        let ready = pod.status.conditions.iter().find(|is| is.type_ == "Ready");
        let since = ready.and_then(|ready| ready.last_transition_time).expect("a moment");
        assert_eq!(slice(world).await.annotation(moment), Some(&*since.to_string()));
        world.patch::<Deployment>("pods", json!({"spec": {"replicas": 0}})).await;
        let slice = slice(world).await;
        assert!(slice.endpoints.is_empty());
        let ended = slice.annotation(moment).expect("when the pod ceased to be ready");
        assert!(*ended > *since.to_string(), "{ended}");
    })
    .await;
}
