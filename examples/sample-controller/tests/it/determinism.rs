//! Same seed, same run: the whole history of writes as one number.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use sample_controller::foo::Foo;
use serde_json::json;
use tokio::runtime::Builder;
use watchkeeper::apiserver::Hook;
use watchkeeper::apiserver::hooks::{Delivery, Passage};
use watchkeeper::cluster::Cluster;
use watchkeeper::prelude::*;
use watchkeeper::testing::{Way, end_state};

use crate::determinism::diary::Diary;
pub(crate) use crate::determinism::diary::first_difference;
use crate::world::{EPOCH, World, run_on};

mod diary;

/// The hash of the story below for seed 1. It changes when the order, the moment or the content of
/// any write does; a change of behaviour that is meant changes this number in the same commit.
const HASH_OF_SEED_1: u64 = 0x607d_88bf_8a2b_9093;

/// How a run is made, beside its story.
#[derive(Clone, Copy)]
struct Setting {
    /// What all is drawn from.
    seed: u64,
    /// What the sample controller draws from instead.
    controller: u64,
    /// How many replicas the story asks for in the end.
    replicas: i32,
}

impl Setting {
    fn of(seed: u64) -> Self {
        Self { seed, controller: seed, replicas: 3 }
    }
}

/// What a run leaves behind.
struct Tale {
    /// The hash of the history of writes.
    hash: u64,
    /// Every write.
    writes: Vec<String>,
    /// The final state, less what differs between seeds.
    state: Vec<String>,
}

/// Several Foos come, change, lose a Deployment and go.
async fn story(world: &World, replicas: i32) {
    for name in ["a", "b", "c"] {
        world.foo(name, name, Some(2)).await;
    }
    world.settled().await;
    world.patch::<Foo>("a", json!({"spec": {"replicas": 4}})).await;
    world.patch::<Foo>("b", json!({"spec": {"deploymentName": "renamed"}})).await;
    world.patch::<Foo>("c", json!({"spec": {"replicas": replicas}})).await;
    world.delete::<Deployment>("c").await;
    world.settled().await;
    world.delete::<Foo>("a").await;
    world.settled().await;
}

/// Runs the story, with `hook` on the server.
fn tell(setting: Setting, hook: impl Hook + 'static) -> Tale {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(async {
        let cluster = Cluster::builder().seed(setting.seed).clock(EPOCH).build();
        let diary = Diary::default();
        cluster.server().add_hook(diary.clone());
        cluster.server().add_hook(hook);
        run_on(cluster, setting.controller, async |world| {
            story(world, setting.replicas).await;
            let hash = world.cluster.server().history_hash();
            let state = end_state(&world.cluster, Way::Same).await.expect("the state");
            Tale { hash, writes: diary.lines(), state }
        })
        .await
    })
}

/// Changes nothing.
struct Nothing;

impl Hook for Nothing {}

/// The run of seed 1, to compare others with.
static FIRST: LazyLock<Tale> = LazyLock::new(|| tell(Setting::of(1), Nothing));

/// Holds that a run ended where the one of seed 1 did.
fn same_end(other: &Tale) {
    if let Some(difference) = first_difference(&FIRST.state, &other.state) {
        panic!("a run ends elsewhere than that of seed 1: {difference}");
    }
}

#[test]
fn one_seed_gives_one_history_and_it_is_the_committed_one() {
    let (first, second) = (&*FIRST, tell(Setting::of(1), Nothing));
    if let Some(difference) = first_difference(&first.writes, &second.writes) {
        panic!("two runs of one seed differ: {difference}");
    }
    assert_eq!(first.hash, second.hash, "the same writes at other moments");
    let hash = first.hash;
    assert_eq!(hash, HASH_OF_SEED_1, "the history changed: HASH_OF_SEED_1 is now {hash:#018x}");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "how many seeds is the caller's to say")]
fn other_seeds_give_other_histories_and_the_same_final_state() {
    let mut hashes = BTreeMap::from([(FIRST.hash, 1)]);
    // `cargo xtask long` asks for many more.
    let seeds =
        std::env::var("WATCHKEEPER_SEEDS").map_or(4, |text| text.parse().expect("a number"));
    for seed in 2..=seeds {
        let other = tell(Setting::of(seed), Nothing);
        same_end(&other);
        hashes.insert(other.hash, seed);
    }
    assert_eq!(hashes.len() as u64, seeds, "{hashes:?}");
}

#[test]
fn a_replica_more_is_not_masked() {
    let other = tell(Setting { replicas: 2, ..Setting::of(2) }, Nothing);
    assert!(first_difference(&FIRST.state, &other.state).is_some());
}

/// Ends a watch of the pods once, so that one of those who watch hears of a pod after the others.
struct LateForOne(Arc<AtomicBool>);

impl Hook for LateForOne {
    fn on_delivery(&mut self, delivery: &Delivery<'_>) -> Passage {
        if &*delivery.event.table == "pods" && !self.0.swap(true, Ordering::Relaxed) {
            return Passage::End;
        }
        Passage::Deliver
    }
}

#[test]
fn another_order_of_deliveries_is_seen_in_the_hash() {
    let ended = Arc::new(AtomicBool::new(false));
    let other = tell(Setting::of(1), LateForOne(ended.clone()));
    assert!(ended.load(Ordering::Relaxed), "nobody was late");
    assert_ne!(FIRST.hash, other.hash);
    same_end(&other);
}

#[test]
fn another_order_of_reconciles_is_seen_in_the_hash() {
    let other = tell(Setting { controller: 2, ..Setting::of(1) }, Nothing);
    assert_ne!(FIRST.hash, other.hash);
    same_end(&other);
}
