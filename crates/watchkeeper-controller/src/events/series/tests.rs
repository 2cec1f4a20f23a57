//! What reaches the server, in paused time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use expect_test::expect;
use serde_json::Value;
use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_api::{Time, object};

use super::*;
use crate::events::{Broadcaster, EventRecorder, EventType::Normal, EventType::Warning};
use crate::testing::Server;

fn pod(name: &str) -> Pod {
    object!(Pod { metadata: { name: name, namespace: "shop", uid: "1", resource_version: "7" } })
}

/// Answers with what was sent.
fn echo(_: &str, _: &str, body: &Value) -> Result<(u16, Value), &'static str> {
    Ok((200, body.clone()))
}

fn status(code: u16, reason: &str) -> (u16, Value) {
    (code, json!({ "kind": "Status", "code": code, "reason": reason }))
}

fn made(server: &Server) -> (EventRecorder, SeriesSink) {
    let clock = Clock::starting_at(Time::from_unix(1_767_225_600));
    let options = RecorderOptions { seed: Some(1), clock, instance: Some("test-host".to_owned()) };
    let broadcaster = Broadcaster::new("test", options);
    (broadcaster.recorder(), broadcaster.series_sink(&server.client()))
}

/// Runs the sink until all that `tell` told is sent.
async fn told(server: &Server, tell: impl AsyncFnOnce(EventRecorder)) {
    let (recorder, sink) = made(server);
    tokio::join!(sink.run(std::future::pending()), tell(recorder));
}

fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}

#[tokio::test(start_paused = true)]
async fn e_01_the_first_is_made_and_the_second_is_a_series() {
    let server = Server::new(echo);
    told(&server, async |recorder| {
        let bind = Occurrence::of(&pod("a"), Normal, "Scheduled", "it runs").action("Binding");
        recorder
            .record(bind.related(&object!(Node { metadata: { name: "n1" } })).annotation("k", "v"));
        for _ in 0..2 {
            sleep(secs(1)).await;
            recorder.event(&object!(Node { metadata: { name: "n1" } }), Warning, "Tired", "sleepy");
        }
    })
    .await;
    expect![[r#"
        POST /apis/events.k8s.io/v1/namespaces/shop/events {"action":"Binding","apiVersion":"events.k8s.io/v1","eventTime":"2026-01-01T00:00:00.000000Z","kind":"Event","metadata":{"annotations":{"k":"v"},"name":"a.aec1c051bdc49aa0","namespace":"shop"},"note":"it runs","reason":"Scheduled","regarding":{"apiVersion":"v1","kind":"Pod","name":"a","namespace":"shop","resourceVersion":"7","uid":"1"},"related":{"apiVersion":"v1","kind":"Node","name":"n1"},"reportingController":"test","reportingInstance":"test-host","type":"Normal"}
        POST /apis/events.k8s.io/v1/namespaces/default/events {"action":"Tired","apiVersion":"events.k8s.io/v1","eventTime":"2026-01-01T00:00:01.000000Z","kind":"Event","metadata":{"name":"n1.5d5d3f076bb6864b","namespace":"default"},"note":"sleepy","reason":"Tired","regarding":{"apiVersion":"v1","kind":"Node","name":"n1"},"reportingController":"test","reportingInstance":"test-host","type":"Warning"}
        PATCH /apis/events.k8s.io/v1/namespaces/default/events/n1.5d5d3f076bb6864b {"series":{"count":2,"lastObservedTime":"2026-01-01T00:00:02.000000Z"}}"#]]
    .assert_eq(&server.log().join("\n"));
}

/// E-04, and the lengths that a server takes.
#[tokio::test(start_paused = true)]
async fn e_04_words_and_notes_are_no_longer_than_the_server_takes() {
    let server = Server::new(echo);
    told(&server, async |recorder| {
        recorder.event(&pod("a"), Normal, "Ä".repeat(200), "ä".repeat(600));
    })
    .await;
    let log = server.log();
    let (_, body) = log[0].split_once(" {").expect("a body");
    let body: Value = serde_json::from_str(&format!("{{{body}")).expect("JSON");
    assert_eq!(body["reportingInstance"], "test-host");
    assert_eq!(body["reportingController"], "test");
    assert_eq!(body["reason"], Value::from("Ä".repeat(128)));
    assert_eq!(body["action"], body["reason"]);
    assert_eq!(body["note"], Value::from("ä".repeat(512)));
}

#[tokio::test(start_paused = true)]
async fn e_02_counts_are_told_each_half_hour_and_at_the_end_of_a_series() {
    let server = Server::new(echo);
    let (recorder, sink) = made(&server);
    let script = async {
        // Each five minutes, never silent for six, and never when a count is told.
        sleep(secs(1)).await;
        for _ in 0..8 {
            recorder.event(&pod("a"), Normal, "Synced", "fine");
            sleep(secs(300)).await;
        }
        // A new event after the silence.
        sleep(secs(800)).await;
        recorder.event(&pod("a"), Normal, "Synced", "fine");
        sleep(secs(1)).await;
    };
    sink.run(script).await;
    let log = server.log();
    let told: Vec<_> = log.iter().map(|line| &line[..line.find(' ').expect("a method")]).collect();
    assert_eq!(told, ["POST", "PATCH", "PATCH", "PATCH", "POST"], "{log:?}");
    for (line, count) in [(1, 2), (2, 6), (3, 8)] {
        assert!(log[line].contains(&format!("\"count\":{count},")), "{}", log[line]);
    }
}

#[tokio::test(start_paused = true)]
async fn counts_that_were_not_told_are_told_at_the_end() {
    let server = Server::new(echo);
    let (recorder, sink) = made(&server);
    let script = async {
        for _ in 0..5 {
            recorder.event(&pod("a"), Normal, "Synced", "fine");
            sleep(secs(1)).await;
        }
    };
    sink.run(script).await;
    let log = server.log();
    assert_eq!(log.len(), 3);
    assert!(log[2].starts_with("PATCH") && log[2].contains("\"count\":5,"), "{}", log[2]);
}

#[tokio::test(start_paused = true)]
async fn e_03_eight_are_on_their_way_at_once() {
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let server = Server::new(echo);
    let (now, peak) = (Arc::clone(&running), Arc::clone(&most));
    let client = server.client().intercept(move |request, next| {
        let (now, peak) = (Arc::clone(&now), Arc::clone(&peak));
        async move {
            peak.fetch_max(now.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
            sleep(secs(1)).await;
            now.fetch_sub(1, Ordering::Relaxed);
            next.send(request).await
        }
    });
    let broadcaster = Broadcaster::new("test", RecorderOptions::default());
    let sink = broadcaster.series_sink(&client);
    for number in 0..20 {
        broadcaster.recorder().event(&pod(&number.to_string()), Normal, "Synced", "fine");
    }
    drop(broadcaster);
    let start = Instant::now();
    sink.run(std::future::pending()).await;
    assert_eq!(start.elapsed(), secs(3));
    assert_eq!((server.log().len(), most.load(Ordering::Relaxed)), (20, 8));
}

#[tokio::test(start_paused = true)]
async fn e_03_a_broken_connection_is_tried_twelve_times() {
    let server = Server::new(|_, _, _| Err("broken"));
    let start = Instant::now();
    told(&server, async |recorder| recorder.event(&pod("a"), Normal, "Synced", "fine")).await;
    assert_eq!(server.log().len(), 12);
    let seconds = start.elapsed().as_secs();
    assert!((120..=150).contains(&seconds), "{seconds} s");
}

#[tokio::test(start_paused = true)]
async fn e_03_what_the_server_refuses_is_not_tried_again() {
    let server = Server::new(|_, _, _| Ok(status(403, "Forbidden")));
    told(&server, async |recorder| recorder.event(&pod("a"), Normal, "Synced", "fine")).await;
    assert_eq!(server.log().len(), 1);
}

/// The patch of a series may come before its event, and the event then before the series.
#[tokio::test(start_paused = true)]
async fn e_03_a_series_that_meets_its_event_is_patched() {
    let there = Arc::new(AtomicBool::new(false));
    let server = Server::new(move |method, _, body| match method {
        "PATCH" if !there.load(Ordering::Relaxed) => Ok(status(404, "NotFound")),
        "POST" if body.get("series").is_some() => {
            there.store(true, Ordering::Relaxed);
            Ok(status(409, "AlreadyExists"))
        }
        _ => Ok((200, body.clone())),
    });
    told(&server, async |recorder| {
        for _ in 0..2 {
            recorder.event(&pod("a"), Normal, "Synced", "fine");
            sleep(secs(1)).await;
        }
    })
    .await;
    let log = server.log();
    let methods: Vec<_> = log.iter().map(|line| &line[..4]).collect();
    assert_eq!(methods, ["POST", "PATC", "POST", "PATC"]);
    assert!(log[2].contains("\"series\":{\"count\":2,"), "{}", log[2]);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_lost_does_not_make_a_second_event() {
    let calls = AtomicUsize::new(0);
    let server = Server::new(move |_, _, _| match calls.fetch_add(1, Ordering::Relaxed) {
        0 => Err("the answer was lost"),
        _ => Ok(status(409, "AlreadyExists")),
    });
    told(&server, async |recorder| recorder.event(&pod("a"), Normal, "Synced", "fine")).await;
    assert_eq!(server.log().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_stop_tries_once_what_waits() {
    let server = Server::new(|_, _, _| Err("broken"));
    let (recorder, sink) = made(&server);
    for number in 0..20 {
        recorder.event(&pod(&number.to_string()), Normal, "Synced", "fine");
    }
    let start = Instant::now();
    sink.run(sleep(secs(1))).await;
    assert_eq!(server.log().len(), 20);
    assert_eq!(start.elapsed(), secs(1));
    // Also when nobody is left who could tell.
    let (recorder, sink) = made(&server);
    recorder.event(&pod("a"), Normal, "Synced", "fine");
    drop(recorder);
    let start = Instant::now();
    sink.run(sleep(secs(3))).await;
    assert_eq!(start.elapsed(), secs(3));
}
