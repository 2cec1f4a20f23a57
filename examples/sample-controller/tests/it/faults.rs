//! Whatever fails on the way, the end is that of a run in which nothing failed.

use std::collections::BTreeMap;
use std::time::Duration;

use sample_controller::foo::Foo;
use serde_json::json;
use tokio::runtime::Builder;
use tokio::time::sleep;
use watchkeeper::apiserver::hooks::{Fault, Faults};
use watchkeeper::client::{DeleteOptions, Propagation};
use watchkeeper::cluster::Cluster;
use watchkeeper::prelude::*;
use watchkeeper::testing::{Way, end_state};

use crate::determinism::first_difference;
use crate::world::{EPOCH, World, run_on};

/// Longer than anybody waits who failed as often in a row as these seeds bring about.
const PATIENCE: Duration = Duration::from_secs(300);

pub(crate) fn on_its_own<T>(world: impl Future<Output = T>) -> T {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(world)
}

/// Foos come, change, lose a Deployment and go, whatever state they are in by then.
async fn story(world: &World) {
    let pause = || sleep(Duration::from_secs(60));
    for name in ["a", "b", "c"] {
        world.foo(name, name, Some(2)).await;
    }
    pause().await;
    world.patch::<Foo>("a", json!({"spec": {"replicas": 4}})).await;
    world.patch::<Foo>("b", json!({"spec": {"deploymentName": "renamed"}})).await;
    world.patch::<Foo>("c", json!({"spec": {"replicas": 3}})).await;
    // It may not be there yet, or not any more. In the background its ReplicaSet could outlive it, and so collide
    // with that of the one that follows.
    let deployments = world.client.api::<Deployment>().namespace("default");
    let options = DeleteOptions::default().propagation(Propagation::Foreground);
    _ = deployments.delete("c", &options).await;
    pause().await;
    world.delete::<Foo>("a").await;
    pause().await;
}

/// How a story ended.
#[derive(PartialEq)]
struct End {
    state: Vec<String>,
    /// Of the whole history of writes.
    hash: u64,
}

/// The end of the story through faults; nobody writes any more by then.
fn end_through(faults: &Faults, seed: u64) -> End {
    on_its_own(async {
        let cluster = Cluster::builder().seed(seed).clock(EPOCH).build();
        run_on(cluster, seed, async |world| {
            world.cluster.server().add_hook(faults.clone());
            story(world).await;
            faults.stop();
            sleep(PATIENCE).await;
            let writes = world.writes().len();
            sleep(PATIENCE).await;
            assert_eq!(world.writes().len(), writes, "somebody writes without end");
            let state = end_state(&world.cluster, Way::Other).await.expect("the state");
            End { state, hash: world.cluster.server().history_hash() }
        })
        .await
    })
}

/// The controller and every actor of the cluster meet every fault.
#[test]
#[expect(clippy::disallowed_methods, reason = "how many seeds is the caller's to say")]
fn through_every_fault_the_end_is_the_same() {
    let nothing = Faults::seeded(0);
    nothing.stop();
    let End { state: expected, .. } = end_through(&nothing, 1);
    assert!(expected.iter().any(|line| line.starts_with("foos.")), "{expected:?}");
    let mut struck: BTreeMap<Fault, u64> = BTreeMap::new();
    // `cargo xtask long` asks for many more.
    let seeds =
        std::env::var("WATCHKEEPER_SEEDS").map_or(2, |text| text.parse().expect("a number"));
    for seed in 1..=seeds {
        let faults = Faults::seeded(seed).spare("script");
        let end = end_through(&faults, seed);
        if let Some(difference) = first_difference(&expected, &end.state) {
            panic!("seed {seed} ends elsewhere than without faults: {difference}");
        }
        faults
            .struck()
            .into_iter()
            .for_each(|(fault, times)| *struck.entry(fault).or_default() += times);
    }
    assert_eq!(struck.len(), 9, "{struck:?}");
}

#[test]
fn faults_of_one_seed_are_the_same_run() {
    let run = || end_through(&Faults::seeded(1).spare("script"), 1).hash;
    assert_eq!(run(), run());
}
