//! What a collector of OpenTelemetry is told.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use opentelemetry::trace::{SpanId, SpanKind, Status};
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use tokio::net::TcpListener;
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;
use tracing_subscriber::layer::SubscriberExt as _;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::{Client, CreateOptions};
use watchkeeper_controller::Action;
use watchkeeper_manager::{Manager, Telemetry};

use crate::listen::listen;

/// Keeps what it is told.
#[derive(Clone, Debug, Default)]
struct Kept(Arc<Mutex<Vec<SpanData>>>);

impl SpanExporter for Kept {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        self.0.lock().expect("no test panicked").extend(batch);
        Ok(())
    }
}

/// Greets one map; the headers of the requests that this took.
async fn greet(telemetry: &Telemetry) -> Vec<HeaderMap> {
    let map = object!(ConfigMap { metadata: { name: "a", namespace: "default" } });
    let server = Client::new(ApiServer::new());
    server.api_for(&map).create(&map, &CreateOptions::default()).await.expect("created");
    let heads = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&heads);
    let client = telemetry.propagate(server.intercept(move |request, next| {
        seen.lock().expect("no test panicked").push(request.headers().clone());
        next.send(request)
    }));
    let manager = Manager::new(&client).seed(1);
    let (maps, done) = (manager.watch::<ConfigMap>(), Arc::new(Notify::new()));
    let greeted = Arc::clone(&done);
    manager.controller("greeter", &maps).with((maps, done)).reconcile(
        async |(maps, done), request, ctx| {
            let Some(map) = maps.get(&request).await? else { return Ok(Action::done()) };
            if map.data.contains_key("greeting") {
                done.notify_one();
            }
            ctx.edit(&map, |map| drop(map.data.insert("greeting", "hello"))).await?;
            Ok(Action::done())
        },
    );
    manager.run(async move { greeted.notified().await }).await.expect("a clean stop");
    heads.lock().expect("no test panicked").clone()
}

fn attribute(span: &SpanData, name: &str) -> Option<String> {
    let found = span.attributes.iter().find(|attribute| attribute.key.as_str() == name);
    found.map(|attribute| attribute.value.as_str().into_owned())
}

#[tokio::test(start_paused = true)]
async fn a_reconcile_is_a_tree_of_spans_and_its_requests_name_them() {
    let kept = Kept::default();
    let provider = SdkTracerProvider::builder().with_simple_exporter(kept.clone()).build();
    let telemetry = Telemetry::new(provider);
    let heads = {
        let registry = tracing_subscriber::registry().with(telemetry.layer());
        let _listening = listen(registry);
        greet(&telemetry).await
    };
    let spans = kept.0.lock().expect("no test panicked").clone();
    let patch = spans.iter().find(|span| span.name == "patch configmaps").expect("a write");
    assert_eq!((&patch.span_kind, &patch.status), (&SpanKind::Client, &Status::Unset));
    assert_eq!(attribute(patch, "http.response.status_code").as_deref(), Some("200"));
    assert_eq!(attribute(patch, "k8s.namespace.name").as_deref(), Some("default"));
    let above = spans.iter().find(|span| span.span_context.span_id() == patch.parent_span_id);
    let above = above.expect("the reconcile");
    assert_eq!((&*above.name, above.parent_span_id), ("reconcile greeter", SpanId::INVALID));
    assert_eq!(attribute(above, "outcome").as_deref(), Some("success"));
    assert_eq!(attribute(above, "id").map(|id| id.len()), Some(36));

    // The server could go on below the request.
    let (trace, span) = (patch.span_context.trace_id(), patch.span_context.span_id());
    let wanted = format!("00-{trace}-{span}-01");
    let told = heads.iter().filter_map(|head| head.get("traceparent"));
    assert!(told.into_iter().any(|told| *told == *wanted), "{wanted} is not in {heads:?}");
}

#[tokio::test]
async fn without_a_listener_no_request_names_a_span() {
    let telemetry = Telemetry::new(SdkTracerProvider::builder().build());
    let heads = greet(&telemetry).await;
    assert!(!heads.is_empty());
    assert!(heads.iter().all(|head| !head.contains_key("traceparent")), "{heads:?}");
}

/// A collector on loopback: what is sent to it, as it comes.
async fn collector(parts: &mut JoinSet<()>) -> (String, mpsc::UnboundedReceiver<Bytes>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (told, hears) = mpsc::unbounded_channel();
    parts.spawn(async move {
        let (stream, _) = listener.accept().await.expect("the exporter");
        let service = hyper::service::service_fn(move |request| take(request, told.clone()));
        let builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        drop(builder.serve_connection(TokioIo::new(stream), service).await);
    });
    (format!("http://{address}"), hears)
}

/// Takes one call of gRPC, and answers with a message without any member.
async fn take(
    request: Request<Incoming>,
    told: mpsc::UnboundedSender<Bytes>,
) -> Result<Response<impl hyper::body::Body<Data = Bytes, Error = Infallible>>, Infallible> {
    assert_eq!(request.uri().path(), "/opentelemetry.proto.collector.trace.v1.TraceService/Export");
    let message = request.into_body().collect().await.expect("a message").to_bytes();
    told.send(message).expect("the test hears");
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", http::HeaderValue::from_static("0"));
    let body = Full::new(Bytes::from_static(&[0; 5]));
    let body = body.with_trailers(std::future::ready(Some(Ok(trailers))));
    let answer = Response::builder().header("content-type", "application/grpc").body(body);
    Ok(answer.expect("an answer"))
}

#[tokio::test]
async fn a_collector_is_told_by_otlp() {
    let mut parts = JoinSet::new();
    let (endpoint, mut hears) = collector(&mut parts).await;
    let telemetry = Telemetry::otlp_at("my-operator", &endpoint).expect("an exporter");
    {
        let registry = tracing_subscriber::registry().with(telemetry.layer());
        let _listening = listen(registry);
        greet(&telemetry).await;
    }
    telemetry.shut_down().await.expect("the last ones are sent");
    let message = hears.recv().await.expect("a message");
    for wanted in ["my-operator", "reconcile greeter", "patch configmaps", "outcome"] {
        let found = message.windows(wanted.len()).any(|part| part == wanted.as_bytes());
        assert!(found, "{wanted} was not told");
    }
    parts.shutdown().await;
}

#[tokio::test]
async fn without_a_collector_the_end_is_an_error_and_not_a_hang() {
    let telemetry = Telemetry::otlp_at("my-operator", "http://127.0.0.1:1").expect("an exporter");
    {
        let registry = tracing_subscriber::registry().with(telemetry.layer());
        let _listening = listen(registry);
        greet(&telemetry).await;
    }
    let ended = tokio::time::timeout(Duration::from_secs(60), telemetry.shut_down()).await;
    let error = ended.expect("it ends").expect_err("nobody took them");
    assert!(error.to_string().starts_with("the last spans were not sent: "), "{error}");
}

#[test]
fn without_a_runtime_there_is_nobody_to_keep_the_connection() {
    let error = Telemetry::otlp_at("my-operator", "http://127.0.0.1:1").expect_err("no runtime");
    assert!(error.to_string().starts_with("no telemetry: "), "{error}");
}

#[tokio::test]
async fn an_address_may_be_one_over_tls_and_must_be_one() {
    drop(Telemetry::otlp_at("my-operator", "https://localhost:1").expect("an exporter"));
    let error = Telemetry::otlp_at("my-operator", "http://").expect_err("no address");
    assert!(error.to_string().starts_with("no telemetry: "), "{error}");
}
