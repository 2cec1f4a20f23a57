//! What the tests have in common.

use std::sync::{Arc, Mutex};

use tokio::task::JoinSet;
use tokio::time::Instant;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::{Cache, Change, Watch};
use watchkeeper_client::Client;

use crate::server::{self, Open, Server, map};

/// Everything of a kind, as a watch with the present state first.
pub(crate) const WATCH_LIST: &str =
    "WATCH /api/v1/configmaps sendInitialEvents=true resourceVersionMatch=NotOlderThan";

/// Drives the cache for as long as it is held.
#[must_use]
pub(crate) fn run(cache: &Cache) -> JoinSet<()> {
    let cache = cache.clone();
    let mut running = JoinSet::new();
    running.spawn(async move { cache.run().await });
    running
}

/// A copy that runs and has synced, with the open watch of it.
pub(crate) struct Synced {
    pub(crate) client: Client,
    pub(crate) server: Server,
    pub(crate) cache: Cache,
    pub(crate) maps: Watch<ConfigMap>,
    pub(crate) watch: Open,
    pub(crate) running: JoinSet<()>,
}

pub(crate) async fn synced(items: &[&str], version: &str) -> Synced {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch::<ConfigMap>();
    let running = run(&cache);
    let watch = server.expect(WATCH_LIST).await.open();
    items.iter().for_each(|item| watch.event("ADDED", &map(item)));
    watch.end_of_state(version);
    maps.synced().await.unwrap();
    Synced { client, server, cache, maps, watch, running }
}

/// What a handler was told, one line a change.
#[derive(Clone, Default)]
pub(crate) struct Log(pub(crate) Arc<Mutex<Vec<String>>>);

impl Log {
    pub(crate) fn handler(&self) -> impl FnMut(&Change<ConfigMap>) + Send + 'static {
        let log = self.clone();
        move |change| log.0.lock().unwrap().push(change.to_string())
    }

    /// What was told since the last time, once all is quiet.
    pub(crate) async fn take(&self) -> Vec<String> {
        settle().await;
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

/// What is read as the script ends, with no moment in between: a read that nobody wakes looks again at its
/// deadline, and would have its answer then.
pub(crate) async fn at_once<T>(
    reads: impl Future<Output = T>,
    script: impl Future<Output = ()>,
) -> T {
    let reads = async { (reads.await, Instant::now()) };
    let script = async {
        script.await;
        Instant::now()
    };
    let ((read, woken), told) = tokio::join!(reads, script);
    assert_eq!(woken, told, "nobody was woken");
    read
}

/// Lets everybody do what can be done without the clock moving.
pub(crate) async fn settle() {
    for _ in 0..200 {
        tokio::task::yield_now().await;
    }
}

pub(crate) fn names(maps: &Watch<ConfigMap>) -> Vec<String> {
    use watchkeeper_api::Object;
    maps.peek_all().iter().map(|map| format!("{}@{}", map.name(), map.resource_version())).collect()
}
