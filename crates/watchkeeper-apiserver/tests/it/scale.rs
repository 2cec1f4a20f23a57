//! As much as nobody should do, and somebody will.

use http_body_util::BodyExt as _;
use serde_json::json;

use crate::support::*;

const MANY: usize = 10_000;

/// All hear of a write, each in the bytes that were made once, and nothing is left of them.
#[tokio::test(start_paused = true)]
async fn ten_thousand_watches_are_told_of_a_write() {
    let client = client();
    let from = client.server.revision();
    let path = format!("/api/v1/namespaces/default/configmaps?watch=1&resourceVersion={from}");
    let mut watches = Vec::new();
    for _ in 0..MANY {
        watches.push(client.open("GET", &path, &[], String::new()).await.expect("a watch"));
    }
    assert_eq!(client.server.open_requests(), MANY);
    let map = json!({"metadata": {"name": "a"}}).to_string();
    let maps = "/api/v1/namespaces/default/configmaps";
    client.send("POST", maps, "application/json", map).await.expect(201);
    let mut first = None;
    for watch in &mut watches {
        let frame = watch.body_mut().frame().await.expect("it goes on").expect("no error");
        let bytes = frame.into_data().expect("data");
        assert_eq!(bytes, *first.get_or_insert_with(|| bytes.clone()));
    }
    assert!(first.expect("a watch").starts_with(b"{\"type\":\"ADDED\""));
    drop(watches);
    assert_eq!(client.server.open_requests(), 0);
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_namespaces_are_listed_and_each_is_found() {
    let client = client();
    let before = client.send("GET", "/api/v1/namespaces", "", String::new()).await.expect(200);
    let before = before["items"].as_array().expect("a list").len();
    for number in 0..MANY {
        let space = json!({"metadata": {"name": format!("n{number}")}}).to_string();
        client.send("POST", "/api/v1/namespaces", "application/json", space).await.expect(201);
    }
    let all = client.send("GET", "/api/v1/namespaces", "", String::new()).await.expect(200);
    assert_eq!(all["items"].as_array().expect("a list").len(), before + MANY);
    let last = format!("/api/v1/namespaces/n{}/configmaps", MANY - 1);
    let map = json!({"metadata": {"name": "a"}}).to_string();
    client.send("POST", &last, "application/json", map).await.expect(201);
    let maps = client.send("GET", "/api/v1/configmaps", "", String::new()).await.expect(200);
    assert_eq!(maps["items"].as_array().expect("a list").len(), 1);
}
