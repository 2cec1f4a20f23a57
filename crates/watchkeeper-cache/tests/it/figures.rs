//! The figures of informers (1.9), and that they go with them.

use std::sync::{Arc, Mutex, Weak};

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::classic::DeltaFifo;
use watchkeeper_cache::informer_metrics::{InformerName, Measured, MetricsProvider};
use watchkeeper_cache::{Cache, HandlerOptions, Overflow};
use watchkeeper_client::Select;

use crate::server::map;
use crate::{WATCH_LIST, run, server, settle};

#[derive(Default)]
struct Registry(Mutex<Vec<(InformerName, Weak<dyn Measured>)>>);

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Registry")
    }
}

impl MetricsProvider for Registry {
    fn informer_made(&self, name: &InformerName, informer: Weak<dyn Measured>) {
        self.0.lock().unwrap().push((name.clone(), informer));
    }
}

#[tokio::test(start_paused = true)]
async fn an_informer_is_measured_while_it_is_there() {
    let (client, mut server) = server::server();
    let registry = Arc::new(Registry::default());
    let cache = Cache::new(&client).seed(1).metrics("mine", registry.clone());
    let maps = cache.watch::<ConfigMap>();
    let again = cache.watch::<ConfigMap>();
    let options = HandlerOptions { name: "printer".to_owned(), ..HandlerOptions::default() };
    let subscription = maps.subscribe_with(options, |_| ());
    let running = run(&cache);
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.end_of_state("5");
    maps.synced().await.unwrap();
    watch.event("MODIFIED", &map("a@1234567890123456789"));
    settle().await;
    let (name, informer) = registry.0.lock().unwrap()[0].clone();
    assert_eq!(registry.0.lock().unwrap().len(), 1, "one copy, one set of series");
    let expected = InformerName {
        name: "mine".to_owned(),
        group: String::new(),
        version: "v1".to_owned(),
        resource: "configmaps".to_owned(),
    };
    assert_eq!(name, expected);
    let figures = informer.upgrade().unwrap().figures();
    assert_eq!(figures.queued_items, 0);
    assert_eq!(figures.processing_latency.count(), 2, "a list and an event");
    assert_eq!(figures.store_resource_version, 567_890_123_456_789);
    assert_eq!(figures.handlers, [("printer".to_owned(), 0)]);
    drop(subscription);
    let figures = informer.upgrade().unwrap().figures();
    assert!(figures.handlers.is_empty(), "what a handler had is gone with it");
    drop((maps, again));
    settle().await;
    assert!(informer.upgrade().is_none(), "its series are gone with it");
    drop((cache, running));
}

/// What waits is told: here everything, as the handler has not had its turn.
#[tokio::test(start_paused = true)]
async fn what_waits_for_a_handler_is_told() {
    let (client, mut server) = server::server();
    let registry = Arc::new(Registry::default());
    let cache = Cache::new(&client).seed(1).metrics("mine", registry.clone());
    let maps = cache.watch::<ConfigMap>();
    let _running = run(&cache);
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.event("ADDED", &map("b@2"));
    watch.end_of_state("5");
    maps.synced().await.unwrap();
    let _subscription = maps.subscribe(|_| ());
    let figures = registry.0.lock().unwrap()[0].1.upgrade().unwrap().figures();
    assert_eq!(
        figures.handlers,
        [("handler".to_owned(), 3)],
        "two objects, and that it has synced"
    );
    settle().await;
    let figures = registry.0.lock().unwrap()[0].1.upgrade().unwrap().figures();
    assert_eq!(figures.handlers, [("handler".to_owned(), 0)]);
}

/// The same on the classic queue, where all that happened to an object is applied as one.
#[tokio::test(start_paused = true)]
async fn an_informer_on_the_classic_queue_is_measured_too() {
    let (client, mut server) = server::server();
    let registry = Arc::new(Registry::default());
    let cache = Cache::new(&client).seed(1).metrics("mine", registry.clone());
    let maps = cache.watch_through(Select::<ConfigMap>::all(), |store| {
        DeltaFifo::new().known_objects(store.clone())
    });
    let _running = run(&cache);
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.event("ADDED", &map("b@2"));
    watch.end_of_state("5");
    maps.synced().await.unwrap();
    settle().await;
    watch.event("MODIFIED", &map("a@6"));
    settle().await;
    let figures = registry.0.lock().unwrap()[0].1.upgrade().unwrap().figures();
    assert_eq!(figures.processing_latency.count(), 3, "two objects of the list, and an event");
    assert_eq!((figures.queued_items, figures.store_resource_version), (0, 6));
}

#[tokio::test(start_paused = true)]
async fn what_a_copy_holds_is_told() {
    let (client, mut server) = server::server();
    let registry = Arc::new(Registry::default());
    let cache = Cache::new(&client).seed(1).metrics("mine", registry.clone());
    let maps = cache.watch::<ConfigMap>();
    let _running = run(&cache);
    let figures = || registry.0.lock().unwrap()[0].1.upgrade().unwrap().figures();
    assert_eq!((figures().store_objects, figures().store_own_bytes), (0, 0));
    let watch = server.expect(WATCH_LIST).await.open();
    for number in 0..100 {
        watch.event("ADDED", &map(&format!("m{number}@1")));
    }
    watch.end_of_state("5");
    maps.synced().await.unwrap();
    let full = figures();
    assert_eq!(full.store_objects, 100);
    assert!(full.store_own_bytes >= 100 * size_of::<ConfigMap>(), "{}", full.store_own_bytes);
    for number in 1..100 {
        watch.event("DELETED", &map(&format!("m{number}@{}", 5 + number)));
    }
    settle().await;
    let one = figures();
    assert_eq!(one.store_objects, 1);
    assert!(one.store_own_bytes < full.store_own_bytes);
}

/// What waits for the copy is told while a handler holds it up, which is when it matters.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_waits_for_the_copy_is_told_while_it_stands_still() {
    let (client, mut server) = server::server();
    let registry = Arc::new(Registry::default());
    let cache = Cache::new(&client).seed(1).metrics("mine", registry.clone());
    let maps = cache.watch::<ConfigMap>();
    let _running = run(&cache);
    let watch = server.expect(WATCH_LIST).await.open();
    watch.end_of_state("5");
    maps.synced().await.unwrap();
    let (release, held) = std::sync::mpsc::channel::<()>();
    let options =
        HandlerOptions { buffer: 1, overflow: Overflow::Block, ..HandlerOptions::default() };
    let _subscription = maps.subscribe_with(options, move |_| {
        let _ = held.recv();
    });
    (6..26).for_each(|version| watch.event("MODIFIED", &map(&format!("a@{version}"))));
    let informer = registry.0.lock().unwrap()[0].1.upgrade().unwrap();
    let waits = async |enough: fn(usize) -> bool| {
        while !enough(informer.figures().queued_items) {
            tokio::task::yield_now().await;
        }
    };
    let limit = std::time::Duration::from_secs(60);
    let standing = tokio::time::timeout(limit, waits(|items| items >= 18)).await;
    assert!(
        standing.is_ok(),
        "all but what is with the handler, and in its buffer: {:?}",
        informer.figures()
    );
    drop(release);
    assert!(
        tokio::time::timeout(limit, waits(|items| items == 0)).await.is_ok(),
        "{:?}",
        informer.figures()
    );
}
