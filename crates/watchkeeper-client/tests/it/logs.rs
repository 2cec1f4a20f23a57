//! Logs, from a server that answers what the test says.

use std::time::Duration;

use tokio::time::{Instant, timeout};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::{Api, LogOptions};

use crate::failure;
use crate::fake::{Fake, ok, silence, status};

fn pods(fake: &Fake) -> Api<Pod> {
    fake.client().api().namespace("a")
}

#[tokio::test(start_paused = true)]
async fn a_log_is_read_whole() {
    let fake = Fake::new([ok("one\ntwo\n")]);
    let options = LogOptions {
        previous: true,
        timestamps: true,
        since: Some(Duration::from_millis(1500)),
        since_time: Some("2026-01-02T03:04:05Z".parse().unwrap()),
        limit_bytes: Some(9),
        stream: Some("Stdout".to_owned()),
        ..LogOptions::tail(2).container("web")
    };
    assert_eq!(pods(&fake).logs("x", &options).await.unwrap(), "one\ntwo\n");
    let query = "container=web&previous=true&timestamps=true&sinceSeconds=2&sinceTime=2026-01-02T03%3A04%3A05Z&tailLines=2&limitBytes=9&stream=Stdout";
    assert_eq!(fake.asked(), [format!("GET /api/v1/namespaces/a/pods/x/log?{query}")]);
}

#[tokio::test(start_paused = true)]
async fn a_log_is_read_line_by_line_however_it_arrives() {
    for size in [1, 3, 100] {
        let fake = Fake::new([ok("one\n\ntwo ü\r\nthree").sliced(size)]);
        let mut log = pods(&fake).log_stream("x", &LogOptions::default()).await.unwrap();
        let mut lines = Vec::new();
        while let Some(line) = log.next_line().await.unwrap() {
            lines.push(line);
        }
        assert_eq!(lines, ["one", "", "two ü", "three"]);
        assert!(log.next_line().await.unwrap().is_none());
    }
}

#[tokio::test(start_paused = true)]
async fn a_line_without_end_is_handed_out_in_pieces() {
    let long = "x".repeat((1 << 20) + 5);
    let fake = Fake::new([ok(&long).sliced(1000)]);
    let mut log = pods(&fake).log_stream("x", &LogOptions::default()).await.unwrap();
    assert_eq!(log.next_line().await.unwrap().unwrap().len(), 1 << 20);
    assert_eq!(log.next_line().await.unwrap().unwrap(), "xxxxx");
}

#[tokio::test(start_paused = true)]
async fn who_follows_waits_and_who_does_not_gives_up() {
    let fake = Fake::new([ok("one\n").then_silence(), ok("one\n").then_silence()]);
    let start = Instant::now();
    let mut log = pods(&fake).log_stream("x", &LogOptions::default()).await.unwrap();
    assert_eq!(log.next_line().await.unwrap().unwrap(), "one");
    assert!(log.next_line().await.unwrap_err().is_timeout());
    assert_eq!(start.elapsed(), Duration::from_secs(30));

    let follow = LogOptions::default().follow();
    let mut log = pods(&fake).log_stream("x", &follow).await.unwrap();
    assert_eq!(log.next_line().await.unwrap().unwrap(), "one");
    assert!(timeout(Duration::from_secs(86_400), log.next_line()).await.is_err());
    assert_eq!(fake.asked()[1], "GET /api/v1/namespaces/a/pods/x/log?follow=true");
}

/// A kubelet sends the head of its answer with the first line.
#[tokio::test(start_paused = true)]
async fn who_follows_a_log_without_lines_waits_for_the_answer() {
    let fake = Fake::new([silence(), silence()]);
    let followed = pods(&fake);
    let follow = LogOptions::default().follow();
    let answer = timeout(Duration::from_secs(86_400), followed.log_stream("x", &follow));
    assert!(answer.await.is_err());
    let start = Instant::now();
    assert!(pods(&fake).log_stream("x", &LogOptions::default()).await.unwrap_err().is_timeout());
    assert_eq!(start.elapsed(), Duration::from_secs(30));
}

#[tokio::test(start_paused = true)]
async fn bytes_are_taken_as_they_are() {
    let fake = Fake::new([ok("one\ntwo\nthree\n").sliced(6)]);
    let mut log = pods(&fake).log_stream("x", &LogOptions::default()).await.unwrap();
    assert_eq!(log.next_line().await.unwrap().unwrap(), "one");
    let mut rest = Vec::new();
    while let Some(bytes) = log.data().await.unwrap() {
        rest.extend_from_slice(&bytes);
    }
    assert_eq!(rest, b"two\nthree\n");
}

#[tokio::test(start_paused = true)]
async fn a_refusal_and_a_broken_log_are_told() {
    let fake = Fake::new([
        status(400, &failure(400, "BadRequest", "a container name must be specified")),
        ok("one\ntw").then_reset(),
    ]);
    let error = pods(&fake).logs("x", &LogOptions::default()).await.unwrap_err();
    assert_eq!(error.to_string(), "get pods a/x: a container name must be specified");
    let mut log = pods(&fake).log_stream("x", &LogOptions::default()).await.unwrap();
    log.next_line().await.unwrap();
    assert!(log.next_line().await.unwrap_err().is_transport());
}
