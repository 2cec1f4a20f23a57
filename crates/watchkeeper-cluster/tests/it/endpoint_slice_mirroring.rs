//! Addresses that somebody gives a service by hand are seen in slices.

use serde_json::{Value, json};
use watchkeeper_api::Object;
use watchkeeper_api::core::v1::{Endpoints, Service};
use watchkeeper_api::discovery::v1::EndpointSlice;
use watchkeeper_client::{ListOptions, Propagation};

use crate::world::{World, run};

async fn service(world: &World) {
    let service = json!({
        "apiVersion": "v1", "kind": "Service",
        "metadata": {"name": "db", "namespace": "default"},
        "spec": {"ports": [{"name": "sql", "port": 5432}]},
    });
    world.make::<Service>(service).await;
}

async fn endpoints(world: &World) -> Endpoints {
    let endpoints = json!({
        "apiVersion": "v1", "kind": "Endpoints",
        "metadata": {
            "name": "db", "namespace": "default",
            "labels": {"team": "a"}, "annotations": {"note": "keep"},
        },
        "subsets": [{
            "addresses": [{"ip": "10.9.8.7"}],
            "ports": [{"name": "sql", "port": 5432}],
        }],
    });
    world.make(endpoints).await
}

async fn change(world: &World, change: Value) {
    world.patch::<Endpoints>("db", change).await;
}

/// The mirrored slices of the service, after everything has settled.
async fn slices(world: &World) -> Vec<EndpointSlice> {
    world.settled().await;
    let api = world.client.api::<EndpointSlice>().namespace("default");
    let of = ListOptions::default().labels(
        "kubernetes.io/service-name=db,\
         endpointslice.kubernetes.io/managed-by=endpointslicemirroring-controller.k8s.io",
    );
    api.list_all(&of).await.expect("a list").items
}

#[tokio::test(start_paused = true)]
async fn endpoints_of_a_service_without_a_selector_are_mirrored() {
    run(0, async |world| {
        let made = endpoints(world).await;
        assert!(slices(world).await.is_empty(), "there is no service");
        service(world).await;
        let slices = slices(world).await;
        assert_eq!(slices.len(), 1);
        let slice = &slices[0];
        assert!(slice.is_controlled_by(&made) && slice.name().starts_with("db-"));
        assert_eq!((slice.label("team"), slice.annotation("note")), (Some("a"), Some("keep")));
        assert_eq!(&*slice.address_type, "IPv4");
        assert_eq!(slice.ports[0].port, Some(5432));
        assert_eq!(*slice.endpoints[0].addresses, ["10.9.8.7"]);
        assert_eq!(slice.endpoints[0].conditions.ready, Some(true));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_mirror_shows_what_changes() {
    run(0, async |world| {
        service(world).await;
        endpoints(world).await;
        let before = slices(world).await;
        let moved = json!([{
            "notReadyAddresses": [{"ip": "10.9.8.6"}], "ports": [{"name": "sql", "port": 5432}],
        }]);
        change(world, json!({"subsets": moved})).await;
        let after = slices(world).await;
        assert_eq!(after[0].name(), before[0].name(), "it is the same slice");
        assert_eq!(*after[0].endpoints[0].addresses, ["10.9.8.6"]);
        assert_eq!(after[0].endpoints[0].conditions.ready, Some(false));
        world.patch::<EndpointSlice>(after[0].name(), json!({"endpoints": []})).await;
        assert_eq!(slices(world).await[0].endpoints.len(), 1, "a change by hand is mended");
        world.delete::<EndpointSlice>(after[0].name(), Propagation::Background).await;
        assert_eq!(slices(world).await.len(), 1, "and so is a deletion");
        world.delete::<Endpoints>("db", Propagation::Background).await;
        assert!(slices(world).await.is_empty());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_is_not_to_be_mirrored_is_not() {
    run(0, async |world| {
        service(world).await;
        endpoints(world).await;
        assert_eq!(slices(world).await.len(), 1);
        let label = |value: Value| {
            let labels = json!({"endpointslice.kubernetes.io/skip-mirror": value});
            json!({"metadata": {"labels": labels}})
        };
        change(world, label(json!("true"))).await;
        assert!(slices(world).await.is_empty());
        change(world, label(Value::Null)).await;
        assert_eq!(slices(world).await.len(), 1);
        let leader = json!({"control-plane.alpha.kubernetes.io/leader": "{}"});
        change(world, json!({"metadata": {"annotations": leader}})).await;
        assert!(slices(world).await.is_empty());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_service_that_finds_its_pods_itself_has_no_mirror() {
    run(0, async |world| {
        service(world).await;
        endpoints(world).await;
        assert_eq!(slices(world).await.len(), 1);
        world.patch::<Service>("db", json!({"spec": {"selector": {"app": "db"}}})).await;
        assert!(slices(world).await.is_empty());
    })
    .await;
}
