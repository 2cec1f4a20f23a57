//! Following the server through everything it may answer.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};
use watchkeeper_api::Object;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::{Cache, DeltaQueue, Phase};
use watchkeeper_client::Select;

use crate::reads::{A, update, writer};
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

/// What a server cannot read can be deleted by force, which it tells by an error: it knows no last state.
#[tokio::test(start_paused = true)]
async fn c_15_what_was_deleted_unread_goes_with_a_list_at_once() {
    let Synced { mut server, maps, watch, running: _running, .. } = synced(&["a@1"], "3").await;
    watch.event("ADDED", &map("corrupt@4"));
    settle().await;
    assert_eq!(names(&maps), ["a@1", "corrupt@4"]);
    let since = Instant::now();
    watch.error(500, "StorageReadError");
    let list = "WATCH /api/v1/configmaps resourceVersion=4 sendInitialEvents=true resourceVersionMatch=NotOlderThan";
    let watch = server.expect(list).await.open();
    assert!(since.elapsed() < Duration::from_secs(2), "{:?}", since.elapsed());
    watch.event("ADDED", &map("a@1"));
    watch.end_of_state("5");
    settle().await;
    assert_eq!((&names(&maps)[..], &*maps.status().version), (&["a@1".to_owned()][..], "5"));
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
    // Reads go on meanwhile, and the status tells how old what they read may be.
    sleep(Duration::from_secs(1)).await;
    assert_eq!(names(&maps), ["a@1"]);
    assert_eq!(maps.get(("default", "a")).await.unwrap().unwrap().resource_version(), "1");
    assert_eq!(maps.list().await.unwrap().len(), 1);
    let status = maps.status();
    let age = status.last_event_age.unwrap();
    assert!(age.abs_diff(since.elapsed()) <= Duration::from_millis(1), "{age:?}");
    let told = format!("; the server last said something {} s ago", age.as_secs());
    assert!(status.to_string().ends_with(&told), "{status}");
    let watch = server.expect(rewatch).await.open();
    settle().await;
    assert_eq!(maps.status().last_error, None);
    watch.event("MODIFIED", &map("a@6"));
    settle().await;
    assert_eq!(names(&maps), ["a@6"]);
}

/// C-14: what the server says is heeded, for five minutes at most: it may be wrong.
#[tokio::test(start_paused = true)]
async fn c_14_a_busy_server_says_for_how_long_up_to_five_minutes() {
    let Synced { mut server, maps: _maps, watch, running: _running, .. } =
        synced(&["a@1"], "5").await;
    let rewatch = "WATCH /api/v1/configmaps resourceVersion=5";
    drop(watch);
    let mut call = server.expect(rewatch).await;
    for (asked, waited) in [(120, 120), (300, 300), (900, 300)] {
        let since = Instant::now();
        call.answer(429, &format!(
            r#"{{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"TooManyRequests","code":429,"details":{{"retryAfterSeconds":{asked}}}}}"#
        ));
        call = server.expect(rewatch).await;
        assert_eq!(since.elapsed().as_secs(), waited, "of {asked}");
    }
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

/// An own write came as what cannot be read: the copy does not have it and never will. Who reads it is told so at
/// once, rather than what there was before, and so is who lists what it is among.
#[tokio::test(start_paused = true)]
async fn c_18_an_own_write_that_cannot_be_read_is_told_at_once() {
    let unreadable = |text: &str| map(text).replace(r#""data":{"#, r#""data":7,"more":{"#);
    let mut it = synced(&["a@1", "b@1"], "5").await;
    let api = writer(&it);
    update(&api, &mut it.server, "a@8").await;
    assert!(it.maps.try_get(A).unwrap_err().is_behind());
    it.watch.event("MODIFIED", &unreadable("a@8"));
    let began = Instant::now();
    let error = it.maps.get(A).await.unwrap_err();
    assert!(error.is_unreadable() && !error.is_behind() && !error.is_not_found(), "{error}");
    let text = error.to_string();
    assert!(
        text.contains("without this process's own write of default/a, which cannot be"),
        "{text}"
    );
    assert!(text.contains(&it.maps.status().malformed["default/a"]), "{text}");
    assert!(it.maps.try_get(A).unwrap_err().is_unreadable());
    assert!(it.maps.list().await.unwrap_err().is_unreadable());
    assert!(it.maps.try_caught_up_in("default").unwrap_err().is_unreadable());
    assert_eq!(began.elapsed(), Duration::ZERO, "nobody waits for what will not come");
    // What others wrote and what is elsewhere is read, and who asks for no own writes is told what there is.
    assert!(it.maps.get(("default", "b")).await.unwrap().is_some());
    it.maps.try_caught_up_in("shop").unwrap();
    assert_eq!(it.maps.peek(A).unwrap().resource_version(), "1");
    assert_eq!(names(&it.maps), ["a@1", "b@1"]);
    // Until a state comes that can be read.
    it.watch.event("MODIFIED", &unreadable("a@9"));
    settle().await;
    assert!(it.maps.try_get(A).unwrap_err().is_unreadable());
    it.watch.event("MODIFIED", &map("a@10"));
    settle().await;
    assert_eq!(it.maps.try_get(A).unwrap().unwrap().resource_version(), "10");
    it.maps.try_caught_up().unwrap();
    // What others made of it afterwards hides no own write.
    it.watch.event("MODIFIED", &unreadable("a@11"));
    settle().await;
    assert_eq!(it.maps.try_get(A).unwrap().unwrap().resource_version(), "10");
    // The answer to a write that takes the last finalizer away is what goes.
    update(&api, &mut it.server, "a@12").await;
    it.watch.event("DELETED", &unreadable("a@13"));
    settle().await;
    assert_eq!(it.maps.try_get(A).unwrap(), None);
    it.maps.try_caught_up().unwrap();
    drop(it.watch);
    it.server.expect("WATCH /api/v1/configmaps resourceVersion=13").await.open();
}

/// What was made and cannot be read is not "nothing": who takes it for that would make one more each time. From
/// a list it comes as from a watch, and a list without it is the end.
#[tokio::test(start_paused = true)]
async fn c_18_an_own_write_that_a_list_tells_unreadably_is_told_at_once() {
    let unreadable = map("a@8").replace(r#""data":{"#, r#""data":7,"more":{"#);
    let mut it = synced(&["b@1"], "5").await;
    let api = writer(&it);
    update(&api, &mut it.server, "a@8").await;
    let relist = async |it: &mut Synced, version: &str, items: &[String]| {
        it.watch.error(410, "Expired");
        it.server.call().await.refuse(400, "BadRequest");
        it.server.call().await.list(version, "", items);
        it.watch = it.server.call().await.open();
        settle().await;
    };
    relist(&mut it, "9", &[unreadable.clone(), map("b@1")]).await;
    assert!(it.maps.try_get(A).unwrap_err().is_unreadable());
    assert!(it.maps.list_in("default").await.unwrap_err().is_unreadable());
    relist(&mut it, "10", &[unreadable, map("b@1")]).await;
    assert!(it.maps.try_get(A).unwrap_err().is_unreadable(), "it is there still");
    let nameless = map("c@5").replace(r#""name":"c","#, "");
    relist(&mut it, "10", &[nameless.clone(), map("b@1")]).await;
    assert!(it.maps.try_get(A).unwrap_err().is_unreadable(), "it may be what has no name");
    relist(&mut it, "10", &[nameless, map("a@10"), map("b@1")]).await;
    assert_eq!(it.maps.try_get(A).unwrap().unwrap().resource_version(), "10");
    relist(&mut it, "11", &[map("b@1")]).await;
    assert_eq!(it.maps.try_get(A).unwrap(), None);
    it.maps.try_caught_up().unwrap();
}

/// The same of what a transform fails of on its way into the queue.
#[tokio::test(start_paused = true)]
async fn c_34_an_own_write_that_cannot_be_transformed_is_told_at_once() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client).seed(1);
    let queue = DeltaQueue::new(8).transform(|map: Arc<ConfigMap>| match map.resource_version() {
        "8" => Err("no luck".into()),
        _ => Ok(map),
    });
    let maps = cache.watch_through(Select::all(), |_| queue);
    let _running = run(&cache);
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.end_of_state("5");
    maps.synced().await.unwrap();
    let api = client.observed_by(cache.observer()).api::<ConfigMap>().namespace("default");
    update(&api, &mut server, "a@8").await;
    watch.event("MODIFIED", &map("a@8"));
    settle().await;
    let error = maps.try_get(A).unwrap_err();
    assert!(error.is_unreadable(), "{error}");
    assert!(error.to_string().ends_with("which cannot be read: it was left out"), "{error}");
    assert_eq!(names(&maps), ["a@1"]);
    watch.event("MODIFIED", &map("a@9"));
    settle().await;
    assert_eq!(maps.try_get(A).unwrap().unwrap().resource_version(), "9");
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
