//! Whatever fails on the way, the end is that of a run in which nothing failed; and whenever the lease is lost, no two
//! replicas write in turn.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sample_controller::controller::foo_controller;
use sample_controller::foo::Foo;
use sample_controller::setup;
use serde_json::json;
use tokio::runtime::Builder;
use tokio::time::{Instant, sleep};
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

/// What two replicas have done to Deployments, in the order in which the server did it.
#[derive(Clone, Default)]
struct Deeds(Arc<Mutex<Vec<&'static str>>>);

/// How long a replica is kept from its lease.
const CUT: Duration = Duration::from_secs(40);

/// From its n-th request on a replica is kept from its lease; of that request it hears nothing meanwhile, so the lease
/// is lost while it waits there.
#[derive(Clone, Copy)]
struct Cut {
    from: usize,
    seen: usize,
    began: Option<Instant>,
}

/// What becomes of a request.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Answered,
    AnsweredLate,
    Lost,
}

impl Cut {
    fn at(from: usize) -> Self {
        Self { from, seen: 0, began: None }
    }

    fn fate(&mut self, path: &str) -> Fate {
        self.seen += 1;
        if self.seen < self.from {
            return Fate::Answered;
        }
        let is_first = self.began.is_none();
        let began = *self.began.get_or_insert_with(Instant::now);
        match path.contains("/leases") {
            true if began.elapsed() < CUT => Fate::Lost,
            false if is_first => Fate::AnsweredLate,
            _ => Fate::Answered,
        }
    }
}

impl Deeds {
    /// A client of a replica, which notes what it did.
    fn of(&self, client: Client, name: &'static str, cut: Cut) -> Client {
        let (deeds, cut) = (self.clone(), Arc::new(Mutex::new(cut)));
        client.intercept(move |request, next| {
            let path = request.uri().path().to_owned();
            let is_deed = path.contains("/deployments") && request.method() != "GET";
            let fate = cut.lock().expect("no panic").fate(&path);
            let deeds = deeds.clone();
            async move {
                if fate == Fate::Lost {
                    return Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset).into());
                }
                let answer = next.send(request).await?;
                if is_deed && answer.status().is_success() {
                    deeds.0.lock().expect("no panic").push(name);
                }
                if fate == Fate::AnsweredLate {
                    sleep(CUT).await;
                }
                Ok(answer)
            }
        })
    }

    /// Who did something, in turn, with how much.
    fn turns(&self) -> Vec<(&'static str, usize)> {
        let deeds = self.0.lock().expect("no panic");
        deeds.chunk_by(|one, other| one == other).map(|turn| (turn[0], turn.len())).collect()
    }
}

/// A replica that works while it has the lease.
async fn replica(cluster: &Cluster, name: &str, client: Client) -> watchkeeper::Result<()> {
    let election = LeaderElection { step_down: true, ..LeaderElection::new("foos").identity(name) };
    let manager = Manager::new(&client).seed(1).clock(cluster.clock()).leader_election(election);
    foo_controller(&manager, 2, Duration::from_secs(30));
    manager.run(std::future::pending()).await
}

/// Who wrote, in turn, of two replicas of which the first loses the lease from its n-th request on, while there is
/// something to do each second.
fn turns(from: usize) -> Vec<(&'static str, usize)> {
    on_its_own(async {
        let (cluster, deeds) =
            (Cluster::builder().actors([]).seed(1).clock(EPOCH).build(), Deeds::default());
        let world = World { client: cluster.client("script").field_manager("script"), cluster };
        setup::install_crd(&world.client).await.expect("the CRD");
        let script = async {
            world.foo("a", "a", Some(1)).await;
            for second in 1..60 {
                sleep(Duration::from_secs(1)).await;
                let replicas = 1 + second % 10;
                world.patch::<Foo>("a", json!({"spec": {"replicas": replicas}})).await;
            }
            sleep(Duration::from_secs(30)).await;
        };
        let client = |name, cut| deeds.of(world.cluster.client(name), name, cut);
        let first = replica(&world.cluster, "one", client("one", Cut::at(from)));
        // The first one is first.
        let second = async {
            sleep(Duration::from_secs(1)).await;
            replica(&world.cluster, "two", client("two", Cut::at(usize::MAX))).await
        };
        tokio::select! {
            biased;
            () = script => {}
            ended = first => panic!("the first one ended: {ended:?}"),
            ended = second => panic!("the second one ended: {ended:?}"),
        }
        let deployment = world.get::<Deployment>("a").await.expect("the Deployment");
        assert_eq!(deployment.spec.replicas, Some(10), "cut off from request {from}");
        deeds.turns()
    })
}

/// Each place at which a replica asks the server for something: the other one goes on, and the first is not heard of
/// again before the other one has given the lease up, which it does not.
#[test]
#[expect(clippy::disallowed_methods, reason = "how much is done is the caller's to say")]
fn whenever_the_lease_is_lost_the_other_one_goes_on_and_nobody_writes_beside_it() {
    let mut before = BTreeSet::new();
    // `cargo xtask long` has it lost at each.
    let step = if std::env::var("WATCHKEEPER_EACH_FAULT").is_ok() { 1 } else { 3 };
    for from in (1..=40).step_by(step) {
        let turns = turns(from);
        let who: Vec<&str> = turns.iter().map(|(who, _)| *who).collect();
        match &*who {
            // It never got the lease.
            ["two"] => {}
            ["one", "two"] => drop(before.insert(turns[0].1)),
            other => panic!("cut off from request {from}: {other:?}"),
        }
    }
    assert!(before.len() > 5, "the lease is lost after other numbers of writes: {before:?}");
}
