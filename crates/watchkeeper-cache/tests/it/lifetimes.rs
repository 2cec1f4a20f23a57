//! Handles, and what ends with the last of them.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};
use watchkeeper_api::core::v1::{ConfigMap, Secret};
use watchkeeper_cache::{Cache, Phase, SharedInformer, Watch};
use watchkeeper_client::{Client, Select};

use crate::server::map;
use crate::{Log, Synced, WATCH_LIST, names, run, server, settle, synced};

#[tokio::test(start_paused = true)]
async fn c_77_the_last_handle_ends_the_watch_and_a_new_one_begins_anew() {
    let Synced { mut server, cache, maps, watch, running: _running, .. } =
        synced(&["a@1"], "5").await;
    let log = Log::default();
    let source = maps.when(|_| true);
    let subscription = source.subscribe(log.handler());
    drop((maps, source));
    log.take().await;
    watch.event("ADDED", &map("b@6"));
    assert_eq!(log.take().await, ["add default/b @6"], "a subscription is a handle, too");
    drop(subscription);
    watch.abandoned().await;
    settle().await;
    assert!(cache.status().is_empty());
    let maps = cache.watch::<ConfigMap>();
    let watch = server.expect(WATCH_LIST).await.open();
    watch.end_of_state("9");
    maps.synced().await.unwrap();
    assert_eq!(names(&maps), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn q_01_one_selection_is_one_copy_and_another_is_another() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client);
    let _one = cache.watch::<ConfigMap>();
    let _two = cache.watch_only(Select::<ConfigMap>::all());
    let _three = cache.watch_only(Select::<ConfigMap>::all().namespace("a"));
    let _four = cache.watch::<Secret>();
    let _running = run(&cache);
    let calls = [server.call().await, server.call().await, server.call().await];
    let mut paths = calls.each_ref().map(|call| call.request.split(' ').nth(1).unwrap());
    paths.sort_unstable();
    assert_eq!(paths, ["/api/v1/configmaps", "/api/v1/namespaces/a/configmaps", "/api/v1/secrets"]);
    assert!(server.is_quiet());
}

#[tokio::test(start_paused = true)]
async fn c_58_dropping_the_run_ends_everything_and_tells_those_who_wait() {
    let Synced { cache, maps, watch, running, client, .. } = synced(&["a@1"], "5").await;
    let log = Log::default();
    let subscription = maps.subscribe(log.handler());
    let other: Watch<Secret> = cache.watch();
    settle().await;
    drop(running);
    watch.abandoned().await;
    settle().await;
    assert_eq!(maps.status().phase, Phase::Stopped);
    assert!(subscription.is_closed());
    assert!(other.synced().await.unwrap_err().is_stopped());
    assert!(!other.subscribe(|_| ()).synced().await);
    assert_eq!(std::sync::Arc::strong_count(&log.0), 1, "the handler is dropped");
    // A second run does nothing.
    cache.run().await;
    drop(client);
}

/// Defect a of kube-rs: of those who wait for the first list, only one was woken.
#[tokio::test(start_paused = true)]
async fn everybody_who_waits_for_the_first_list_is_woken() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client);
    let maps = cache.watch::<ConfigMap>();
    let _running = run(&cache);
    let mut waiting = JoinSet::new();
    for _ in 0..8 {
        let maps = maps.clone();
        waiting.spawn(async move { timeout(Duration::from_secs(2), maps.synced()).await });
    }
    settle().await;
    let watch = server.expect(WATCH_LIST).await.open();
    let since = Instant::now();
    watch.end_of_state("5");
    for woken in waiting.join_all().await {
        woken.expect("woken in time").unwrap();
    }
    // Who was not woken is looked at again when the timeout ends, and is synced then.
    assert_eq!(since.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn an_informer_can_run_alone() {
    let (client, mut server) = server::server();
    let informer = SharedInformer::<ConfigMap>::new(&client);
    let lister = informer.lister();
    tokio::select! {
        biased;
        () = informer.run() => unreachable!("nobody stops it"),
        () = async {
            let watch = server.expect(WATCH_LIST).await.open();
            watch.event("ADDED", &map("a@1"));
            watch.end_of_state("5");
            informer.synced().await.unwrap();
            assert_eq!(lister.list().len(), 1);
        } => {}
    }
}

#[tokio::test(start_paused = true)]
async fn a_cache_that_is_never_run_leaves_nothing_behind() {
    let (client, mut server) = server::server();
    let log = Log::default();
    let maps = Cache::new(&client).watch::<ConfigMap>();
    let subscription = maps.subscribe(log.handler());
    assert!(maps.synced().await.unwrap_err().is_stopped());
    assert!(subscription.is_closed());
    assert_eq!(std::sync::Arc::strong_count(&log.0), 1);
    assert!(server.is_quiet());
}

/// What users hold can be sent and shared.
#[test]
fn handles_are_send_and_sync() {
    fn check<T: Send + Sync>() {}
    check::<Cache>();
    check::<Watch<ConfigMap>>();
    check::<watchkeeper_cache::Source<ConfigMap>>();
    check::<watchkeeper_cache::Subscription>();
    check::<watchkeeper_cache::Index<ConfigMap, String>>();
    check::<watchkeeper_cache::SharedInformerFactory>();
    fn sends<T: Send>(_: T) {}
    fn run(client: &Client) {
        let cache = Cache::new(client);
        sends(async move { cache.run().await });
    }
    let _: fn(&Client) = run;
}
