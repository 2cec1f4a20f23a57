//! How many pods there are while something goes on.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::timeout;
use watchkeeper_api::Object;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_client::{Client, WatchEvent, WatchOptions};

use crate::world::is_ready;

/// The most pods that were there at once, and the fewest that were ready.
pub(crate) struct Extremes {
    pub(crate) most: usize,
    pub(crate) fewest: usize,
}

/// Follows the pods until nothing has happened for a minute. All that are there at first count at once.
pub(crate) async fn follow(client: &Client, at_first: usize) -> Extremes {
    let api = client.api::<Pod>().namespace("default");
    let mut stream = api.watch(&WatchOptions::default()).await.expect("a watch");
    let mut pods: BTreeMap<String, bool> = BTreeMap::new();
    let mut extremes = Extremes { most: 0, fewest: usize::MAX };
    while let Ok(Some(event)) = timeout(Duration::from_secs(60), stream.next()).await {
        match event.expect("an event") {
            WatchEvent::Added(pod) | WatchEvent::Modified(pod) if !pod.is_deleting() => {
                pods.insert(pod.name().to_owned(), is_ready(&pod));
            }
            WatchEvent::Modified(pod) | WatchEvent::Deleted(pod) => {
                pods.remove(pod.name());
            }
            _ => continue,
        }
        let ready = pods.values().filter(|ready| **ready).count();
        if pods.len() >= at_first && (extremes.most > 0 || ready == at_first) {
            extremes.most = extremes.most.max(pods.len());
        }
        if extremes.most > 0 {
            extremes.fewest = extremes.fewest.min(ready);
        }
    }
    extremes
}
