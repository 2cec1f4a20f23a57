//! Whichever write of the sample fails, and however, the end is that of a run in which none did.

use std::time::Duration;

use sample_controller::foo::Foo;
use serde_json::json;
use tokio::time::sleep;
use watchkeeper::apiserver::hooks::{Fault, NthWrite};
use watchkeeper::client::{Patch, PatchOptions};
use watchkeeper::cluster::Cluster;
use watchkeeper::prelude::*;
use watchkeeper::testing::{Way, end_state};

use crate::determinism::first_difference;
use crate::faults::on_its_own;
use crate::world::{EPOCH, World, run_on};

/// Longer than anybody waits who has failed once.
const PATIENCE: Duration = Duration::from_secs(45);

/// A Foo comes, its Deployment becomes available, grows, and is renamed; the script is the only one beside the sample.
pub(crate) async fn story(world: &World) {
    world.foo("a", "a", Some(1)).await;
    sleep(PATIENCE).await;
    let available = Patch::merge(
        &json!({"status": {"replicas": 1, "readyReplicas": 1, "availableReplicas": 1}}),
    );
    let deployments = world.client.api::<Deployment>().namespace("default");
    deployments.patch_status("a", &available, &PatchOptions::default()).await.expect("a patch");
    sleep(PATIENCE).await;
    let renamed = json!({"spec": {"deploymentName": "renamed", "replicas": 2}});
    world.patch::<Foo>("a", renamed).await;
    sleep(PATIENCE).await;
}

/// The end of the story where one write fails.
fn end_through(failing: &NthWrite) -> Vec<String> {
    on_its_own(async {
        let cluster = Cluster::builder().actors([]).seed(1).clock(EPOCH).build();
        run_on(cluster, 1, async |world| {
            world.cluster.server().add_hook(failing.clone());
            story(world).await;
            end_state(&world.cluster, Way::Other).await.expect("the state")
        })
        .await
    })
}

/// Where the `n`-th write of the sample alone meets `fault`.
fn failing(n: usize, fault: Fault) -> NthWrite {
    NthWrite::new(n, fault).spare("script")
}

#[test]
fn whichever_write_of_the_sample_fails_the_end_is_the_same() {
    let expected = end_through(&failing(usize::MAX, Fault::Hangup));
    assert!(expected.iter().any(|line| line.starts_with("foos.")), "{expected:?}");
    assert!(expected.iter().any(|line| line.contains("renamed")), "{expected:?}");
    for fault in Fault::OF_A_WRITE {
        for n in 1.. {
            let failing = failing(n, fault);
            let end = end_through(&failing);
            let Some(struck) = failing.struck() else {
                // Of what is there it changes the status, and counts an event.
                let least = if fault == Fault::Conflict { 1 } else { 6 };
                assert!(n > least, "{fault:?}: only {} writes", n - 1);
                break;
            };
            if let Some(difference) = first_difference(&expected, &end) {
                panic!("{fault:?} of {struck}, the write {n}, leads elsewhere: {difference}");
            }
        }
    }
}
