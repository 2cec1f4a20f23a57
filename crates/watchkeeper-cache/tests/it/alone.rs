//! Reflectors and queues of one's own, and what must not end them, or must.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::sleep;
use watchkeeper_api::Object;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::classic::{
    DeltaFifo, Fifo, Informer, InformerOptions, ListWatch, Queue, Reflector, ReflectorStore,
    Refused, Transform,
};
use watchkeeper_cache::{Cache, Delta, DeltaQueue, Replacement, SharedInformerFactory, Store};
use watchkeeper_client::{Client, Select};

use crate::server::map;
use crate::{Log, WATCH_LIST, run, server, settle};

fn maps(client: &Client) -> ListWatch<ConfigMap> {
    ListWatch::new(client, Select::all())
}

fn names(store: &Store<ConfigMap>) -> Vec<String> {
    let name = |map: &Arc<ConfigMap>| format!("{}@{}", map.name(), map.resource_version());
    store.list().iter().map(name).collect()
}

// ---- the end ---------------------------------------------------------------------------------------------

/// The server says nothing after the queue is closed, and need not.
async fn a_reflector_ends_with(into: impl ReflectorStore<ConfigMap>, close: impl FnOnce()) {
    let (client, mut server) = server::server();
    let reflector = Reflector::new(maps(&client)).seed(1);
    let script = async {
        let watch = server.expect(WATCH_LIST).await.open();
        settle().await;
        close();
        watch.abandoned().await;
    };
    tokio::join!(reflector.run(&into), script);
}

/// A queue of one's own, which hands everything on to another.
struct Shared<Q>(Arc<Q>);

impl<Q: ReflectorStore<ConfigMap>> ReflectorStore<ConfigMap> for Shared<Q> {
    async fn push(&self, delta: Delta<ConfigMap>) -> Result<(), Refused> {
        self.0.push(delta).await
    }

    async fn closed(&self) {
        self.0.closed().await;
    }

    fn transforms(&self) -> bool {
        self.0.transforms()
    }

    async fn push_list(
        &self,
        list: Replacement<ConfigMap>,
        kept: &Store<ConfigMap>,
    ) -> Result<(), Refused> {
        self.0.push_list(list, kept).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_reflector_ends_with_its_queue_though_nothing_comes() {
    let queue = Arc::new(DeltaQueue::new(16));
    a_reflector_ends_with(Shared(Arc::clone(&queue)), || queue.close()).await;
    let queue = Arc::new(DeltaFifo::new());
    a_reflector_ends_with(Shared(Arc::clone(&queue)), || queue.close()).await;
    let queue = Arc::new(Fifo::new());
    a_reflector_ends_with(Shared(Arc::clone(&queue)), || queue.close()).await;
}

/// A store of one's own: it takes no object named `bad`, no resync, and nothing after `last`.
#[derive(Default)]
struct Picky {
    taken: Mutex<Vec<String>>,
    resyncs: AtomicUsize,
}

impl ReflectorStore<ConfigMap> for Picky {
    async fn push(&self, delta: Delta<ConfigMap>) -> Result<(), Refused> {
        if matches!(delta, Delta::Sync) {
            self.resyncs.fetch_add(1, Ordering::Relaxed);
            return Err(Refused::failed(("default", "any").into(), "no resyncs here"));
        }
        let Delta::Added(map) = delta else { return Ok(()) };
        match map.name() {
            "bad" => Err(Refused::failed(map.key(), "no luck")),
            "last" => Err(Refused::closed()),
            name => {
                self.taken.lock().unwrap().push(name.to_owned());
                Ok(())
            }
        }
    }

    fn transforms(&self) -> bool {
        false
    }

    async fn push_list(
        &self,
        list: Replacement<ConfigMap>,
        _: &Store<ConfigMap>,
    ) -> Result<(), Refused> {
        self.push(Delta::Replaced(list)).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_of_ones_own_refuses_an_object_and_ends_its_reflector() {
    let (client, mut server) = server::server();
    let (picky, reflector) = (Picky::default(), Reflector::new(maps(&client)));
    let script = async {
        let watch = server.expect(WATCH_LIST).await.open();
        watch.end_of_state("5");
        for object in ["a@6", "bad@7", "b@8", "last@9"] {
            watch.event("ADDED", &map(object));
        }
        watch.abandoned().await;
    };
    tokio::join!(reflector.run(&picky), script);
    assert_eq!(*picky.taken.lock().unwrap(), ["a", "b"]);
    let refused = Refused::failed(("default", "bad").into(), "no luck");
    assert!(!refused.is_closed() && Refused::closed().is_closed());
    assert_eq!(refused.to_string(), "default/bad is not taken: no luck");
}

#[tokio::test(start_paused = true)]
async fn c_21_a_resync_that_is_refused_is_not_the_end() {
    let (client, mut server) = server::server();
    let picky = Picky::default();
    let reflector = Reflector::new(maps(&client)).resync(Duration::from_secs(10));
    let script = async {
        let watch = server.expect(WATCH_LIST).await.open();
        watch.end_of_state("5");
        sleep(Duration::from_secs(35)).await;
        watch.event("ADDED", &map("a@6"));
        settle().await;
    };
    tokio::select! {
        biased;
        () = reflector.run(&picky) => panic!("it ended"),
        () = script => {}
    }
    assert_eq!(picky.resyncs.load(Ordering::Relaxed), 3);
    assert_eq!(*picky.taken.lock().unwrap(), ["a"]);
}

// ---- resyncs ---------------------------------------------------------------------------------------------

/// Upstream's word for never, by every way to say it.
#[tokio::test(start_paused = true)]
async fn c_66_a_resync_period_of_zero_is_never() {
    let (client, mut server) = server::server();
    let factory = SharedInformerFactory::new(&client).resync(Duration::ZERO);
    let (informer, shared, alone) = (factory.informer(), Log::default(), Log::default());
    let _subscription = informer.add_event_handler(shared.handler());
    let _running = factory.start();
    let shared_watch = server.expect(WATCH_LIST).await.open();
    shared_watch.event("ADDED", &map("a@1"));
    shared_watch.end_of_state("5");
    let options = InformerOptions { resync: Some(Duration::ZERO), ..InformerOptions::default() };
    let fifo = |store: &Store<ConfigMap>| DeltaFifo::new().known_objects(store.clone());
    let (_, informer) = Informer::through(options, maps(&client), alone.handler(), fifo);
    let script = async {
        let watch = server.expect(WATCH_LIST).await.open();
        watch.event("ADDED", &map("a@1"));
        watch.end_of_state("5");
        sleep(Duration::from_secs(60)).await;
        watch.event("MODIFIED", &map("a@6"));
        settle().await;
    };
    tokio::select! {
        biased;
        () = informer.run() => panic!("it ended"),
        () = script => {}
    }
    assert_eq!(alone.take().await, ["add default/a @1 (initial)", "update default/a @1 -> @6"]);
    assert_eq!(shared.take().await, ["add default/a @1 (initial)"]);
}

/// C-66: a reflector that runs alone asks no more often, either.
#[tokio::test(start_paused = true)]
async fn c_66_resyncs_of_a_reflector_are_a_second_apart_at_least() {
    let (client, mut server) = server::server();
    let picky = Picky::default();
    let reflector = Reflector::new(maps(&client)).resync(Duration::from_millis(1));
    let script = async {
        let watch = server.expect(WATCH_LIST).await.open();
        watch.end_of_state("5");
        sleep(Duration::from_millis(2500)).await;
    };
    tokio::select! {
        biased;
        () = reflector.run(&picky) => panic!("it ended"),
        () = script => {}
    }
    assert_eq!(picky.resyncs.load(Ordering::Relaxed), 2);
}

// ---- transforms ------------------------------------------------------------------------------------------

/// Fails for `bad`, panics for `worse`, once their version is above ten.
fn moody() -> Transform<ConfigMap> {
    Arc::new(|map: Arc<ConfigMap>| {
        let late = map.resource_version().parse::<u32>().is_ok_and(|version| version > 10);
        match map.name() {
            "bad" if late => Err("no luck".into()),
            "worse" if late => std::panic::resume_unwind(Box::new("out of tea")),
            _ => Ok(map),
        }
    })
}

/// What cannot be transformed is left out, but what is gone is gone.
async fn a_transform_that_fails_loses_no_deletion<Q: Queue<ConfigMap>>(
    options: InformerOptions<ConfigMap>,
    queue: impl FnOnce(&Store<ConfigMap>) -> Q,
) {
    let ((client, mut server), log) = (server::server(), Log::default());
    let (store, informer) = Informer::through(options, maps(&client), log.handler(), queue);
    let by_name = store.index(|map: &ConfigMap| [map.name().to_owned()]);
    let script = async {
        let watch = server.expect(WATCH_LIST).await.open();
        ["a@1", "bad@2", "worse@3"].iter().for_each(|object| watch.event("ADDED", &map(object)));
        watch.end_of_state("5");
        assert_eq!(log.take().await.len(), 3);
        watch.event("MODIFIED", &map("bad@11"));
        watch.event("MODIFIED", &map("worse@12"));
        settle().await;
        assert_eq!(names(&store), ["a@1", "bad@2", "worse@3"], "what fails is left out");
        watch.event("DELETED", &map("bad@13"));
        watch.event("DELETED", &map("worse@14"));
        settle().await;
        assert_eq!(informer.last_sync_resource_version(), "14");
        watch.event("MODIFIED", &map("a@15"));
        let told = log.take().await;
        assert_eq!(
            told,
            [
                "delete default/bad last seen @2",
                "delete default/worse last seen @3",
                "update default/a @1 -> @15"
            ]
        );
    };
    tokio::select! {
        biased;
        () = informer.run() => panic!("it ended"),
        () = script => {}
    }
    assert_eq!(names(&store), ["a@15"]);
    assert!(by_name.get("bad").is_empty() && by_name.get("worse").is_empty());
}

fn options() -> InformerOptions<ConfigMap> {
    InformerOptions { seed: Some(1), ..InformerOptions::default() }
}

#[tokio::test(start_paused = true)]
async fn c_34_a_transform_of_a_queue_in_order_loses_no_deletion() {
    let moody = moody();
    let queue = |_: &Store<_>| DeltaQueue::new(16).transform(move |map| moody(map));
    a_transform_that_fails_loses_no_deletion(options(), queue).await;
}

#[tokio::test(start_paused = true)]
async fn c_34_a_transform_of_a_classic_queue_loses_no_deletion() {
    let moody = moody();
    let queue = |store: &Store<ConfigMap>| {
        DeltaFifo::new().known_objects(store.clone()).transform(move |map| moody(map))
    };
    a_transform_that_fails_loses_no_deletion(options(), queue).await;
}

#[tokio::test(start_paused = true)]
async fn c_34_a_transform_of_a_reflector_loses_no_deletion() {
    let options = InformerOptions { transform: Some(moody()), ..options() };
    let queue = |_: &Store<_>| DeltaQueue::new(16);
    a_transform_that_fails_loses_no_deletion(options, queue).await;
}

/// What a later list has unchanged is what the transform made of it, also behind a queue of one's own.
#[tokio::test(start_paused = true)]
async fn c_34_a_queue_before_another_lets_nothing_be_transformed_twice() {
    let (client, mut server) = server::server();
    let (store, calls) = (Store::new(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&calls);
    let queue = DeltaQueue::new(16).transform(move |map: Arc<ConfigMap>| {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok(map)
    });
    let queue = Arc::new(queue);
    let reflector = Reflector::new(maps(&client)).seed(1).beside(&store);
    let script = async {
        let watch = server.expect(WATCH_LIST).await.open();
        ["a@1", "b@2"].iter().for_each(|object| watch.event("ADDED", &map(object)));
        watch.end_of_state("5");
        settle().await;
        assert_eq!(calls.load(Ordering::Relaxed), 2);
        watch.error(410, "Expired");
        let again = WATCH_LIST.replace("sendInitial", "resourceVersion=5 sendInitial");
        let watch = server.expect(&again).await.open();
        ["a@1", "b@6"].iter().for_each(|object| watch.event("ADDED", &map(object)));
        watch.end_of_state("9");
        settle().await;
        queue.close();
    };
    let fill = async {
        while let Some(delta) = queue.pop().await {
            store.apply(delta);
        }
    };
    let into = Shared(Arc::clone(&queue));
    tokio::join!(reflector.run(&into), fill, script);
    assert_eq!(names(&store), ["a@1", "b@6"]);
    assert_eq!(calls.load(Ordering::Relaxed), 3, "what did not change was transformed before");
}

/// It costs its object, and no more.
#[tokio::test(start_paused = true)]
async fn a_transform_that_panics_does_not_end_the_cache() {
    let (client, mut server) = server::server();
    let (cache, moody) = (Cache::new(&client).seed(1), moody());
    let queue = |_: &Store<_>| DeltaQueue::new(16).transform(move |map| moody(map));
    let watched = cache.watch_through(Select::<ConfigMap>::all(), queue);
    let mut running: JoinSet<()> = run(&cache);
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("worse@1"));
    watch.event("ADDED", &map("worst@2"));
    watch.end_of_state("5");
    watched.synced().await.unwrap();
    watch.event("MODIFIED", &map("worse@11"));
    watch.event("DELETED", &map("worse@12"));
    watch.event("MODIFIED", &map("worst@13"));
    settle().await;
    assert!(running.try_join_next().is_none(), "the cache runs");
    assert_eq!(names(watched.store()), ["worst@13"]);
}

// ---- lists -----------------------------------------------------------------------------------------------

/// C-18: what has no name is no object, from whatever list.
#[tokio::test(start_paused = true)]
async fn c_18_a_list_by_functions_leaves_out_what_has_no_name() {
    let (client, mut server) = server::server();
    let (lists, watches) = (client.api::<ConfigMap>(), client.api::<ConfigMap>());
    let from = ListWatch::from_functions(
        move |options| {
            let api = lists.clone();
            async move { api.list(&options).await }
        },
        move |options| {
            let api = watches.clone();
            async move { api.watch(&options).await }
        },
    )
    .without_watch_list();
    let store = Store::new();
    let reflector = Reflector::new(from).beside(&store);
    let script = async {
        let page = server.expect("GET /api/v1/configmaps resourceVersion=0").await;
        page.list("7", "", &[map("a@1"), map("@2"), map("b@3")]);
        server.expect("WATCH /api/v1/configmaps resourceVersion=7").await.open()
    };
    tokio::select! {
        biased;
        () = reflector.run(&store) => panic!("it ended"),
        _watch = script => {}
    }
    assert_eq!(names(&store), ["a@1", "b@3"]);
}
