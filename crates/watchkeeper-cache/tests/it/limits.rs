//! Copies whose objects may take so much and no more.

use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use tokio::task::JoinSet;
use watchkeeper_api::Object;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::informer_metrics::{Content, InformerName, Measured, MetricsProvider};
use watchkeeper_cache::{Cache, Status, Watch};
use watchkeeper_client::Select;

use crate::server::{self, Open, Server};
use crate::{WATCH_LIST, run, settle};

/// Two objects of a kilobyte take no more, three do.
const LIMIT: usize = 2500;

/// A config map of a kilobyte and some.
fn large(name: &str, version: u32) -> String {
    let fill = "x".repeat(1000);
    format!(
        r#"{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"name":"{name}","namespace":"default","resourceVersion":"{version}"}},"data":{{"fill":"{fill}"}}}}"#
    )
}

/// A copy with the limit that runs, and the server that it asks.
fn limited() -> (Server, Watch<ConfigMap>, JoinSet<()>) {
    let (client, server) = server::server();
    let cache = Cache::new(&client).seed(1).content_limit(LIMIT);
    let maps = cache.watch::<ConfigMap>();
    let running = run(&cache);
    (server, maps, running)
}

fn names(maps: &Watch<ConfigMap>) -> Vec<String> {
    maps.store().list().iter().map(|map| map.name().to_owned()).collect()
}

fn is_over_limit(status: &Status, synced: bool) {
    assert_eq!((status.synced, status.refused), (synced, true), "{status}");
    let error = status.last_error.as_deref().unwrap_or_default();
    assert!(error.starts_with("3 objects of 3"), "{error}");
    assert!(error.contains("above the 2500 bytes"), "{error}");
}

/// The next request comes five minutes later, and brings a copy of `b` and `c`.
async fn is_less_after_five_minutes(server: &mut Server, maps: &Watch<ConfigMap>) -> Open {
    tokio::time::sleep(Duration::from_secs(299)).await;
    assert!(server.is_quiet());
    let call = server.call().await;
    assert!(call.request.contains("sendInitialEvents=true"), "{}", call.request);
    let watch = call.open();
    watch.event("ADDED", &large("b", 2));
    watch.event("ADDED", &large("c", 3));
    watch.end_of_state("19");
    settle().await;
    let status = maps.status();
    assert_eq!((status.synced, status.refused), (true, false), "{status}");
    assert_eq!(names(maps), ["b", "c"]);
    watch
}

#[tokio::test(start_paused = true)]
async fn a_stream_of_more_than_the_limit_is_given_up_and_tried_again_later() {
    let (mut server, maps, _running) = limited();
    let watch = server.expect(WATCH_LIST).await.open();
    for (name, version) in [("a", 1), ("b", 2), ("c", 3)] {
        watch.event("ADDED", &large(name, version));
    }
    watch.end_of_state("5");
    settle().await;
    is_over_limit(&maps.status(), false);
    assert_eq!(names(&maps), [""; 0]);
    is_less_after_five_minutes(&mut server, &maps).await;
}

#[tokio::test(start_paused = true)]
async fn so_is_a_list_in_pages() {
    let (mut server, maps, _running) = limited();
    server.expect(WATCH_LIST).await.refuse(422, "Invalid");
    server.call().await.list("5", "more", &[large("a", 1), large("b", 2)]);
    server.call().await.list("5", "", &[large("c", 3)]);
    settle().await;
    is_over_limit(&maps.status(), false);
    is_less_after_five_minutes(&mut server, &maps).await;
}

/// As a copy does whose server cannot be reached: it is old, and says so.
#[tokio::test(start_paused = true)]
async fn a_copy_that_grows_beyond_the_limit_stays_as_it_is() {
    let (mut server, maps, _running) = limited();
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &large("a", 1));
    watch.end_of_state("5");
    watch.event("ADDED", &large("b", 6));
    // What is gone makes room.
    watch.event("DELETED", &large("b", 7));
    watch.event("ADDED", &large("d", 8));
    settle().await;
    assert_eq!(names(&maps), ["a", "d"]);
    watch.event("ADDED", &large("e", 9));
    watch.event("DELETED", &large("a", 10));
    settle().await;
    is_over_limit(&maps.status(), true);
    assert_eq!(names(&maps), ["a", "d"], "nothing after what was too much");
    is_less_after_five_minutes(&mut server, &maps).await;
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_goes_on_counts_from_where_it_was() {
    let (mut server, maps, _running) = limited();
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &large("a", 1));
    watch.event("ADDED", &large("b", 2));
    watch.end_of_state("5");
    drop(watch);
    let watch = server.expect("WATCH /api/v1/configmaps resourceVersion=5").await.open();
    watch.event("ADDED", &large("c", 6));
    settle().await;
    is_over_limit(&maps.status(), true);
}

/// Whether or not it can be read what went.
#[tokio::test(start_paused = true)]
async fn a_deletion_that_cannot_be_read_makes_room() {
    let (mut server, maps, _running) = limited();
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &large("a", 1));
    watch.event("ADDED", &large("b", 2));
    watch.end_of_state("5");
    watch.event("DELETED", &large("b", 6).replace(r#""data":{"#, r#""data":{"unreadable":7,"#));
    watch.event("ADDED", &large("c", 7));
    settle().await;
    let status = maps.status();
    assert_eq!(
        (status.refused, names(&maps)),
        (false, vec!["a".to_owned(), "c".to_owned()]),
        "{status}"
    );
}

#[derive(Debug, Default)]
struct Registry(Mutex<Vec<Weak<dyn Measured>>>);

impl MetricsProvider for Registry {
    fn informer_made(&self, _name: &InformerName, informer: Weak<dyn Measured>) {
        self.0.lock().unwrap().push(informer);
    }
}

/// Of packed objects those bytes count that are kept; a limit counts for the copies of its handle only.
#[tokio::test(start_paused = true)]
async fn packed_objects_count_as_they_are_kept() {
    let (client, mut server) = server::server();
    let registry = Arc::new(Registry::default());
    let cache = Cache::new(&client).seed(1).metrics("mine", registry.clone());
    let _unlimited = cache.watch_only(Select::<ConfigMap>::all().namespace("shop"));
    let packed = cache.clone().content_limit(LIMIT).packed(Select::<ConfigMap>::all());
    let _running = run(&cache);
    for _ in 0..2 {
        let call = server.call().await;
        if call.request.contains("/shop/") {
            call.refuse(403, "Forbidden");
            server.call().await.refuse(403, "Forbidden");
            continue;
        }
        let watch = call.open();
        for (name, version) in [("a", 1), ("b", 2), ("c", 3), ("d", 4)] {
            watch.event("ADDED", &large(name, version));
        }
        watch.end_of_state("5");
        packed.synced().await.unwrap();
    }
    let content = || -> Vec<Option<Content>> {
        let informers = registry.0.lock().unwrap();
        informers.iter().map(|one| one.upgrade().unwrap().figures().store_content).collect()
    };
    let kept: usize = packed.store().list().iter().map(|map| map.size()).sum();
    assert!(kept < LIMIT, "{kept}");
    assert_eq!(content(), [None, Some(Content { bytes: kept, limit: LIMIT })]);
}
