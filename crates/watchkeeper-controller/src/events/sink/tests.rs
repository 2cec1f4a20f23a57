//! What reaches the server, in paused time.

use std::sync::atomic::{AtomicUsize, Ordering};

use expect_test::{Expect, expect};
use serde_json::Value;
use tokio::time::Instant;
use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_api::object;

use super::*;
use crate::context::Context;
use crate::events::EventType::{Normal, Warning};
use crate::testing::{self, Server};

fn pod() -> Pod {
    object!(Pod { metadata: { name: "web", namespace: "shop", uid: "1", resource_version: "7" } })
}

/// Answers with what was sent.
fn echo(_: &str, _: &str, body: &Value) -> Result<(u16, Value), &'static str> {
    Ok((200, body.clone()))
}

fn status(code: u16, reason: &str) -> (u16, Value) {
    (code, json!({ "kind": "Status", "code": code, "reason": reason }))
}

/// Runs the sink until all that `tell` told is sent.
async fn told(server: &Server, tell: impl FnOnce(&Context)) {
    let (ctx, sink) = testing::context(&server.client());
    tell(&ctx);
    drop(ctx);
    sink.run(std::future::pending()).await;
}

fn sent(server: &Server, expected: Expect) {
    expected.assert_eq(&server.log().join("\n"));
}

/// R-05, R-08.
#[tokio::test(start_paused = true)]
async fn the_first_event_is_made_and_the_same_again_is_counted_on_it() {
    let server = Server::new(echo);
    told(&server, |ctx| {
        ctx.event(&pod(), Normal, "Synced", "all is well");
        ctx.event(&pod(), Normal, "Synced", "all is well");
        let node = object!(Node { metadata: { name: "n1" } });
        ctx.event(&node, Warning, "Tired", "needs sleep");
    })
    .await;
    sent(
        &server,
        expect![[r#"
        POST /api/v1/namespaces/shop/events {"apiVersion":"v1","count":1,"firstTimestamp":"2026-01-01T00:00:00Z","involvedObject":{"apiVersion":"v1","kind":"Pod","name":"web","namespace":"shop","resourceVersion":"7","uid":"1"},"kind":"Event","lastTimestamp":"2026-01-01T00:00:00Z","message":"all is well","metadata":{"name":"web.7f52ab90969b8ff9","namespace":"shop"},"reason":"Synced","reportingComponent":"test","reportingInstance":"","source":{"component":"test"},"type":"Normal"}
        PATCH /api/v1/namespaces/shop/events/web.7f52ab90969b8ff9 {"count":2,"lastTimestamp":"2026-01-01T00:00:00Z","message":"all is well"}
        POST /api/v1/namespaces/default/events {"apiVersion":"v1","count":1,"firstTimestamp":"2026-01-01T00:00:00Z","involvedObject":{"apiVersion":"v1","kind":"Node","name":"n1"},"kind":"Event","lastTimestamp":"2026-01-01T00:00:00Z","message":"needs sleep","metadata":{"name":"n1.d34488d907182c2a","namespace":"default"},"reason":"Tired","reportingComponent":"test","reportingInstance":"","source":{"component":"test"},"type":"Warning"}"#]],
    );
}

#[tokio::test(start_paused = true)]
async fn an_event_that_vanished_is_made_anew() {
    let server = Server::new(|method, _, body| match method {
        "PATCH" => Ok(status(404, "NotFound")),
        _ => Ok((201, body.clone())),
    });
    told(&server, |ctx| {
        ctx.event(&pod(), Normal, "Synced", "all is well");
        ctx.event(&pod(), Normal, "Synced", "all is well");
    })
    .await;
    let log = server.log();
    let methods: Vec<_> = log.iter().map(|line| &line[..4]).collect();
    assert_eq!(methods, ["POST", "PATC", "POST"]);
    assert!(log[2].contains(r#""count":2"#), "{}", log[2]);
}

/// R-03.
#[tokio::test(start_paused = true)]
async fn what_the_server_refuses_is_not_tried_again() {
    let server = Server::new(|_, _, _| Ok(status(403, "Forbidden")));
    told(&server, |ctx| ctx.event(&pod(), Normal, "Synced", "all is well")).await;
    assert_eq!(server.log().len(), 1);
}

/// R-02.
#[tokio::test(start_paused = true)]
async fn a_broken_connection_is_tried_twelve_times_ten_seconds_apart() {
    let server = Server::new(|_, _, _| Err("broken"));
    let start = Instant::now();
    told(&server, |ctx| ctx.event(&pod(), Normal, "Synced", "all is well")).await;
    assert_eq!(server.log().len(), 12);
    let seconds = start.elapsed().as_secs();
    assert!((110..=120).contains(&seconds), "{seconds} s");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_lost_does_not_make_a_second_event() {
    let calls = AtomicUsize::new(0);
    let server = Server::new(move |_, _, _| match calls.fetch_add(1, Ordering::Relaxed) {
        0 => Err("the answer was lost"),
        _ => Ok(status(409, "AlreadyExists")),
    });
    told(&server, |ctx| ctx.event(&pod(), Normal, "Synced", "all is well")).await;
    assert_eq!(server.log().len(), 2);
}

/// R-01.
#[tokio::test(start_paused = true)]
async fn a_full_queue_drops_events_and_holds_nobody_up() {
    let server = Server::new(echo);
    told(&server, |ctx| {
        for number in 0..1500 {
            let pod = object!(Pod { metadata: { name: format!("p{number}"), namespace: "shop" } });
            ctx.event(&pod, Normal, "Synced", "all is well");
        }
    })
    .await;
    assert_eq!(server.log().len(), 1000);
}

#[tokio::test(start_paused = true)]
async fn a_stop_sends_what_waits_once_and_retries_nothing() {
    let server = Server::new(|_, _, _| Err("broken"));
    let (ctx, sink) = testing::context(&server.client());
    for name in ["a", "b", "c"] {
        ctx.event(&pod(), Normal, name, "all is well");
    }
    let start = Instant::now();
    sink.run(sleep(Duration::from_millis(1))).await;
    assert_eq!(server.log().len(), 3);
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
}
