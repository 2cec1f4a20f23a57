//! Packed copies are copies like any others.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinSet;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Object, json};
use watchkeeper_cache::{Cache, HandlerOptions, SharedInformer, SharedInformerFactory, Unpacked};
use watchkeeper_client::{Client, Select};

use crate::server::{self, Open, Server, map};
use crate::{WATCH_LIST, at_once, run, settle};

const A: (&str, &str) = ("default", "a");

/// A packed copy that runs and has synced.
struct Followed {
    client: Client,
    server: Server,
    cache: Cache,
    maps: Unpacked<ConfigMap>,
    watch: Open,
    _running: JoinSet<()>,
}

async fn followed(items: &[&str], version: &str) -> Followed {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client).seed(1);
    let maps = cache.packed(Select::<ConfigMap>::all()).unpacked();
    let running = run(&cache);
    let watch = server.expect(WATCH_LIST).await.open();
    items.iter().for_each(|item| watch.event("ADDED", &map(item)));
    watch.end_of_state(version);
    maps.watch().synced().await.unwrap();
    Followed { client, server, cache, maps, watch, _running: running }
}

fn parsed(text: &str) -> ConfigMap {
    json::from_slice(map(text).as_bytes()).unwrap()
}

fn names(maps: impl Iterator<Item = Arc<ConfigMap>>) -> Vec<String> {
    maps.map(|map| format!("{}@{}", map.name(), map.resource_version())).collect()
}

#[tokio::test(start_paused = true)]
async fn what_is_read_of_a_packed_copy_are_the_objects_themselves() {
    let it = followed(&["a@3", "b@4"], "5").await;
    assert_eq!(*it.maps.get(A).await.unwrap().unwrap(), parsed("a@3"));
    assert_eq!(*it.maps.try_get(A).unwrap().unwrap(), parsed("a@3"));
    assert_eq!(it.maps.peek(("default", "b")).as_deref(), Some(&parsed("b@4")));
    assert_eq!(it.maps.peek(("default", "c")), None);
    assert_eq!(names(it.maps.iter()), ["a@3", "b@4"]);
    assert_eq!(names(it.maps.iter_in("default")), ["a@3", "b@4"]);
    assert_eq!(names(it.maps.iter_in("shop")), [""; 0]);
    let by_version = it.maps.index(|map| map.data.get("version").map(ToString::to_string));
    it.watch.event("MODIFIED", &map("a@6"));
    settle().await;
    assert_eq!(by_version.values(), ["4", "6"]);
    assert_eq!(*by_version.get("6")[0].unpack(), parsed("a@6"));
    assert_eq!(it.maps.watch().store().version(), "6");
}

/// Handlers hear what they would hear of the objects as they are, late ones too, through a list that is
/// begun anew.
#[tokio::test(start_paused = true)]
async fn handlers_of_a_packed_copy_are_told_the_same() {
    let mut it = followed(&["a@3", "b@4"], "5").await;
    let log: Arc<Mutex<Vec<String>>> = Arc::default();
    let take = || std::mem::take(&mut *log.lock().unwrap());
    let told = Arc::clone(&log);
    let resync = Some(Duration::from_secs(10));
    let options = HandlerOptions { resync, ..HandlerOptions::default() };
    let _subscription = it.maps.subscribe_with(options, move |change| {
        let data = change.object().data.get("version").map_or("none", |version| &**version);
        told.lock().unwrap().push(format!("{change}: {data}"));
    });
    settle().await;
    assert_eq!(take(), ["add default/a @3 (initial): 3", "add default/b @4 (initial): 4"]);
    it.watch.event("MODIFIED", &map("a@6"));
    it.watch.event("DELETED", &map("b@7"));
    it.watch.event("ADDED", &map("c@8"));
    settle().await;
    assert_eq!(
        take(),
        ["update default/a @3 -> @6: 6", "delete default/b @7: 7", "add default/c @8: 8"]
    );
    tokio::time::sleep(Duration::from_secs(11)).await;
    settle().await;
    assert_eq!(take(), ["resync default/a @6: 6", "resync default/c @8: 8"]);
    let before = it.maps.watch().peek(A).unwrap();
    it.watch.error(410, "Expired");
    it.server.call().await.refuse(400, "BadRequest");
    it.server.call().await.list("9", "", &[map("a@6"), map("d@9")]);
    settle().await;
    assert_eq!(take(), ["delete default/c last seen @8: 8", "add default/d @9: 9"]);
    let after = it.maps.watch().peek(A).unwrap();
    assert!(Arc::ptr_eq(&before, &after), "what did not change is not packed again");
}

#[tokio::test(start_paused = true)]
async fn a_read_of_a_packed_copy_waits_for_own_writes() {
    let mut it = followed(&["a@5"], "5").await;
    let client = it.client.clone().observed_by(it.cache.observer());
    let api = client.api::<ConfigMap>().namespace("default");
    let object = parsed("a@5");
    let (sent, ()) = tokio::join!(api.update(&object), async {
        it.server.call().await.answer(200, &map("a@8"));
    });
    sent.unwrap();
    assert_eq!(it.maps.peek(A).unwrap().resource_version(), "5");
    assert!(it.maps.try_get(A).unwrap_err().is_behind());
    let read = at_once(it.maps.get(A), async {
        settle().await;
        it.watch.event("MODIFIED", &map("a@8"));
    })
    .await;
    assert_eq!(*read.unwrap().unwrap(), parsed("a@8"));
}

/// An object that cannot be read costs no other, packed or not.
#[tokio::test(start_paused = true)]
async fn what_cannot_be_read_is_set_aside_by_a_packed_copy() {
    let it = followed(&["a@3"], "5").await;
    it.watch.event(
        "ADDED",
        r#"{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"bad","namespace":"default","uid":"u","resourceVersion":"6"},"data":7}"#,
    );
    it.watch.event("ADDED", &map("b@7"));
    settle().await;
    assert_eq!(names(it.maps.iter()), ["a@3", "b@7"]);
    let malformed = it.maps.watch().status().malformed;
    assert!(malformed.contains_key("default/bad"), "{malformed:?}");
}

#[tokio::test(start_paused = true)]
async fn a_selection_has_one_packed_copy_beside_one_that_is_not() {
    let mut it = followed(&["a@3"], "5").await;
    let again = it.cache.packed(Select::<ConfigMap>::all());
    assert_eq!(again.peek(A).unwrap().unpack().resource_version(), "3");
    settle().await;
    assert!(it.server.is_quiet(), "it is the same copy");
    let plain = it.cache.watch::<ConfigMap>();
    let watch = it.server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@4"));
    watch.end_of_state("6");
    plain.synced().await.unwrap();
    assert_eq!(plain.peek(A).unwrap().resource_version(), "4");
    assert!(it.cache.forget(Select::<ConfigMap>::all()), "both end");
    it.watch.abandoned().await;
    watch.abandoned().await;
    assert!(!it.cache.forget(Select::<ConfigMap>::all()));
}

/// Under the names of client-go, too.
#[tokio::test(start_paused = true)]
async fn factories_and_informers_keep_objects_packed() {
    let (client, mut server) = server::server();
    let factory = SharedInformerFactory::new(&client);
    let maps = factory.packed(Select::<ConfigMap>::all());
    let running = factory.start();
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.end_of_state("5");
    factory.wait_for_cache_sync().await.unwrap();
    assert_eq!(*maps.lister().require(A).unwrap().unpack(), parsed("a@1"));
    drop((maps, running));

    let (client, mut server) = server::server();
    let informer = SharedInformer::packed(&client, Select::<ConfigMap>::all());
    let read = async {
        let watch = server.expect(WATCH_LIST).await.open();
        watch.event("ADDED", &map("a@2"));
        watch.end_of_state("5");
        informer.synced().await.unwrap();
        assert_eq!(*informer.lister().list()[0].unpack(), parsed("a@2"));
    };
    tokio::select! {
        biased;
        () = informer.run() => unreachable!("nobody stops it"),
        () = read => {}
    }
}
