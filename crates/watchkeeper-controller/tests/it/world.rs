//! A server with ConfigMaps and a cache of it, in paused time.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Object, object};
use watchkeeper_apiserver::{ApiServer, Clock};
use watchkeeper_cache::{Cache, Watch};
use watchkeeper_client::{Api, Client, CreateOptions};
use watchkeeper_controller::Controller;

pub(crate) fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}

/// What was reconciled.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub(crate) fn push(&self, line: impl Into<String>) {
        self.0.lock().expect("no panic").push(line.into());
    }

    /// What came since the last look.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("no panic"))
    }
}

#[derive(Clone)]
pub(crate) struct World {
    pub(crate) client: Client,
    pub(crate) cache: Cache,
    pub(crate) maps: Watch<ConfigMap>,
    pub(crate) log: Log,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::with(|client| client)
    }

    pub(crate) fn with(change: impl FnOnce(Client) -> Client) -> Self {
        let server = ApiServer::builder().seed(1).clock(Clock::default()).build();
        let client = Client::new(server);
        let cache = Cache::new(&change(client.clone())).seed(1);
        let maps = cache.watch();
        Self { client, cache, maps, log: Log::default() }
    }

    pub(crate) fn api(&self) -> Api<ConfigMap> {
        self.client.api().namespace("default")
    }

    pub(crate) async fn create(&self, name: &str) -> ConfigMap {
        let map = object!(ConfigMap { metadata: { name: name, namespace: "default" } });
        self.api().create(&map, &CreateOptions::default()).await.expect("made")
    }

    /// Changes a map, as `change` says.
    pub(crate) async fn change(&self, name: &str, change: impl FnOnce(&mut ConfigMap)) {
        let mut map = self.api().get(name).await.expect("it is there");
        change(&mut map);
        self.api().update(&map).await.expect("changed");
    }

    /// Gives a map another value.
    pub(crate) async fn touch(&self, name: &str) {
        self.change(name, |map| {
            let version = map.resource_version().to_owned();
            map.data.insert("seen", version);
        })
        .await;
    }

    /// Runs the controller while the script runs.
    pub(crate) async fn run(
        &self,
        controller: &Controller,
        script: impl Future<Output = ()> + Send,
    ) {
        tokio::select! {
            biased;
            ended = controller.run(Box::pin(script)) => ended.expect("a clean stop"),
            () = self.cache.run() => panic!("the cache ended first"),
        }
    }
}
