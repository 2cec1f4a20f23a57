//! V13: requests that are handed on to nodes, pods and services.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures_util::stream;
use http::Response;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_apiserver::containers::{
    Behind, Doing, Forward, Kubelet, LogRequest, LogStream, PortStream, Proxied,
};

use crate::support::*;

/// Notes what nodes are asked, and answers all ports but 81 with what was asked of them.
#[derive(Clone, Default)]
struct Behinds(Arc<Mutex<Vec<Proxied>>>);

impl Kubelet for Behinds {
    fn log(&self, _: &ApiServer, _: LogRequest) -> LogStream {
        Box::pin(stream::empty())
    }

    fn forward(&self, asked: Forward, mut stream: PortStream) -> Doing<Result<(), String>> {
        Box::pin(async move {
            if asked.port == 81 {
                return Err("connection refused".to_owned());
            }
            let mut text = vec![0; 1_024];
            let read = stream.read(&mut text).await.map_err(|error| error.to_string())?;
            let line = String::from_utf8_lossy(&text[..read]).lines().next().map(str::to_owned);
            let told = format!("{}:{} {}", asked.pod, asked.port, line.unwrap_or_default());
            let answer = format!(
                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{told}",
                told.len()
            );
            let written = stream.write_all(answer.as_bytes()).await;
            written.map_err(|error| error.to_string())
        })
    }

    fn node(&self, asked: Proxied) -> Doing<Result<Response<Bytes>, String>> {
        self.0.lock().expect("the list").push(asked);
        let answer = Response::builder().status(418).header("x-own", "1").header("te", "no");
        Box::pin(std::future::ready(Ok(answer.body("ok".into()).expect("an answer"))))
    }
}

const NODES: &str = "/api/v1/nodes";

/// A node, and a pod with an address.
async fn world(client: &Client) {
    client.post(NODES, &json!({"metadata": {"name": "n"}})).await.expect(201);
    let addresses =
        json!({"status": {"addresses": [{"type": "InternalIP", "address": "10.0.0.1"}]}});
    client.merge(&format!("{NODES}/n/status"), &addresses).await.expect(200);
    let mut web = pod("web");
    web["spec"]["containers"][0]["ports"] = json!([{"containerPort": 8080}]);
    client.post(PODS, &web).await.expect(201);
    let addresses = json!({"status": {"podIP": "10.1.0.1", "podIPs": [{"ip": "10.1.0.1"}]}});
    client.merge(&format!("{PODS}/web/status"), &addresses).await.expect(200);
}

#[tokio::test(start_paused = true)]
async fn v13_3_what_is_asked_of_a_node_is_handed_on_and_answered() {
    let (client, behind) = (client(), Behinds::default());
    client.server.set_kubelet(behind.clone());
    world(&client).await;
    let headers = [("authorization", "Bearer x"), ("accept", "image/png"), ("te", "trailers")];
    let path = format!("{NODES}/n:9100/proxy/stats/summary/?only=cpu");
    let answer = client.try_send("PATCH", &path, &headers, "body").await.expect("an answer");
    assert_eq!((answer.code, &*answer.text), (418, "ok"));
    assert!(answer.headers.contains_key("x-own") && answer.headers.contains_key("audit-id"));
    assert!(!answer.headers.contains_key("te"));
    let asked = behind.0.lock().expect("the list").remove(0);
    assert_eq!((asked.to, &*asked.address), (Behind::Node("n".to_owned()), "10.0.0.1:9100"));
    assert_eq!((&*asked.target, asked.method.as_str()), ("/stats/summary/?only=cpu", "PATCH"));
    assert_eq!(
        (&*asked.body, asked.headers["accept"].as_bytes()),
        (&b"body"[..], &b"image/png"[..])
    );
    assert!(!asked.headers.contains_key("authorization") && !asked.headers.contains_key("te"));
    for method in ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"] {
        let path = format!("{NODES}/n/proxy/pods");
        let answer = client.try_send(method, &path, &[], Bytes::new()).await.expect("an answer");
        assert_eq!(answer.code, 418, "{method}");
    }
    assert_eq!(behind.0.lock().expect("the list").len(), 6);
}

#[tokio::test(start_paused = true)]
async fn v13_3_where_nobody_listens_the_dial_is_refused() {
    let client = client();
    world(&client).await;
    let refused = |address: &str| {
        let why = format!(
            "error trying to reach service: dial tcp {address}: connect: connection refused"
        );
        (503, Value::from(why))
    };
    let told = async |path: &str| {
        let answer = client.get(path).await;
        (answer.code, answer.json()["message"].clone())
    };
    let healthz = format!("{NODES}/n/proxy/healthz");
    assert_eq!(told(&healthz).await, refused("10.0.0.1:10250"));
    client.server.set_kubelet(Behinds::default());
    assert_eq!(client.get(&healthz).await.code, 418);
    assert_eq!(told(&format!("{PODS}/web:81/proxy/")).await, refused("10.1.0.1:81"));
}

#[tokio::test(start_paused = true)]
async fn v13_3_a_port_of_a_pod_is_spoken_to() {
    let client = client();
    client.server.set_kubelet(Behinds::default());
    world(&client).await;
    let told = async |path: &str| client.get(path).await.text;
    assert_eq!(told(&format!("{PODS}/web/proxy/a?b=c")).await, "web:8080 GET /a?b=c HTTP/1.1");
    assert_eq!(told(&format!("{PODS}/web:99/proxy/")).await, "web:99 GET / HTTP/1.1");
    let services = "/api/v1/namespaces/default/services";
    let service = json!({"metadata": {"name": "s"}, "spec": {"ports": [
        {"name": "http", "port": 80, "targetPort": 8080},
    ]}});
    client.post(services, &service).await.expect(201);
    client.get(&format!("{services}/s:http/proxy/")).await.expect(404);
    let endpoints = json!({"metadata": {"name": "s"}, "subsets": [{
        "addresses": [
            {"ip": "10.1.0.9"},
            {"ip": "10.1.0.9", "targetRef": {"kind": "Pod", "namespace": "default", "name": "web"}},
            {"ip": "10.1.0.1", "targetRef": {"kind": "Pod", "namespace": "default", "name": "web"}},
        ],
        "ports": [{"name": "http", "port": 8080}],
    }]});
    client.post("/api/v1/namespaces/default/endpoints", &endpoints).await.expect(201);
    for port in ["80", "http"] {
        let path = format!("{services}/s:{port}/proxy/x");
        assert_eq!(told(&path).await, "web:8080 GET /x HTTP/1.1", "{port}");
    }
}

#[tokio::test(start_paused = true)]
async fn v13_3_who_may_get_may_not_therefore_post_through_a_proxy() {
    let server = crate::access::known(ApiServer::builder()).build();
    server.set_kubelet(Behinds::default());
    let client = Client { server, agent: "it" };
    let token = |who: &str| format!("Bearer token-of-{who}");
    let send = async |who: &str, method: &str, path: &str, body: Value| {
        let headers =
            [("authorization", token(who)), ("content-type", "application/json".to_owned())];
        let headers: Vec<(&str, &str)> = headers.iter().map(|(a, b)| (*a, &**b)).collect();
        client.try_send(method, path, &headers, body.to_string()).await.expect("an answer").code
    };
    let node = json!({"metadata": {"name": "n"}, "status": {"addresses": [
        {"type": "InternalIP", "address": "10.0.0.1"},
    ]}});
    assert_eq!(send("admin", "POST", NODES, node).await, 201);
    let group = "/apis/rbac.authorization.k8s.io/v1";
    let role = json!({"metadata": {"name": "r"}, "rules": [
        {"apiGroups": [""], "resources": ["nodes/proxy"], "verbs": ["get"]},
    ]});
    assert_eq!(send("admin", "POST", &format!("{group}/clusterroles"), role).await, 201);
    let binding = json!({
        "metadata": {"name": "r"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "r"},
        "subjects": [{"kind": "User", "name": "nobody", "apiGroup": "rbac.authorization.k8s.io"}],
    });
    assert_eq!(send("admin", "POST", &format!("{group}/clusterrolebindings"), binding).await, 201);
    let path = format!("{NODES}/n/proxy/run/x");
    assert_eq!(send("nobody", "GET", &path, Value::Null).await, 418);
    assert_eq!(send("nobody", "HEAD", &path, Value::Null).await, 418);
    assert_eq!(send("nobody", "POST", &path, Value::Null).await, 403);
    assert_eq!(send("admin", "POST", &path, Value::Null).await, 418);
}
