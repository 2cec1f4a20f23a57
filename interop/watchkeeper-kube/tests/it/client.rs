//! Our client over kube's: its credentials, its address, its body types.

use std::sync::{Arc, Mutex};

use kube::client::ConfigExt;
use kube::config::AuthInfo;
use tower::{BoxError, ServiceBuilder, service_fn};
use watchkeeper_api::core::v1::{ConfigMap, Namespace};
use watchkeeper_api::{Object, object};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::{CreateOptions, ListOptions, WatchEvent, WatchOptions};

/// What the server was sent: method, address, credentials, encodings.
type Sent = (String, String, String, String);

/// A client of kube with a token, as `kube::Client::try_from(config)` makes it, but for the socket.
fn with_a_token(server: ApiServer, sent: Arc<Mutex<Vec<Sent>>>) -> kube::Client {
    let mut config = kube::Config::new("https://example.com:6443".parse().expect("an address"));
    config.auth_info = AuthInfo { token: Some("hunter2".to_owned().into()), ..AuthInfo::default() };
    let recorder = service_fn(move |request: http::Request<kube::client::Body>| {
        let header = |name: &str| {
            let value = request.headers().get(name).map(|value| value.to_str().expect("text"));
            value.unwrap_or_default().to_owned()
        };
        sent.lock().expect("no panic").push((
            request.method().to_string(),
            request.uri().to_string(),
            header("authorization"),
            header("accept-encoding"),
        ));
        // The server knows paths alone.
        let (mut head, body) = request.into_parts();
        head.uri = head.uri.path_and_query().expect("a path").as_str().parse().expect("a path");
        let mut server = server.clone();
        async move {
            let request = http::Request::from_parts(head, body);
            tower::Service::call(&mut server, request).await.map_err(BoxError::from)
        }
    });
    let service = ServiceBuilder::new()
        .layer(config.base_uri_layer())
        .option_layer(config.auth_layer().expect("a token"))
        .map_err(BoxError::from)
        .service(recorder);
    kube::Client::new(service, "default")
}

#[tokio::test(start_paused = true)]
async fn credentials_and_addresses_stay_kubes() {
    let sent = Arc::default();
    let kube_client = with_a_token(ApiServer::new(), Arc::clone(&sent));
    let client = watchkeeper_kube::client(kube_client.clone());
    let maps = client.api::<ConfigMap>().namespace("default");
    let map = object!(ConfigMap { metadata: { name: "a" }, data: { "colour": "red" } });
    maps.create(&map, &CreateOptions::default()).await.expect("made");
    let list = maps.list(&ListOptions::default()).await.expect("a list");
    let options = WatchOptions::since(list.resource_version.as_str());
    let mut watch = maps.watch(&options).await.expect("a watch");
    maps.delete("a", &Default::default()).await.expect("deleted");
    let event = watch.next().await.expect("an event").expect("an event");
    assert!(matches!(event, WatchEvent::Deleted(map) if map.name() == "a"));

    let sent = sent.lock().expect("no panic").clone();
    let methods: Vec<_> = sent.iter().map(|(method, ..)| method.as_str()).collect();
    assert_eq!(methods, ["POST", "GET", "GET", "DELETE"]);
    for (_, uri, credentials, encodings) in &sent {
        assert!(uri.starts_with("https://example.com:6443/api/v1/namespaces/default/"), "{uri}");
        assert_eq!(credentials, "Bearer hunter2");
        // Servers compress each event of a watch by itself; kube's client would read the first.
        assert_eq!(encodings, "identity");
    }
}

#[tokio::test(start_paused = true)]
async fn both_clients_see_the_same_server() {
    let kube_client = kube::Client::new(ApiServer::new(), "default");
    let client = watchkeeper_kube::client(kube_client.clone());
    let map = object!(ConfigMap { metadata: { name: "a" }, data: { "colour": "red" } });
    let maps = client.api::<ConfigMap>().namespace("default");
    maps.create(&map, &CreateOptions::default()).await.expect("made");
    let theirs: kube::Api<k8s_openapi::api::core::v1::ConfigMap> =
        kube::Api::default_namespaced(kube_client);
    assert_eq!(theirs.get("a").await.expect("a map").data.expect("data")["colour"], "red");
}

#[tokio::test(start_paused = true)]
async fn what_the_server_says_and_a_broken_connection_are_our_errors() {
    let client = watchkeeper_kube::client(kube::Client::new(ApiServer::new(), "default"));
    let error = client.api::<Namespace>().get("nowhere").await.expect_err("no such namespace");
    assert!(error.is_not_found());
    assert_eq!(error.to_string(), "get namespaces nowhere: namespaces \"nowhere\" not found");

    let broken = service_fn(async |_: http::Request<kube::client::Body>| {
        Err::<http::Response<kube::client::Body>, BoxError>("the cable is cut".into())
    });
    let client = watchkeeper_kube::client(kube::Client::new(broken, "default")).retries(0);
    let error = client.api::<Namespace>().get("default").await.expect_err("no connection");
    assert!(error.is_transport());
    assert!(error.to_string().contains("the cable is cut"), "{error}");
}
