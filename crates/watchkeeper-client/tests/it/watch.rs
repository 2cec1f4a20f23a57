//! Watch.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;
use watchkeeper_api::Object as _;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_client::{WatchEvent, WatchOptions, WatchStream};

use crate::fake::{Answer, Fake, ok, status};
use crate::{config_map, failure};

fn line(type_: &str, object: &Value) -> String {
    format!("{}\n", json!({ "type": type_, "object": object }))
}

async fn watching(answer: Answer) -> WatchStream<ConfigMap> {
    let fake = Fake::new([answer]);
    let stream = fake.client().api::<ConfigMap>().watch(&WatchOptions::since("6")).await.unwrap();
    let query = "watch=true&resourceVersion=6&allowWatchBookmarks=true&timeoutSeconds=290";
    assert_eq!(fake.asked(), [format!("GET /api/v1/configmaps?{query}")]);
    stream
}

/// The events in short, errors included.
async fn told(answer: Answer) -> Vec<String> {
    let mut stream = watching(answer).await;
    let mut told = Vec::new();
    while let Some(event) = stream.next().await {
        told.push(match event {
            Ok(WatchEvent::Added(map)) => {
                format!("added {}@{}", map.name(), map.resource_version())
            }
            Ok(WatchEvent::Modified(map)) => format!("modified {}", map.name()),
            Ok(WatchEvent::Deleted(map)) => format!("deleted {}", map.name()),
            Ok(WatchEvent::Bookmark { resource_version, initial_events_end }) => {
                format!("bookmark @{resource_version} {initial_events_end}")
            }
            Ok(WatchEvent::Error(status)) => format!("error {} {}", status.code, status.reason),
            Ok(WatchEvent::Malformed(bad)) => {
                let gone = if bad.gone { " is gone" } else { "" };
                format!("malformed {}{gone}", bad.key.unwrap())
            }
            Err(error) => format!("broken: {error}"),
        });
    }
    told
}

#[tokio::test(start_paused = true)]
async fn every_event_is_told_however_it_arrives() {
    let mut text = line("ADDED", &config_map("x", 7));
    text += &line("MODIFIED", &config_map("x", 8));
    text +=
        &line("BOOKMARK", &json!({ "kind": "ConfigMap", "metadata": { "resourceVersion": "9" } }));
    let end = json!({ "k8s.io/initial-events-end": "true" });
    text +=
        &line("BOOKMARK", &json!({ "metadata": { "resourceVersion": "9", "annotations": end } }));
    text += &line("DELETED", &config_map("x", 10));
    for size in [1, 5, 100, text.len()] {
        let expected =
            ["added x@7", "modified x", "bookmark @9 false", "bookmark @9 true", "deleted x"];
        assert_eq!(told(ok(&text).sliced(size)).await, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_watch_may_last_for_ever() {
    let fake = Fake::new([ok(&line("ADDED", &config_map("x", 7)))]);
    let options = WatchOptions { timeout: Duration::MAX, ..WatchOptions::default() };
    let client = fake.client().deadline(Duration::MAX);
    let mut stream = client.api::<ConfigMap>().watch(&options).await.unwrap();
    assert!(fake.asked()[0].ends_with("timeoutSeconds=9223372036"), "{:?}", fake.asked());
    assert!(matches!(stream.next().await, Some(Ok(WatchEvent::Added(_)))));
}

#[tokio::test(start_paused = true)]
async fn a_bad_object_does_not_end_the_watch() {
    let mut bad = config_map("bad", 7);
    bad["data"] = json!(7);
    let text = line("ADDED", &bad) + &line("ADDED", &config_map("x", 8)) + &line("DELETED", &bad);
    let expected = ["malformed a/bad", "added x@8", "malformed a/bad is gone"];
    assert_eq!(told(ok(&text)).await, expected);
}

#[tokio::test(start_paused = true)]
async fn a_forgotten_version_is_told_both_ways() {
    let gone = failure(410, "Expired", "too old resource version");
    let event = line("ERROR", &serde_json::from_str(&gone).unwrap());
    assert_eq!(told(ok(&event)).await, ["error 410 Expired"]);

    let fake = Fake::new([status(410, &gone)]);
    let error =
        fake.client().api::<ConfigMap>().watch(&WatchOptions::since("6")).await.unwrap_err();
    assert!(error.is_gone(), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_ends_the_watch_is_no_error() {
    assert_eq!(told(ok("")).await, [""; 0]);
    assert_eq!(told(ok(&line("ADDED", &config_map("x", 7)))).await, ["added x@7"]);
}

#[tokio::test(start_paused = true)]
async fn a_line_cut_in_the_middle_is_an_error() {
    let text = line("ADDED", &config_map("x", 7));
    for end in 1..text.len() {
        let told = told(ok(&text[..end])).await;
        assert_eq!(told.len(), 1);
        assert!(told[0].starts_with("broken: "), "{told:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_falls_silent_is_given_up() {
    let start = Instant::now();
    let told = told(ok(&line("ADDED", &config_map("x", 7))).then_silence()).await;
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(start.elapsed(), Duration::from_secs(290 + 30));
}

#[tokio::test(start_paused = true)]
async fn what_is_no_event_ends_the_watch() {
    for text in ["{}\n", "hello\n", "{\"type\":\"GUESS\",\"object\":{}}\n"] {
        let told = told(ok(text)).await;
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("broken: "), "{told:?}");
    }
}
