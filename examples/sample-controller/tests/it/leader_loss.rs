//! Wherever a leader waits when it loses its lease, the other replica goes on to where the first one would have come, and
//! nobody writes beside it.

use std::collections::BTreeSet;
use std::future::pending;
use std::time::Duration;

use sample_controller::controller::foo_controller;
use sample_controller::foo::Foo;
use sample_controller::setup;
use serde_json::json;
use tokio::time::sleep;
use watchkeeper::cluster::Cluster;
use watchkeeper::prelude::*;
use watchkeeper::testing::{LeaderLoss, Replica, Way, end_state};

use crate::determinism::first_difference;
use crate::each_write::story;
use crate::faults::on_its_own;
use crate::world::{EPOCH, World};

/// A replica that works while it has the lease.
async fn replica(
    cluster: &Cluster,
    loss: &LeaderLoss,
    replica: Replica,
) -> watchkeeper::Result<()> {
    let client = cluster.client(replica.name());
    let like_all = |manager: Manager| manager.seed(1).clock(cluster.clock());
    let manager = loss.manager(replica, "foos", &client, like_all);
    foo_controller(&manager, 2, Duration::from_secs(30));
    replica.run(manager, pending()).await
}

/// Plays `story` beside two replicas, and tells what it comes to.
fn beside_replicas<T>(loss: &LeaderLoss, story: impl AsyncFnOnce(&World) -> T) -> T {
    on_its_own(async {
        let cluster = Cluster::builder().actors([]).seed(1).clock(EPOCH).build();
        let world = World { client: cluster.client("script").field_manager("script"), cluster };
        setup::install_crd(&world.client).await.expect("the CRD");
        let [first, second] = Replica::BOTH.map(|of| replica(&world.cluster, loss, of));
        tokio::select! {
            biased;
            done = Box::pin(story(&world)) => done,
            ended = first => panic!("the first one ended: {ended:?}"),
            ended = second => panic!("the second one ended: {ended:?}"),
        }
    })
}

/// Something to do each second for a minute.
async fn busy(world: &World) {
    world.foo("a", "a", Some(1)).await;
    for second in 1..60 {
        sleep(Duration::from_secs(1)).await;
        world.patch::<Foo>("a", json!({"spec": {"replicas": 1 + second % 10}})).await;
    }
    sleep(Duration::from_secs(30)).await;
    let deployment = world.get::<Deployment>("a").await.expect("the Deployment");
    assert_eq!(deployment.spec.replicas, Some(10));
}

/// Whether the caller wants each place (`cargo xtask long` does), or some of them.
#[expect(clippy::disallowed_methods, reason = "how much is done is the caller's to say")]
fn of_each(step: usize) -> usize {
    if std::env::var("WATCHKEEPER_EACH_FAULT").is_ok() { 1 } else { step }
}

#[test]
fn whenever_the_lease_is_lost_the_other_one_goes_on_and_nobody_writes_beside_it() {
    let mut before = BTreeSet::new();
    for n in (1..=40).step_by(of_each(3)) {
        let loss = LeaderLoss::at_request(n);
        beside_replicas(&loss, busy);
        loss.handed_over_once().unwrap_or_else(|error| panic!("{error}"));
        assert!(loss.place().is_some(), "there is no request {n}");
        match *loss.turns() {
            // It never got the lease.
            [(Replica::Second, _)] => {}
            [(Replica::First, writes), (Replica::Second, _)] => drop(before.insert(writes)),
            ref other => panic!("cut off from request {n}: {other:?}"),
        }
    }
    assert!(before.len() > 5, "the lease is lost after other numbers of writes: {before:?}");
}

/// Where the story of each write ends.
fn end(loss: &LeaderLoss) -> Vec<String> {
    beside_replicas(loss, async |world| {
        // There is a leader by then.
        sleep(Duration::from_secs(2)).await;
        story(world).await;
        let mut end = end_state(&world.cluster, Way::Other).await.expect("the state");
        end.retain(|line| !line.starts_with("leases.coordination.k8s.io "));
        end
    })
}

#[test]
fn wherever_a_reconcile_waits_when_the_lease_is_lost_the_end_is_the_same() {
    let expected = end(&LeaderLoss::never());
    assert!(expected.iter().any(|line| line.contains("renamed")), "{expected:?}");
    let (mut places, mut taken) = (0, 0);
    for n in (1..).step_by(of_each(3)) {
        let loss = LeaderLoss::at_await(n);
        let end = end(&loss);
        loss.handed_over_once().unwrap_or_else(|error| panic!("at {n}: {error}"));
        let Some(place) = loss.place() else { break };
        (places, taken) = (places + 1, taken + usize::from(loss.is_taken_over()));
        if let Some(difference) = first_difference(&expected, &end) {
            panic!("cut off at {n}, {place}, it leads elsewhere: {difference}");
        }
    }
    // At the end of the story there is no time left for it.
    assert!(places >= 10 && taken * 10 >= places * 7, "taken over {taken} times of {places}");
}
