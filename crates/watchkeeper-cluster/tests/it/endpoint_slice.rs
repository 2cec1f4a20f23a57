//! The addresses behind a service.

use serde_json::{Value, json};
use watchkeeper_api::Object;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::{Pod, Service};
use watchkeeper_api::discovery::v1::EndpointSlice;
use watchkeeper_client::{ListOptions, Propagation};

use crate::world::{World, run};

async fn deployment(world: &World, replicas: u32) {
    let deployment = json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "web", "image": "web:1",
                    "ports": [{"name": "http", "containerPort": 8080}]}]},
            },
        },
    });
    world.make::<Deployment>(deployment).await;
}

async fn service(world: &World, spec: Value) -> Service {
    let mut service = json!({
        "apiVersion": "v1", "kind": "Service",
        "metadata": {"name": "web", "namespace": "default", "labels": {"team": "a"}},
        "spec": {"selector": {"app": "web"}, "ports": [{"name": "http", "port": 80, "targetPort": "http"}]},
    });
    for (name, value) in spec.as_object().expect("members") {
        service["spec"][name] = value.clone();
    }
    world.make(service).await
}

/// The slices of the service, after everything has settled.
async fn slices(world: &World) -> Vec<EndpointSlice> {
    world.settled().await;
    let api = world.client.api::<EndpointSlice>().namespace("default");
    let of = ListOptions::default().labels("kubernetes.io/service-name=web");
    api.list_all(&of).await.expect("a list").items
}

/// The pods that are ready behind the service.
fn ready(slices: &[EndpointSlice]) -> Vec<String> {
    let endpoints = slices.iter().flat_map(|slice| &*slice.endpoints);
    let ready = endpoints.filter(|endpoint| endpoint.conditions.ready == Some(true));
    let mut names: Vec<String> =
        ready.filter_map(|endpoint| Some(endpoint.target_ref.as_ref()?.name.to_string())).collect();
    names.sort();
    names
}

#[tokio::test(start_paused = true)]
async fn a_service_leads_to_the_pods_that_it_selects() {
    run(2, async |world| {
        let service = service(world, json!({})).await;
        deployment(world, 3).await;
        let slices = slices(world).await;
        assert_eq!(slices.len(), 1);
        let slice = &slices[0];
        assert!(slice.is_controlled_by(&service) && slice.name().starts_with("web-"));
        assert_eq!(slice.label("team"), Some("a"));
        let manager = slice.label("endpointslice.kubernetes.io/managed-by");
        assert_eq!(manager, Some("endpointslice-controller.k8s.io"));
        assert_eq!(&*slice.address_type, "IPv4");
        let port = &slice.ports[0];
        assert_eq!((port.name.as_deref(), port.port), (Some("http"), Some(8080)));
        let mut pods: Vec<Pod> = world.pods().await;
        pods.sort_by(|a, b| a.name().cmp(b.name()));
        assert_eq!(
            ready(&slices),
            pods.iter().map(|pod| pod.name().to_owned()).collect::<Vec<_>>()
        );
        for pod in &pods {
            let of = slice
                .endpoints
                .iter()
                .find(|endpoint| *endpoint.addresses == [pod.status.pod_ip.clone()]);
            assert_eq!(of.expect("its address").node_name.as_ref(), Some(&pod.spec.node_name));
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn endpoints_come_and_go_with_their_pods() {
    run(1, async |world| {
        service(world, json!({})).await;
        deployment(world, 2).await;
        assert_eq!(ready(&slices(world).await).len(), 2);
        world.patch::<Deployment>("web", json!({"spec": {"replicas": 4}})).await;
        assert_eq!(ready(&slices(world).await).len(), 4);
        let name = world.pods().await[0].name().to_owned();
        world.patch::<Pod>(&name, json!({"metadata": {"labels": {"app": "debug"}}})).await;
        let now = ready(&slices(world).await);
        assert!(now.len() == 4 && !now.contains(&name), "another took its place: {now:?}");
        world.patch::<Deployment>("web", json!({"spec": {"replicas": 0}})).await;
        let slices = slices(world).await;
        assert_eq!((slices.len(), slices[0].endpoints.len(), slices[0].ports.len()), (1, 0, 0));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_headless_service_says_so() {
    run(1, async |world| {
        service(world, json!({"clusterIP": "None"})).await;
        deployment(world, 1).await;
        let slices = slices(world).await;
        assert_eq!(slices[0].label("service.kubernetes.io/headless"), Some(""));
        assert_eq!(ready(&slices).len(), 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_service_without_a_selector_is_left_to_others() {
    run(1, async |world| {
        deployment(world, 1).await;
        service(world, json!({"selector": null})).await;
        assert!(slices(world).await.is_empty());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn more_than_a_hundred_endpoints_have_several_slices() {
    run(2, async |world| {
        service(world, json!({})).await;
        deployment(world, 130).await;
        let slices = slices(world).await;
        let mut sizes: Vec<usize> = slices.iter().map(|slice| slice.endpoints.len()).collect();
        sizes.sort_unstable();
        assert!(
            sizes.iter().sum::<usize>() == 130 && sizes.iter().all(|size| *size <= 100),
            "{sizes:?}"
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_slice_that_somebody_deletes_or_changes_is_made_good() {
    run(1, async |world| {
        service(world, json!({})).await;
        deployment(world, 2).await;
        let name = slices(world).await[0].name().to_owned();
        world.delete::<EndpointSlice>(&name, Propagation::Background).await;
        let after = slices(world).await;
        assert_eq!((after.len(), ready(&after).len()), (1, 2));
        world.patch::<EndpointSlice>(after[0].name(), json!({"endpoints": []})).await;
        assert_eq!(ready(&slices(world).await).len(), 2);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn slices_go_with_their_service() {
    run(1, async |world| {
        service(world, json!({})).await;
        deployment(world, 1).await;
        assert_eq!(slices(world).await.len(), 1);
        world.delete::<Service>("web", Propagation::Background).await;
        assert!(slices(world).await.is_empty());
    })
    .await;
}
