//! V9.3: what the server counts.

use std::pin::pin;
use std::task::Poll;

use serde_json::json;
use watchkeeper_apiserver::{ApiServer, User};

use crate::support::{CONFIG_MAPS, CRDS, Client, FOOS, PODS, client, foo, foo_crd};

/// The value of a line of `/metrics`.
async fn value(client: &Client, line: &str) -> Option<String> {
    let metrics = client.get("/metrics").await;
    assert_eq!(metrics.code, 200);
    let found = metrics.text.lines().find_map(|one| one.strip_prefix(line)?.strip_prefix(' '));
    found.map(str::to_owned)
}

fn request(labels: &str) -> String {
    format!("apiserver_request_total{{{labels}}}")
}

#[tokio::test(start_paused = true)]
async fn v9_3_requests_are_counted_by_what_they_ask_for_and_how_they_end() {
    let client = client();
    client.config_map("a", "1").await;
    client.get(CONFIG_MAPS).await.expect(200);
    client.get(CONFIG_MAPS).await.expect(200);
    client.get(&format!("{CONFIG_MAPS}/b")).await;
    let of = |code: u16, scope: &str, verb: &str| {
        request(&format!(
            "code=\"{code}\",component=\"apiserver\",dry_run=\"\",group=\"\",resource=\"configmaps\",scope=\"{scope}\",subresource=\"\",verb=\"{verb}\",version=\"v1\""
        ))
    };
    assert_eq!(value(&client, &of(201, "resource", "POST")).await.as_deref(), Some("1"));
    assert_eq!(value(&client, &of(200, "namespace", "LIST")).await.as_deref(), Some("2"));
    assert_eq!(value(&client, &of(404, "resource", "GET")).await.as_deref(), Some("1"));
    let took = "apiserver_request_duration_seconds_count{component=\"apiserver\",dry_run=\"\",group=\"\",resource=\"configmaps\",scope=\"namespace\",subresource=\"\",verb=\"LIST\",version=\"v1\"}";
    assert_eq!(value(&client, took).await.as_deref(), Some("2"));
    let reads = "apiserver_current_inflight_requests{request_kind=\"readOnly\"}";
    assert_eq!(value(&client, reads).await.as_deref(), Some("1"), "the one that asks");
}

#[tokio::test(start_paused = true)]
async fn v9_3_watches_and_objects_are_counted() {
    let client = client();
    let mut watch = client.watch(&format!("{CONFIG_MAPS}?watch=1")).await;
    let open = "apiserver_longrunning_requests{component=\"apiserver\",group=\"\",resource=\"configmaps\",scope=\"namespace\",subresource=\"\",verb=\"WATCH\",version=\"v1\"}";
    assert_eq!(value(&client, open).await.as_deref(), Some("1"));
    client.config_map("a", "1").await;
    client.config_map("b", "1").await;
    assert_eq!(watch.ready().len(), 2);
    let events = "apiserver_watch_events_total{group=\"\",resource=\"configmaps\",version=\"v1\"}";
    assert_eq!(value(&client, events).await.as_deref(), Some("2"));
    let objects = "apiserver_resource_objects{group=\"\",resource=\"configmaps\"}";
    assert_eq!(value(&client, objects).await.as_deref(), Some("2"));
    let objects = "apiserver_storage_objects{resource=\"configmaps\"}";
    assert_eq!(value(&client, objects).await.as_deref(), Some("2"));
    drop(watch);
    assert_eq!(value(&client, open).await, None);
}

/// Nobody can fill the server's memory by asking for what there is not.
#[tokio::test(start_paused = true)]
async fn v9_3_only_what_is_served_becomes_a_label() {
    let client = client();
    for path in
        ["/nothing", "/api/v1/nothings", "/apis/none.example.com/v1/foos", "/api/v1/nodes/a/b"]
    {
        client.get(path).await;
    }
    client.get(&format!("{PODS}?dryRun=Some")).await;
    let text = client.get("/metrics").await.text;
    for word in ["nothing", "none.example.com", "subresource=\"b\"", "Some"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
    client.post(CRDS, &foo_crd()).await.expect(201);
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    client
        .merge(&format!("{FOOS}/a/status"), &json!({"status": {"replicas": 1}}))
        .await
        .expect(200);
    let text = client.get("/metrics").await.text;
    let of = "group=\"example.com\",resource=\"foos\",scope=\"resource\",subresource=\"status\",verb=\"PATCH\",version=\"v1\"";
    assert!(text.contains(of), "{text}");
}

#[tokio::test(start_paused = true)]
async fn v9_3_requests_that_are_too_many_are_counted() {
    let server = ApiServer::builder().max_requests_in_flight(1).build();
    let client = Client { server, agent: "tester" };
    let ahead = format!("{CONFIG_MAPS}?resourceVersion=1000");
    {
        let mut waits = pin!(client.get(&ahead));
        std::future::poll_fn(|cx| Poll::Ready(waits.as_mut().poll(cx).is_pending())).await;
        assert_eq!(client.get(CONFIG_MAPS).await.code, 429);
        assert_eq!(client.get("/healthz").await.code, 429);
    }
    let of = |resource: &str, scope: &str, version: &str, verb: &str| {
        request(&format!(
            "code=\"429\",component=\"apiserver\",dry_run=\"\",group=\"\",resource=\"{resource}\",scope=\"{scope}\",subresource=\"\",verb=\"{verb}\",version=\"{version}\""
        ))
    };
    let maps = of("configmaps", "namespace", "v1", "LIST");
    assert_eq!(value(&client, &maps).await.as_deref(), Some("1"));
    assert_eq!(value(&client, &of("", "", "", "GET")).await.as_deref(), Some("1"));
}

/// Upstream counts what reaches a handler, and who may not does not get there.
#[tokio::test(start_paused = true)]
async fn v9_3_who_may_not_is_not_counted() {
    let server = ApiServer::builder().rbac().user("a", User::new("alice")).build();
    let client = Client { server: server.clone(), agent: "tester" };
    for (token, code) in [("Bearer a", 403), ("Bearer b", 401)] {
        let headers = [("authorization", token)];
        let refused = client.try_send("GET", PODS, &headers, String::new()).await;
        assert_eq!(refused.expect("an answer").code, code);
    }
    let admin = User::new("root").in_group("system:masters");
    server.add_token("root", admin);
    let headers = [("authorization", "Bearer root")];
    let metrics = client.try_send("GET", "/metrics", &headers, String::new()).await;
    let text = metrics.expect("an answer").text;
    assert!(text.contains("apiserver_request_total"), "{text}");
    assert!(!text.contains("code=\"403\"") && !text.contains("code=\"401\""), "{text}");
}
