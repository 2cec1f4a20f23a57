//! The counter on an embedded API server, in paused time, and as a program.

use std::future::pending;
use std::time::Duration;

use minimal::{COUNT, counter};
use tokio::time::sleep;
use watchkeeper::client::{Api, Client, Patch, PatchOptions};
use watchkeeper::prelude::{ConfigMap, Manager, Map, Object, object};
use watchkeeper_apiserver::{ApiServer, Clock, Now};

mod program;

/// Runs `script` beside the counter on a server of its own, which it returns.
async fn beside(script: impl AsyncFnOnce(&Api<ConfigMap>)) -> ApiServer {
    let epoch = Clock::Virtual(Now(Duration::from_secs(1_767_225_600)));
    let server = ApiServer::builder().seed(1).clock(epoch).build();
    let manager = Manager::new(&Client::new(server.clone()).user_agent("minimal")).seed(1);
    counter(&manager);
    let maps = Client::new(server.clone()).user_agent("script").api().namespace("default");
    tokio::select! {
        biased;
        () = script(&maps) => server,
        ended = manager.run(pending()) => panic!("the counter ended: {ended:?}"),
    }
}

/// A config map with these keys that asks for a count, or does not.
pub(crate) fn map(name: &str, keys: &[&str], asks: bool) -> ConfigMap {
    let annotations = asks.then_some((COUNT, ""));
    object!(ConfigMap {
        metadata: { name: name, annotations: annotations.into_iter().collect::<Map>() },
        data: keys.iter().map(|key| (*key, "x")).collect::<Map>(),
    })
}

/// What the map says after a while.
async fn count(maps: &Api<ConfigMap>, name: &str) -> Option<String> {
    sleep(Duration::from_secs(5)).await;
    let map = maps.get(name).await.expect("the map");
    map.annotation(COUNT).map(str::to_owned)
}

async fn patch(maps: &Api<ConfigMap>, name: &str, data: &serde_json::Value) {
    let patch = Patch::merge(&serde_json::json!({ "data": data }));
    maps.patch(name, &patch, &PatchOptions::default()).await.expect("a patch");
}

#[tokio::test(start_paused = true)]
async fn a_map_that_asks_is_counted_and_counted_again_when_it_changes() {
    beside(async |maps| {
        maps.create(&map("a", &["x", "y"], true), &Default::default()).await.expect("made");
        assert_eq!(count(maps, "a").await.as_deref(), Some("2"));
        patch(maps, "a", &serde_json::json!({ "z": "1" })).await;
        assert_eq!(count(maps, "a").await.as_deref(), Some("3"));
        patch(maps, "a", &serde_json::json!({ "x": null, "y": null, "z": null })).await;
        assert_eq!(count(maps, "a").await.as_deref(), Some("0"));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_map_that_does_not_ask_is_left_alone() {
    let server = beside(async |maps| {
        maps.create(&map("a", &["x", "y"], false), &Default::default()).await.expect("made");
        assert_eq!(count(maps, "a").await, None);
    })
    .await;
    let history = server.history();
    let written = history.entries().iter().filter(|entry| &*entry.actor == "minimal").count();
    assert_eq!(written, 0);
}

#[tokio::test(start_paused = true)]
async fn a_count_that_is_right_is_not_written_again() {
    let server = beside(async |maps| {
        maps.create(&map("a", &["x"], true), &Default::default()).await.expect("made");
        sleep(Duration::from_secs(3600)).await;
        assert_eq!(count(maps, "a").await.as_deref(), Some("1"));
    })
    .await;
    let history = server.history();
    let written = history.entries().iter().filter(|entry| &*entry.actor == "minimal").count();
    assert_eq!(written, 1);
}
