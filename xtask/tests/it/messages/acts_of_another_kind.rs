//! What can be done with pods and service accounts cannot be done with other kinds.
//@ shows: `ConfigMap` cannot be evicted
//@ shows: `ConfigMap` has no logs
//@ shows: `ConfigMap` is bound to no node
//@ shows: there are no tokens of `Pod`
//@ shows: those of a kind known at run time may: `client.dynamic(kind)`

use watchkeeper::core::v1::{ConfigMap, Pod};
use watchkeeper_client::{Client, DeleteOptions, LogOptions, TokenOptions};

async fn acts(client: &Client) {
    let maps = client.api::<ConfigMap>();
    let _ = maps.evict("a", &DeleteOptions::default()).await;
    let _ = maps.logs("a", &LogOptions::default()).await;
    let _ = maps.bind("a", "node").await;
    let _ = client.api::<Pod>().token("a", &TokenOptions::default()).await;
    // Who knows.
    let _ = client.dynamic(Pod::KIND).evict("a", &DeleteOptions::default()).await;
}

fn main() {}
