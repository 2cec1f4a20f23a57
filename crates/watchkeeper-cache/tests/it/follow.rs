//! Following the server through everything it may answer.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::{Cache, Phase};

use crate::server::map;
use crate::{Log, Synced, WATCH_LIST, names, run, server, settle, synced};

#[tokio::test(start_paused = true)]
async fn c_11_the_stream_of_the_present_state_goes_on_as_the_watch() {
    let mut it = synced(&["b@2", "a@1"], "5").await;
    assert_eq!(names(&it.maps), ["a@1", "b@2"]);
    it.watch.event("MODIFIED", &map("a@6"));
    it.watch.event("DELETED", &map("b@7"));
    it.watch.event("ADDED", &map("c@8"));
    it.watch.bookmark("9");
    settle().await;
    assert_eq!(names(&it.maps), ["a@6", "c@8"]);
    let status = it.maps.status();
    assert_eq!((status.phase, &*status.version, status.events), (Phase::Watching, "9", 3));
    assert!(it.server.is_quiet());
}

#[tokio::test(start_paused = true)]
async fn c_08_nothing_is_seen_before_the_whole_state_is_there() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client);
    let maps = cache.watch::<ConfigMap>();
    let _running = run(&cache);
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    settle().await;
    assert_eq!(names(&maps), [""; 0]);
    assert!(!maps.has_synced());
    assert_eq!(maps.status().phase, Phase::Listing);
    watch.end_of_state("5");
    settle().await;
    assert_eq!(names(&maps), ["a@1"]);
}

#[tokio::test(start_paused = true)]
async fn c_03_a_server_that_cannot_stream_the_state_is_listed_in_pages_where_it_wants_to() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client);
    let maps = cache.watch::<ConfigMap>();
    let _running = run(&cache);
    server.expect(WATCH_LIST).await.refuse(422, "Invalid");
    let first = server.expect("GET /api/v1/configmaps resourceVersion=0").await;
    first.list("7", "next", &[map("a@1")]);
    let second = server.expect("GET /api/v1/configmaps limit=500 continue=next").await;
    second.list("7", "", &[map("b@2")]);
    let watch = server.expect("WATCH /api/v1/configmaps resourceVersion=7").await.open();
    watch.event("ADDED", &map("c@8"));
    settle().await;
    assert_eq!(names(&maps), ["a@1", "b@2", "c@8"]);
}

/// Defects c and d of kube-rs: 410 as an answer loops for ever, and what vanished is never told.
#[tokio::test(start_paused = true)]
async fn c_15_gone_both_ways_leads_to_a_relist_that_tells_what_vanished() {
    let Synced { mut server, maps, watch, running: _running, .. } =
        synced(&["a@1", "b@2"], "5").await;
    let log = Log::default();
    let _subscription = maps.subscribe(log.handler());
    log.take().await;
    watch.error(410, "Expired");
    let again = "WATCH /api/v1/configmaps resourceVersion=5 sendInitialEvents=true resourceVersionMatch=NotOlderThan";
    // … and that, too, is too old.
    server.expect(again).await.refuse(410, "Expired");
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.event("ADDED", &map("c@8"));
    watch.end_of_state("9");
    assert_eq!(log.take().await, ["delete default/b last seen @2", "add default/c @8"]);
    drop(watch);
    server.expect("WATCH /api/v1/configmaps resourceVersion=9").await.refuse(410, "Gone");
    let again = again.replace("=5", "=9");
    let watch = server.expect(&again).await.open();
    watch.event("ADDED", &map("a#2@11"));
    watch.end_of_state("12");
    let told = log.take().await;
    assert_eq!(
        told,
        ["delete default/c last seen @8", "delete default/a last seen @1", "add default/a @11",]
    );
}

#[tokio::test(start_paused = true)]
async fn c_14_a_busy_or_absent_server_is_waited_for_at_the_same_version() {
    let Synced { mut server, maps, watch, running: _running, .. } = synced(&["a@1"], "5").await;
    let since = Instant::now();
    watch.error(429, "TooManyRequests");
    let rewatch = "WATCH /api/v1/configmaps resourceVersion=5";
    let call = server.expect(rewatch).await;
    let first = since.elapsed();
    assert!(
        first >= Duration::from_millis(800) && first <= Duration::from_millis(1600),
        "{first:?}"
    );
    call.break_off();
    let call = server.expect(rewatch).await;
    assert!(since.elapsed() - first >= Duration::from_millis(1600));
    call.break_off();
    settle().await;
    let status = maps.status();
    assert_eq!((status.phase, status.synced), (Phase::BackingOff, true));
    assert!(status.last_error.is_some());
    // Reads go on meanwhile.
    assert_eq!(names(&maps), ["a@1"]);
    let watch = server.expect(rewatch).await.open();
    settle().await;
    assert_eq!(maps.status().last_error, None);
    watch.event("MODIFIED", &map("a@6"));
    settle().await;
    assert_eq!(names(&maps), ["a@6"]);
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_the_server_ends_goes_on_where_it_was() {
    let Synced { mut server, maps, watch, running: _running, .. } = synced(&["a@1"], "5").await;
    watch.event("MODIFIED", &map("a@6"));
    settle().await;
    let since = Instant::now();
    drop(watch);
    let watch = server.expect("WATCH /api/v1/configmaps resourceVersion=6").await.open();
    assert_eq!(since.elapsed(), Duration::ZERO);
    watch.bookmark("9");
    settle().await;
    drop(watch);
    server.expect("WATCH /api/v1/configmaps resourceVersion=9").await.open();
    assert_eq!(names(&maps), ["a@6"]);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_a_watch_is_asked_again() {
    let Synced { mut server, maps: _maps, watch, running: _running, .. } =
        synced(&["a@1"], "5").await;
    drop(watch);
    let silent = server.expect("WATCH /api/v1/configmaps resourceVersion=5").await;
    sleep(Duration::from_secs(29)).await;
    assert!(server.is_quiet());
    server.expect("WATCH /api/v1/configmaps resourceVersion=5").await.open();
    drop(silent);
}

#[tokio::test(start_paused = true)]
async fn c_18_one_object_that_cannot_be_read_is_named_and_costs_no_other() {
    let bad = map("bad@6").replace(r#""data":{"version":"6"}"#, r#""data":7"#);
    let gone = map("bad@11").replace(r#""data":{"version":"11"}"#, r#""data":7"#);
    let Synced { mut server, maps, watch, running: _running, .. } =
        synced(&["a@1", "bad@1"], "5").await;
    watch.event("MODIFIED", &bad);
    watch.event("ADDED", &map("c@8"));
    settle().await;
    // The copy keeps what it had, and says so.
    assert_eq!(names(&maps), ["a@1", "bad@1", "c@8"]);
    let malformed = maps.status().malformed;
    assert_eq!(malformed.keys().collect::<Vec<_>>(), ["default/bad"]);
    watch.error(410, "Expired");
    let call = server.call().await;
    call.refuse(400, "BadRequest");
    server.call().await.list("9", "", &[map("a@1"), bad.clone()]);
    settle().await;
    assert_eq!(names(&maps), ["a@1", "bad@1"]);
    let watch = server.call().await.open();
    watch.event("MODIFIED", &map("bad@10"));
    settle().await;
    assert_eq!(names(&maps), ["a@1", "bad@10"]);
    assert!(maps.status().malformed.is_empty());
    // What is gone is not kept, whatever it looked like.
    watch.event("DELETED", &gone);
    settle().await;
    assert_eq!(names(&maps), ["a@1"]);
    assert!(maps.status().malformed.is_empty());
}

#[tokio::test(start_paused = true)]
async fn status_says_why_it_is_not_synced() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client);
    let maps = cache.watch::<ConfigMap>();
    assert_eq!(maps.status().phase, Phase::Idle);
    let _running = run(&cache);
    server.call().await.refuse(403, "Forbidden");
    server.call().await.refuse(403, "Forbidden");
    settle().await;
    let status = cache.status().remove(0);
    assert_eq!((status.phase, status.synced), (Phase::BackingOff, false));
    let text = status.to_string();
    assert!(text.starts_with("configmaps: not synced, waiting to try again; "), "{text}");
    assert!(text.contains("the server says Forbidden"), "{text}");
    assert!(text.contains(r#"resources ["configmaps"]"#), "{text}");
}
