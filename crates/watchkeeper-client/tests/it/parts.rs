//! Subresources, metadata and kinds known at run time, on the embedded server.

use serde_json::json;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::autoscaling::v1::Scale;
use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_api::meta::v1::Status;
use watchkeeper_api::{Object as _, StaticKind as _, Unstructured, object};
use watchkeeper_client::{
    Api, ApplyOptions, Client, CreateOptions, DeleteOptions, ListOptions, Patch, PatchOptions,
    TokenOptions, UpdateOptions, WatchEvent, WatchOptions,
};

use crate::fake::{Fake, ok};
use crate::live::live;

async fn deployments(client: &Client) -> Api<Deployment> {
    let web = object!(Deployment {
        metadata: { name: "web" },
        spec: {
            replicas: 1,
            selector: { match_labels: { "app": "web" } },
            template: {
                metadata: { labels: { "app": "web" } },
                spec: { containers: [{ name: "c", image: "i" }] },
            },
        },
    });
    let api = client.api().namespace("default");
    api.create(&web, &CreateOptions::default()).await.unwrap();
    api
}

async fn pods(client: &Client) -> Api<Pod> {
    let pod = object!(Pod {
        metadata: { name: "x" },
        spec: { containers: [{ name: "c", image: "i" }] },
    });
    let api = client.api().namespace("default");
    api.create(&pod, &CreateOptions::default()).await.unwrap();
    api
}

#[tokio::test(start_paused = true)]
async fn a_deployment_is_scaled() {
    let live = live();
    let api = deployments(&live.client).await;
    let mut scale = api.get_scale("web").await.unwrap();
    assert_eq!(scale.spec.replicas, 1);
    scale.spec.replicas = 2;
    api.update_scale("web", &scale, &UpdateOptions::default()).await.unwrap();
    let stale = api.update_scale("web", &scale, &UpdateOptions::default()).await;
    assert!(stale.unwrap_err().is_conflict());
    assert_eq!(api.scale_to("web", 5).await.unwrap().spec.replicas, 5);
    assert_eq!(api.get("web").await.unwrap().spec.replicas, Some(5));
}

#[tokio::test(start_paused = true)]
async fn a_scale_is_applied_and_owned_down_to_none() {
    let live = live();
    deployments(&live.client).await;
    let of = |manager: &str| {
        live.client.clone().field_manager(manager).apps().v1().deployments("default")
    };
    let (mine, yours) = (of("mine"), of("yours"));
    let refused = mine.apply_scale("web", 3, &ApplyOptions::default()).await.unwrap_err();
    assert!(refused.is_conflict() && refused.cause("FieldManagerConflict").is_some(), "{refused}");
    for replicas in [3, 0] {
        let scale = mine.apply_scale("web", replicas, &ApplyOptions::forced()).await.unwrap();
        assert_eq!(scale.spec.replicas, replicas);
        assert_eq!(mine.get("web").await.unwrap().spec.replicas, Some(replicas));
    }
    let owned = mine.extract_subresource("web", "mine", "scale").await.unwrap().unwrap();
    assert_eq!(owned.object().spec.replicas, Some(0));
    assert!(yours.apply_scale("web", 1, &ApplyOptions::default()).await.unwrap_err().is_conflict());
    let dry = ApplyOptions { write: CreateOptions::dry_run(), ..ApplyOptions::forced() };
    assert_eq!(yours.apply_scale("web", 1, &dry).await.unwrap().spec.replicas, 1);
    assert_eq!(mine.get("web").await.unwrap().spec.replicas, Some(0));

    // The same by the part's own type, as it has no call of its own.
    let said = object!(Scale { metadata: { name: "web" }, spec: { replicas: 2 } });
    let part = yours.subresource("scale");
    let scale: Scale = part.apply("web", &said, &ApplyOptions::forced()).await.unwrap();
    assert_eq!(scale.spec.replicas, 2);
    assert!(mine.extract_subresource("web", "mine", "scale").await.unwrap().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_status_is_applied_by_those_who_own_parts_of_it() {
    let live = live();
    deployments(&live.client).await;
    let of = |manager: &str| {
        live.client.clone().field_manager(manager).apps().v1().deployments("default")
    };
    let ready = |ready: i32| {
        object!(Deployment {
            metadata: { name: "web" },
            spec: { replicas: 9 },
            status: { replicas: ready },
        })
    };
    let (mine, yours) = (of("mine"), of("yours"));
    let web = mine.apply_status(&ready(1), &ApplyOptions::default()).await.unwrap();
    assert_eq!((web.status.replicas, web.spec.replicas), (1, Some(1)), "the spec stays");
    let refused = yours.apply_status(&ready(2), &ApplyOptions::default()).await.unwrap_err();
    assert!(refused.is_conflict(), "{refused}");
    let web = yours.apply_subresource(&ready(2), "status", &ApplyOptions::forced()).await.unwrap();
    assert_eq!(web.status.replicas, 2);
    let status: Deployment = yours.subresource("status").get("web").await.unwrap();
    assert_eq!(status.status, web.status);
}

#[tokio::test(start_paused = true)]
async fn what_is_known_by_name_is_scaled_if_it_can_be() {
    let live = live();
    deployments(&live.client).await;
    let scales = live.client.scales();
    let found = scales.of("deploy").await.unwrap().namespace("default");
    assert_eq!(found.scale_to("web", 3).await.unwrap().spec.replicas, 3);
    let error = scales.of("pods").await.unwrap_err();
    assert_eq!(error.to_string(), "pods cannot be scaled: they have no scale");
}

#[tokio::test(start_paused = true)]
async fn a_pod_is_bound_once() {
    let live = live();
    let api = pods(&live.client).await;
    let node = object!(Node { metadata: { name: "n" } });
    live.client.api().create(&node, &CreateOptions::default()).await.unwrap();
    assert_eq!(api.bind("x", "n").await.unwrap().status, "Success");
    assert_eq!(api.get("x").await.unwrap().spec.node_name, "n");
    assert!(api.bind("x", "n").await.unwrap_err().is_conflict());
}

#[tokio::test(start_paused = true)]
async fn a_pod_is_evicted_as_asked() {
    let live = live();
    let api = pods(&live.client).await;
    let other = DeleteOptions::only("another-uid");
    assert!(api.evict("x", &other).await.unwrap_err().is_conflict());
    let dry = DeleteOptions { dry_run: true, ..DeleteOptions::default() };
    api.evict("x", &dry).await.unwrap();
    api.get("x").await.unwrap();
    let status = api.evict("x", &DeleteOptions::default().grace_period(0)).await.unwrap();
    assert_eq!(status.status, "Success");
    assert!(api.get_opt("x").await.unwrap().is_none());
}

#[tokio::test(start_paused = true)]
async fn containers_are_added_to_a_running_pod() {
    let live = live();
    let api = pods(&live.client).await;
    let debug =
        json!({ "spec": { "ephemeralContainers": [{ "name": "debug", "image": "busybox" }] } });
    let options = PatchOptions::default();
    let pod = api
        .patch_subresource("x", "ephemeralcontainers", &Patch::strategic(&debug), &options)
        .await
        .unwrap();
    assert_eq!(pod.spec.ephemeral_containers[0].name, "debug");
}

#[tokio::test(start_paused = true)]
async fn a_token_is_shown_to_nobody() {
    let answer = json!({
        "kind": "TokenRequest", "apiVersion": "authentication.k8s.io/v1",
        "status": { "token": "s3cret", "expirationTimestamp": "2026-01-02T03:04:05Z" },
    });
    let fake = Fake::new([ok(&answer.to_string()), ok("{}")]);
    let accounts = fake.client().api::<watchkeeper_api::core::v1::ServiceAccount>().namespace("a");
    let options = TokenOptions { audiences: vec!["vault".to_owned()], ..TokenOptions::default() };
    let token = accounts.token("x", &options).await.unwrap();
    assert_eq!(token.as_str(), "s3cret");
    assert_eq!(token.expires.unwrap().to_string(), "2026-01-02T03:04:05Z");
    assert!(!format!("{token:?}").contains("s3cret"));
    assert_eq!(fake.asked(), ["POST /api/v1/namespaces/a/serviceaccounts/x/token"]);
    accounts.token("x", &options).await.unwrap_err();
}

#[tokio::test(start_paused = true)]
async fn objects_are_found_by_group_version_and_resource() {
    let live = live();
    deployments(&live.client).await;
    let dynamic = live.client.dynamic_client();
    let found = dynamic.resource("apps/v1", "deployments").await.unwrap();
    let page = found.list(&ListOptions::default()).await.unwrap();
    assert_eq!(page.items[0].kind().kind, "Deployment");
    let named = dynamic.named("deploy").await.unwrap().namespace("default");
    let web: Unstructured = named.get("web").await.unwrap();
    assert_eq!(web.get("/spec/replicas"), Some("1"));
    let again = dynamic.object(&web).await.unwrap();
    again.delete("web", &DeleteOptions::default()).await.unwrap();
    assert!(dynamic.resource("apps/v1", "sandwiches").await.unwrap_err().is_not_found());
}

#[tokio::test(start_paused = true)]
async fn metadata_alone_by_kind() {
    let live = live();
    let api = deployments(&live.client).await;
    let metadata = live.client.metadata(Deployment::static_kind().clone()).namespace("default");
    let web = metadata.get("web").await.unwrap();
    assert_eq!((web.name(), &*web.kind().kind), ("web", "Deployment"));
    let mut watch = metadata.watch(&WatchOptions::default()).await.unwrap();
    let Some(Ok(WatchEvent::Added(seen))) = watch.next().await else { panic!("no event") };
    assert_eq!(seen.metadata, web.metadata);
    let label = Patch::merge(&json!({ "metadata": { "labels": { "a": "b" } } }));
    let patched = metadata.patch("web", &label, &PatchOptions::default()).await.unwrap();
    assert_eq!(patched.label("a"), Some("b"));
    assert_eq!(api.get("web").await.unwrap().spec.replicas, Some(1), "the rest stays");
    let listed = live.client.dynamic_client().metadata("apps/v1", "deployments").await.unwrap();
    assert_eq!(listed.list(&ListOptions::default()).await.unwrap().items, [patched]);
}

#[tokio::test(start_paused = true)]
async fn a_status_is_written_apart() {
    let live = live();
    let api = deployments(&live.client).await;
    let change = Patch::merge(&json!({ "spec": { "replicas": 9 }, "status": { "replicas": 4 } }));
    let web = api.patch_status("web", &change, &PatchOptions::default()).await.unwrap();
    assert_eq!((web.spec.replicas, web.status.replicas), (Some(1), 4));
    let error = api.subresource("nothing").get::<Status>("web").await.unwrap_err();
    assert!(error.is_not_found(), "{error}");
}
