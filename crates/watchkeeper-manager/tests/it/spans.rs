//! The spans of `tracing` around what a manager does.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex};

use expect_test::expect;
use tokio::sync::Notify;
use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::{Client, CreateOptions};
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
                return Ok(Action::after(std::time::Duration::from_secs(90)));
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
