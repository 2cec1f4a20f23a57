//! The same on a server that we did not write: its history is read off watches that do not fail.
//!
//! Those watches may be later than the handlers, so they are judged now and then, when the writer has paused and
//! the watches have told everything up to its last write.
//!
//! The clock is the world's. A reflector waits up to a minute after its eighth failure, so what counts is how many
//! reflectors there are: many histories go on beside each other, each in namespaces of its own and with
//! connections of its own, and they are short, since those that begin wait a second.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::sleep;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_client::{Api, Client, Codec, ListOptions, WatchEvent, WatchOptions};

use crate::faults::{Fault, Faults, Pace};
use crate::journal::Journal;
use crate::listener::{Court, lock};
use crate::long::{Minimums, Plan, Report};
use crate::mode::Mode;
use crate::told::Seen;
use crate::world::{Informer, Names, Outcome, Setting, World, make};

/// Changes between two judgements.
const ROUND: u64 = 500;
/// Of so many changes each class of faults must have struck once.
const CHANGES_A_FAULT: u64 = 10_000;

/// Fewer histories at a time meet too few faults.
const FEWEST_WRITERS: u64 = 40;
/// More of them keep a processor busy.
const MOST_WRITERS: u64 = 250;
/// So many histories one after another take two hours and some: each takes half an hour, most of which it waits.
const IN_A_ROW: u64 = 4;

/// How many histories of a plan go on at a time unless somebody says so.
#[must_use]
pub fn writers(plan: &Plan) -> usize {
    let writers = plan.worlds().div_ceil(IN_A_ROW).clamp(FEWEST_WRITERS, MOST_WRITERS);
    usize::try_from(writers).unwrap_or(usize::MAX)
}

/// Runs the histories of a plan on the server that clients of `connect` reach, `writers` of them at a time.
///
/// # Errors
/// The journal cannot be written.
pub fn run(
    connect: &(impl Fn() -> Result<Client, String> + Sync),
    plan: Plan,
    writers: usize,
    journal: Option<&mut Journal>,
    tell: impl FnMut(&Report),
) -> Result<Report, String> {
    let minimums =
        Minimums { classes: classes(), modes: modes(), changes_a_fault: CHANGES_A_FAULT };
    let history = |seed, changes| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.map_err(|e| e.to_string())?.block_on(async {
            // Each has connections of its own: one carries no more than so many watches.
            let client = connect()?;
            let outcome = Box::pin(one(&client, seed, changes, plan.names)).await;
            outcome.map_err(|e| e.to_string())
        })
    };
    Report::new(plan, minimums).run(writers, &history, journal, tell)
}

/// Runs a history of so many changes on the server that `client` reaches.
async fn one(
    client: &Client,
    seed: u64,
    changes: u64,
    names: Names,
) -> watchkeeper_client::Result<Outcome> {
    let mode = Some(Informer::Ours.mode(seed, names)).filter(|mode| modes().contains(mode));
    let mode = mode.unwrap_or(Mode::Whole);
    let setting = Setting { informer: Informer::Ours, seed, names, pace: Pace::Real, mode };
    let space = setting.space(&format!("history-{seed}"));
    let codec = if seed.is_multiple_of(2) { Codec::Protobuf } else { Codec::Json };
    let client = client.clone().codec(codec);
    make(&client, &space).await;
    let court = Arc::new(Court::deferring());
    let mut reading = JoinSet::new();
    for part in space.parts() {
        let maps = client.api::<ConfigMap>().namespace(space.namespace(part));
        let list = maps.list_all(&ListOptions::default()).await?;
        list.items.iter().for_each(|map| lock(&court.truth).record(Seen::of(map), true));
        reading.spawn(read(maps, list.resource_version, Arc::clone(&court)));
    }
    let mut world = World::new(&client, &space, setting, (court, None));
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

/// Tells the court what a namespace goes through.
///
/// Others write meanwhile, far more than this namespace has: bookmarks keep the version young enough that the server
/// still knows it when the watch ends, as it does every few minutes.
async fn read(maps: Api<ConfigMap>, mut version: String, court: Arc<Court>) {
    loop {
        let Ok(mut events) = maps.watch(&WatchOptions::since(&*version)).await else {
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        while let Some(Ok(event)) = events.next().await {
            let (map, alive) = match event {
                WatchEvent::Added(map) | WatchEvent::Modified(map) => (map, true),
                WatchEvent::Deleted(map) => (map, false),
                WatchEvent::Bookmark { resource_version, .. } => {
                    version = resource_version;
                    continue;
                }
                WatchEvent::Error(status) if status.code == 410 => {
                    let lost = format!("the truth was lost at {version}: {}", status.message);
                    return court.rule(Err(lost));
                }
                _ => continue,
            };
            let seen = Seen::of(&map);
            version = seen.version.to_string();
            lock(&court.truth).record(seen, alive);
        }
    }
}

/// The classes that histories on a server of others must have seen: nothing that lasts for minutes.
#[must_use]
pub fn classes() -> Vec<Fault> {
    Faults::classes(Pace::Real)
}

/// The modes that there are: what cannot be read is made so in whole frames, and this server sends lists in
/// pieces.
#[must_use]
pub fn modes() -> Vec<Mode> {
    Mode::ALL.iter().copied().filter(|mode| *mode != Mode::Unreadable).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Server;

    /// `docs/long-runs.md` has what a million takes with so many.
    #[test]
    fn a_million_changes_take_four_histories_in_a_row() {
        let writers =
            |changes| writers(&Plan { seed: 1, changes, names: Names::Few, server: Server::Real });
        assert_eq!([1, 10_000, 160_000].map(writers), [40; 3]);
        assert_eq!((writers(200_000), writers(1_000_000)), (50, 250));
        assert_eq!(writers(100_000_000), 250, "longer, and no more at a time");
    }
}
