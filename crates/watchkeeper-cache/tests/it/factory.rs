//! Factories: kinds that are added and removed, waiting for them, and the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep};
use watchkeeper_api::core::v1::{ConfigMap, Secret};
use watchkeeper_cache::{Phase, SharedInformerFactory};
use watchkeeper_client::Select;

use crate::server::map;
use crate::{Log, WATCH_LIST, foos, run, server, settle};

/// C-69, C-70, C-75: the error of a wait names who is late, and why.
#[tokio::test(start_paused = true)]
async fn c_70_a_wait_names_everyone_who_is_late_and_why() {
    let (client, mut server) = server::server();
    let factory = SharedInformerFactory::new(&client);
    let (maps, secrets) = (factory.informer::<ConfigMap>(), factory.informer::<Secret>());
    let _running = factory.start();
    let since = Instant::now();
    let (error, watch) = tokio::join!(
        async { factory.wait_for_cache_sync_within(Duration::from_secs(3)).await.unwrap_err() },
        async {
            let mut maps = None;
            for _ in 0..2 {
                let call = server.call().await;
                match call.request.contains("configmaps") {
                    true => maps = Some(call.open()),
                    false => call.refuse(403, "Forbidden"),
                }
            }
            server.call().await.refuse(403, "Forbidden");
            let maps = maps.unwrap();
            maps.end_of_state("5");
            maps
        }
    );
    assert_eq!(since.elapsed(), Duration::from_secs(3));
    assert!(error.is_not_synced() && !error.is_stopped());
    let late: Vec<_> = error.copies().iter().map(|copy| &*copy.what).collect();
    assert_eq!(late, ["secrets"]);
    let text = error.to_string();
    assert!(
        text.starts_with("1 of 2 copies are not there after 3s; secrets: not synced, "),
        "{text}"
    );
    assert!(text.contains("the server says Forbidden"), "{text}");
    assert!(maps.has_synced() && !secrets.has_synced());
    drop(watch);
}

#[tokio::test(start_paused = true)]
async fn c_69_a_wait_ends_with_the_last_first_list() {
    let (_server, client) = foos::server();
    let factory = SharedInformerFactory::new(&client);
    let _informers = (factory.informer::<ConfigMap>(), factory.informer::<Secret>());
    let _running = factory.start();
    factory.wait_for_cache_sync_within(Duration::from_secs(60)).await.unwrap();
    factory.wait_for_cache_sync().await.unwrap();
    assert!(factory.status().iter().all(|status| status.synced));
}

/// C-73: what is added after the start runs, too.
#[tokio::test(start_paused = true)]
async fn c_73_kinds_are_added_while_it_runs() {
    let (client, mut server) = server::server();
    let factory = SharedInformerFactory::new(&client);
    let _running = factory.start();
    settle().await;
    assert!(server.is_quiet());
    let maps = factory.informer::<ConfigMap>();
    let watch = server.expect(WATCH_LIST).await.open();
    watch.end_of_state("5");
    factory.wait_for_cache_sync().await.unwrap();
    assert!(maps.has_synced());
    let again = factory.start();
    settle().await;
    assert!(server.is_quiet(), "nothing is started twice");
    drop(again);
}

/// C-72: what is asked for tells one watch from another, not how it is written.
#[tokio::test(start_paused = true)]
async fn c_72_selectors_that_mean_the_same_are_one_watch() {
    let (client, mut server) = server::server();
    let factory = SharedInformerFactory::new(&client);
    let informer = |labels: &str| factory.informer_for(Select::<ConfigMap>::all().labels(labels));
    let same = ["app=web,tier in (a,b)", "tier in (b, a),app==web"].map(informer);
    // These may mean the same to the server; nobody else can read them.
    let other = ["app=web", "no selector = of ours =", "no selector = of ours"].map(informer);
    assert_eq!(factory.status().len(), 1 + other.len());
    let _running = factory.start();
    let mut watches = Vec::new();
    for _ in 0..=other.len() {
        let watch = server.call().await.open();
        watch.event("ADDED", &map("a@1"));
        watch.end_of_state("5");
        watches.push(watch);
    }
    factory.wait_for_cache_sync().await.unwrap();
    assert!(server.is_quiet());
    assert!(same.iter().all(|informer| informer.lister().list().len() == 1));
    assert!(factory.remove(Select::<ConfigMap>::all().labels("tier in (a,b),app=web")));
    settle().await;
    assert!(same.iter().all(|informer| informer.status().phase == Phase::Stopped));
}

/// C-77, Q-09: removing a kind ends its watch and tells its handlers, whoever holds it; nobody is orphaned.
#[tokio::test(start_paused = true)]
async fn q_09_a_kind_is_removed_while_it_runs() {
    let (client, mut server) = server::server();
    let factory = SharedInformerFactory::new(&client);
    let informer = factory.informer::<ConfigMap>();
    let log = Log::default();
    let subscription = informer.add_event_handler(log.handler());
    let _running = factory.start();
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.end_of_state("5");
    factory.wait_for_cache_sync().await.unwrap();
    assert!(factory.remove(Select::<ConfigMap>::all()));
    watch.abandoned().await;
    settle().await;
    assert!(!factory.remove(Select::<ConfigMap>::all()));
    assert!(subscription.is_closed());
    assert_eq!(informer.status().phase, Phase::Stopped);
    assert_eq!(informer.lister().list().len(), 1, "what was read can be read");
    assert_eq!(Arc::strong_count(&log.0), 1, "the handler is dropped");
    factory.wait_for_cache_sync().await.unwrap();

    let anew = factory.informer::<ConfigMap>();
    let watch = server.expect(WATCH_LIST).await.open();
    watch.end_of_state("9");
    anew.synced().await.unwrap();
    assert_eq!(anew.lister().list().len(), 0);
    anew.stop();
    watch.abandoned().await;
    settle().await;
    assert_eq!(anew.status().phase, Phase::Stopped);
}

/// C-74: the shutdown returns when all of it has ended, and after it nothing starts.
#[tokio::test(start_paused = true)]
async fn c_74_a_shutdown_ends_everything_before_it_returns() {
    let (server, client) = foos::server();
    let factory = SharedInformerFactory::new(&client);
    let informer = factory.informer::<ConfigMap>();
    let log = Log::default();
    let subscription = informer.add_event_handler(log.handler());
    let running = factory.start();
    factory.wait_for_cache_sync().await.unwrap();
    assert_eq!(server.open_requests(), 1);
    factory.shut_down().await;
    assert_eq!(server.open_requests(), 0);
    assert!(subscription.is_closed());
    assert_eq!(Arc::strong_count(&log.0), 1);
    let _again = factory.start();
    let late = factory.informer::<Secret>();
    assert!(late.synced().await.unwrap_err().is_stopped());
    assert!(factory.wait_for_cache_sync().await.unwrap_err().is_stopped());
    sleep(Duration::from_secs(60)).await;
    assert_eq!(server.open_requests(), 0);
    drop(running);
    SharedInformerFactory::new(&client).shut_down().await;
}

/// The same where nobody holds the guard any more, and where the run is that of the cache.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn c_74_a_shutdown_waits_for_a_call_in_progress_whoever_runs_it() {
    for by_guard in [true, false] {
        let (client, mut server) = server::server();
        let factory = SharedInformerFactory::new(&client);
        let informer = factory.informer::<ConfigMap>();
        let (entered, mut is_in) = tokio::sync::mpsc::unbounded_channel();
        let (release, held) = std::sync::mpsc::channel::<()>();
        let done = Arc::new(AtomicBool::new(false));
        let tell = Arc::clone(&done);
        let _subscription = informer.add_event_handler(move |_| {
            let _ = entered.send(());
            let _ = held.recv();
            // Who does not wait for this call is back by now.
            (0..10_000).for_each(|_| std::thread::yield_now());
            tell.store(true, Ordering::SeqCst);
        });
        let guard = by_guard.then(|| factory.start());
        let running = (!by_guard).then(|| run(factory.cache()));
        let watch = server.expect(WATCH_LIST).await.open();
        watch.event("ADDED", &map("a@1"));
        watch.end_of_state("5");
        is_in.recv().await.unwrap();
        drop((guard, running));
        drop(release);
        factory.shut_down().await;
        assert!(done.load(Ordering::SeqCst), "the call is over, by guard {by_guard}");
    }
}

/// Namespaces that change while a factory runs: a wait names the one that is late.
#[tokio::test(start_paused = true)]
async fn a_factory_follows_namespaces_that_change() {
    let (client, mut server) = server::server();
    let factory = SharedInformerFactory::new(&client).resync(Duration::from_secs(30));
    let maps = factory.namespaces(Select::<ConfigMap>::all(), ["default"]);
    let log = Log::default();
    let _subscription = maps.subscribe(log.handler());
    let _running = factory.start();
    let call = server.call().await;
    assert!(call.request.contains("/namespaces/default/"), "{}", call.request);
    let watch = call.open();
    watch.event("ADDED", &map("a@1"));
    watch.end_of_state("5");
    factory.wait_for_cache_sync().await.unwrap();
    assert_eq!(log.take().await, ["add default/a @1 (initial)"]);
    sleep(Duration::from_secs(31)).await;
    assert_eq!(log.take().await, ["resync default/a @1"], "as the factory's other informers");
    maps.set(["default", "late"]);
    let error = factory.wait_for_cache_sync_within(Duration::from_secs(3)).await.unwrap_err();
    let late: Vec<_> = error.copies().iter().map(|copy| &*copy.what).collect();
    assert_eq!(late, ["configmaps in late"]);
    let open = server.call().await.open();
    open.end_of_state("6");
    factory.wait_for_cache_sync().await.unwrap();
    assert_eq!(maps.namespaces(), ["default", "late"]);
    assert!(maps.has_synced());
}
