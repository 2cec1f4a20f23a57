//! A controller of the objects that its process holds.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::time::sleep;
use watchkeeper_api::ObjectKey;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::Change;
use watchkeeper_controller::{Action, Controller, Feed, Share};

use crate::world::{World, secs};

const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

fn share() -> Share {
    Share::new(2, |_, client| client.clone())
}

/// Those of them that are in a shard.
fn names_in(share: &Share, shard: u32) -> Vec<String> {
    let is_in = |name: &&str| share.shard_of(&ObjectKey::from(("default", *name))) == shard;
    NAMES.into_iter().filter(is_in).map(str::to_owned).collect()
}

fn taken(world: &World) -> Vec<String> {
    let mut taken = world.log.take();
    taken.sort();
    taken
}

fn reconciler(world: &World, share: &Share) -> Controller {
    Controller::new(&world.client, "maps", &world.maps)
        .share(share)
        .with(world.log.clone())
        .reconcile(async |log: &crate::world::Log, request, _ctx| {
            log.push(request.name());
            Ok(Action::done())
        })
}

#[tokio::test(start_paused = true)]
async fn what_is_gained_is_looked_at_and_what_is_not_held_is_not() {
    let (world, share) = (World::new(), share());
    for name in NAMES {
        world.create(name).await;
    }
    let halves = [names_in(&share, 0), names_in(&share, 1)];
    assert!(halves.iter().all(|half| half.len() > 1), "{halves:?}");
    let controller = reconciler(&world, &share);
    assert!(controller.share().is_some());
    let script = async {
        sleep(secs(1)).await;
        assert_eq!(taken(&world), [""; 0]);
        share.gain(0);
        sleep(secs(1)).await;
        assert_eq!(taken(&world), halves[0]);
        for name in NAMES {
            world.touch(name).await;
        }
        sleep(secs(1)).await;
        assert_eq!(taken(&world), halves[0], "changes of the others are theirs");
        share.gain(1);
        sleep(secs(1)).await;
        assert_eq!(taken(&world), halves[1], "and nothing is looked at twice");
        share.lose(0);
        for name in NAMES {
            world.touch(name).await;
        }
        sleep(secs(1)).await;
        assert_eq!(taken(&world), halves[1]);
    };
    world.run(&controller, script).await;
}

/// Predicates hold for what is gained as for what was there; what a source that is no watch asked for, it asks
/// for again.
#[tokio::test(start_paused = true)]
async fn every_source_tells_again_what_it_has_of_what_is_gained() {
    let (world, share) = (World::new(), share());
    for name in NAMES {
        world.create(name).await;
    }
    let not_a =
        world.maps.when(|change: &Change<ConfigMap>| *change.object().metadata.name != *"a");
    let begun = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&begun);
    let controller = Controller::new(&world.client, "maps", not_a)
        .watches(&world.maps, |map| {
            (*map.metadata.name == *"b").then(|| ObjectKey::from(("default", "of-b")))
        })
        .source("list", move |feed: Feed| {
            count.fetch_add(1, Ordering::Relaxed);
            async move {
                feed.request(("default", "told"));
                Ok::<(), std::io::Error>(())
            }
        })
        .share(&share)
        .with(world.log.clone())
        .reconcile(async |log: &crate::world::Log, request, _ctx| {
            log.push(request.name());
            Ok(Action::done())
        });
    let script = async {
        sleep(secs(1)).await;
        assert_eq!(begun.load(Ordering::Relaxed), 1);
        assert_eq!(taken(&world), [""; 0]);
        share.gain(0);
        share.gain(1);
        sleep(secs(1)).await;
        assert_eq!(taken(&world), ["b", "c", "d", "e", "f", "g", "h", "of-b", "told"]);
        assert_eq!(begun.load(Ordering::Relaxed), 2, "both gains at once");
    };
    world.run(&controller, script).await;
}

/// A timer or a retry of an object that has gone to another process ends here.
#[tokio::test(start_paused = true)]
async fn what_is_asked_for_again_is_dropped_when_it_is_anothers() {
    let (world, share) = (World::new(), share());
    world.create("a").await;
    let controller = Controller::new(&world.client, "maps", &world.maps)
        .share(&share)
        .with(world.log.clone())
        .reconcile(async |log: &crate::world::Log, request, _ctx| {
            log.push(request.name());
            Ok(Action::after(secs(10)))
        });
    let script = async {
        share.gain(0);
        share.gain(1);
        sleep(secs(25)).await;
        assert_eq!(taken(&world), ["a", "a", "a"]);
        share.leave(0);
        share.leave(1);
        sleep(secs(60)).await;
        assert_eq!(taken(&world), [""; 0]);
        assert_eq!(controller.handle().status().delayed, 0);
    };
    world.run(&controller, script).await;
}
