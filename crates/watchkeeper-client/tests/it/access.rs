//! What requests ask for, noted on their way to the embedded server.

use http::{Request, Response};
use tower_service::Service;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::access::AccessRecorder;
use watchkeeper_client::{ApplyOptions, Client, DeleteOptions, ListOptions, Patch, PatchOptions};

fn map() -> ConfigMap {
    object!(ConfigMap { metadata: { name: "a", namespace: "default" } })
}

fn noted(recorder: &AccessRecorder) -> Vec<String> {
    let recorded = recorder.recorded();
    recorded.iter().map(|(permission, by)| format!("{permission} by {}", by.join(", "))).collect()
}

#[tokio::test]
async fn every_request_is_noted_with_its_field_manager() {
    let recorder = AccessRecorder::new();
    let client = Client::new(ApiServer::new()).user_agent("reader").recorded_by(&recorder);
    let maps = client.api::<ConfigMap>().namespace("default");
    maps.list(&ListOptions::default()).await.unwrap();
    assert!(maps.get("a").await.is_err_and(|error| error.is_not_found()));
    let writer = client.field_manager("writer");
    writer.api_for(&map()).apply(&map(), &ApplyOptions::default()).await.unwrap();
    writer.api_for(&map()).delete("a", &DeleteOptions::default()).await.unwrap();
    assert_eq!(
        noted(&recorder),
        [
            "create configmaps in default by writer",
            "list configmaps in default by reader",
            "delete configmaps a in default by reader",
            "get configmaps a in default by reader",
            "patch configmaps a in default by writer",
        ]
    );
}

#[tokio::test]
async fn what_was_there_already_is_not_created() {
    let server = ApiServer::new();
    let script = Client::new(server.clone());
    script.api_for(&map()).apply(&map(), &ApplyOptions::default()).await.unwrap();
    let recorder = AccessRecorder::new();
    let client = Client::new(server).recorded_by(&recorder).field_manager("writer");
    let maps = client.api_for(&map());
    let patch = Patch::merge(&serde_json::json!({ "data": { "a": "b" } }));
    let stored: ConfigMap = maps.patch("a", &patch, &PatchOptions::default()).await.unwrap();
    maps.update(&stored).await.unwrap();
    let asked: Vec<String> = noted(&recorder);
    assert_eq!(
        asked,
        ["patch configmaps a in default by writer", "update configmaps a in default by writer"]
    );
}

/// Answers everything with nothing.
#[derive(Clone)]
struct Silent;

impl Service<Request<()>> for Silent {
    type Response = Response<()>;
    type Error = std::convert::Infallible;
    type Future = std::future::Ready<Result<Response<()>, Self::Error>>;

    fn poll_ready(
        &mut self,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), Self::Error>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<()>) -> Self::Future {
        std::future::ready(Ok(Response::new(())))
    }
}

#[tokio::test]
async fn other_clients_are_noted_by_a_layer() {
    let recorder = AccessRecorder::new();
    let mut service = recorder.around(Silent);
    let path = "/api/v1/namespaces/shop/pods/a/exec?command=ls";
    let request = Request::get(path).header("user-agent", "other/1.0").body(()).unwrap();
    service.call(request).await.unwrap();
    assert_eq!(
        noted(&recorder),
        ["create pods/exec a in shop by other", "get pods/exec a in shop by other"]
    );
}
