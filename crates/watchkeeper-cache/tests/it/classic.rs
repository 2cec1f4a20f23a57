//! The parts of the tutorials, one by one and together.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::sleep;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Object, object};
use watchkeeper_cache::classic::{
    ClassicStore, Config, DeltaFifo, IndexFunc, IndexerInformer, Informer, InformerOptions,
    ListWatch, Popped, ProcessLoop, Queue, ResourceEventHandlerFuncs, Transform, process_deltas,
};
use watchkeeper_cache::{DeltaQueue, SharedInformer, Store};
use watchkeeper_client::{Client, Select};

use crate::server::map;
use crate::{Log, WATCH_LIST, server, settle};

pub(crate) fn maps(client: &Client) -> ListWatch<ConfigMap> {
    ListWatch::new(client, Select::all())
}

fn options() -> InformerOptions<ConfigMap> {
    InformerOptions { seed: Some(1), ..InformerOptions::default() }
}

/// Runs a loop for as long as the set is held, beside the handle that is returned.
pub(crate) fn run<Q: Queue<ConfigMap> + 'static>(
    informer: Informer<ConfigMap, Q>,
) -> (Arc<Informer<ConfigMap, Q>>, JoinSet<()>) {
    let informer = Arc::new(informer);
    let (mut running, handle) = (JoinSet::new(), Arc::clone(&informer));
    running.spawn(async move { informer.run().await });
    (handle, running)
}

pub(crate) fn names(store: &Store<ConfigMap>) -> Vec<String> {
    let name = |map: &Arc<ConfigMap>| format!("{}@{}", map.name(), map.resource_version());
    store.list().iter().map(name).collect()
}

fn by_hand(store: &Store<ConfigMap>, name: &str) {
    store.add(Arc::new(object!(ConfigMap { metadata: { name: name, namespace: "default" } })));
}

// ---- informers -------------------------------------------------------------------------------------------

/// What the first list does not have is told as gone, and reads go on while the server is away.
async fn an_informer_tells_what_is_gone_and_is_read_while_the_server_is_away<Q>(
    queue: impl FnOnce(&Store<ConfigMap>) -> Q,
) where
    Q: Queue<ConfigMap> + 'static,
{
    let ((client, mut server), log) = (server::server(), Log::default());
    let (store, informer) = Informer::through(options(), maps(&client), log.handler(), queue);
    by_hand(&store, "by-hand");
    let (informer, _running) = run(informer);
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.event("ADDED", &map("b@2"));
    settle().await;
    assert_eq!(names(&store), ["by-hand@"], "the list is not whole yet");
    assert!(!informer.has_synced());
    watch.end_of_state("5");
    assert!(informer.synced().await);
    let mut told = log.take().await;
    told.sort_unstable();
    assert_eq!(
        told,
        [
            "add default/a @1 (initial)",
            "add default/b @2 (initial)",
            "delete default/by-hand last seen @"
        ]
    );
    watch.event("MODIFIED", &map("a@6"));
    watch.event("DELETED", &map("b@7"));
    watch.event("ADDED", &map("c@8"));
    assert_eq!(
        log.take().await,
        ["update default/a @1 -> @6", "delete default/b @7", "add default/c @8"]
    );
    assert_eq!(store.version(), "8");
    assert_eq!(informer.last_sync_resource_version(), "8");

    drop(watch);
    server.expect("WATCH /api/v1/configmaps resourceVersion=8").await.break_off();
    settle().await;
    assert!(informer.last_error().is_some());
    assert_eq!(names(&store), ["a@6", "c@8"], "reads go on");
    server.expect("WATCH /api/v1/configmaps resourceVersion=8").await.refuse(410, "Gone");
    let again = WATCH_LIST.replace("sendInitial", "resourceVersion=8 sendInitial");
    let watch = server.expect(&again).await.open();
    watch.event("ADDED", &map("c@8"));
    watch.event("ADDED", &map("d@9"));
    watch.end_of_state("9");
    let mut told = log.take().await;
    told.sort_unstable();
    assert_eq!(told, ["add default/d @9", "delete default/a last seen @6"]);
    assert_eq!(store.version(), "9");
    assert_eq!(informer.last_error(), None);

    informer.stop();
    settle().await;
    watch.abandoned().await;
    assert_eq!(names(&store), ["c@8", "d@9"], "reads go on");
}

#[tokio::test(start_paused = true)]
async fn an_informer_on_the_queue_in_order() {
    let queue = |_: &Store<ConfigMap>| DeltaQueue::new(16);
    Box::pin(an_informer_tells_what_is_gone_and_is_read_while_the_server_is_away(queue)).await;
}

#[tokio::test(start_paused = true)]
async fn an_informer_on_the_classic_queue() {
    let queue = |store: &Store<ConfigMap>| DeltaFifo::new().known_objects(store.clone());
    Box::pin(an_informer_tells_what_is_gone_and_is_read_while_the_server_is_away(queue)).await;
}

/// Upstream's `TestUpdate`: handlers as functions; the resync that was asked for tells everything again.
#[tokio::test(start_paused = true)]
async fn handlers_are_functions_and_a_resync_updates_everything() {
    let (client, mut server) = server::server();
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let tell = |word: &'static str| {
        let told = Arc::clone(&told);
        move |text: String| told.lock().unwrap().push(format!("{word} {text}"))
    };
    let (add, update, delete) = (tell("add"), tell("update"), tell("delete"));
    let handler = ResourceEventHandlerFuncs::<ConfigMap>::new()
        .on_add(move |map, initial| add(format!("{} {initial}", map.name())))
        .on_update(move |old, new| {
            update(format!("{} -> {}", old.resource_version(), new.resource_version()));
        })
        .on_delete(move |deleted| delete(deleted.key().to_string()))
        .handler();
    let options = InformerOptions { resync: Some(Duration::from_secs(60)), ..options() };
    let (_, informer) = Informer::with_options(options, maps(&client), handler);
    let (informer, _running) = run(informer);
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.end_of_state("5");
    informer.synced().await;
    watch.event("MODIFIED", &map("a@6"));
    watch.event("ADDED", &map("b@7"));
    watch.event("DELETED", &map("b@8"));
    settle().await;
    sleep(Duration::from_secs(61)).await;
    assert_eq!(
        *told.lock().unwrap(),
        ["add a true", "update 1 -> 6", "add b false", "delete default/b", "update 6 -> 6"]
    );
}

#[tokio::test(start_paused = true)]
async fn an_indexer_informer_finds_objects_by_value() {
    let ((client, mut server), log) = (server::server(), Log::default());
    let by_version: IndexFunc<ConfigMap> =
        Arc::new(|map| vec![map.data.get("version").map_or("", |version| &**version).to_owned()]);
    let indexers = || [("version".to_owned(), Arc::clone(&by_version))];
    let (indexer, informer) =
        IndexerInformer::new(options(), maps(&client), indexers(), log.handler()).unwrap();
    let twice = indexers().into_iter().chain(indexers());
    assert!(IndexerInformer::new(options(), maps(&client), twice, log.handler()).is_err());
    let mut running = JoinSet::new();
    running.spawn(async move { informer.run().await });
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.event("ADDED", &map("b@2"));
    watch.end_of_state("5");
    assert_eq!(log.take().await.len(), 2);
    assert_eq!(indexer.by_index("version", "2").unwrap()[0].name(), "b");
    watch.event("MODIFIED", &map("b@6"));
    settle().await;
    assert_eq!(indexer.by_index("version", "2").unwrap().len(), 0);
    assert_eq!(indexer.index_values("version").unwrap(), ["1", "6"]);
}

/// Upstream's `TestTransformingInformer`. C-34: once for each object, also when a list brings it again.
#[tokio::test(start_paused = true)]
async fn a_transform_is_called_once_for_each_object_that_comes() {
    let ((client, mut server), log) = (server::server(), Log::default());
    let calls = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&calls);
    let transform: Transform<ConfigMap> = Arc::new(move |mut map: Arc<ConfigMap>| {
        counted.fetch_add(1, Ordering::Relaxed);
        if map.name() == "bad" {
            return Err("no luck".into());
        }
        let transformed = Arc::make_mut(&mut map);
        assert_eq!(transformed.data.get("seen"), None, "it was transformed before");
        transformed.data.insert("seen", "yes");
        Ok(map)
    });
    let options = InformerOptions { transform: Some(transform), ..options() };
    let (store, informer) = Informer::with_options(options, maps(&client), log.handler());
    let (_informer, _running) = run(informer);
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.event("ADDED", &map("bad@2"));
    watch.end_of_state("5");
    settle().await;
    watch.event("ADDED", &map("bad@6"));
    watch.event("ADDED", &map("b@7"));
    settle().await;
    assert_eq!(calls.load(Ordering::Relaxed), 4);
    watch.error(410, "Expired");
    let again = WATCH_LIST.replace("sendInitial", "resourceVersion=7 sendInitial");
    let watch = server.expect(&again).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.end_of_state("9");
    let told = ["add default/a @1 (initial)", "add default/b @7", "delete default/b last seen @7"];
    assert_eq!(log.take().await, told);
    assert_eq!(calls.load(Ordering::Relaxed), 4, "what did not change was transformed before");
    // The same of pages.
    watch.event("ADDED", &map("c@10"));
    watch.error(410, "Expired");
    server.call().await.refuse(400, "BadRequest");
    server.call().await.list("11", "next", &[map("a@1")]);
    server.call().await.list("11", "", &[map("c@11"), map("d@11")]);
    let told = ["add default/c @10", "update default/c @10 -> @11", "add default/d @11"];
    assert_eq!(log.take().await, told);
    assert_eq!(calls.load(Ordering::Relaxed), 4 + 3);
    assert!(store.list().iter().all(|map| map.data.get("seen").is_some()));
}

// ---- the loop --------------------------------------------------------------------------------------------

/// C-38: what fails is not tried again, and what follows is processed. The end comes after what waits.
#[tokio::test(start_paused = true)]
async fn c_38_a_process_error_costs_what_it_struck() {
    let (client, mut server) = server::server();
    let (store, log) = (Store::new(), Log::default());
    let (filled, mut handler) = (store.clone(), log.handler());
    let process = move |popped: Popped<ConfigMap>| {
        let before = filled.version();
        process_deltas(&filled, popped, &mut handler);
        if before == "5" { Err("no luck".into()) } else { Ok(()) }
    };
    let config = Config::new(DeltaQueue::new(16), maps(&client), process);
    let pod_loop = ProcessLoop::new(config);
    let script = async {
        let watch = server.expect(WATCH_LIST).await.open();
        watch.end_of_state("5");
        assert!(pod_loop.synced().await);
        watch.event("ADDED", &map("a@6"));
        watch.event("ADDED", &map("b@7"));
        assert_eq!(log.take().await, ["add default/a @6", "add default/b @7"]);
        pod_loop.stop();
    };
    tokio::join!(pod_loop.run(), script);
    assert!(pod_loop.queue().is_empty());
    pod_loop.run().await; // C-58: a second run is none.
}

/// Upstream's `TestPanicPropagated`.
#[tokio::test(start_paused = true)]
async fn a_panic_of_the_process_function_comes_out_of_the_run() {
    let (client, mut server) = server::server();
    let (_, informer) = Informer::new(maps(&client), |_| panic!("out of coffee"));
    let (informer, mut running) = run(informer);
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.end_of_state("5");
    assert!(running.join_next().await.unwrap().unwrap_err().is_panic());
    assert!(!informer.synced().await, "who waits is told that it is over");
    watch.abandoned().await;
}

// ---- shared informers ------------------------------------------------------------------------------------

/// The queue is a parameter: a shared informer does on the classic one what it does on its own.
#[tokio::test(start_paused = true)]
async fn a_shared_informer_runs_on_the_classic_queue() {
    let (client, mut server) = server::server();
    let informer = SharedInformer::through(&client, Select::<ConfigMap>::all(), |store| {
        DeltaFifo::new().known_objects(store.clone())
    });
    let (early, late) = (Log::default(), Log::default());
    let first = informer.add_event_handler(early.handler());
    let mut running = JoinSet::new();
    let shared = informer.clone();
    running.spawn(async move { shared.run().await });
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.event("ADDED", &map("b@2"));
    watch.end_of_state("5");
    informer.synced().await.unwrap();
    assert!(first.synced().await);
    let _second = informer.add_event_handler(late.handler());
    watch.event("MODIFIED", &map("a@6"));
    watch.event("DELETED", &map("b@7"));
    watch.bookmark("9");
    let initial = ["add default/a @1 (initial)", "add default/b @2 (initial)"];
    let news = ["update default/a @1 -> @6", "delete default/b @7"];
    assert_eq!(early.take().await, [initial, news].concat());
    assert_eq!(late.take().await, [initial, news].concat());
    assert_eq!((&*informer.status().version, informer.status().replaces), ("9", 1));
    watch.error(410, "Expired");
    let again = WATCH_LIST.replace("sendInitial", "resourceVersion=9 sendInitial");
    let watch = server.expect(&again).await.open();
    watch.event("ADDED", &map("c@10"));
    watch.end_of_state("11");
    assert_eq!(early.take().await, ["add default/c @10", "delete default/a last seen @6"]);
    let status = informer.status();
    assert_eq!((&*status.version, status.replaces), ("11", 2), "later lists count, too");
}

/// A first list without objects is a first list.
#[tokio::test(start_paused = true)]
async fn a_shared_informer_on_the_classic_queue_syncs_with_an_empty_list() {
    let (client, mut server) = server::server();
    let informer = SharedInformer::through(&client, Select::<ConfigMap>::all(), |store| {
        DeltaFifo::new().known_objects(store.clone())
    });
    let script = async {
        let watch = server.expect(WATCH_LIST).await.open();
        watch.end_of_state("5");
        informer.synced().await.unwrap();
        assert!(informer.watch().get(("default", "a")).await.unwrap().is_none());
        assert_eq!(informer.status().version, "5");
    };
    tokio::select! {
        biased;
        () = informer.run() => panic!("it ended"),
        () = script => {}
    }
}
