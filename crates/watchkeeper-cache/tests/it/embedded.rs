//! The cache against the embedded server: a random history, seen through a connection that fails.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::sleep;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Object, ObjectKey, json};
use watchkeeper_apiserver::{ApiServer, Rng};
use watchkeeper_cache::classic::DeltaFifo;
use watchkeeper_cache::{Cache, Change, HandlerOptions, Watch};
use watchkeeper_client::{Api, Client, CreateOptions, DeleteOptions, Select};

use crate::faults::faulty;
use crate::{run, settle};

/// What a handler believes, held against what it may be told. A panic in a handler goes no further, but it
/// poisons the checker's lock, and whoever looks at the checker in the end fails.
#[derive(Default)]
struct Checker {
    known: BTreeMap<ObjectKey, (String, u64)>,
    told: u32,
    unseen: u32,
}

impl Checker {
    fn hear(&mut self, change: &Change<ConfigMap>) {
        self.told += 1;
        let object = change.object();
        let now = (object.uid().to_owned(), version(object));
        let known = self.known.get(&object.key()).cloned();
        match change {
            Change::Added { .. } => assert_eq!(known, None, "added twice: {change}"),
            Change::Updated { old, .. } => {
                let known = known.expect("updated before it was added");
                assert_eq!(
                    known,
                    (old.uid().to_owned(), version(old)),
                    "not what was told: {change}"
                );
                assert_eq!(known.0, now.0, "one update, two lives: {change}");
                assert!(known.1 < now.1, "back in time: {change}");
            }
            Change::Deleted { final_state_unknown, .. } => {
                let known = known.expect("deleted before it was added, or twice");
                assert_eq!(known.0, now.0, "another life was deleted: {change}");
                self.unseen += u32::from(*final_state_unknown);
            }
        }
        if change.is_deleted() {
            self.known.remove(&object.key());
        } else {
            self.known.insert(object.key(), now);
        }
    }
}

fn version(map: &ConfigMap) -> u64 {
    map.resource_version().parse().unwrap()
}

fn listen(
    maps: &Watch<ConfigMap>,
    buffer: usize,
) -> (Arc<Mutex<Checker>>, watchkeeper_cache::Subscription) {
    let checker = Arc::new(Mutex::new(Checker::default()));
    let heard = Arc::clone(&checker);
    let options = HandlerOptions { buffer, ..HandlerOptions::default() };
    let subscription =
        maps.subscribe_with(options, move |change| heard.lock().unwrap().hear(change));
    (checker, subscription)
}

/// Writes at random: creates, updates, deletes and creates anew.
struct Writer {
    api: Api<ConfigMap>,
    rng: Rng,
    server: ApiServer,
}

impl Writer {
    async fn step(&mut self, maps: &Watch<ConfigMap>) {
        let name = format!("map-{}", self.rng.below(12));
        let key = ObjectKey::from(("default", &*name));
        match self.rng.below(10) {
            0 => self.server.compact(self.server.revision()),
            1..4 => {
                let options = DeleteOptions::default();
                if self.api.delete(&name, &options).await.is_ok() {
                    self.check(maps, &key).await;
                }
            }
            step => match self.api.get_opt(&name).await.unwrap() {
                None => {
                    drop(self.api.create(&map(&name), &CreateOptions::default()).await.unwrap());
                }
                Some(mut map) => {
                    map.data.insert("step", self.rng.next_u64().to_string());
                    self.api.update(&map).await.unwrap();
                    if step == 9 {
                        self.check(maps, &key).await;
                    }
                }
            },
        }
        if self.rng.below(4) == 0 {
            sleep(Duration::from_millis(self.rng.below(400))).await;
        }
    }

    /// What was written is read, whatever the connection does meanwhile.
    async fn check(&self, maps: &Watch<ConfigMap>, key: &ObjectKey) {
        let cached = maps.get(key).await.unwrap().map(|map| map.resource_version().to_owned());
        let stored = self.api.get_opt(key.name()).await.unwrap();
        assert_eq!(cached, stored.map(|map| map.resource_version().to_owned()), "{key}");
    }
}

fn map(name: &str) -> ConfigMap {
    let text = format!(
        r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}","namespace":"default"}},"data":{{"a":"b"}}}}"#
    );
    json::from_slice(text.as_bytes()).unwrap()
}

/// What stands between the reflector and the copy.
#[derive(Clone, Copy)]
enum Between {
    InOrder,
    DeltaFifo,
}

async fn a_random_history(seed: u64, steps: u32) -> (BTreeMap<&'static str, u32>, String) {
    a_random_history_on(Between::InOrder, seed, steps).await
}

async fn a_random_history_on(
    between: Between,
    seed: u64,
    steps: u32,
) -> (BTreeMap<&'static str, u32>, String) {
    let server = ApiServer::builder().seed(seed).build();
    let (client, faults) = faulty(&server, seed);
    let cache = Cache::new(&client).seed(seed).read_deadline(Duration::from_secs(3600));
    let maps = match between {
        Between::InOrder => cache.watch::<ConfigMap>(),
        Between::DeltaFifo => cache
            .watch_through(Select::all(), |store| DeltaFifo::new().known_objects(store.clone())),
    };
    let _running = run(&cache);
    let (early, first) = listen(&maps, 1024);
    let (slow, _second) = listen(&maps, 1);
    let api = Client::new(server.clone())
        .codec(crate::CODEC)
        .observed_by(cache.observer())
        .api::<ConfigMap>();
    let mut writer = Writer { api: api.namespace("default"), rng: Rng::new(seed), server };
    let mut late = Vec::new();
    for step in 0..steps {
        writer.step(&maps).await;
        if step % 100 == 50 {
            late.push(listen(&maps, 1024));
        }
    }
    faults.off();
    maps.caught_up().await.unwrap();
    first.synced().await;
    settle().await;
    let truth = writer.api.list_all(&Default::default()).await.unwrap().items;
    let truth: BTreeMap<_, _> =
        truth.iter().map(|map| (map.key(), (map.uid().to_owned(), version(map)))).collect();
    let copy: BTreeMap<_, _> = maps
        .peek_all()
        .iter()
        .map(|map| (map.key(), (map.uid().to_owned(), version(map))))
        .collect();
    assert_eq!(copy, truth);
    let (told, unseen) = {
        let early = early.lock().unwrap();
        (early.told, early.unseen)
    };
    let report =
        format!("{told} told, {unseen} unseen, {} lists: {copy:?}", maps.status().replaces);
    for checker in late.iter().map(|(checker, _)| checker).chain([&early, &slow]) {
        assert_eq!(checker.lock().unwrap().known, truth);
    }
    (faults.struck(), report)
}

#[tokio::test(start_paused = true)]
async fn through_any_fault_each_handler_hears_the_truth_in_order() {
    let mut all: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..6 {
        for (fault, count) in a_random_history(seed, 400).await.0 {
            *all.entry(fault).or_default() += count;
        }
    }
    println!("faults: {all:?}");
    for fault in ["refused", "429", "410", "500", "closed", "reset", "garbage"] {
        assert!(
            all.get(fault).is_some_and(|count| *count >= 10),
            "{fault} struck too rarely: {all:?}"
        );
    }
}

/// The classic queue tells another order, and every object the same; and own writes are read.
#[tokio::test(start_paused = true)]
async fn through_any_fault_the_classic_queue_tells_the_truth_too() {
    let mut all: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..6 {
        for (fault, count) in a_random_history_on(Between::DeltaFifo, seed, 400).await.0 {
            *all.entry(fault).or_default() += count;
        }
    }
    for fault in ["refused", "429", "410", "500", "closed", "reset", "garbage"] {
        assert!(all.get(fault).is_some_and(|count| *count >= 10), "{fault}: {all:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_same_seed_is_the_same_run() {
    let (one, two, other) = (
        a_random_history(7, 200).await,
        a_random_history(7, 200).await,
        a_random_history(8, 200).await,
    );
    assert_eq!(one, two);
    assert_ne!(one.1, other.1);
}
