//! What handlers are told, and when.

use std::sync::mpsc;
use std::time::Duration;

use tokio::time::sleep;
use watchkeeper_api::Object;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::{
    Cache, Change, HandlerOptions, Overflow, SharedInformerFactory, Source, filtered,
};

use crate::server::map;
use crate::{Log, Synced, WATCH_LIST, run, server, settle, synced};

/// C-60, C-61: early or late, everybody is told of what there is first, and knows when that is over.
#[tokio::test(start_paused = true)]
async fn c_61_a_late_handler_is_told_of_what_there_is_before_anything_newer() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client);
    let maps = cache.watch::<ConfigMap>();
    let (early, late) = (Log::default(), Log::default());
    let first = maps.subscribe(early.handler());
    let _running = run(&cache);
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.event("ADDED", &map("b@2"));
    settle().await;
    assert!(!first.has_synced());
    watch.end_of_state("5");
    watch.event("MODIFIED", &map("a@6"));
    assert!(first.synced().await);
    let told = early.take().await;
    assert_eq!(
        told,
        ["add default/a @1 (initial)", "add default/b @2 (initial)", "update default/a @1 -> @6",]
    );
    let second = maps.subscribe(late.handler());
    watch.event("DELETED", &map("b@7"));
    assert!(!second.has_synced());
    assert!(second.synced().await);
    let told = late.take().await;
    assert_eq!(
        told,
        ["add default/a @6 (initial)", "add default/b @2 (initial)", "delete default/b @7",]
    );
    assert_eq!(early.take().await, ["delete default/b @7"]);
    assert_eq!(maps.status().handlers, 2);
}

/// C-63.
#[tokio::test(start_paused = true)]
async fn c_63_a_handler_that_panics_is_called_again_and_hurts_nobody() {
    let Synced { maps, watch, running: _running, .. } = synced(&["a@1"], "5").await;
    let (log, other) = (Log::default(), Log::default());
    let mut handler = log.handler();
    let _one = maps.subscribe(move |change| {
        assert_ne!(change.object().name(), "bad", "a handler that panics");
        handler(change);
    });
    let _two = maps.subscribe(other.handler());
    watch.event("ADDED", &map("bad@6"));
    watch.event("ADDED", &map("c@7"));
    assert_eq!(log.take().await, ["add default/a @1 (initial)", "add default/c @7"]);
    assert_eq!(other.take().await.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn c_64_a_subscription_that_is_dropped_is_not_told_any_more() {
    let Synced { maps, watch, running: _running, .. } = synced(&[], "5").await;
    let log = Log::default();
    let subscription = maps.subscribe(log.handler());
    watch.event("ADDED", &map("a@6"));
    assert_eq!(log.take().await, ["add default/a @6"]);
    drop(subscription);
    watch.event("ADDED", &map("b@7"));
    assert_eq!(log.take().await, [""; 0]);
    assert_eq!(maps.status().handlers, 0);
    assert_eq!(std::sync::Arc::strong_count(&log.0), 1, "the handler is dropped with it");
}

/// C-66, C-67: only those who asked for it, and in order with the rest.
#[tokio::test(start_paused = true)]
async fn c_66_a_resync_tells_its_handler_of_everything_once_more() {
    let Synced { client: _, maps, watch, running: _running, .. } =
        synced(&["a@1", "b@2"], "5").await;
    let (every_minute, never) = (Log::default(), Log::default());
    let minute = Some(Duration::from_secs(60));
    let options = HandlerOptions { resync: minute, ..HandlerOptions::default() };
    let _one = maps.subscribe_with(options, every_minute.handler());
    let _two = maps.subscribe(never.handler());
    every_minute.take().await;
    never.take().await;
    sleep(Duration::from_secs(61)).await;
    watch.event("DELETED", &map("b@6"));
    let told = every_minute.take().await;
    assert_eq!(told, ["resync default/a @1", "resync default/b @2", "delete default/b @6"]);
    assert_eq!(never.take().await, ["delete default/b @6"]);
    sleep(Duration::from_secs(60)).await;
    assert_eq!(every_minute.take().await, ["resync default/a @1"]);
}

/// Events that all arrive before any handler has its turn.
const BURST: [(&str, &str); 5] = [
    ("ADDED", "a@6"),
    ("ADDED", "b@7"),
    ("MODIFIED", "a@8"),
    ("MODIFIED", "a@9"),
    ("MODIFIED", "b@10"),
];

/// What a handler with room for two changes is told of the burst, and whether it lagged.
async fn told_of_a_burst(overflow: Overflow) -> (Vec<String>, bool) {
    let Synced { maps, watch, running: _running, .. } = synced(&[], "5").await;
    let (log, other) = (Log::default(), Log::default());
    let options = HandlerOptions { buffer: 2, overflow, ..HandlerOptions::default() };
    let subscription = maps.subscribe_with(options, log.handler());
    let _other = maps.subscribe(other.handler());
    settle().await;
    BURST.iter().for_each(|(verb, object)| watch.event(verb, &map(object)));
    let told = log.take().await;
    assert_eq!(other.take().await.len(), BURST.len());
    (told, subscription.is_lagged() && subscription.is_closed())
}

#[tokio::test(start_paused = true)]
async fn c_62_a_full_buffer_merges_what_one_object_went_through() {
    let (told, lagged) = told_of_a_burst(Overflow::Coalesce).await;
    assert_eq!(told, ["add default/a @9", "add default/b @10"]);
    assert!(!lagged);
}

#[tokio::test(start_paused = true)]
async fn a_handler_may_ask_to_be_waited_for() {
    let (told, lagged) = told_of_a_burst(Overflow::Block).await;
    assert_eq!(told.len(), BURST.len());
    assert!(!lagged);
}

/// A handler that blocks its thread holds up nobody but the copy that is to wait for it, and that only while its
/// buffer is full. Here it blocks until another one was told of the next change, for which the copy has to go on;
/// and that one has just been woken by the very thread that is blocked then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handler_that_blocks_its_thread_does_not_take_the_copy_with_it() {
    const LAST: u64 = 60;
    let version =
        |change: &Change<ConfigMap>| -> u64 { change.object().resource_version().parse().unwrap() };
    let Synced { maps, watch, running: _running, .. } = synced(&[], "5").await;
    let (tell, told) = mpsc::channel();
    let (answer, answers) = mpsc::channel();
    let options =
        HandlerOptions { buffer: 1, overflow: Overflow::Block, ..HandlerOptions::default() };
    let _blocks = maps.subscribe_with(options, move |change| {
        let next = LAST.min(version(change) + 1);
        let was_told = told.recv_timeout(Duration::from_secs(60));
        answer.send(was_told == Ok(next)).unwrap_or_default();
    });
    let _other = maps.subscribe(move |change| match version(change) {
        6 => {}
        version => tell.send(version).unwrap_or_default(),
    });
    for version in 6..=LAST {
        watch.event("ADDED", &map(&format!("a{version}@{version}")));
    }
    let all = move || (7..=LAST).all(|_| answers.recv() == Ok(true));
    assert!(tokio::task::spawn_blocking(all).await.unwrap(), "the other one was not told");
}

#[tokio::test(start_paused = true)]
async fn a_handler_may_ask_to_be_disconnected_rather_than_to_miss_anything() {
    let (told, lagged) = told_of_a_burst(Overflow::Disconnect).await;
    assert_eq!(told, [""; 0]);
    assert!(lagged);
}

fn narrow(overflow: Overflow) -> HandlerOptions {
    HandlerOptions { buffer: 2, overflow, ..HandlerOptions::default() }
}

const FIVE: [&str; 5] = ["a@1", "b@2", "c@3", "d@4", "e@5"];

/// A list, and so a resync, comes before the handler could be told of any of it: nobody is too slow for it.
#[tokio::test(start_paused = true)]
async fn a_handler_is_not_disconnected_by_a_list_or_a_resync_longer_than_its_buffer() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch::<ConfigMap>();
    let (log, late) = (Log::default(), Log::default());
    let minute = Some(Duration::from_secs(60));
    let options = HandlerOptions { resync: minute, ..narrow(Overflow::Disconnect) };
    let early = maps.subscribe_with(options, log.handler());
    let _running = run(&cache);
    let watch = server.expect(WATCH_LIST).await.open();
    FIVE.iter().for_each(|item| watch.event("ADDED", &map(item)));
    watch.end_of_state("5");
    let told = log.take().await;
    assert!(told.len() == 5 && told[0] == "add default/a @1 (initial)", "{told:?}");
    sleep(Duration::from_secs(61)).await;
    let told = log.take().await;
    assert!(told.len() == 5 && told[4] == "resync default/e @5", "{told:?}");
    // One who comes late, and something happens before it has its turn.
    let joined = maps.subscribe_with(narrow(Overflow::Disconnect), late.handler());
    watch.event("DELETED", &map("e@6"));
    let told = late.take().await;
    assert!(told.len() == 6 && told[5] == "delete default/e @6", "{told:?}");
    assert_eq!(log.take().await, ["delete default/e @6"]);
    // A list in which everything is another.
    watch.error(410, "Expired");
    server.call().await.refuse(400, "BadRequest");
    server.call().await.list("9", "", &["v@7", "w@7", "x@8", "y@8"].map(map));
    let (early_told, late_told) = (log.take().await, late.take().await);
    assert_eq!(early_told.len(), 8, "{early_told:?}");
    assert_eq!(early_told, late_told);
    assert!(!early.is_lagged() && !joined.is_lagged());
}

/// The copy waits for what a handler is slow with, not for what it was told of as it came.
#[tokio::test(start_paused = true)]
async fn a_handler_that_is_told_of_what_there_is_holds_up_nobody() {
    let Synced { maps, watch, running: _running, .. } = synced(&FIVE, "5").await;
    let log = Log::default();
    let _other = maps.subscribe(log.handler());
    assert_eq!(log.take().await.len(), 5);
    let mut slow = maps.changes_with(narrow(Overflow::Block));
    for object in ["f@6", "g@7", "h@8"] {
        watch.event("ADDED", &map(object));
    }
    assert_eq!(log.take().await, ["add default/f @6", "add default/g @7"], "until it is full");
    for _ in 0..6 {
        assert!(slow.next().await.unwrap().is_ok());
    }
    assert_eq!(log.take().await, ["add default/h @8"]);
}

/// C-72, C-73, G4: one watch a kind; informers made after the start run too; the guard ends it.
#[tokio::test(start_paused = true)]
async fn c_72_a_factory_opens_one_watch_however_many_informers_there_are() {
    let (client, mut server) = server::server();
    let factory = SharedInformerFactory::new(&client).resync(Duration::from_secs(30));
    let (one, two) = (factory.informer::<ConfigMap>(), factory.informer::<ConfigMap>());
    let log = Log::default();
    let _subscription = one.add_event_handler(log.handler());
    let running = factory.start();
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.end_of_state("5");
    factory.wait_for_cache_sync().await.unwrap();
    assert!(two.has_synced());
    assert!(server.is_quiet());
    assert_eq!(two.lister().list_in("default").len(), 1);
    assert_eq!(two.lister().get(("default", "a")).unwrap().resource_version(), "1");
    assert_eq!(log.take().await, ["add default/a @1 (initial)"]);
    sleep(Duration::from_secs(31)).await;
    assert_eq!(log.take().await, ["resync default/a @1"]);
    let again = factory.start();
    drop(running);
    settle().await;
    assert!(one.synced().await.is_ok());
    drop(again);
    watch.abandoned().await;
}

/// Predicates drop changes, filters turn them (C-47).
#[tokio::test(start_paused = true)]
async fn c_47_sources_tell_the_changes_that_are_wanted() {
    let Synced { maps, watch, running: _running, .. } = synced(&["a@1"], "5").await;
    let (wanted, kept) = (Log::default(), Log::default());
    let source: Source<_> =
        maps.when(|change| !change.is_initial()).when(|change| !change.is_deleted());
    let _one = source.subscribe(wanted.handler());
    let even = |map: &ConfigMap| map.resource_version().parse::<u32>().is_ok_and(|v| v % 2 == 0);
    let _two = maps.subscribe(filtered(even, kept.handler()));
    for (verb, object) in
        [("MODIFIED", "a@6"), ("MODIFIED", "a@8"), ("MODIFIED", "a@9"), ("DELETED", "a@11")]
    {
        watch.event(verb, &map(object));
    }
    let told = wanted.take().await;
    assert_eq!(
        told,
        ["update default/a @1 -> @6", "update default/a @6 -> @8", "update default/a @8 -> @9",]
    );
    let told = kept.take().await;
    assert_eq!(told, ["add default/a @6", "update default/a @6 -> @8", "delete default/a @8"]);
}
