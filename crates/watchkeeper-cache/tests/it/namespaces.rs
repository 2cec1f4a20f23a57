//! Some namespaces as one (Q-08), and which ones changes at run time (Q-11).

use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;

use tokio::task::JoinSet;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_cache::{Cache, Change, Source};
use watchkeeper_client::{Api, Client, CreateOptions, Select};

use crate::{foos, run, settle};

async fn create(client: &Client, namespace: &str, name: &str) {
    let map = object!(ConfigMap { metadata: { name: name, namespace: namespace } });
    let maps: Api<ConfigMap> = client.api().namespace(namespace);
    maps.create(&map, &CreateOptions::default()).await.unwrap();
}

/// A world with the namespaces and two maps in each.
async fn world() -> (watchkeeper_apiserver::ApiServer, Client) {
    let (server, client) = foos::server();
    for namespace in ["bank", "mill", "shop"] {
        let text = format!(r#"{{"metadata":{{"name":"{namespace}"}}}}"#);
        let made = watchkeeper_api::json::from_str(&text).unwrap();
        let namespaces: Api<watchkeeper_api::core::v1::Namespace> = client.api();
        namespaces.create(&made, &CreateOptions::default()).await.unwrap();
        create(&client, namespace, "b").await;
        create(&client, namespace, "a").await;
    }
    (server, client)
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn handler(&self) -> impl FnMut(&Change<ConfigMap>) + Send + 'static {
        let log = self.clone();
        move |change| {
            let line = change.to_string();
            log.0.lock().unwrap().push(line.split(" @").next().unwrap().to_owned());
        }
    }

    /// What was told since the last time, sorted: nothing is promised between namespaces.
    async fn take(&self) -> Vec<String> {
        settle().await;
        let mut told = std::mem::take(&mut *self.0.lock().unwrap());
        told.sort();
        told
    }
}

fn keys(maps: &[Arc<ConfigMap>]) -> Vec<String> {
    maps.iter().map(|map| watchkeeper_api::Object::key(&**map).to_string()).collect()
}

#[tokio::test(start_paused = true)]
async fn q_08_some_namespaces_are_read_and_heard_as_one() {
    let (server, client) = world().await;
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch_namespaces(Select::<ConfigMap>::all(), ["shop", "bank"]);
    let log = Log::default();
    let subscription = maps.subscribe(log.handler());
    let _running = run(&cache);
    maps.synced().await.unwrap();
    settle().await;
    assert!(maps.has_synced() && subscription.has_synced());
    assert_eq!(
        keys(&maps.list().await.unwrap()),
        ["bank/a", "bank/b", "shop/a", "shop/b"],
        "in their order"
    );
    assert_eq!(keys(&maps.list_in("shop").await.unwrap()), ["shop/a", "shop/b"]);
    assert_eq!(log.take().await, ["add bank/a", "add bank/b", "add shop/a", "add shop/b"]);
    assert_eq!(server.open_requests(), 2);
    create(&client, "mill", "c").await;
    create(&client, "shop", "c").await;
    assert_eq!(log.take().await, ["add shop/c"]);
    assert!(maps.peek(("shop", "c")).is_some() && maps.peek(("mill", "c")).is_none());
    assert_eq!(maps.status().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn q_11_the_namespaces_change_while_it_runs() {
    let (server, client) = world().await;
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch_namespaces(Select::<ConfigMap>::all(), ["shop", "bank"]);
    let log = Log::default();
    let subscription = maps.subscribe(log.handler());
    let _running = run(&cache);
    maps.synced().await.unwrap();
    log.take().await;
    let bank = maps.watch("bank").unwrap();
    maps.set(["bank", "mill"]);
    assert_eq!(maps.namespaces(), ["bank", "mill"]);
    assert!(!maps.has_synced() && !subscription.has_synced());
    maps.synced().await.unwrap();
    assert_eq!(
        log.take().await,
        ["add mill/a", "add mill/b"],
        "of what stays nothing is told again"
    );
    assert_eq!(server.open_requests(), 2, "the one that is given up is closed");
    assert_eq!(bank.status().replaces, 1, "the one that stays is not touched");
    create(&client, "shop", "c").await;
    create(&client, "mill", "c").await;
    assert_eq!(log.take().await, ["add mill/c"]);
    assert_eq!(
        keys(&maps.list().await.unwrap()),
        ["bank/a", "bank/b", "mill/a", "mill/b", "mill/c"]
    );
    assert!(maps.add("shop") && !maps.add("shop"));
    maps.synced().await.unwrap();
    assert_eq!(log.take().await, ["add shop/a", "add shop/b", "add shop/c"]);
    assert!(maps.remove("shop") && !maps.remove("shop"));
    drop(subscription);
    create(&client, "mill", "d").await;
    assert_eq!(log.take().await, [""; 0]);
    assert_eq!(Arc::strong_count(&log.0), 1, "the handler is dropped");
    drop((maps, bank));
    settle().await;
    assert_eq!(server.open_requests(), 0);
}

/// Of a namespace that is not followed nobody can say what is in it.
#[tokio::test(start_paused = true)]
async fn a_read_of_another_namespace_is_an_error_and_own_writes_are_seen() {
    let (_server, client) = world().await;
    let cache = Cache::new(&client).seed(1).read_deadline(Duration::from_secs(5));
    let client = client.observed_by(cache.observer());
    let maps = cache.watch_namespaces(Select::<ConfigMap>::all(), ["shop"]);
    let _running = run(&cache);
    create(&client, "shop", "own").await;
    assert!(maps.get(("shop", "own")).await.unwrap().is_some());
    maps.caught_up().await.unwrap();
    let error = maps.get(("bank", "a")).await.unwrap_err();
    assert!(error.is_not_followed() && !error.is_not_found());
    assert_eq!(error.to_string(), "the namespace of configmaps bank/a is not followed");
}

/// A handler may change what it listens to.
#[tokio::test(start_paused = true)]
async fn a_handler_may_follow_more_namespaces() {
    let (_server, client) = world().await;
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch_namespaces(Select::<ConfigMap>::all(), ["shop"]);
    let log = Log::default();
    let (mut told, more) = (log.handler(), maps.clone());
    let subscription = maps.subscribe(move |change| {
        told(change);
        more.set(["mill", "shop"]);
    });
    let _running = run(&cache);
    maps.synced().await.unwrap();
    settle().await;
    maps.synced().await.unwrap();
    assert_eq!(log.take().await, ["add mill/a", "add mill/b", "add shop/a", "add shop/b"]);
    assert_eq!(subscription.pending(), 0);
}

#[tokio::test(start_paused = true)]
async fn some_namespaces_are_a_source() {
    let (_server, client) = world().await;
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch_namespaces(Select::<ConfigMap>::all(), ["shop", "bank"]);
    let source = maps.when(|change| change.object().metadata.name == "a");
    let log = Log::default();
    let subscription = source.subscribe(log.handler());
    let _running = run(&cache);
    assert!(subscription.synced().await);
    assert_eq!(log.take().await, ["add bank/a", "add shop/a"], "what is wanted");
    assert_eq!(source.kind().plural, "configmaps");
    assert_eq!(source.namespaces(), Some(vec!["bank".to_owned(), "shop".to_owned()]));
    assert_eq!((source.named(), source.status().len()), (None, 2));
    maps.add("mill");
    assert!(!subscription.has_synced());
    assert!(subscription.synced().await);
    assert_eq!(log.take().await, ["add mill/a"]);
    assert_eq!(source.namespaces().map(|namespaces| namespaces.len()), Some(3));
    let all = Source::from(&cache.watch::<ConfigMap>());
    assert_eq!((all.namespaces(), all.status().len()), (None, 1));
}

/// Who waits for all there was waits for what is followed, not for what was given up, nor for ever.
#[tokio::test(start_paused = true)]
async fn a_wait_for_namespaces_ends_with_those_that_are_followed() {
    let (_server, client) = world().await;
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch_namespaces(Select::<ConfigMap>::all(), ["bank", "shop"]);
    let subscription = maps.subscribe(|_| ());
    let given_up = async {
        settle().await;
        maps.remove("bank");
        settle().await;
        maps.remove("shop");
    };
    assert!(tokio::join!(biased; subscription.synced(), given_up).0, "nothing is left to hear");
    assert!(!subscription.is_closed());
    maps.add("mill");
    let stop = async {
        settle().await;
        cache.shut_down();
    };
    assert!(!tokio::join!(biased; subscription.synced(), stop).0, "nobody runs it any more");
    assert!(subscription.is_closed());
}

/// Two who say at once which namespaces are wanted: one of them is heard last, and nobody gets both.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn q_11_two_who_set_at_once_do_not_add_up() {
    let (_server, client) = foos::server();
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch_namespaces(Select::<ConfigMap>::all(), ["a"]);
    for round in 0..500 {
        let mut both = JoinSet::new();
        let start = Arc::new(Barrier::new(2));
        for wanted in [["a", "b"], ["c", "d"]] {
            let (maps, start) = (maps.clone(), Arc::clone(&start));
            both.spawn_blocking(move || {
                start.wait();
                maps.set(wanted);
            });
        }
        while both.join_next().await.is_some() {}
        let followed = maps.namespaces();
        assert!(followed == ["a", "b"] || followed == ["c", "d"], "{followed:?}, round {round}");
    }
}
