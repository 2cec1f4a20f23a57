//! Asks the cluster at hand for the two halves of a kind (KEP-5866), and fails unless the server itself keeps them
//! apart: each half is smaller than the whole, they have no object in common, and together they are the whole.
//!
//! `cargo run -p watchkeeper-connect --example shards`. A server has to have the feature; what caches do where it
//! has not is not looked at here.

use std::collections::BTreeSet;
use std::process::ExitCode;

use watchkeeper_api::core::v1::{ConfigMap, Namespace};
use watchkeeper_api::{Object, object};
use watchkeeper_client::{
    Api, Client, CreateOptions, DeleteOptions, Error, Result, Select, Shard, WatchEvent,
    WatchOptions,
};

const NAMESPACE: &str = "watchkeeper-shards";
/// That all of so many are in one half happens once in 2⁶³ runs.
const OBJECTS: usize = 64;

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stderr, reason = "a program says why it ends")]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<()> {
    let client = watchkeeper_connect::connect().await?.user_agent("shards/1");
    let namespace = object!(Namespace { metadata: { name: NAMESPACE } });
    client.api().create(&namespace, &CreateOptions::default()).await?;
    let judged = judge(&client).await;
    client.api::<Namespace>().delete(NAMESPACE, &DeleteOptions::default()).await?;
    judged
}

#[expect(clippy::print_stdout, reason = "an example tells what it did")]
async fn judge(client: &Client) -> Result<()> {
    let maps = client.api::<ConfigMap>().namespace(NAMESPACE);
    for number in 0..OBJECTS {
        let name = format!("m{number}");
        let map = object!(ConfigMap { metadata: { name: &name } });
        maps.create(&map, &CreateOptions::default()).await?;
    }
    for (how, watches) in [("listed", false), ("watched", true)] {
        let whole = sent(&maps, &Select::all(), watches).await?;
        let halves = [half(&maps, 0, watches).await?, half(&maps, 1, watches).await?];
        let [first, second] = &halves;
        println!("{how}: {} and {} of {}", first.len(), second.len(), whole.len());
        if !first.is_disjoint(second) || !first.union(second).eq(&whole) || whole.len() < OBJECTS {
            return Err(Error::other(format!("{how}: the halves do not make up the whole")));
        }
        if first.is_empty() || second.is_empty() {
            return Err(Error::other(format!("{how}: one half has everything")));
        }
    }
    Ok(())
}

/// What the server sends of one half, by uid; nothing is left out here.
async fn half(maps: &Api<ConfigMap>, number: u32, watches: bool) -> Result<BTreeSet<String>> {
    let shard = Shard::of(number, 2).ok_or_else(|| Error::other("no such shard"))?;
    let select = Select::all().shard(shard.clone());
    let sent = sent(maps, &select, watches).await?;
    if sent.iter().any(|uid| !shard.has_uid(uid, NAMESPACE)) {
        return Err(Error::other("the server has another idea of which half an object is in"));
    }
    Ok(sent)
}

async fn sent(
    maps: &Api<ConfigMap>,
    select: &Select<ConfigMap>,
    watches: bool,
) -> Result<BTreeSet<String>> {
    if watches { watched(maps, select).await } else { listed(maps, select).await }
}

async fn listed(maps: &Api<ConfigMap>, select: &Select<ConfigMap>) -> Result<BTreeSet<String>> {
    let list = maps.list(&select.list_options()).await?;
    Ok(list.items.iter().map(|map| map.uid().to_owned()).collect())
}

/// What a watch tells of the present state.
async fn watched(maps: &Api<ConfigMap>, select: &Select<ConfigMap>) -> Result<BTreeSet<String>> {
    let options = WatchOptions { send_initial_events: true, ..select.watch_options() };
    let mut events = maps.watch(&options).await?;
    let mut told = BTreeSet::new();
    while let Some(event) = events.next().await {
        match event? {
            WatchEvent::Added(map) => _ = told.insert(map.uid().to_owned()),
            WatchEvent::Bookmark { initial_events_end: true, .. } => return Ok(told),
            _ => {}
        }
    }
    Err(Error::other("the watch ended before the present state was told"))
}
