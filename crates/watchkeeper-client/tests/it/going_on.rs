//! Watches that go on after their connection ended.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Object as _, object};
use watchkeeper_client::{CreateOptions, DeleteOptions, RetryWatch, WatchEvent, WatchOptions};

use crate::fake::{Fake, ok, reset, status};
use crate::live::live;
use crate::{config_map, failure};

fn line(type_: &str, object: &Value) -> String {
    format!("{}\n", json!({ "type": type_, "object": object }))
}

fn bookmark(version: u32) -> String {
    line(
        "BOOKMARK",
        &json!({ "kind": "ConfigMap", "metadata": { "resourceVersion": version.to_string() } }),
    )
}

fn watch(fake: &Fake) -> RetryWatch<ConfigMap> {
    fake.client().api::<ConfigMap>().watch_on(WatchOptions::since("6")).unwrap()
}

/// The versions that are asked for.
fn versions(fake: &Fake) -> Vec<String> {
    let version = |line: String| {
        let rest = line.split("resourceVersion=").nth(1).unwrap().to_owned();
        rest.split('&').next().unwrap().to_owned()
    };
    fake.asked().into_iter().map(version).collect()
}

async fn name(watch: &mut RetryWatch<ConfigMap>) -> String {
    match watch.next().await {
        Some(Ok(WatchEvent::Added(map))) => format!("added {}", map.name()),
        Some(Ok(WatchEvent::Modified(map))) => format!("modified {}", map.name()),
        Some(Ok(WatchEvent::Error(status))) => format!("error {}", status.code),
        Some(Err(error)) => format!("failed: {error}"),
        other => format!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn t_01_each_event_comes_once_across_connections() {
    let added = line("ADDED", &config_map("x", 7));
    let fake = Fake::new([
        ok(&added),
        reset(),
        ok(&(bookmark(9) + &line("MODIFIED", &config_map("x", 10)))).then_reset(),
        ok(&line("ADDED", &config_map("y", 11))).then_silence(),
    ]);
    // A read whose connection breaks is repeated by the request itself.
    let client = fake.client().retries(0);
    let mut watch = client.api::<ConfigMap>().watch_on(WatchOptions::since("6")).unwrap();
    let start = Instant::now();
    let mut told = Vec::new();
    for _ in 0..3 {
        told.push(name(&mut watch).await);
    }
    assert_eq!(told, ["added x", "modified x", "added y"]);
    assert_eq!(versions(&fake), ["6", "7", "7", "10"]);
    assert_eq!(watch.resource_version(), "11");
    assert_eq!(start.elapsed(), Duration::from_secs(3), "a second between two starts");
}

#[tokio::test(start_paused = true)]
async fn t_01_bookmarks_are_used_and_not_told() {
    let fake = Fake::new([ok(&bookmark(9)), ok(&line("ADDED", &config_map("y", 11)))]);
    let mut watch = watch(&fake);
    assert_eq!(name(&mut watch).await, "added y");
    assert_eq!(versions(&fake), ["6", "9"]);
}

#[tokio::test(start_paused = true)]
async fn t_01_it_must_start_at_a_version() {
    let fake = Fake::new([]);
    for version in ["", "0"] {
        let api = fake.client().api::<ConfigMap>();
        let error = api.watch_on(WatchOptions::since(version)).unwrap_err();
        assert!(error.to_string().contains("must start at a version"), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn t_01_what_only_the_caller_can_mend_ends_it() {
    let gone = failure(410, "Expired", "too old");
    let in_stream = line("ERROR", &serde_json::from_str(&gone).unwrap());
    let fake = Fake::new([ok(&in_stream)]);
    let mut told = watch(&fake);
    assert_eq!(name(&mut told).await, "error 410");
    assert!(told.next().await.is_none());
    for (code, reason) in [(410, "Expired"), (403, "Forbidden"), (401, "Unauthorized")] {
        let fake = Fake::new([status(code, &failure(code, reason, "no"))]);
        let mut told = watch(&fake);
        assert!(name(&mut told).await.starts_with("failed: "));
        assert!(told.next().await.is_none());
    }
}

#[tokio::test(start_paused = true)]
async fn t_01_the_server_says_when_to_come_back() {
    let mut busy: Value = serde_json::from_str(&failure(429, "TooManyRequests", "later")).unwrap();
    busy["details"] = json!({ "retryAfterSeconds": 7 });
    let later = failure(500, "InternalError", "etcd");
    let fake = Fake::new([
        ok(&line("ERROR", &busy)),
        status(500, &later),
        ok(&line("ADDED", &config_map("y", 11))),
    ]);
    let start = Instant::now();
    assert_eq!(name(&mut watch(&fake)).await, "added y");
    assert_eq!(start.elapsed(), Duration::from_secs(8));
}

#[tokio::test(start_paused = true)]
async fn t_02_conditions_are_waited_for_in_order() {
    let live = live();
    let maps = live.client.core().v1().config_maps("default");
    let since = live.server.revision().to_string();
    let map = object!(ConfigMap { metadata: { name: "x" } });
    let script = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        maps.create(&map, &CreateOptions::default()).await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
        maps.delete("x", &DeleteOptions::default()).await.unwrap();
    };
    let waiting = async {
        let mut watch = maps.watch_on(WatchOptions::since(since)).unwrap();
        watch.until(|event| Ok(matches!(event, WatchEvent::Added(_)))).await.unwrap();
        watch.until(|event| Ok(matches!(event, WatchEvent::Deleted(_)))).await.unwrap()
    };
    let ((), deleted) = tokio::join!(script, waiting);
    assert!(matches!(deleted, WatchEvent::Deleted(map) if map.name() == "x"));
}

#[tokio::test(start_paused = true)]
async fn t_02_a_watch_that_ends_is_told() {
    let gone = line("ERROR", &serde_json::from_str(&failure(410, "Expired", "too old")).unwrap());
    let fake = Fake::new([ok(&gone)]);
    let mut watch = watch(&fake);
    assert!(watch.until(|_| Ok(true)).await.unwrap_err().is_gone());
    let error = watch.until(|_| Ok(true)).await.unwrap_err();
    assert!(error.to_string().contains("the watch ended"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn t_02_an_object_is_waited_for_from_what_is_there_on() {
    let live = live();
    let maps = live.client.core().v1().config_maps("default");
    let map = object!(ConfigMap { metadata: { name: "x" } });
    let minute = Duration::from_secs(60);
    let script = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        maps.create(&map, &CreateOptions::default()).await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
        // The watch of who waits is behind by now.
        live.server.compact(live.server.revision());
        maps.delete("x", &DeleteOptions::default()).await.unwrap();
    };
    let waiting = async {
        let there = maps.wait_for("x", minute, |map| map.is_some()).await.unwrap();
        assert_eq!(there.unwrap().name(), "x");
        assert!(maps.wait_for("x", minute, |map| map.is_none()).await.unwrap().is_none());
    };
    tokio::join!(script, waiting);
    let error = maps.wait_for("x", minute, |map| map.is_some()).await.unwrap_err();
    assert!(error.is_timeout(), "{error}");
    assert_eq!(live.server.open_requests(), 0);
}
