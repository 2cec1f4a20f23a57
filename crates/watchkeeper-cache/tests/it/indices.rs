//! Indices and listers: finding objects by what they say.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::task::JoinSet;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::selector::Selector;
use watchkeeper_api::{Object, ObjectKey, json};
use watchkeeper_cache::{Cache, Delta, Index, Replacement, SharedInformer, Store, Watch};
use watchkeeper_client::Select;

use crate::server::map;
use crate::{Synced, server, settle, synced};

/// A map of these words, with the labels that are no words of the data.
fn words(name: &str, version: u32, words: &str) -> Arc<ConfigMap> {
    let text = format!(
        r#"{{"metadata":{{"name":"{name}","namespace":"default","uid":"{name}","resourceVersion":"{version}"}},"data":{{"words":"{words}"}}}}"#
    );
    Arc::new(json::from_str(&text).unwrap())
}

fn by_word(store: &Store<ConfigMap>) -> Index<ConfigMap, String> {
    store.index(|map| {
        let words = map.data.get("words").map(ToString::to_string).unwrap_or_default();
        words.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    })
}

fn names(maps: &[Arc<ConfigMap>]) -> Vec<&str> {
    maps.iter().map(|map| map.name()).collect()
}

fn list(version: &str, items: Vec<Arc<ConfigMap>>) -> Delta<ConfigMap> {
    Delta::Replaced(Replacement {
        items,
        unreadable: Vec::new(),
        nameless: false,
        version: version.to_owned(),
    })
}

/// Upstream: `TestIndex`, `TestMultiIndexKeys`, `TestThreadSafeStoreDeleteRemovesEmptySetsFromIndex`,
/// `TestThreadSafeStoreAddKeepsNonEmptySetPostDelete`.
#[test]
fn c_50_an_object_is_under_each_of_its_values_and_under_no_other() {
    let store = Store::new();
    let index = by_word(&store);
    store.apply(Delta::Added(words("a", 1, "red green")));
    store.apply(Delta::Added(words("b", 2, "green")));
    assert_eq!(index.values(), ["green", "red"]);
    assert_eq!(names(&index.get("green")), ["a", "b"]);
    store.apply(Delta::Updated(words("a", 3, "blue green")));
    assert_eq!(index.values(), ["blue", "green"], "a value that nobody has is gone");
    store.apply(Delta::Deleted(words("b", 4, "green")));
    assert_eq!(names(&index.get("green")), ["a"]);
    store.apply(Delta::Deleted(words("a", 5, "blue green")));
    assert_eq!(index.values(), [""; 0]);
}

/// C-51: whatever path is taken, an index gives the newest value.
#[test]
fn c_51_an_object_that_keeps_its_value_is_found_as_it_is_now() {
    let store = Store::new();
    let index = by_word(&store);
    store.apply(Delta::Added(words("a", 1, "red")));
    store.apply(Delta::Updated(words("a", 2, "red")));
    let found = index.get("red").remove(0);
    assert_eq!(found.resource_version(), "2");
    assert!(Arc::ptr_eq(&found, &store.get(&("default", "a").into()).unwrap()), "C-55: shared");
}

/// C-54, Q-05: an index is a value of its own, so there is none that is unknown.
#[test]
fn c_54_an_index_tells_objects_keys_and_values() {
    let store = Store::new();
    store.apply(list("5", vec![words("b", 1, "x y"), words("a", 2, "y"), words("c", 3, "")]));
    let index = by_word(&store);
    assert_eq!(names(&index.get("y")), ["a", "b"], "each once, in the order of the keys");
    assert_eq!(index.keys("x"), [ObjectKey::from(("default", "b"))]);
    assert_eq!(index.values(), ["x", "y"]);
    assert!(index.get("z").is_empty() && index.keys("z").is_empty());
}

/// C-53: while lists replace the copy, whoever reads sees one list, in the objects and in the index.
#[test]
fn c_53_readers_see_a_list_before_or_after_never_between() {
    const LISTS: u32 = 300;
    let store: Store<ConfigMap> = Store::new();
    let index = by_word(&store);
    let of = |number: u32| {
        let name = |place: u32| {
            format!("{}-{place}", if number.is_multiple_of(2) { "even" } else { "odd" })
        };
        let items = (0..20).map(|place| words(&name(place), number + 1, &format!("w{number}")));
        list(&(number + 1).to_string(), items.collect())
    };
    store.apply(of(0));
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut seen = 0;
                while !done.load(Ordering::Relaxed) || seen == 0 {
                    let snapshot = store.snapshot();
                    let version = snapshot.version().to_owned();
                    assert_eq!(snapshot.len(), 20);
                    assert!(snapshot.iter().all(|map| map.resource_version() == version));
                    for value in index.values() {
                        let found = index.get(&value).len();
                        assert!(found == 20 || found == 0, "{found} of {value}");
                    }
                    assert!(index.values().len() == 1, "one list, one value");
                    seen += 1;
                }
            });
        }
        (1..LISTS).for_each(|number| drop(store.apply(of(number))));
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(store.version(), LISTS.to_string());
}

async fn labelled() -> (Synced, Watch<ConfigMap>) {
    let it = synced(&[], "5").await;
    let labels = |name: &str, labels: &str| {
        map(name).replace(
            r#""namespace":"default""#,
            &format!(r#""namespace":"default","labels":{{{labels}}}"#),
        )
    };
    it.watch.event("ADDED", &labels("a@6", r#""app":"web""#));
    it.watch.event("ADDED", &labels("b@7", r#""app":"web","tier":"back""#));
    it.watch.event("ADDED", &labels("c@8", r#""app":"db""#));
    let elsewhere = labels("d@9", r#""app":"web""#)
        .replace(r#""namespace":"default""#, r#""namespace":"other""#);
    it.watch.event("ADDED", &elsewhere);
    settle().await;
    let maps = it.maps.clone();
    (it, maps)
}

/// Upstream: `listers_test.go`.
#[tokio::test(start_paused = true)]
async fn c_57_a_lister_reads_by_key_namespace_selector_and_index() {
    let (it, _maps) = labelled().await;
    let informer = watchkeeper_cache::SharedInformerFactory::over(it.cache)
        .informer_for(Select::<ConfigMap>::all());
    check(&informer);
}

fn check(informer: &SharedInformer<ConfigMap>) {
    let lister = informer.lister();
    let selector = |text: &str| text.parse::<Selector>().unwrap();
    assert_eq!(names(&lister.matching(&selector("app=web"), None)), ["a", "b", "d"]);
    assert_eq!(names(&lister.matching(&selector("app=web"), Some("default"))), ["a", "b"]);
    assert_eq!(names(&lister.matching(&selector("app=web,!tier"), Some("default"))), ["a"]);
    assert_eq!(names(&lister.matching(&selector("app in (none)"), None)), [""; 0]);
    assert_eq!(names(&lister.matching(&Selector::default(), None)), ["a", "b", "c", "d"]);
    assert_eq!(names(&lister.matching(&Selector::default(), Some("other"))), ["d"]);
    assert_eq!(names(&lister.list_in("other")), ["d"]);
    assert!(lister.get(("default", "a")).is_some());
    let by_app = lister.index(|map| map.label("app").map(str::to_owned));
    assert_eq!(names(&by_app.get("db")), ["c"]);
    let error = lister.require(("default", "nobody")).unwrap_err();
    assert!(error.is_not_found() && !error.is_stopped());
    assert_eq!(error.to_string(), r#"configmaps "default/nobody" not found"#);
    assert_eq!(lister.require(("other", "d")).unwrap().name(), "d");
}

/// What a copy cannot know is not "not found": who takes that for deleted would act on it.
#[tokio::test(start_paused = true)]
async fn c_57_a_lister_does_not_say_not_found_of_what_it_cannot_know() {
    let (client, mut server) = server::server();
    let factory = watchkeeper_cache::SharedInformerFactory::new(&client);
    let informer = factory.informer_for(Select::<ConfigMap>::all().namespace("default"));
    let lister = informer.lister();
    let error = lister.require(("default", "a")).unwrap_err();
    assert!(error.is_not_synced() && !error.is_not_found(), "{error}");
    let text = r#"the copy of configmaps "default/a" is not there yet"#;
    assert_eq!(error.to_string(), text);
    let _running = factory.start();
    let watch = server.call().await.open();
    watch.event("ADDED", &map("a@1"));
    settle().await;
    assert!(lister.require(("default", "a")).unwrap_err().is_not_synced(), "half a list");
    watch.end_of_state("5");
    settle().await;
    assert_eq!(lister.require(("default", "a")).unwrap().resource_version(), "1");
    assert!(lister.require(("default", "b")).unwrap_err().is_not_found());
    let error = lister.require(("other", "a")).unwrap_err();
    assert!(error.is_not_followed() && !error.is_not_found(), "{error}");
    let text = r#"the namespace of configmaps "other/a" is not followed"#;
    assert_eq!(error.to_string(), text);
}

/// A copy of one name knows nothing of another.
#[tokio::test(start_paused = true)]
async fn c_57_a_lister_of_one_name_does_not_say_not_found_of_another() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client);
    let fields = "metadata.name=a";
    let informer = SharedInformer::over(cache, Select::<ConfigMap>::all().fields(fields));
    let lister = informer.lister();
    let mut running = JoinSet::new();
    running.spawn(async move { informer.run().await });
    let watch = server.call().await.open();
    for _ in 0..2 {
        let error = lister.require(("default", "b")).unwrap_err();
        assert!(error.is_not_followed() && !error.is_not_found(), "{error}");
        let text = r#"configmaps "default/b" is not followed, only what has metadata.name=a"#;
        assert_eq!(error.to_string(), text);
        watch.end_of_state("5");
        settle().await;
    }
    assert!(lister.require(("default", "a")).unwrap_err().is_not_found());
}
