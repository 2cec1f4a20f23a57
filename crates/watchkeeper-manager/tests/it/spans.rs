//! The spans of `tracing` around what a manager does.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use expect_test::expect;
use tokio::sync::Notify;
use tokio::time::sleep;
use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_apiserver::error::ApiError;
use watchkeeper_apiserver::hooks::{Delivery, Passage, Read, Verdict};
use watchkeeper_apiserver::{ApiServer, Hook};
use watchkeeper_cache::Cache;
use watchkeeper_client::{Client, CreateOptions, Select};
use watchkeeper_controller::{Action, Failure};
use watchkeeper_manager::{LeaderElection, Manager};

use crate::listen::listen;

/// Every span that there was, with the place of what it is below.
#[derive(Clone, Default)]
struct Spans(Arc<Mutex<Vec<Kept>>>);

struct Kept {
    id: Id,
    name: &'static str,
    within: Option<usize>,
    fields: Fields,
}

#[derive(Default)]
struct Fields(BTreeMap<&'static str, String>);

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}

impl<S: Subscriber + for<'span> LookupSpan<'span>> Layer<S> for Spans {
    fn on_new_span(&self, new: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let parent = context.span(id).and_then(|span| span.parent()).map(|span| span.id());
        let mut kept = self.0.lock().expect("no test panicked");
        let within = kept.iter().rposition(|kept| Some(&kept.id) == parent.as_ref());
        let mut fields = Fields::default();
        new.record(&mut fields);
        kept.push(Kept { id: id.clone(), name: new.metadata().name(), within, fields });
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, _: Context<'_, S>) {
        let mut kept = self.0.lock().expect("no test panicked");
        let found = kept.iter_mut().rfind(|kept| kept.id == *id);
        values.record(&mut found.expect("it is there").fields);
    }
}

impl Spans {
    /// Those of this name, with what is below.
    fn tree(&self, name: &str) -> String {
        let kept = self.0.lock().expect("no test panicked");
        let mut text = String::new();
        let tops = kept.iter().enumerate().filter(|(_, kept)| kept.name == name);
        for (place, _) in tops {
            told(&kept, place, 0, &mut text);
        }
        text
    }
}

fn told(kept: &[Kept], place: usize, depth: usize, text: &mut String) {
    let Kept { name, fields: Fields(fields), .. } = &kept[place];
    let fields: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
    writeln!(text, "{:depth$}{name} {}", "", fields.join(" "), depth = depth * 2)
        .expect("a text takes all");
    let below = kept.iter().enumerate().filter(|(_, kept)| kept.within == Some(place));
    below.for_each(|(place, _)| told(kept, place, depth + 1, text));
}

/// Greets one map, after a first try that fails.
async fn greet(client: Client) {
    let map = object!(ConfigMap { metadata: { name: "a", namespace: "shop" } });
    client.api_for(&map).create(&map, &CreateOptions::default()).await.expect("created");
    let manager = Manager::new(&client)
        .seed(1)
        .leader_election(LeaderElection::new("mine").namespace("shop"));
    let (maps, done) = (manager.watch::<ConfigMap>(), Arc::new(Notify::new()));
    let greeted = Arc::clone(&done);
    manager.controller("greeter", &maps).with((maps, done)).reconcile(
        async |(maps, done), request, ctx| {
            let Some(map) = maps.get(&request).await? else { return Ok(Action::done()) };
            if map.data.contains_key("greeting") {
                done.notify_one();
                return Ok(Action::after(Duration::from_secs(90)));
            }
            ctx.edit(&map, |map| drop(map.data.insert("greeting", "hello"))).await?;
            let gone = ctx.client().api::<ConfigMap>().namespace("shop").get("gone").await;
            Err(Failure::new(gone.expect_err("it is gone")).terminal())
        },
    );
    manager.run(async move { greeted.notified().await }).await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_reconcile_is_a_span_with_its_requests_below() {
    let server = ApiServer::new();
    let namespace = object!(watchkeeper_api::core::v1::Namespace { metadata: { name: "shop" } });
    let client = Client::new(server).host("10.0.0.1:6443");
    client
        .api_for(&namespace)
        .create(&namespace, &CreateOptions::default())
        .await
        .expect("created");
    let spans = Spans::default();
    let listening = listen(tracing_subscriber::registry().with(spans.clone()));
    greet(client).await;
    drop(listening);
    expect![[r#"
        reconcile controller=greeter error.type=terminal id=1778ca13-b7da-41ed-896d-36a94257166d k8s.namespace.name=shop kind=ConfigMap name=a otel.name=reconcile greeter otel.status_code=ERROR outcome=error
          request http.request.method=PATCH http.response.status_code=200 k8s.namespace.name=shop name=a otel.kind=client otel.name=patch configmaps resource=configmaps server.address=10.0.0.1 server.port=6443 url.path=/api/v1/namespaces/shop/configmaps/a verb=patch
          request error.type=404 http.request.method=GET http.response.status_code=404 k8s.namespace.name=shop name=gone otel.kind=client otel.name=get configmaps otel.status_code=ERROR resource=configmaps server.address=10.0.0.1 server.port=6443 url.path=/api/v1/namespaces/shop/configmaps/gone verb=get
        reconcile controller=greeter id=fa023558-2f62-421c-aa54-f0d7e714a98d k8s.namespace.name=shop kind=ConfigMap name=a otel.name=reconcile greeter outcome=requeue_after requeue_after=90.0
    "#]].assert_eq(&spans.tree("reconcile"));
    let elections = spans.tree("election");
    assert!(elections.contains("lease=mine"), "{elections}");
    assert!(elections.contains("  request http.request.method=POST"), "{elections}");
}

/// Ends the first watch before its last event, and has forgotten the version that the second one asks for; the third
/// fails.
#[derive(Default)]
struct Failing {
    watches: u32,
}

impl Hook for Failing {
    fn on_delivery(&mut self, delivery: &Delivery<'_>) -> Passage {
        let is_last = delivery.event.object.name() == "last";
        if is_last && self.watches == 1 { Passage::End } else { Passage::Deliver }
    }

    fn on_read(&mut self, read: &Read<'_>) -> Verdict {
        self.watches += u32::from(read.verb == "watch");
        match (read.verb, self.watches) {
            ("watch", 2) => read.expired(),
            ("watch", 3) => Verdict::Refuse(Box::new(ApiError::internal("no disk"))),
            _ => Verdict::Proceed,
        }
    }
}

/// Follows config maps in pages of two.
async fn follow(client: &Client) {
    let make = async |name: &str| {
        let map = object!(ConfigMap { metadata: { name: name, namespace: "default" } });
        client.api_for(&map).create(&map, &CreateOptions::default()).await.expect("created");
    };
    for name in ["a", "b", "c"] {
        make(name).await;
    }
    let cache = Cache::new(client).seed(1).page_size(NonZeroU32::new(2).expect("two"));
    let maps = cache.watch_only(Select::<ConfigMap>::all().namespace("default"));
    let script = async {
        maps.synced().await.expect("synced");
        for name in ["later", "last"] {
            make(name).await;
        }
        sleep(Duration::from_secs(60)).await;
        assert_eq!(maps.peek_all().len(), 5);
    };
    tokio::select! {
        biased;
        () = script => {}
        () = cache.run() => panic!("the cache ended"),
    }
}

#[tokio::test(start_paused = true)]
async fn lists_and_watches_are_spans_with_their_requests_below() {
    let server = ApiServer::new();
    server.add_hook(Failing::default());
    let spans = Spans::default();
    let listening = listen(tracing_subscriber::registry().with(spans.clone()));
    follow(&Client::new(server)).await;
    drop(listening);
    expect![[r#"
        list k8s.namespace.name=default objects=5 otel.name=list configmaps pages=3 resource=configmaps resource_version=10
          request http.request.method=GET http.response.status_code=200 k8s.namespace.name=default otel.kind=client otel.name=list configmaps resource=configmaps url.path=/api/v1/namespaces/default/configmaps verb=list
          request http.request.method=GET http.response.status_code=200 k8s.namespace.name=default otel.kind=client otel.name=list configmaps resource=configmaps url.path=/api/v1/namespaces/default/configmaps verb=list
          request http.request.method=GET http.response.status_code=200 k8s.namespace.name=default otel.kind=client otel.name=list configmaps resource=configmaps url.path=/api/v1/namespaces/default/configmaps verb=list
    "#]].assert_eq(&spans.tree("list"));
    expect![[r#"
        watch events=4 initial_events=true k8s.namespace.name=default otel.name=watch configmaps resource=configmaps resource_version=
          request http.request.method=GET http.response.status_code=200 k8s.namespace.name=default otel.kind=client otel.name=watch configmaps resource=configmaps url.path=/api/v1/namespaces/default/configmaps verb=watch
        watch error.type=expired events=0 initial_events=false k8s.namespace.name=default otel.name=watch configmaps resource=configmaps resource_version=10
          request error.type=410 http.request.method=GET http.response.status_code=410 k8s.namespace.name=default otel.kind=client otel.name=watch configmaps otel.status_code=ERROR resource=configmaps url.path=/api/v1/namespaces/default/configmaps verb=watch
        watch error.type=internal events=0 initial_events=true k8s.namespace.name=default otel.name=watch configmaps otel.status_code=ERROR resource=configmaps resource_version=10
          request error.type=500 http.request.method=GET http.response.status_code=500 k8s.namespace.name=default otel.kind=client otel.name=watch configmaps otel.status_code=ERROR resource=configmaps url.path=/api/v1/namespaces/default/configmaps verb=watch
        watch initial_events=false k8s.namespace.name=default otel.name=watch configmaps resource=configmaps resource_version=11
          request http.request.method=GET http.response.status_code=200 k8s.namespace.name=default otel.kind=client otel.name=watch configmaps resource=configmaps url.path=/api/v1/namespaces/default/configmaps verb=watch
    "#]].assert_eq(&spans.tree("watch"));
}
