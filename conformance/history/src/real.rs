//! The same on a server that we did not write: its history is read off a watch that does not fail.
//!
//! That watch may be later than the handlers, so they are judged now and then, when the writer has paused and
//! the watch has told everything up to its last write.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::sleep;
use watchkeeper_api::core::v1::{ConfigMap, Namespace};
use watchkeeper_api::object;
use watchkeeper_client::{Client, CreateOptions, ListOptions, WatchEvent, WatchOptions};

use crate::faults::{Fault, Faults, Pace};
use crate::listener::{Court, lock};
use crate::told::Seen;
use crate::world::{Informer, Names, Outcome, Setting, World};

/// Changes between two judgements.
const ROUND: u64 = 1_000;

/// Runs a history of so many changes on the server that `client` reaches.
///
/// # Errors
/// What the server says against it.
///
/// # Cancel safety
/// Dropping the future ends the run. What was written stays.
pub async fn run(
    client: &Client,
    seed: u64,
    changes: u64,
    names: Names,
) -> watchkeeper_client::Result<Outcome> {
    let namespace = format!("history-{seed}");
    let space = object!(Namespace { metadata: { name: &*namespace } });
    client.api::<Namespace>().create(&space, &CreateOptions::default()).await?;
    let court = Arc::new(Court::deferring());
    let mut reading = JoinSet::new();
    let (scribe, told) = (client.clone(), Arc::clone(&court));
    let maps = scribe.api::<ConfigMap>().namespace(&*namespace);
    let list = maps.list_all(&ListOptions::default()).await?;
    list.items.iter().for_each(|map| lock(&court.truth).record(Seen::of(map), true));
    let mut version = list.resource_version;
    reading.spawn(async move {
        loop {
            let Ok(mut events) = maps.watch(&WatchOptions::since(&*version)).await else {
                sleep(Duration::from_millis(100)).await;
                continue;
            };
            while let Some(Ok(event)) = events.next().await {
                let (map, alive) = match event {
                    WatchEvent::Added(map) | WatchEvent::Modified(map) => (map, true),
                    WatchEvent::Deleted(map) => (map, false),
                    _ => continue,
                };
                let seen = Seen::of(&map);
                version = seen.version.to_string();
                lock(&told.truth).record(seen, alive);
            }
        }
    });
    let setting = Setting { informer: Informer::Ours, seed, names, pace: Pace::Real };
    let mut world = World::new(client, &namespace, setting, (court, None));
    let mut done = 0;
    while done < changes && !world.court.is_broken() {
        done = (done + ROUND).min(changes);
        world.live(done).await;
        world.fence().await;
    }
    world.conclude().await;
    drop(reading);
    Ok(world.outcome())
}

/// The classes that a history on a server of others must have seen: nothing that lasts for minutes, and its
/// history is its own.
#[must_use]
pub fn classes() -> Vec<Fault> {
    let mut classes = Faults::classes(Pace::Real);
    classes.retain(|fault| *fault != Fault::Compacted);
    classes
}
