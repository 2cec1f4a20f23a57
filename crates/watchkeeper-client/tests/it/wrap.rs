//! Rules for every request of a client, and what stands between it and its service.

use std::sync::{Arc, Mutex};

use watchkeeper_api::core::v1::{ConfigMap, Namespace, Pod};
use watchkeeper_api::{StaticKind as _, Unstructured, json, object};
use watchkeeper_client::{
    ApplyOptions, CreateOptions, DeleteOptions, FieldValidation, ListOptions, Patch, PatchOptions,
    Propagation, WriteOptions, status_answer,
};

use crate::live::live;

fn map() -> ConfigMap {
    object!(ConfigMap { metadata: { name: "x" }, data: { "a": "1" } })
}

#[tokio::test(start_paused = true)]
async fn a_dry_run_client_stores_nothing() {
    let live = live();
    let maps = live.client.core().v1().config_maps("default");
    maps.create(&map(), &CreateOptions::default()).await.unwrap();
    let before = live.server.revision();
    let dry = live.client.clone().dry_run();
    let dry_maps = dry.core().v1().config_maps("default");
    let other = object!(ConfigMap { metadata: { name: "y" } });
    dry_maps.create(&other, &CreateOptions::default()).await.unwrap();
    dry_maps.create(&map(), &CreateOptions::default()).await.unwrap_err();
    let mut changed = maps.get("x").await.unwrap();
    changed.data.insert("b", "2");
    assert_eq!(dry_maps.update(&changed).await.unwrap().data.len(), 2);
    dry_maps.apply(&map(), &ApplyOptions::forced()).await.unwrap();
    let change = Patch::merge(&serde_json::json!({ "data": { "c": "3" } }));
    dry_maps.patch("x", &change, &PatchOptions::default()).await.unwrap();
    dry_maps.delete("x", &DeleteOptions::default()).await.unwrap();
    let options = DeleteOptions::default().propagation(Propagation::Orphan);
    dry_maps.delete("x", &options).await.unwrap();
    dry_maps.delete_collection(&options, &ListOptions::default()).await.unwrap();
    dry.rest_for("v1")
        .delete()
        .namespace("default")
        .resource("configmaps")
        .name("x")
        .send()
        .await
        .unwrap();
    dry_maps.create_or_update(&map(), |map| _ = map.data.insert("d", "4")).await.unwrap();
    assert_eq!(live.server.revision(), before);
    assert_eq!(maps.get("x").await.unwrap().data.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_client_is_kept_to_its_namespace() {
    let live = live();
    let only = live.client.clone().namespaced("default");
    let maps = only.api::<ConfigMap>();
    maps.create(&map(), &CreateOptions::default()).await.unwrap();
    maps.get("x").await.unwrap();
    assert_eq!(maps.list(&ListOptions::default()).await.unwrap().items.len(), 1);
    maps.clone().namespace("").list(&ListOptions::default()).await.unwrap();
    let asked = live.asked();
    assert!(asked.iter().all(|line| line.contains("/namespaces/default/")), "{asked:?}");
    let error = only.api::<ConfigMap>().namespace("kube-system").get("x").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "get configmaps kube-system/x: this client is kept to namespace \"default\", and the request is about \"kube-system\""
    );
    only.rest().get().path("/api/v1/namespaces/other/pods").do_raw().await.unwrap_err();
    assert!(live.asked().is_empty(), "nothing was sent");
    only.api::<Namespace>().get("default").await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn unknown_fields_are_refused_for_the_whole_client() {
    let live = live();
    let text = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"datta":{}}"#;
    let map: Unstructured = json::from_str(text).unwrap();
    let strict = live.client.clone().field_validation(FieldValidation::Strict);
    let maps = strict.dynamic(ConfigMap::static_kind().clone()).namespace("default");
    let error = maps.create(&map, &CreateOptions::default()).await.unwrap_err();
    assert!(error.is_bad_request(), "{error}");
    let lenient =
        WriteOptions { field_validation: Some(FieldValidation::Ignore), ..WriteOptions::default() };
    maps.create(&map, &lenient).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_client_owns_what_it_writes() {
    let live = live();
    let owner = live.client.clone().field_manager("me");
    let maps = owner.core().v1().config_maps("default");
    maps.apply(&map(), &ApplyOptions::default()).await.unwrap();
    assert!(maps.extract("x", "me").await.unwrap().is_some());
    let theirs = object!(ConfigMap { metadata: { name: "x" }, data: { "a": "2" } });
    let other = live.client.field_manager("you").core().v1().config_maps("default");
    let error = other.apply(&theirs, &ApplyOptions::default()).await.unwrap_err();
    assert!(error.is_conflict());
    assert!(error.to_string().contains("me"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn preconditions_and_propagation_reach_the_server() {
    let live = live();
    let maps = live.client.core().v1().config_maps("default");
    let made = maps.create(&map(), &CreateOptions::default()).await.unwrap();
    let old = DeleteOptions { resource_version: Some("1".to_owned()), ..DeleteOptions::default() };
    assert!(maps.delete("x", &old).await.unwrap_err().is_conflict());
    assert!(maps.delete("x", &DeleteOptions::only("other")).await.unwrap_err().is_conflict());
    let foreground =
        DeleteOptions::only(made.metadata.uid.as_str()).propagation(Propagation::Foreground);
    let deleted = maps.delete("x", &foreground).await.unwrap();
    let watchkeeper_client::Deleted::Pending(held) = deleted else { panic!("gone at once") };
    assert_eq!(held.metadata.finalizers, ["foregroundDeletion"]);
}

#[tokio::test(start_paused = true)]
async fn an_interceptor_sees_and_answers() {
    let live = live();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&seen);
    let client = live.client.clone().intercept(move |request, next| {
        told.lock().unwrap().push(request.method().to_string());
        async move {
            if request.method() == http::Method::DELETE {
                return Ok(status_answer(403, "Forbidden", "not here"));
            }
            next.send(request).await
        }
    });
    let pods = client.api::<Pod>().namespace("default");
    pods.list(&ListOptions::default()).await.unwrap();
    let error = pods.delete("x", &DeleteOptions::default()).await.unwrap_err();
    assert!(error.is_forbidden());
    assert_eq!(error.to_string(), "delete pods default/x: not here");
    assert_eq!(*seen.lock().unwrap(), ["GET", "DELETE"]);
    live.client.api::<Pod>().list(&ListOptions::default()).await.unwrap();
    assert_eq!(seen.lock().unwrap().len(), 2, "the other handle goes its own way");
}
