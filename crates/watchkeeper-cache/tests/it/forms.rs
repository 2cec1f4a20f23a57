//! A kind in each of its forms: a projection, its metadata, and without a type.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::sleep;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{Map, Metadata, Object, StaticKind as _, Unstructured, object};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_apiserver::error::ApiError;
use watchkeeper_apiserver::hooks::{self, Verdict};
use watchkeeper_cache::classic::{ListWatch, Reflector, ReflectorStore, Refused};
use watchkeeper_cache::{Cache, Delta, Replacement, SharedInformerFactory, Store, Watch};
use watchkeeper_client::{Api, Client, Codec, CreateOptions, DeleteOptions, Select};

use crate::{CODEC, foos, run, settle};

/// What a controller may want of config maps.
#[derive(Clone, Debug, Default, PartialEq, watchkeeper_derive::Object)]
#[object(like = ConfigMap, crate = "watchkeeper_api")]
struct Data {
    metadata: ObjectMeta,
    data: Map,
}

fn value(map: &Data) -> String {
    map.data.get("key").map(ToString::to_string).unwrap_or_default()
}

/// What the requests accepted, and the types of the answers to watches.
type Seen = Arc<Mutex<Vec<(String, String)>>>;

fn client() -> (Client, Seen) {
    heard(Client::new(ApiServer::builder().seed(1).build()).codec(CODEC))
}

fn heard(client: Client) -> (Client, Seen) {
    let seen = Seen::default();
    let told = Arc::clone(&seen);
    let client = client.intercept(move |request, next| {
        let told = Arc::clone(&told);
        async move {
            let is_watch = request.uri().query().is_some_and(|query| query.contains("watch=true"));
            let accept = request.headers()["accept"].to_str().unwrap_or_default().to_owned();
            let answer = next.send(request).await?;
            let came = answer.headers()["content-type"].to_str().unwrap_or_default().to_owned();
            if is_watch {
                told.lock().unwrap().push((accept, came));
            }
            Ok(answer)
        }
    });
    (client, seen)
}

/// What a copy holds, as `show` tells it.
fn copy<K: Object>(watch: &Watch<K>, show: impl Fn(&K) -> String) -> Vec<String> {
    watch.peek_all().iter().map(|object| format!("{} {}", object.key(), show(object))).collect()
}

fn map(name: &str, value: &str) -> ConfigMap {
    object!(ConfigMap {
        metadata: { name: name, namespace: "default", labels: { "value": value } },
        data: { "key": value },
        binary_data: { "large": "not wanted" },
    })
}

/// Adds, changes and deletes; what `watch` holds after each.
async fn story<K: Object>(
    cache: &Cache,
    client: &Client,
    watch: Watch<K>,
    show: impl Fn(&K) -> String,
) -> Vec<String> {
    let maps: Api<ConfigMap> =
        client.clone().observed_by(cache.observer()).api().namespace("default");
    maps.create(&map("a", "1"), &CreateOptions::default()).await.unwrap();
    let _running = run(cache);
    watch.synced().await.unwrap();
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let _subscription =
        watch.subscribe(move |change| heard.lock().unwrap().push(change.to_string()));
    settle().await;
    let mut held = vec![copy(&watch, &show).join(", ")];
    maps.create(&map("b", "2"), &CreateOptions::default()).await.unwrap();
    let changed = maps.get("a").await.unwrap();
    let changed = ConfigMap { data: [("key", "3")].into(), ..changed };
    maps.update(&changed).await.unwrap();
    watch.caught_up().await.unwrap();
    held.push(copy(&watch, &show).join(", "));
    maps.delete("b", &DeleteOptions::default()).await.unwrap();
    watch.caught_up().await.unwrap();
    settle().await;
    held.push(copy(&watch, &show).join(", "));
    assert!(watch.status().malformed.is_empty());
    held.extend(told.lock().unwrap().iter().map(|line| line.split('@').next().unwrap().to_owned()));
    held
}

/// The types that the watches had: as the codec says, where the form has protobuf.
fn came(seen: &Seen) -> Vec<(bool, bool)> {
    let has = |text: &str| text.contains("protobuf");
    seen.lock().unwrap().iter().map(|(accept, came)| (has(accept), has(came))).collect()
}

#[tokio::test(start_paused = true)]
async fn a_projection_is_followed() {
    let (client, seen) = client();
    let cache = Cache::new(&client).seed(1);
    let watch = cache.watch::<Data>();
    let held = story(&cache, &client, watch, value).await;
    assert_eq!(
        held[..3],
        ["default/a 1", "default/a 3, default/b 2", "default/a 3"],
        "of the projection, its fields"
    );
    assert_eq!(held.len(), 3 + 4, "{held:?}");
    let protobuf = CODEC == Codec::Protobuf;
    assert_eq!(came(&seen), [(protobuf, protobuf)]);
}

#[tokio::test(start_paused = true)]
async fn metadata_is_followed() {
    let (client, seen) = client();
    let cache = Cache::new(&client).seed(1);
    let watch = cache.watch::<Metadata<ConfigMap>>();
    let show = |map: &Metadata<ConfigMap>| map.label("value").unwrap_or_default().to_owned();
    let held = story(&cache, &client, watch, show).await;
    assert_eq!(held[..3], ["default/a 1", "default/a 1, default/b 2", "default/a 1"]);
    let protobuf = CODEC == Codec::Protobuf;
    assert_eq!(came(&seen), [(protobuf, protobuf)]);
    let asked = seen.lock().unwrap()[0].0.clone();
    assert!(asked.contains("as=PartialObjectMetadata;"), "{asked}");
}

#[tokio::test(start_paused = true)]
async fn a_kind_without_a_type_is_followed() {
    let (client, seen) = client();
    let cache = Cache::new(&client).seed(1);
    let watch = cache.watch_only::<Unstructured>(Select::kind(ConfigMap::static_kind().clone()));
    let show = |map: &Unstructured| map.get("/data/key").unwrap_or_default().to_owned();
    let held = story(&cache, &client, watch, show).await;
    let expected = [r#"default/a "1""#, r#"default/a "3", default/b "2""#, r#"default/a "3""#];
    assert_eq!(held[..3], expected);
    // It is kept as JSON text, so it is asked for as that.
    assert_eq!(came(&seen), [(false, false)]);
}

/// Q-01: whatever is asked for twice, each form is followed once, and none stands in for another one.
#[tokio::test(start_paused = true)]
async fn q_01_typed_metadata_and_untyped_are_three_copies_with_three_watches() {
    let (server, client) = foos::server();
    let (client, seen) = heard(client);
    let cache = Cache::new(&client).seed(1);
    let typed = [cache.watch::<ConfigMap>(), cache.watch()];
    let metadata = [cache.watch::<Metadata<ConfigMap>>(), cache.watch()];
    let select = || Select::<Unstructured>::kind(ConfigMap::static_kind().clone());
    let untyped = [cache.watch_only(select()), cache.watch_only(select())];
    let _running = run(&cache);
    for watch in &typed {
        watch.synced().await.unwrap();
    }
    for watch in &metadata {
        watch.synced().await.unwrap();
    }
    for watch in &untyped {
        watch.synced().await.unwrap();
    }
    assert_eq!(cache.status().len(), 3);
    assert_eq!(server.open_requests(), 3, "as the server counts them");
    let accepted: Vec<_> = seen.lock().unwrap().iter().map(|(accept, _)| accept.clone()).collect();
    let of_metadata = accepted.iter().filter(|accept| accept.contains("as=PartialObjectMetadata;"));
    assert_eq!((accepted.len(), of_metadata.count()), (3, 1), "{accepted:?}");

    // Each has what comes, in its own form, and asks for nothing more.
    let maps: Api<ConfigMap> = client.api().namespace("default");
    maps.create(&map("a", "1"), &CreateOptions::default()).await.unwrap();
    settle().await;
    for watch in &typed {
        assert_eq!(copy(watch, |map| map.data.get("key").unwrap().to_string()), ["default/a 1"]);
    }
    for watch in &metadata {
        assert_eq!(copy(watch, |map| map.label("value").unwrap().to_owned()), ["default/a 1"]);
    }
    for watch in &untyped {
        assert_eq!(
            copy(watch, |map| map.get("/data/key").unwrap().to_owned()),
            ["default/a \"1\""]
        );
    }
    let asked = seen.lock().unwrap().len();
    assert_eq!((asked, server.open_requests()), (3, 3));

    // Each ends with its own last handle.
    let [first, second] = typed;
    drop(first);
    settle().await;
    assert_eq!(server.open_requests(), 3);
    drop(second);
    settle().await;
    assert_eq!(server.open_requests(), 2);
    drop(metadata);
    settle().await;
    assert_eq!(server.open_requests(), 1);
    assert_eq!(untyped[0].peek_all().len(), 1);
    drop(untyped);
    settle().await;
    assert_eq!(server.open_requests(), 0);
}

#[tokio::test(start_paused = true)]
async fn an_informer_of_a_projection_lists_and_indexes_it() {
    let (client, _) = client();
    let maps: Api<ConfigMap> = client.api().namespace("default");
    for (name, value) in [("a", "1"), ("b", "2"), ("c", "1")] {
        maps.create(&map(name, value), &CreateOptions::default()).await.unwrap();
    }
    let factory = SharedInformerFactory::new(&client);
    let informer = factory.informer::<Data>();
    let lister = informer.lister();
    let _running = factory.start();
    factory.wait_for_cache_sync().await.unwrap();
    let mut values: Vec<_> =
        lister.list().iter().map(|map| format!("{}={}", map.name(), value(map))).collect();
    values.sort();
    assert_eq!(values, ["a=1", "b=2", "c=1"]);
}

/// A store that counts, for each list, how many objects it has and how many of them are the very values that
/// are stored.
struct Counting<K: Object> {
    store: Store<K>,
    lists: Mutex<Vec<(usize, usize)>>,
}

impl<K: Object> ReflectorStore<K> for Counting<K> {
    async fn push(&self, delta: Delta<K>) -> Result<(), Refused> {
        if let Delta::Replaced(list) = &delta {
            let is_stored = |object: &&Arc<K>| {
                self.store.get(&object.key()).is_some_and(|known| Arc::ptr_eq(&known, object))
            };
            let same = list.items.iter().filter(is_stored).count();
            self.lists.lock().unwrap().push((list.items.len(), same));
        }
        self.store.apply(delta);
        Ok(())
    }

    fn transforms(&self) -> bool {
        false
    }

    async fn push_list(&self, list: Replacement<K>, _: &Store<K>) -> Result<(), Refused> {
        self.push(Delta::Replaced(list)).await
    }
}

/// A list costs no second copy, whether it comes as a stream or in pages: what did not change is not kept twice,
/// not even until the list is whole.
async fn is_not_made_anew<K: Object>(select: Select<K>) {
    let (server, client) = foos::server();
    let refusals: Arc<Mutex<VecDeque<u16>>> = Arc::default();
    let next = Arc::clone(&refusals);
    server.add_hook(hooks::on_read(move |read| {
        let of_maps = read.table == "configmaps";
        match next.lock().unwrap().pop_front().filter(|_| of_maps) {
            Some(code) => Verdict::Refuse(Box::new(ApiError::new(code, "Expired", "not now"))),
            None => Verdict::Proceed,
        }
    }));
    let maps: Api<ConfigMap> = client.api().namespace("default");
    for name in ["a", "b"] {
        maps.create(&map(name, "1"), &CreateOptions::default()).await.unwrap();
    }
    let into = Counting { store: Store::new(), lists: Mutex::default() };
    let reflector = Reflector::new(ListWatch::new(&client, select)).seed(1).beside(&into.store);
    let script = async {
        sleep(Duration::from_secs(1)).await;
        maps.create(&map("c", "1"), &CreateOptions::default()).await.unwrap();
        // The watch ends in ten minutes at most, and the next is too old.
        refusals.lock().unwrap().extend([410]);
        sleep(Duration::from_secs(700)).await;
        refusals.lock().unwrap().extend([410, 400]);
        sleep(Duration::from_secs(700)).await;
    };
    tokio::select! {
        biased;
        () = reflector.run(&into) => unreachable!("nobody ends it"),
        () = script => {}
    }
    assert_eq!(*into.lists.lock().unwrap(), [(2, 0), (3, 3), (3, 3)]);
}

#[tokio::test(start_paused = true)]
async fn what_did_not_change_is_not_made_anew_by_a_list() {
    is_not_made_anew(Select::<ConfigMap>::all()).await;
    is_not_made_anew(Select::<Data>::all()).await;
    is_not_made_anew(Select::<Metadata<ConfigMap>>::all()).await;
    is_not_made_anew(Select::<Unstructured>::kind(ConfigMap::static_kind().clone())).await;
}
