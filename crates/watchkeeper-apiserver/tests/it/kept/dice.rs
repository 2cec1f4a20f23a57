//! How a server begins that is kept, and goes on from its journal.

use std::pin::pin;
use std::time::Duration;

use serde_json::json;
use tokio::sync::oneshot;
use tokio::time::timeout;
use watchkeeper_apiserver::{ApiServer, Now};

use super::Shelf;
use crate::support::*;

/// The uid of the first object that a server makes, which has this seed and what was kept.
async fn first_uid(shelf: &Shelf, seed: u64, name: &str) -> String {
    let built = ApiServer::builder().seed(seed).build_on(shelf.clone());
    let (server, keeper) = built.expect("a server");
    let client = Client { server, agent: "tester" };
    let (stop, stopped) = oneshot::channel::<()>();
    let made = async {
        let body = json!({"metadata": {"name": name}});
        let made = client.post(CONFIG_MAPS, &body).await.expect(201);
        drop(stop);
        made["metadata"]["uid"].as_str().expect("a uid").to_owned()
    };
    let (uid, kept) = tokio::join!(made, keeper.run(async { drop(stopped.await) }));
    kept.expect("a journal that works");
    uid
}

#[tokio::test(start_paused = true)]
async fn no_uid_is_given_again_however_often_a_server_begins() {
    for seed in [0, 7, u64::MAX] {
        let shelf = Shelf::default();
        let mut uids = Vec::new();
        for name in ["a", "b", "c", "d"] {
            uids.push(first_uid(&shelf, seed, name).await);
        }
        uids.sort();
        uids.dedup();
        assert_eq!(uids.len(), 4, "{seed}: {uids:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_is_said_before_the_beginning_is_kept() {
    let shelf = Shelf::default();
    let (client, mut keeper) = shelf.open(Now(Duration::from_secs(1_800_000_000)));
    let mut asked = pin!(client.get(CONFIG_MAPS));
    assert!(timeout(Duration::from_secs(1), &mut asked).await.is_err(), "it waits");
    assert!(keeper.write().expect("a journal that works"));
    assert!(!keeper.write().expect("a journal that works"), "it is all");
    asked.await.expect(200);
    assert!(shelf.revision() > 0 && shelf.books().key.is_some());
}
