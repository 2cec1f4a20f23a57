//! Rules for every request of a client, and what stands between it and its service.

use std::sync::{Arc, Mutex};

use serde_json::json;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::{ConfigMap, Namespace, Pod, ServiceAccount};
use watchkeeper_api::error::Why;
use watchkeeper_api::{StaticKind as _, Unstructured, object};
use watchkeeper_client::{
    ApplyOptions, Client, CreateOptions, DeleteOptions, ExecOptions, FieldValidation, ListOptions,
    Patch, PatchOptions, Propagation, TokenOptions, UpdateOptions, WriteOptions, status_answer,
};

use crate::live::{Live, live};

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
    let change = Patch::merge(&json!({ "data": { "c": "3" } }));
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
    dry_parts(&live).await;
}

/// What is not the object itself: its status, its scale, and what is made at it.
async fn dry_parts(live: &Live) {
    let options = (CreateOptions::default(), PatchOptions::default(), ApplyOptions::forced());
    let (create, patch, forced) = &options;
    let at = |client: &Client| {
        let core = client.core().v1();
        let deployments = client.apps().v1().deployments("default");
        (deployments, core.pods("default"), core.service_accounts("default"))
    };
    let (deployments, pods, accounts) = at(&live.client);
    deployments.create(&web(), create).await.unwrap();
    pods.create(&pod(), create).await.unwrap();
    let account = object!(ServiceAccount { metadata: { name: "me" } });
    accounts.create(&account, create).await.unwrap();
    let before = live.server.revision();

    let (deployments, pods, accounts) = at(&live.client.clone().dry_run());
    let mut ready = deployments.get("web").await.unwrap();
    ready.status.observed_generation = 7;
    let ready = deployments.update_status(&ready).await.unwrap();
    assert_eq!(ready.status.observed_generation, 7, "it went through everything");
    let change = Patch::merge(&json!({ "status": { "observedGeneration": 8 } }));
    deployments.patch_status("web", &change, patch).await.unwrap();
    let part =
        object!(Deployment { metadata: { name: "web" }, status: { observed_generation: 9 } });
    deployments.apply_status(&part, forced).await.unwrap();

    assert_eq!(deployments.scale_to("web", 3).await.unwrap().spec.replicas, 3);
    deployments.apply_scale("web", 4, forced).await.unwrap();
    let mut scale = deployments.get_scale("web").await.unwrap();
    scale.spec.replicas = 5;
    deployments.update_scale("web", &scale, &UpdateOptions::default()).await.unwrap();

    pods.evict("p", &DeleteOptions::default()).await.unwrap();
    pods.evict("p", &DeleteOptions::default().grace_period(0)).await.unwrap();
    pods.bind("p", "n").await.unwrap();
    let debug = json!({ "spec": { "ephemeralContainers": [{ "name": "d", "image": "i" }] } });
    let debug = Patch::strategic(&debug);
    let debugged = pods.patch_subresource("p", "ephemeralcontainers", &debug, patch).await.unwrap();
    assert_eq!(debugged.spec.ephemeral_containers[0].name, "d");
    accounts.token("me", &TokenOptions::default()).await.unwrap();

    assert_eq!(live.server.revision(), before);
    let pod = pods.get("p").await.unwrap();
    assert!(pod.spec.node_name.is_empty() && pod.spec.ephemeral_containers.is_empty(), "{pod:?}");
}

fn web() -> Deployment {
    object!(Deployment {
        metadata: { name: "web" },
        spec: {
            replicas: 1,
            selector: { match_labels: { "a": "b" } },
            template: {
                metadata: { labels: { "a": "b" } },
                spec: { containers: [{ name: "c", image: "i" }] },
            },
        },
    })
}

fn pod() -> Pod {
    object!(Pod { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } })
}

/// The handshake of a stream is a read, and what it opens is none.
#[tokio::test(start_paused = true)]
async fn a_dry_run_client_reaches_no_program() {
    let live = live();
    let dry = live.client.clone().dry_run();
    let pods = dry.api::<Pod>().namespace("default");
    let said = "this client makes nothing but dry runs, and ";
    let refused = |error: watchkeeper_api::Error, about: &str, effect: &str| {
        assert_eq!(error.to_string(), format!("{about}: {said}{effect}"));
        assert!(matches!(error.why(), Why::Usage(_)), "{error:?}");
    };
    let options = ExecOptions::new(["rm", "-r", "/data"]);
    let ran = pods.exec("p", &options).await.map(drop).unwrap_err();
    refused(ran, "exec pods default/p", "exec would run the program");
    let attached = pods.attach("p", &options).await.map(drop).unwrap_err();
    refused(attached, "attach pods default/p", "attach would reach the program that runs");
    for tunnel in [
        pods.tunnel("p").await.map(drop).unwrap_err(),
        pods.port_forward("p", 80).await.map(drop).unwrap_err(),
    ] {
        let effect = "portforward would reach the program that runs";
        refused(tunnel, "portforward pods default/p", effect);
    }
    let core = dry.rest_for("v1");
    let by_hand = |request: watchkeeper_client::RestRequest, part: &str| {
        request.namespace("default").resource("pods").name("p").subresource(part)
    };
    let effect = "exec would run the program";
    let ran = by_hand(core.post(), "exec").query("command", "rm").send().await.unwrap_err();
    refused(ran, "create pods default/p", effect);
    let posted = by_hand(core.post(), "proxy").segment("path", "pay").send().await.unwrap_err();
    let effect = "a write through a proxy would reach what is behind it";
    refused(posted, "create pods default/p", effect);
    let flag = dry.rest().put().path("/debug/flags/v").send().await.unwrap_err();
    let effect = "a write to what is no resource would be carried out";
    refused(flag, "put /debug/flags/v", effect);
    assert!(live.asked().is_empty(), "nothing was sent");
    by_hand(core.get(), "proxy").do_raw().await.unwrap_err();
    dry.rest().get().path("/readyz").do_raw().await.unwrap();
    pods.list(&ListOptions::default()).await.unwrap();
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
    let map: Unstructured = watchkeeper_api::json::from_str(text).unwrap();
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
