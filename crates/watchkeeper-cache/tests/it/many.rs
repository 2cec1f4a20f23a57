//! As many watches as a cluster of the largest size has nodes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_apiserver::ApiServer;
use watchkeeper_cache::Cache;
use watchkeeper_client::{Client, CreateOptions, Select};

use crate::{run, settle};

const MANY: usize = 5000;

fn map(number: usize) -> ConfigMap {
    object!(ConfigMap { metadata: { name: format!("m{number}"), namespace: "default" } })
}

fn only(number: usize) -> Select<ConfigMap> {
    Select::all().fields(format!("metadata.name=m{number}"))
}

/// Each hears of its own object alone, and each ends by itself.
#[tokio::test(start_paused = true)]
async fn five_thousand_watches_follow_beside_each_other() {
    let client = Client::new(ApiServer::new());
    let api = client.api::<ConfigMap>().namespace("default");
    api.create(&map(0), &CreateOptions::default()).await.unwrap();
    let cache = Cache::new(&client).seed(1);
    let running = run(&cache);
    let watches: Vec<_> = (0..MANY).map(|number| cache.watch_only(only(number))).collect();
    let told = Arc::new(AtomicUsize::new(0));
    let subscriptions: Vec<_> = watches
        .iter()
        .map(|watch| {
            let told = Arc::clone(&told);
            watch.subscribe(move |_change| _ = told.fetch_add(1, Ordering::Relaxed))
        })
        .collect();
    cache.synced().await.unwrap();
    for number in [1, MANY / 2, MANY - 1] {
        api.create(&map(number), &CreateOptions::default()).await.unwrap();
    }
    settle().await;
    assert_eq!(told.load(Ordering::Relaxed), 4);
    let full = watches.iter().filter(|watch| watch.store().len() == 1).count();
    assert_eq!((full, cache.status().len()), (4, MANY));
    drop((watches, subscriptions));
    settle().await;
    assert_eq!(cache.status().len(), 0);
    drop(running);
}
