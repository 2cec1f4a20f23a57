//! Make it or change it, and what a manager owns, on the embedded server.

use expect_test::expect;
use serde_json::json;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::autoscaling::v2::HorizontalPodAutoscaler;
use watchkeeper_api::core::v1::{ConfigMap, Secret};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{Object as _, diff, edit, object};
use watchkeeper_client::{Api, ApplyOptions, CreateOptions, Patch, PatchOptions, Upsert};
use watchkeeper_derive::{Fields, Object};

use crate::live::{Live, live};
use crate::log::Log;

fn map() -> ConfigMap {
    object!(ConfigMap { metadata: { name: "x", namespace: "default" } })
}

#[tokio::test(start_paused = true)]
async fn created_then_unchanged_then_updated() {
    let live = live();
    let maps = live.client.api::<ConfigMap>();
    let mut told = Vec::new();
    for value in ["1", "1", "2"] {
        live.asked();
        let (done, object) =
            maps.create_or_update(&map(), |map| _ = map.data.insert("a", value)).await.unwrap();
        assert_eq!(object.data.get("a").unwrap().as_str(), value);
        assert_eq!(object.name(), "x");
        told.push((done.as_str(), live.asked().len()));
    }
    assert_eq!(told, [("created", 2), ("unchanged", 1), ("updated", 2)]);
}

#[tokio::test(start_paused = true)]
async fn what_changes_is_told_at_debug_and_no_secret() {
    let live = live();
    let secret = object!(Secret { metadata: { name: "s", namespace: "default" } });
    let (log, maps, secrets) = (Log::new(), live.client.api(), live.client.api());
    for value in ["1", "1", "hunter2"] {
        maps.create_or_update(&map(), |map| _ = map.data.insert("a", value)).await.unwrap();
        let change = |secret: &mut Secret| _ = secret.data.insert("a", value);
        secrets.create_or_patch(&secret, change).await.unwrap();
    }
    expect![[r#"
        DEBUG message=changes an object kind=configmaps key=default/x changed=data.a: "1" -> "hunter2"
        DEBUG message=changes an object kind=secrets key=default/s changed=data.a: (redacted) -> (redacted)"#]]
    .assert_eq(&log.with("changes an object").join("\n"));
}

#[tokio::test(start_paused = true)]
async fn a_change_of_somebody_else_in_between_is_a_conflict() {
    let live = live();
    let maps = live.client.api::<ConfigMap>();
    maps.create(&map(), &CreateOptions::default()).await.unwrap();
    let theirs = Patch::merge(&json!({ "data": { "theirs": "1" } }));
    let other = live.client.clone();
    let client = live.client.intercept(move |request, next| {
        let (theirs, other) = (theirs.clone(), other.clone());
        async move {
            if request.method() == http::Method::PUT {
                let maps = other.api::<ConfigMap>().namespace("default");
                maps.patch("x", &theirs, &PatchOptions::default()).await?;
            }
            next.send(request).await
        }
    });
    let mine = client.api::<ConfigMap>();
    let done = mine.create_or_update(&map(), |map| _ = map.data.insert("mine", "1")).await;
    assert!(done.unwrap_err().is_conflict());
    let (done, both) =
        mine.create_or_patch(&map(), |map| _ = map.data.insert("mine", "1")).await.unwrap();
    assert_eq!((done, both.data.len()), (Upsert::Updated, 2));
}

#[tokio::test(start_paused = true)]
async fn neither_name_nor_namespace_may_change() {
    let maps = live().client.api::<ConfigMap>();
    for _ in 0..2 {
        let rename = |map: &mut ConfigMap| map.metadata.name = "y".into();
        let error = maps.create_or_update(&map(), rename).await.unwrap_err();
        assert!(error.to_string().contains("neither name nor namespace"), "{error}");
        maps.create_or_update(&map(), |_| {}).await.unwrap();
    }
}

async fn deployment(live: &Live) -> Api<Deployment> {
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
    let api = live.client.apps().v1().deployments("default");
    api.create(&web, &CreateOptions::default()).await.unwrap();
    api
}

#[tokio::test(start_paused = true)]
async fn spec_and_status_are_patched_apart() {
    let live = live();
    let api = deployment(&live).await;
    let key = object!(Deployment { metadata: { name: "web" } });
    let mut told = Vec::new();
    for (replicas, ready) in [(1, 0), (2, 0), (2, 1), (3, 2)] {
        let change = |web: &mut Deployment| {
            edit!(web, { spec: { replicas: replicas }, status: { replicas: ready } });
        };
        let (done, web) = api.create_or_patch(&key, change).await.unwrap();
        assert_eq!((web.spec.replicas, web.status.replicas), (Some(replicas), ready));
        told.push(done.as_str());
    }
    assert_eq!(told, ["unchanged", "updated", "updatedStatusOnly", "updatedStatus"]);
}

#[tokio::test(start_paused = true)]
async fn what_is_newer_than_our_types_survives() {
    // A field that the types do not know, in an element of a list that changes.
    let live = live();
    let api = deployment(&live).await;
    let seen = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let told = std::sync::Arc::clone(&seen);
    let client = live.client.intercept(move |request, next| {
        let told = std::sync::Arc::clone(&told);
        async move {
            let is_get = request.method() == http::Method::GET;
            if !is_get {
                let (head, body) = request.into_parts();
                let body = body.collect(1 << 20).await?;
                *told.lock().unwrap() = String::from_utf8_lossy(&body).into_owned();
                return next.send(http::Request::from_parts(head, body.into())).await;
            }
            let (head, body) = next.send(request).await?.into_parts();
            let body = body.collect(1 << 20).await?;
            let text = String::from_utf8_lossy(&body);
            let text = text.replacen("\"image\":\"i\"", "\"image\":\"i\",\"newer\":{\"a\":1}", 1);
            Ok(http::Response::from_parts(head, text.into()))
        }
    });
    let change = |web: &mut Deployment| {
        web.spec.template.spec.containers[0].image = "j".into();
    };
    let key = object!(Deployment { metadata: { name: "web" } });
    let newer = client.apps().v1().deployments("default");
    assert_eq!(newer.create_or_update(&key, change).await.unwrap().0, Upsert::Updated);
    assert!(seen.lock().unwrap().contains(r#""newer":{"a":1}"#));
    assert!(seen.lock().unwrap().contains(r#""image":"j""#));
    let change = |web: &mut Deployment| {
        web.spec.template.spec.containers[0].image = "k".into();
    };
    assert_eq!(api.create_or_patch(&key, change).await.unwrap().0, Upsert::Updated);
}

#[tokio::test(start_paused = true)]
async fn what_was_applied_is_taken_out_changed_and_applied_again() {
    let live = live();
    let api = deployment(&live).await;
    assert!(api.extract("web", "scaler").await.unwrap().is_none());
    let mine = object!(Deployment {
        metadata: { name: "web", labels: { "tier": "front" } },
        spec: { replicas: 4 },
    });
    let scaler = live.client.clone().field_manager("scaler").apps().v1().deployments("default");
    scaler.apply(&mine, &ApplyOptions::forced()).await.unwrap();
    let mut owned = scaler.extract("web", "scaler").await.unwrap().unwrap();
    let expected = object!(Deployment {
        metadata: { name: "web", namespace: "default", labels: { "tier": "front" } },
        spec: { replicas: 4 },
    });
    diff::assert_same(owned.object(), &expected);
    owned.edit(|web| web.spec.replicas = Some(5)).unwrap();
    let web = scaler.apply_extracted(&owned, &ApplyOptions::default()).await.unwrap();
    assert_eq!((web.spec.replicas, web.label("tier")), (Some(5), Some("front")));
    assert!(api.extract_subresource("web", "scaler", "status").await.unwrap().is_none());
}

/// What an apply of nothing but `minReplicas` says, and what is extracted of it.
#[tokio::test(start_paused = true)]
async fn a_part_claims_no_more_than_was_said() {
    let live = live();
    let whole = object!(HorizontalPodAutoscaler {
        metadata: { name: "web" },
        spec: { scale_target_ref: { api_version: "apps/v1", kind: "Deployment", name: "web" }, max_replicas: 9 },
    });
    let of = |manager: &str| {
        let client = live.client.clone().field_manager(manager);
        client.autoscaling().v2().horizontal_pod_autoscalers("default")
    };
    of("owner").apply(&whole, &ApplyOptions::default()).await.unwrap();
    let part = object!(HorizontalPodAutoscaler {
        metadata: { name: "web" },
        spec: { min_replicas: 2 },
    });
    let floor = of("floor");
    let web = floor.apply(&part, &ApplyOptions::default()).await.unwrap();
    assert_eq!((web.spec.min_replicas, web.spec.max_replicas), (Some(2), 9));

    let mut mine = floor.extract("web", "floor").await.unwrap().unwrap();
    mine.edit(|web| web.spec.min_replicas = Some(3)).unwrap();
    let web = floor.apply_extracted(&mine, &ApplyOptions::default()).await.unwrap();
    assert_eq!((web.spec.min_replicas, web.spec.max_replicas), (Some(3), 9));
    mine.edit(|web| web.spec.min_replicas = None).unwrap();
    let web = floor.apply_extracted(&mine, &ApplyOptions::default()).await.unwrap();
    assert_eq!(web.spec.max_replicas, 9, "what was never owned stays");
}

/// A type whose members are always written, of a kind of which it knows little.
#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "apps", version = "v1", kind = "Deployment", crate = "watchkeeper_api")]
struct Narrow {
    metadata: ObjectMeta,
    #[field(required)]
    spec: NarrowSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
struct NarrowSpec {
    replicas: i32,
    min_ready_seconds: i32,
    #[field(required)]
    template: NarrowTemplate,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
struct NarrowTemplate {
    #[field(required)]
    spec: NarrowPod,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
struct NarrowPod {
    #[field(required)]
    security_context: Ids,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
struct Ids {
    run_as_user: i64,
    run_as_group: i64,
}

#[tokio::test(start_paused = true)]
async fn an_edit_claims_no_more_than_it_sets() {
    let live = live();
    deployment(&live).await;
    let of = |manager: &str| live.client.clone().field_manager(manager);
    let theirs = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "web" },
        "spec": {
            "minReadySeconds": 7,
            "template": { "spec": { "securityContext": { "runAsGroup": 512 } } },
        },
    });
    let theirs = Patch::Apply { body: theirs.to_string().into_bytes(), force: true };
    let deployments = of("them").apps().v1().deployments("default");
    deployments.patch("web", &theirs, &PatchOptions::default()).await.unwrap();
    let mine = object!(Deployment { metadata: { name: "web" }, spec: { replicas: 3 } });
    let deployments = of("me").apps().v1().deployments("default");
    deployments.apply(&mine, &ApplyOptions::forced()).await.unwrap();

    let api = of("me").api::<Narrow>().namespace("default");
    let mut mine = api.extract("web", "me").await.unwrap().unwrap();
    mine.edit(|web| web.spec.template.spec.security_context.run_as_user = 5).unwrap();
    let web = api.apply_extracted(&mine, &ApplyOptions::forced()).await.unwrap();
    let ids = Ids { run_as_user: 5, run_as_group: 512 };
    assert_eq!(web.spec.template.spec.security_context, ids);
    assert_eq!((web.spec.replicas, web.spec.min_ready_seconds), (3, 7));
    // What is its own may be set to nothing.
    mine.edit(|web| web.spec.replicas = 0).unwrap();
    let web = api.apply_extracted(&mine, &ApplyOptions::default()).await.unwrap();
    assert_eq!((web.spec.replicas, web.spec.min_ready_seconds), (0, 7));
}

#[tokio::test(start_paused = true)]
async fn a_difference_is_sent_with_or_without_a_lock() {
    let live = live();
    let api = live.client.api::<ConfigMap>().namespace("default");
    let before = api.create(&map(), &CreateOptions::default()).await.unwrap();
    let mut after = before.clone();
    after.data.insert("a", "1");
    assert_eq!(Patch::merge_from(&before, &before).unwrap(), None);
    let free = Patch::merge_from(&before, &after).unwrap().unwrap();
    let locked = Patch::merge_from_locked(&before, &after).unwrap().unwrap();
    assert_eq!(free, Patch::merge(&json!({ "data": { "a": "1" } })));
    let options = PatchOptions::default();
    api.patch("x", &locked, &options).await.unwrap();
    assert!(api.patch("x", &locked, &options).await.unwrap_err().is_conflict());
    api.patch("x", &free, &options).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_unstructured_object_is_upserted_too() {
    let live = live();
    let kind = live.client.mapper().resource("cm").await.unwrap().kind;
    let maps = live.client.dynamic(kind.clone());
    let map = watchkeeper_api::Unstructured::new(&kind, "default", "u");
    for expected in [Upsert::Created, Upsert::Unchanged] {
        let (done, _) = maps
            .create_or_update(&map, |map| map.set("/data", &json!({ "a": "1" })).unwrap())
            .await
            .unwrap();
        assert_eq!(done, expected);
    }
}
