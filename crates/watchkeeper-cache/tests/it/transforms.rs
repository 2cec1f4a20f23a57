//! Copies of what a function makes of each object (C-34, C-76).

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::sleep;
use watchkeeper_api::Object;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::SharedInformerFactory;
use watchkeeper_cache::{Cache, Change, HandlerOptions, Phase, SharedInformer, Transformed, Watch};
use watchkeeper_client::Select;

use crate::server::{Open, Server, map};
use crate::{WATCH_LIST, run, server, settle};

/// A copy of the versions that the maps' data tell.
struct Versions {
    server: Server,
    versions: Watch<Transformed<String>>,
    watch: Open,
    /// How often the transform was called.
    calls: Arc<AtomicU32>,
    _running: JoinSet<()>,
}

/// Of `bad` there is no version, and of `worse` there is a panic.
async fn versions(items: &[&str]) -> Versions {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client).seed(1);
    let calls = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&calls);
    let versions = cache.transformed(Select::all(), move |map: ConfigMap| {
        count.fetch_add(1, Ordering::Relaxed);
        assert_ne!(map.name(), "worse", "nothing worse please");
        let version = map.data.get("version").map(ToString::to_string);
        version.filter(|_| map.name() != "bad").ok_or("it is bad")
    });
    let running = run(&cache);
    let watch = server.expect(WATCH_LIST).await.open();
    items.iter().for_each(|item| watch.event("ADDED", &map(item)));
    watch.end_of_state("5");
    versions.synced().await.unwrap();
    Versions { server, versions, watch, calls, _running: running }
}

fn held(versions: &Watch<Transformed<String>>) -> Vec<String> {
    let show = |kept: &Arc<Transformed<String>>| format!("{}={}", kept.key(), ***kept);
    versions.peek_all().iter().map(show).collect()
}

#[tokio::test(start_paused = true)]
async fn c_34_each_object_is_transformed_once_and_tombstones_and_resyncs_never() {
    let mut it = versions(&["a@1", "b@2"]).await;
    assert_eq!(held(&it.versions), ["default/a=1", "default/b=2"]);
    let log: Arc<std::sync::Mutex<Vec<String>>> = Arc::default();
    let told = Arc::clone(&log);
    let resync = Some(Duration::from_secs(10));
    let options = HandlerOptions { resync, ..HandlerOptions::default() };
    let handler = move |change: &Change<Transformed<String>>| {
        told.lock().unwrap().push(format!("{change}: {}", change.object().value()));
    };
    let _subscription = it.versions.subscribe_with(options, handler);
    let count = || it.calls.load(Ordering::Relaxed);
    settle().await;
    log.lock().unwrap().clear();
    sleep(Duration::from_secs(11)).await;
    settle().await;
    assert_eq!(log.lock().unwrap().len(), 2, "both were told again");
    assert_eq!(count(), 2, "which is no transform");
    log.lock().unwrap().clear();
    it.watch.event("MODIFIED", &map("a@6"));
    settle().await;
    assert_eq!(count(), 3);
    // A list that has `a` as it is known, and `b` no more.
    it.watch.error(410, "Expired");
    it.server.call().await.refuse(400, "BadRequest");
    it.server.call().await.list("9", "", &[map("a@6"), map("c@8")]);
    settle().await;
    assert_eq!(count(), 4, "only what is new");
    assert_eq!(held(&it.versions), ["default/a=6", "default/c=8"]);
    let told = std::mem::take(&mut *log.lock().unwrap());
    assert_eq!(
        told,
        ["update default/a @1 -> @6: 6", "delete default/b last seen @2: 2", "add default/c @8: 8"]
    );
    let a = it.versions.peek(("default", "a")).unwrap();
    assert_eq!((a.uid(), a.resource_version()), ("a", "6"));
}

/// A transform that fails costs the object it failed for, and tells.
#[tokio::test(start_paused = true)]
async fn a_transform_that_fails_sets_its_object_aside() {
    let it = versions(&["a@1", "bad@2", "worse@3"]).await;
    assert_eq!(held(&it.versions), ["default/a=1"]);
    let malformed = it.versions.status().malformed;
    assert_eq!(malformed["default/bad"], "the transform failed: it is bad");
    assert!(malformed["default/worse"].contains("panicked: "), "{malformed:?}");
    assert!(malformed["default/worse"].contains("nothing worse please"), "{malformed:?}");
    it.watch.event("ADDED", &map("b@6"));
    it.watch.event("DELETED", &map("bad@7"));
    it.watch.event("DELETED", &map("worse@8"));
    settle().await;
    assert_eq!(held(&it.versions), ["default/a=1", "default/b=6"]);
    assert!(it.versions.status().malformed.is_empty(), "what is gone is no trouble");
}

/// C-76: a factory's informers have their transforms from their making, and never another one.
#[tokio::test(start_paused = true)]
async fn c_76_a_factory_makes_informers_with_transforms() {
    let (client, mut server) = server::server();
    let factory = SharedInformerFactory::new(&client);
    let name = |map: ConfigMap| Ok::<_, String>(map.name().to_owned());
    let length = |map: ConfigMap| Ok::<_, String>(map.data.len());
    let names = factory.transformed(Select::all(), name);
    let lengths = factory.transformed(Select::all(), length);
    let _running = factory.start();
    let mut watches = Vec::new();
    for _ in 0..2 {
        let watch = server.expect(WATCH_LIST).await.open();
        watch.event("ADDED", &map("a@1"));
        watch.end_of_state("5");
        watches.push(watch);
    }
    factory.wait_for_cache_sync().await.unwrap();
    assert_eq!(names.lister().require(("default", "a")).unwrap().value(), "a");
    assert_eq!(lengths.lister().require(("default", "a")).unwrap().value(), &1);
    let by_length = lengths.lister().index(|length| [**length]);
    assert_eq!(by_length.get(&1).len(), 1);
}

/// Nobody can ask for one of them again, but whoever removes the kind means them, too.
#[tokio::test(start_paused = true)]
async fn c_76_informers_with_transforms_are_removed_with_their_selection() {
    let (client, mut server) = server::server();
    let factory = SharedInformerFactory::new(&client);
    let name = |map: ConfigMap| Ok::<_, String>(map.name().to_owned());
    let length = |map: ConfigMap| Ok::<_, String>(map.data.len());
    drop(factory.transformed(Select::all(), name));
    assert!(!factory.remove(Select::<ConfigMap>::all()), "that one is over");
    let names = factory.transformed(Select::all(), name);
    let lengths = factory.transformed(Select::all(), length);
    let others = factory.transformed(Select::all().labels("app=web"), length);
    let _running = factory.start();
    let mut watches = Vec::new();
    for _ in 0..3 {
        let watch = server.call().await.open();
        watch.end_of_state("5");
        watches.push(watch);
    }
    factory.wait_for_cache_sync().await.unwrap();
    assert!(!factory.remove(Select::<ConfigMap>::all().namespace("elsewhere")));
    assert!(factory.remove(Select::<ConfigMap>::all()));
    settle().await;
    let phases = [names.status().phase, lengths.status().phase, others.status().phase];
    assert_eq!(phases, [Phase::Stopped, Phase::Stopped, Phase::Watching]);
    watches[0].abandoned().await;
    watches[1].abandoned().await;
    assert!(!factory.remove(Select::<ConfigMap>::all()), "once");
}

/// C-58: an informer of its own, the same.
#[tokio::test(start_paused = true)]
async fn c_58_an_informer_has_its_transform_from_its_making() {
    let (client, mut server) = server::server();
    let name = |map: ConfigMap| Ok::<_, String>(map.name().to_owned());
    let informer = SharedInformer::transform(&client, Select::all(), name);
    let read = async {
        let watch = server.expect(WATCH_LIST).await.open();
        watch.event("ADDED", &map("a@1"));
        watch.end_of_state("5");
        informer.synced().await.unwrap();
        assert_eq!(informer.lister().list()[0].value(), "a");
    };
    tokio::select! {
        biased;
        () = informer.run() => unreachable!("nobody stops it"),
        () = read => {}
    }
}
