//! What a server sees of a caller who goes away, over a socket.

use std::time::Duration;

use http::Version;
use tokio::task::JoinSet;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_client::{Client, WatchOptions};

use crate::folder;
use crate::live::{open, secure};
use crate::server::Server;

/// A client that speaks HTTP/2, and one that speaks HTTP/1.1, each with its server.
async fn both(test: &str) -> [(Server, Client, Version); 2] {
    let (server, place, _) = secure(test).await;
    let cluster = format!("server: 'https://{}', certificate-authority: ca.crt", server.address);
    let client = open(&place, &cluster, "token: t");
    let plain = Server::plain().await;
    let cluster = format!("server: 'http://{}'", plain.address);
    let old = open(&folder(&format!("{test}-plain")), &cluster, "token: t");
    [(server, client, Version::HTTP_2), (plain, old, Version::HTTP_11)]
}

/// On HTTP/2 the stream is reset and its connection stays; on HTTP/1.1 the connection ends.
async fn is_seen(server: &mut Server, version: Version) {
    server.holds(0).await;
    assert_eq!(server.seen()[0].http, version);
    server.has_open(usize::from(version == Version::HTTP_2)).await;
}

#[tokio::test]
async fn a_call_that_is_dropped_ends_at_the_server() {
    for (mut server, client, version) in both("cancel-call").await {
        let call = client.rest().get().path("/held").no_timeout().do_raw();
        tokio::select! {
            answer = call => panic!("nobody answers: {answer:?}"),
            () = server.holds(1) => {}
        }
        is_seen(&mut server, version).await;
        client.server_version().await.unwrap();
        let connection = usize::from(version == Version::HTTP_11);
        assert_eq!(server.seen()[0].connection, connection, "HTTP/2 goes on with its own");
    }
}

#[tokio::test]
async fn a_call_past_its_deadline_ends_at_the_server() {
    for (mut server, client, version) in both("cancel-late").await {
        // The connection is there already, and the deadline a second that a busy machine may need.
        client.server_version().await.unwrap();
        assert_eq!(server.seen().len(), 1);
        let soon = Duration::from_secs(1);
        let late = client.rest().get().path("/held").timeout(soon).do_raw().await.unwrap_err();
        assert!(late.is_timeout(), "{late}");
        is_seen(&mut server, version).await;
    }
}

#[tokio::test]
async fn a_call_that_nobody_answers_holds_up_no_other() {
    for (server, client, version) in both("cancel-beside").await {
        let mut held = JoinSet::new();
        held.spawn(client.rest().get().path("/held").no_timeout().do_raw());
        server.holds(1).await;
        let mut calls = JoinSet::new();
        for _ in 0..10 {
            let client = client.clone();
            calls.spawn(async move { client.server_version().await.map(drop) });
        }
        for answer in calls.join_all().await {
            answer.unwrap();
        }
        let beside = server.seen().iter().filter(|seen| seen.connection == 0).count();
        assert_eq!(beside, if version == Version::HTTP_2 { 11 } else { 1 });
    }
}

#[tokio::test]
async fn a_watch_that_is_dropped_ends_at_the_server() {
    for (mut server, client, version) in both("cancel-watch").await {
        let maps = client.api::<ConfigMap>();
        let watch = maps.watch(&WatchOptions::default()).await.unwrap();
        server.holds(1).await;
        drop(watch);
        is_seen(&mut server, version).await;
    }
}
