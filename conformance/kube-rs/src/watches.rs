//! Watches that are lost.

use std::time::Duration;

use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Api, ResourceExt};
use serde_json::json;
use tokio::time::timeout;

use crate::Seen;
use crate::server::{self, Answer, client, map, maps, status};

/// Long enough for every backoff.
const LONG: Duration = Duration::from_secs(600);

/// The answer is no reason to list again.
pub async fn c_gone_as_an_answer() -> Seen {
    let (client, log) = client(|request, _| match request {
        "LIST configmaps" => maps(5, &[map("a", 1)]),
        _ => Answer::Json(410, status(410, "Expired")),
    });
    let maps: Api<ConfigMap> = Api::all(client);
    let mut events = Box::pin(watcher(maps, watcher::Config::default()).default_backoff());
    drop(timeout(LONG, async { while events.next().await.is_some() {} }).await);
    let (lists, watches) = (log.count("LIST configmaps"), log.count("WATCH configmaps"));
    let text = format!("{lists} list and {watches} watches in {LONG:?}");
    Seen::new(lists == 1 && watches > 5, text)
}

/// What the second list lacks is told to nobody.
pub async fn d_deleted_unseen() -> Seen {
    let (client, log) = client(|request, count| match (request, count) {
        ("LIST configmaps", 1) => maps(5, &[map("a", 1), map("b", 2)]),
        ("LIST configmaps", _) => maps(9, &[map("a", 1)]),
        (_, 1) => {
            let gone = json!({ "type": "ERROR", "object": status(410, "Expired") });
            Answer::Watch { lines: vec![(Duration::from_secs(1), gone)], stays_open: false }
        }
        _ => server::silence(),
    });
    let maps: Api<ConfigMap> = Api::all(client);
    let touched = watcher(maps, watcher::Config::default()).default_backoff().touched_objects();
    let mut touched = Box::pin(touched);
    let mut told = Vec::new();
    let all = async {
        while let Some(object) = touched.next().await {
            told.push(object.map_or_else(|_| "error".to_owned(), |map| map.name_any()));
        }
    };
    drop(timeout(LONG, all).await);
    let lists = log.count("LIST configmaps");
    let of_b = told.iter().filter(|name| *name == "b").count();
    let text = format!("{lists} lists, the second without b; told of {}", told.join(", "));
    Seen::new(lists == 2 && of_b == 1, text)
}
