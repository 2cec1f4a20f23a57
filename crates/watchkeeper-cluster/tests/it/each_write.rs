//! Whichever write of an actor fails, and however, the end is that of a run in which none did.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::Service;
use watchkeeper_apiserver::hooks::{Fault, NthWrite};
use watchkeeper_client::Propagation;
use watchkeeper_cluster::testing::{Way, end_state};

use crate::faults::{object, workload};
use crate::world::{World, run};

/// Longer than anybody waits who has failed once.
const PATIENCE: Duration = Duration::from_secs(60);

/// A Deployment comes behind a Service, and goes.
async fn story(world: &World) {
    let service = json!({"selector": {"app": "web"}, "ports": [{"port": 80}]});
    world.make::<Service>(object("v1", "Service", "web", service)).await;
    let web = workload("Deployment", "default", "web", json!({"replicas": 1}));
    world.make::<Deployment>(web).await;
    sleep(PATIENCE).await;
    world.delete::<Deployment>("web", Propagation::Foreground).await;
    sleep(PATIENCE).await;
}

/// The end of the story where one write fails.
fn end_through(failing: &NthWrite) -> Vec<String> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let mut end = Vec::new();
    runtime.expect("a runtime").block_on(run(1, async |world| {
        world.cluster.server().add_hook(failing.clone());
        story(world).await;
        end = end_state(&world.cluster, Way::Other).await.expect("the state");
    }));
    end
}

/// Where the `n`-th write alone meets `fault`; neither those of the script nor heartbeats are counted.
fn failing(n: usize, fault: Fault) -> NthWrite {
    NthWrite::new(n, fault).spare("script").spare("leases.coordination.k8s.io")
}

/// Each write meets one kind of fault, the next one another; all of them meet each if the caller says so
/// (`cargo xtask long` does).
#[expect(clippy::disallowed_methods, reason = "how much is done is the caller's to say")]
fn faults_of(n: usize) -> Vec<Fault> {
    match std::env::var("WATCHKEEPER_EACH_FAULT") {
        Ok(_) => Fault::OF_A_WRITE.to_vec(),
        Err(_) => vec![Fault::OF_A_WRITE[n % Fault::OF_A_WRITE.len()]],
    }
}

#[test]
fn whichever_write_of_an_actor_fails_the_end_is_the_same() {
    let expected = end_through(&failing(usize::MAX, Fault::Hangup));
    assert!(expected.iter().any(|line| line.starts_with("services ")), "{expected:?}");
    let mut struck = BTreeMap::<Fault, usize>::new();
    for n in 1.. {
        let mut is_over = true;
        for fault in faults_of(n) {
            let failing = failing(n, fault);
            let end = end_through(&failing);
            let Some(what) = failing.struck() else { continue };
            is_over = false;
            *struck.entry(fault).or_default() += 1;
            let differs = expected.iter().zip(&end).find(|(before, after)| before != after);
            assert!(
                differs.is_none() && expected.len() == end.len(),
                "{fault:?} of {what}, the write {n}, leads elsewhere: {differs:?}"
            );
        }
        // Conflicts are of fewer writes.
        if is_over && faults_of(n) != [Fault::Conflict] {
            break;
        }
    }
    let all: usize = struck.values().sum();
    assert!(struck.len() == Fault::OF_A_WRITE.len() && all >= 15, "{struck:?}");
}
