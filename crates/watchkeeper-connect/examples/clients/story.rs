//! A walk through the whole family of clients: two servers that tell the same story serve them alike.
//!
//! It works in a namespace of its own, deletes it at the end, and tells nothing that differs from run to run.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::{ConfigMap, Namespace, Pod, ServiceAccount};
use watchkeeper_api::{Object, Unstructured, edit, object};
use watchkeeper_client::wait::{Backoff, poll};
use watchkeeper_client::{
    Api, ApplyOptions, Asked, Client, CreateOptions, DeleteOptions, Error, ListOptions,
    NoticeHandler, Patch, PatchOptions, Resource, Result, TokenOptions, UpdateOptions, Warning,
    retry_on_conflict,
};

#[path = "story/deletes.rs"]
mod deletes;
#[path = "story/watches.rs"]
mod watches;

const NAMESPACE: &str = "watchkeeper-clients";
const FOOS: &str = "foos.clients.example.com";

/// Walks through everything, and tells what happened.
///
/// # Errors
/// Whatever a healthy server would not answer.
pub(crate) async fn clients(client: &Client) -> Result<String> {
    let told = Told::default();
    let client = client.clone().notices(Arc::new(told.clone()));
    let namespace = object!(Namespace { metadata: { name: NAMESPACE } });
    client.api().create(&namespace, &CreateOptions::default()).await?;
    let walked = walk(&client, &told).await;
    client.api::<Namespace>().delete(NAMESPACE, &DeleteOptions::default()).await?;
    let crds = client.apiextensions().v1().custom_resource_definitions();
    let _absent = crds.delete(FOOS, &DeleteOptions::default()).await;
    walked?;
    let text = told.0.lock().map(|text| text.clone());
    text.map_err(|_| Error::other("the story broke off"))
}

async fn walk(client: &Client, told: &Told) -> Result<()> {
    discovery(client, told).await?;
    legacy(client, told).await?;
    custom(client, told).await?;
    by_hand(client, told).await?;
    lists(client, told).await?;
    upserts(client, told).await?;
    applied(client, told).await?;
    rules(client, told).await?;
    scale(client, told).await?;
    status(client, told).await?;
    applied_parts(client, told).await?;
    pods(client, told).await?;
    watches::watches(client, told).await?;
    deletes::deletes(client, told).await
}

/// What happened, line by line.
#[derive(Clone, Default)]
pub(crate) struct Told(Arc<Mutex<String>>);

impl Told {
    fn tell(&self, line: impl std::fmt::Display) {
        if let Ok(mut text) = self.0.lock() {
            // Writing to a String cannot fail.
            let _infallible = writeln!(text, "{line}");
        }
    }

    fn refused<T>(&self, what: &str, result: Result<T>) {
        match result {
            Ok(_) => self.tell(format!("{what}: was allowed")),
            Err(error) => self.tell(format!("{what}: {error}")),
        }
    }
}

impl NoticeHandler for Told {
    fn warning(&self, asked: &Asked<'_>, warning: &Warning) {
        self.tell(format!("warned at {}: {}", asked.method, warning.text));
    }
}

async fn discovery(client: &Client, told: &Told) -> Result<()> {
    let mapper = client.mapper();
    for name in ["po", "deploy", "Deployment", "cm", "crd", "jobs.batch", "ds.v1.apps", "events"] {
        let found = mapper.resource(name).await?;
        told.tell(format!("{name} is {}", found.kind));
    }
    told.refused("a kind that is none", mapper.resource("sandwiches").await);
    let all = mapper.category("all").await?;
    let all: Vec<_> = all.iter().map(|resource| resource.kind.group_resource()).collect();
    told.tell(format!("all: {}", all.join(" ")));
    let scalers = mapper.preferred("autoscaling", "HorizontalPodAutoscaler").await?;
    told.tell(format!("preferred: {scalers}"));
    let deployments = mapper.plural("apps/v1", "deployments").await?;
    for part in &deployments.parts {
        told.tell(format!("deployments/{} is {:?} {}", part.name, part.api_version, part.kind));
    }
    Ok(())
}

/// What servers tell who have no aggregated discovery: a document for each version.
async fn legacy(client: &Client, told: &Told) -> Result<()> {
    let old = client.clone().intercept(|mut request, next| {
        let json = http::HeaderValue::from_static("application/json");
        request.headers_mut().insert(http::header::ACCEPT, json);
        next.send(request)
    });
    let tell = |mut resources: Vec<Resource>| {
        resources.iter_mut().for_each(|resource| resource.verbs.sort());
        resources.sort_by_key(|resource| resource.kind.to_string());
        resources
    };
    let (new, old) = (tell(client.resources().await?), tell(old.resources().await?));
    told.tell(format!("legacy discovery: {} many, the same: {}", old.len() > 50, new == old));
    for (new, old) in new.iter().zip(&old).filter(|(new, old)| new != old) {
        told.tell(format!("{new:?}, as a document of its own {old:?}"));
    }
    Ok(())
}

async fn custom(client: &Client, told: &Told) -> Result<()> {
    let dynamic = client.dynamic_client();
    told.refused("before the CRD", dynamic.named(FOOS).await);
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": FOOS },
        "spec": {
            "group": "clients.example.com", "scope": "Namespaced",
            "names": { "plural": "foos", "singular": "foo", "kind": "Foo", "shortNames": ["fo"] },
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": {
                "type": "object", "properties": { "spec": { "type": "object", "properties": { "n": { "type": "integer" } } } },
            } } }],
        },
    });
    let crd: CustomResourceDefinition =
        watchkeeper_api::json::from_value(&crd).map_err(|error| Error::other(error.to_string()))?;
    client.api().create(&crd, &CreateOptions::default()).await?;
    let (every, minute) = (Duration::from_millis(200), Duration::from_secs(60));
    poll(every, minute, true, || async { Ok(dynamic.named("fo").await.is_ok()) }).await?;
    let foos = dynamic.resource("clients.example.com/v1", "foos").await?.namespace(NAMESPACE);
    let mut foo = Unstructured::new(foos.kind(), NAMESPACE, "a");
    foo.set("/spec", &json!({ "n": 1 })).map_err(|error| Error::other(error.to_string()))?;
    let made = foos.create(&foo, &CreateOptions::default()).await?;
    told.tell(format!("made {} {} with {:?}", made.kind(), made.name(), made.get("/spec/n")));
    let metadata = dynamic.metadata("clients.example.com/v1", "foos").await?;
    let listed = metadata.list(&ListOptions::default()).await?.items;
    told.tell(format!("metadata of {} {}", listed.len(), listed[0].name()));
    told.refused("scaling foos", client.scales().of("foos").await);
    Ok(())
}

async fn by_hand(client: &Client, told: &Told) -> Result<()> {
    let ready = client.rest().get().path("/readyz").do_raw().await?;
    told.tell(format!("ready: {}", String::from_utf8_lossy(&ready)));
    let maps = client.rest_for("v1").get().namespace(NAMESPACE).resource("configmaps");
    told.refused("a map that is none", maps.clone().name("nothing").do_raw().await);
    told.refused("a name that is none", maps.name("a/b").do_raw().await);
    told.refused("a path that is none", client.rest().get().path("/nothing").do_raw().await);
    let body = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "by-hand" }, "datta": {},
    });
    let post = client.rest_for("v1").post().namespace(NAMESPACE).resource("configmaps");
    let answer = post.body(&body).send().await?;
    told.tell(format!("posted: {} created {}", answer.status(), answer.was_created()));
    Ok(())
}

fn maps(client: &Client) -> Api<ConfigMap> {
    client.core().v1().config_maps(NAMESPACE)
}

async fn lists(client: &Client, told: &Told) -> Result<()> {
    let maps = maps(client);
    for name in ["a", "b", "c", "d", "e"] {
        let map = object!(ConfigMap { metadata: { name: name, labels: { "page": "yes" } } });
        maps.create(&map, &CreateOptions::default()).await?;
    }
    let mut pager = maps.pager(&ListOptions::default().labels("page=yes").limit(2));
    while let Some(page) = pager.next_page().await? {
        let names: Vec<_> = page.items.iter().map(Object::name).collect();
        told.tell(format!("page: {} more {:?}", names.join(" "), page.remaining));
    }
    let found = maps.wait_for("a", Duration::from_secs(30), |map| map.is_some()).await?;
    told.tell(format!("waited for {}", found.is_some()));
    Ok(())
}

async fn upserts(client: &Client, told: &Told) -> Result<()> {
    let maps = maps(client);
    let map = object!(ConfigMap { metadata: { name: "upsert" } });
    for value in ["1", "1", "2"] {
        let change = |map: &mut ConfigMap| _ = map.data.insert("a", value);
        told.tell(format!("upsert: {}", maps.create_or_update(&map, change).await?.0.as_str()));
    }
    let mut tries = 0;
    let written = retry_on_conflict(Backoff::conflict(), async || {
        tries += 1;
        let mut mine = maps.get("upsert").await?;
        if tries == 1 {
            let theirs = Patch::merge(&json!({ "data": { "theirs": "1" } }));
            maps.patch("upsert", &theirs, &PatchOptions::default()).await?;
        }
        mine.data.insert("mine", "1");
        maps.update(&mine).await
    });
    told.tell(format!("after a conflict: {} values, {tries} tries", written.await?.data.len()));
    Ok(())
}

async fn applied(client: &Client, told: &Told) -> Result<()> {
    let maps = maps(client);
    let mine = object!(ConfigMap { metadata: { name: "upsert" }, data: { "applied": "1" } });
    let me = client.clone().field_manager("me").core().v1().config_maps(NAMESPACE);
    me.apply(&mine, &ApplyOptions::default()).await?;
    let owned = maps.extract("upsert", "me").await?;
    let owned = owned.map(|mine| format!("{:?}", mine.object().data)).unwrap_or_default();
    told.tell(format!("owned: {owned}"));
    told.tell(format!("owned by nobody: {}", maps.extract("upsert", "nobody").await?.is_some()));
    let theirs = object!(ConfigMap { metadata: { name: "upsert" }, data: { "applied": "2" } });
    let you = client.clone().field_manager("you").core().v1().config_maps(NAMESPACE);
    let refused = you.apply(&theirs, &ApplyOptions::default()).await;
    told.tell(format!("taken by another: conflict {}", refused.is_err_and(|e| e.is_conflict())));
    Ok(())
}

async fn rules(client: &Client, told: &Told) -> Result<()> {
    let dry = client.clone().dry_run().core().v1().config_maps(NAMESPACE);
    let map = object!(ConfigMap { metadata: { name: "dry" } });
    dry.create(&map, &CreateOptions::default()).await?;
    dry.delete("a", &DeleteOptions::default().grace_period(0)).await?;
    dry.delete("b", &DeleteOptions::default()).await?;
    let maps = maps(client);
    for name in ["dry", "a", "b"] {
        told.tell(format!(
            "after a dry run {name} is there: {}",
            maps.get_opt(name).await?.is_some()
        ));
    }
    let kept = client.clone().namespaced(NAMESPACE);
    told.tell(format!("kept to a namespace: {}", kept.api::<ConfigMap>().get("a").await?.key()));
    let strict = client.clone().field_validation(watchkeeper_client::FieldValidation::Strict);
    let body = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "strict" }, "datta": {},
    });
    let post = strict.rest_for("v1").post().namespace(NAMESPACE).resource("configmaps");
    told.refused("strictly", post.body(&body).send().await);
    told.refused(
        "of another uid",
        maps.delete("a", &DeleteOptions::only("other")).await.map_err(|e| {
            // The message tells the uid.
            Error::other(format!("conflict {}", e.is_conflict()))
        }),
    );
    Ok(())
}

async fn scale(client: &Client, told: &Told) -> Result<()> {
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
    let deployments = client.apps().v1().deployments(NAMESPACE);
    deployments.create(&web, &CreateOptions::default()).await?;
    let scales = client.scales().of("deploy").await?.namespace(NAMESPACE);
    let scaled = scales.scale_to("web", 3).await?;
    told.tell(format!("scaled to {}", scaled.spec.replicas));
    told.tell(format!("read back: {}", deployments.get_scale("web").await?.spec.replicas));
    for (replicas, ready) in [(3, 0), (2, 1)] {
        let change = |web: &mut Deployment| {
            edit!(web, { spec: { replicas: replicas }, status: { observed_generation: ready } });
        };
        let (done, _) = deployments.create_or_patch(&web, change).await?;
        told.tell(format!("patched: {}", done.as_str()));
    }
    Ok(())
}

async fn status(client: &Client, told: &Told) -> Result<()> {
    let deployments = client.apps().v1().deployments(NAMESPACE);
    let mut scale = deployments.get_scale("web").await?;
    scale.spec.replicas = 4;
    let scaled = deployments.update_scale("web", &scale, &UpdateOptions::default()).await?;
    told.tell(format!("scaled to {}", scaled.spec.replicas));
    let stale = deployments.update_scale("web", &scale, &UpdateOptions::default()).await;
    told.tell(format!(
        "scaled at an old version: conflict {}",
        stale.is_err_and(|e| e.is_conflict())
    ));
    let mut web = deployments.get("web").await?;
    (web.spec.replicas, web.status.observed_generation) = (Some(9), 7);
    let web = deployments.update_status(&web).await?;
    told.tell(format!("status {}, still {:?}", web.status.observed_generation, web.spec.replicas));
    let change = Patch::merge(&json!({ "status": { "observedGeneration": 8 } }));
    let web = deployments.patch_status("web", &change, &PatchOptions::default()).await?;
    told.tell(format!("status {}", web.status.observed_generation));
    Ok(())
}

/// Applies through a subresource: what it owns there, and with whom it conflicts.
async fn applied_parts(client: &Client, told: &Told) -> Result<()> {
    let of =
        |manager: &str| client.clone().field_manager(manager).apps().v1().deployments(NAMESPACE);
    let (scaler, other) = (of("scaler"), of("other"));
    other.scale_to("web", 6).await?;
    told.refused(
        "scaled by an apply",
        scaler.apply_scale("web", 5, &ApplyOptions::default()).await,
    );
    for replicas in [5, 0] {
        let scaled = scaler.apply_scale("web", replicas, &ApplyOptions::forced()).await?;
        told.tell(format!("scaled by force to {}", scaled.spec.replicas));
    }
    let owned = scaler.extract_subresource("web", "scaler", "scale").await?;
    let owned = owned.map(|mine| mine.object().spec.replicas);
    told.tell(format!("owned of the scale: {owned:?}"));
    told.refused("scaled by another", other.apply_scale("web", 7, &ApplyOptions::default()).await);
    let ready = |ready: i32| object!(Deployment { metadata: { name: "web" }, status: { unavailable_replicas: ready } });
    let web = scaler.apply_status(&ready(1), &ApplyOptions::default()).await?;
    told.tell(format!("status applied: {}", web.status.unavailable_replicas));
    told.refused(
        "status of another",
        other.apply_status(&ready(2), &ApplyOptions::default()).await,
    );
    Ok(())
}

async fn pods(client: &Client, told: &Told) -> Result<()> {
    let accounts = client.core().v1().service_accounts(NAMESPACE);
    let account = object!(ServiceAccount { metadata: { name: "default" } });
    // Where a controller manager runs it makes the same one.
    let _there = accounts.create(&account, &CreateOptions::default()).await;
    token(client, told).await?;
    let pods = client.core().v1().pods(NAMESPACE);
    for name in ["x", "y"] {
        let pod = object!(Pod {
            metadata: { name: name },
            spec: {
                automount_service_account_token: false,
                containers: [{ name: "c", image: "i" }],
            },
        });
        pods.create(&pod, &CreateOptions::default()).await?;
    }
    told.tell(format!("evicted: {}", pods.evict("x", &DeleteOptions::default()).await?.status));
    told.tell(format!("x is there: {}", pods.get_opt("x").await?.is_some()));
    let debug = json!({ "spec": { "ephemeralContainers": [
        { "name": "debug", "image": "busybox", "terminationMessagePolicy": "File", "imagePullPolicy": "Always" },
    ] } });
    let options = PatchOptions::default();
    let debug = Patch::strategic(&debug);
    let pod = pods.patch_subresource("y", "ephemeralcontainers", &debug, &options).await?;
    told.tell(format!("debugged by {}", pod.spec.ephemeral_containers[0].name));
    told.tell(format!("bound: {}", pods.bind("y", "nowhere").await?.status));
    told.tell(format!("y is on {}", pods.get("y").await?.spec.node_name));
    told.tell(format!(
        "bound again: conflict {}",
        pods.bind("y", "z").await.is_err_and(|e| e.is_conflict())
    ));
    pods.delete("y", &DeleteOptions::default().grace_period(0)).await?;
    Ok(())
}

/// A token of an account, and none of one that is not there.
async fn token(client: &Client, told: &Told) -> Result<()> {
    let accounts = client.core().v1().service_accounts(NAMESPACE);
    let hour = Duration::from_secs(3600);
    let options = TokenOptions { lifetime: Some(hour), ..TokenOptions::default() };
    let token = accounts.token("default", &options).await?;
    // A signed token has three parts.
    let parts = token.as_str().split('.').count();
    told.tell(format!("a token of {parts} parts, which expires: {}", token.expires.is_some()));
    told.refused("a token of nobody", accounts.token("nobody", &options).await);
    Ok(())
}
