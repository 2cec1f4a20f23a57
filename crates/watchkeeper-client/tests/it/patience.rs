//! Every call has a deadline, and goes when its caller does: counted at a server that never answers. A body
//! that is streamed has one for each part.

use std::convert::Infallible;
use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response};
use tokio::time::{Instant, timeout};
use tower_service::Service;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::autoscaling::v1::Scale;
use watchkeeper_api::core::v1::{ConfigMap, Pod, ServiceAccount};
use watchkeeper_api::error::Why;
use watchkeeper_api::meta::v1::Status;
use watchkeeper_api::{Result, Unstructured, object};
use watchkeeper_client::{
    Api, ApplyOptions, Body, BoxError, Client, CreateOptions, DeleteOptions, ExecOptions,
    ListOptions, LogOptions, Patch, PatchOptions, TokenOptions, UpdateOptions, WatchOptions,
};

use crate::fake::{Fake, ok};

/// A server that takes requests and never answers.
#[derive(Clone, Default)]
struct Mute {
    open: Arc<AtomicUsize>,
}

/// A request that nobody gave up.
struct Open(Arc<AtomicUsize>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Mute {
    fn open_requests(&self) -> usize {
        self.open.load(Ordering::Relaxed)
    }
}

impl Service<Request<Body>> for Mute {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<Body>) -> Self::Future {
        self.open.fetch_add(1, Ordering::Relaxed);
        let open = Open(Arc::clone(&self.open));
        Box::pin(async move {
            pending::<()>().await;
            drop(open);
            Ok(Response::default())
        })
    }
}

type Call = Pin<Box<dyn Future<Output = Result<()>>>>;

/// Each call as a future of its own, with its name.
macro_rules! calls {
    ($client:ident; $($name:literal: $call:expr,)*) => {
        vec![$({
            let $client = $client.clone();
            let call: Call = Box::pin(async move { $call.await.map(drop) });
            ($name, call)
        }),*]
    };
}

fn maps(client: &Client) -> Api<ConfigMap> {
    client.api().namespace("a")
}

fn pods(client: &Client) -> Api<Pod> {
    client.api().namespace("a")
}

fn deployments(client: &Client) -> Api<Deployment> {
    client.api().namespace("a")
}

fn map() -> ConfigMap {
    object!(ConfigMap { metadata: { name: "x", namespace: "a", resource_version: "1" } })
}

fn web() -> Deployment {
    object!(Deployment { metadata: { name: "x", namespace: "a", resource_version: "1" } })
}

fn change() -> Patch {
    Patch::merge(&serde_json::json!({ "metadata": { "labels": { "a": "b" } } }))
}

fn reads(client: &Client) -> Vec<(&'static str, Call)> {
    calls! { client;
        "get": maps(&client).get("x"),
        "get_opt": maps(&client).get_opt("x"),
        "list": maps(&client).list(&ListOptions::default()),
        "list_all": maps(&client).list_all(&ListOptions::default()),
        "list_stream": maps(&client).list_stream(&ListOptions::default()),
        "pager": maps(&client).pager(&ListOptions::default()).next_page(),
        "watch": maps(&client).watch(&WatchOptions::default()),
        "extract": maps(&client).extract("x", "me"),
        "get_scale": deployments(&client).get_scale("x"),
        "subresource get": deployments(&client).subresource("scale").get::<Scale>("x"),
        "logs": pods(&client).logs("x", &LogOptions::default()),
        "log_stream": pods(&client).log_stream("x", &LogOptions::default()),
        "server_version": client.server_version(),
        "resources": client.resources(),
        "resolve": client.resolve("pods"),
        "catalog": client.discovery_client().catalog(),
        "refresh": client.discovery_client().refresh(),
        "mapper resource": client.mapper().resource("pods"),
        "mapper kind": client.mapper().kind("v1", "Pod"),
        "mapper preferred": client.mapper().preferred("", "Pod"),
        "mapper plural": client.mapper().plural("v1", "pods"),
        "mapper category": client.mapper().category("all"),
        "dynamic": client.dynamic_client().resource("v1", "pods"),
        "dynamic named": client.dynamic_client().named("po"),
        "dynamic metadata": client.dynamic_client().metadata("v1", "pods"),
        "scales": client.scales().of("deploy"),
        "openapi": client.openapi(|_| true),
        "rest": client.rest().get().path("/x").do_raw(),
        "rest stream": client.rest().get().path("/x").stream(),
    }
}

fn writes(client: &Client) -> Vec<(&'static str, Call)> {
    let scale = || object!(Scale { metadata: { name: "x" }, spec: { replicas: 2 } });
    calls! { client;
        "create": maps(&client).create(&map(), &CreateOptions::default()),
        "update": maps(&client).update(&map()),
        "update_status": deployments(&client).update_status(&web()),
        "update_subresource": deployments(&client).update_subresource(&web(), "status"),
        "patch": maps(&client).patch("x", &change(), &PatchOptions::default()),
        "patch_status": deployments(&client).patch_status("x", &change(), &PatchOptions::default()),
        "patch_subresource":
            pods(&client).patch_subresource("x", "resize", &change(), &PatchOptions::default()),
        "apply": maps(&client).apply(&map(), &ApplyOptions::default()),
        "apply_status": deployments(&client).apply_status(&web(), &ApplyOptions::default()),
        "apply_subresource":
            deployments(&client).apply_subresource(&web(), "status", &ApplyOptions::default()),
        "delete": maps(&client).delete("x", &DeleteOptions::default()),
        "delete_collection":
            maps(&client).delete_collection(&DeleteOptions::default(), &ListOptions::default()),
        "create_or_update": maps(&client).create_or_update(&map(), |_| {}),
        "create_or_patch": maps(&client).create_or_patch(&map(), |_| {}),
        "update_scale":
            deployments(&client).update_scale("x", &scale(), &UpdateOptions::default()),
        "scale_to": deployments(&client).scale_to("x", 2),
        "apply_scale": deployments(&client).apply_scale("x", 2, &ApplyOptions::default()),
        "subresource create": pods(&client)
            .subresource("eviction")
            .create::<Status>("x", &map(), &CreateOptions::default()),
        "subresource update": deployments(&client)
            .subresource("scale")
            .update::<Scale>("x", &scale(), &UpdateOptions::default()),
        "subresource patch": deployments(&client)
            .subresource("scale")
            .patch::<Scale>("x", &change(), &PatchOptions::default()),
        "subresource apply": deployments(&client)
            .subresource("scale")
            .apply::<Scale>("x", &scale(), &ApplyOptions::default()),
        "evict": pods(&client).evict("x", &DeleteOptions::default()),
        "bind": pods(&client).bind("x", "n"),
        "token":
            client.api::<ServiceAccount>().namespace("a").token("x", &TokenOptions::default()),
        "exec": pods(&client).exec("x", &ExecOptions::new(["date"])),
        "attach": pods(&client).attach("x", &ExecOptions::output()),
        "tunnel": pods(&client).tunnel("x"),
        "port_forward": pods(&client).port_forward("x", 80),
        "rest post": client.rest().post().path("/x").body(&map()).send(),
        "dynamic create": client
            .dynamic(maps(&client).kind().clone())
            .create(&Unstructured::new(maps(&client).kind(), "a", "x"), &CreateOptions::default()),
    }
}

fn all(client: &Client) -> Vec<(&'static str, Call)> {
    let mut all = reads(client);
    all.extend(writes(client));
    all
}

#[tokio::test(start_paused = true)]
async fn each_call_ends_at_its_deadline_and_takes_its_request_along() {
    let mute = Mute::default();
    let client = Client::new(mute.clone());
    for (name, call) in all(&client) {
        let began = Instant::now();
        let error = call.await.expect_err(name);
        assert!(error.is_timeout(), "{name}: {error}");
        assert_eq!(began.elapsed(), Duration::from_secs(30), "{name}");
        assert_eq!(mute.open_requests(), 0, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn each_call_that_is_dropped_takes_its_request_along() {
    let mute = Mute::default();
    let client = Client::new(mute.clone()).without_deadline();
    for (name, mut call) in all(&client) {
        let soon = Duration::from_secs(3600);
        assert!(timeout(soon, &mut call).await.is_err(), "{name} waits as long as it takes");
        assert_eq!(mute.open_requests(), 1, "{name}");
        drop(call);
        assert_eq!(mute.open_requests(), 0, "{name}");
    }
}

/// How it ended, and after how many of its parts.
async fn read(mut body: Body) -> (usize, Option<BoxError>) {
    let mut parts = 0;
    loop {
        match body.data().await {
            Ok(Some(_)) => parts += 1,
            Ok(None) => return (parts, None),
            Err(error) => return (parts, Some(error)),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_is_streamed_has_a_deadline_for_each_part() {
    let slow = || ok("one two three").sliced(4).paced(Duration::from_secs(20));
    let silent = || ok("one two three").sliced(4).then_silence();
    let fake = Fake::new([slow(), silent(), slow(), silent()]);
    let get = || fake.client().rest().get().path("/x");
    let began = Instant::now();
    let (parts, error) = read(get().stream().await.unwrap()).await;
    assert!(parts == 4 && error.is_none(), "as long as it makes progress: {error:?}");
    assert!(began.elapsed() >= Duration::from_secs(80), "{:?}", began.elapsed());

    let began = Instant::now();
    let ended = timeout(Duration::from_secs(3600), read(get().stream().await.unwrap())).await;
    let (parts, error) = ended.expect("it ends");
    let error = error.expect("a silent server");
    assert!(Why::of(&*error).is_some_and(Why::is_timeout), "{error}");
    assert_eq!((parts, began.elapsed()), (4, Duration::from_secs(30)));
    assert_eq!(error.to_string(), "get /x: no answer within 30s");

    let hasty = get().timeout(Duration::from_secs(7)).stream().await.unwrap();
    let (parts, error) = read(hasty).await;
    assert!(parts == 0 && error.is_some(), "the request says otherwise");
    let patient = read(get().no_timeout().stream().await.unwrap());
    assert!(timeout(Duration::from_secs(3600), patient).await.is_err(), "nothing ends it");
}

/// Whoever gives a wait up and begins it again waits no longer for it.
#[tokio::test(start_paused = true)]
async fn a_deadline_of_a_part_goes_on_when_it_is_asked_for_again() {
    let fake = Fake::new([ok("one").then_silence()]);
    let mut body = fake.client().rest().get().path("/x").stream().await.unwrap();
    assert!(body.data().await.unwrap().is_some());
    let began = Instant::now();
    let wait = Duration::from_secs(7);
    for _ in 0..4 {
        assert!(timeout(wait, body.data()).await.is_err());
    }
    assert!(timeout(wait, body.data()).await.expect("it is late").is_err());
    assert_eq!(began.elapsed(), Duration::from_secs(30));
}
