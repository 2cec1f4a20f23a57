//! Same seed, same run: the whole history of writes as one number.

use std::collections::BTreeMap;

use sample_controller::foo::Foo;
use serde_json::json;
use tokio::runtime::Builder;
use watchkeeper::api::Unstructured;
use watchkeeper::apiserver::Hook;
use watchkeeper::apiserver::hooks::{Delivery, Passage};
use watchkeeper::client::ListOptions;
use watchkeeper::cluster::Cluster;
use watchkeeper::prelude::*;

use crate::determinism::diary::{Diary, first_difference};
use crate::world::{EPOCH, World, run_on};

mod diary;

/// The hash of the story below for seed 1. It changes when the order or the content of any write
/// does; a change of behaviour that is meant changes this number in the same commit.
const HASH_OF_SEED_1: u64 = 0xe443_ac89_684b_1c1d;

/// Several Foos come, change, lose a Deployment and go.
async fn story(world: &World) {
    for name in ["a", "b", "c"] {
        world.foo(name, name, Some(2)).await;
    }
    world.settled().await;
    world.patch::<Foo>("a", json!({"spec": {"replicas": 3}})).await;
    world.patch::<Foo>("b", json!({"spec": {"deploymentName": "renamed"}})).await;
    world.delete::<Deployment>("c").await;
    world.settled().await;
    world.delete::<Foo>("a").await;
    world.settled().await;
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

/// Runs the story from `seed`, with `hook` on the server if there is one.
fn tell(seed: u64, hook: Option<Breach>) -> Tale {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(async {
        let cluster = Cluster::builder().seed(seed).clock(EPOCH).build();
        let diary = Diary::default();
        cluster.server().add_hook(diary.clone());
        if let Some(hook) = hook {
            cluster.server().add_hook(hook);
        }
        run_on(cluster, seed, async |world| {
            story(world).await;
            let hash = world.cluster.server().history_hash();
            Tale { hash, writes: diary.lines(), state: masked(world).await }
        })
        .await
    })
}

/// Every object of the kinds that matter, without what may differ between seeds.
async fn masked(world: &World) -> Vec<String> {
    let mut lines = Vec::new();
    for name in ["foos", "deployments", "replicasets", "pods"] {
        let kind = world.client.resolve(name).await.expect("a kind");
        let api = world.client.dynamic(kind);
        let objects: Vec<Unstructured> =
            api.list_all(&ListOptions::default()).await.expect("a list").items;
        let mut texts: Vec<String> =
            objects.iter().map(|object| mask(object.to_value(), "").to_string()).collect();
        texts.sort();
        lines.extend(texts);
    }
    lines
}

fn mask(value: serde_json::Value, key: &str) -> serde_json::Value {
    use serde_json::Value;
    const MASKED: [&str; 15] = [
        "uid",
        "resourceVersion",
        "creationTimestamp",
        "managedFields",
        "lastTransitionTime",
        "lastUpdateTime",
        "startTime",
        "startedAt",
        "podIP",
        "podIPs",
        "ip",
        "containerID",
        "generation",
        "observedGeneration",
        "generateName",
    ];
    match value {
        _ if MASKED.contains(&key) => Value::Null,
        Value::String(text) if key == "name" && text.len() > 12 => Value::from(&text[..6]),
        Value::Object(members) => {
            let masked = members.into_iter().map(|(key, value)| {
                let value = mask(value, &key);
                (key, value)
            });
            Value::Object(masked.collect())
        }
        Value::Array(elements) => {
            Value::Array(elements.into_iter().map(|element| mask(element, key)).collect())
        }
        other => other,
    }
}

#[test]
fn one_seed_gives_one_history_and_it_is_the_committed_one() {
    let (first, second) = (tell(1, None), tell(1, None));
    if let Some(difference) = first_difference(&first.writes, &second.writes) {
        panic!("two runs of one seed differ: {difference}");
    }
    assert_eq!(first.hash, second.hash, "the same writes, another hash");
    let hash = first.hash;
    assert_eq!(hash, HASH_OF_SEED_1, "the history changed: HASH_OF_SEED_1 is now {hash:#018x}");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "how many seeds is the caller's to say")]
fn other_seeds_give_other_histories_and_the_same_final_state() {
    let first = tell(1, None);
    let mut hashes = BTreeMap::from([(first.hash, 1)]);
    // `cargo xtask long` asks for many more.
    let seeds =
        std::env::var("WATCHKEEPER_SEEDS").map_or(8, |text| text.parse().expect("a number"));
    for seed in 2..=seeds {
        let other = tell(seed, None);
        assert_eq!(other.state, first.state, "seed {seed} ends elsewhere");
        hashes.insert(other.hash, seed);
    }
    assert_eq!(hashes.len() as u64, seeds, "{hashes:?}");
}

/// Loses one event of the replica sets, so that the deployment controller hears of it later.
struct Breach {
    left: u32,
}

impl Hook for Breach {
    fn on_delivery(&mut self, delivery: &Delivery<'_>) -> Passage {
        if &*delivery.event.table == "replicasets.apps" && self.left > 0 {
            self.left -= 1;
            return Passage::End;
        }
        Passage::Deliver
    }
}

#[test]
fn a_broken_order_is_seen_in_the_hash() {
    let whole = tell(1, None);
    let broken = tell(1, Some(Breach { left: 1 }));
    assert_ne!(whole.hash, broken.hash);
    assert_eq!(whole.state, broken.state, "it still converges");
}
