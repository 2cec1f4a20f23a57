//! Wherever a reconcile of an actor waits when its replica loses the lease, the actors of the other replica bring the
//! cluster where it would have been, and nobody writes beside them. The garbage collector reconciles nothing: what it
//! waits for are answers, its copies and its queue.

use std::collections::BTreeSet;
use std::future::pending;
use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;
use watchkeeper_api::apps::v1::{Deployment, StatefulSet};
use watchkeeper_api::batch::v1::Job;
use watchkeeper_api::core::v1::{Namespace, Service};
use watchkeeper_client::{DeleteOptions, Propagation};
use watchkeeper_cluster::Cluster;
use watchkeeper_cluster::actors::{self, FakeNode};
use watchkeeper_cluster::testing::{LeaderLoss, Replica, Way, end_state};
use watchkeeper_manager::Manager;

use crate::faults::{object, template, workload};
use crate::world::{EPOCH, World};

/// Longer than a lease is waited for, and than pods take that are told to go.
const PATIENCE: Duration = Duration::from_secs(90);

/// A replica of all actors, which work while it has the lease.
async fn replica(
    cluster: &Cluster,
    loss: &LeaderLoss,
    replica: Replica,
) -> watchkeeper_api::Result<()> {
    let client = cluster.client(replica.name());
    let like_all = |manager: Manager| manager.seed(36).clock(cluster.clock());
    let manager = loss.manager(replica, "actors", &client, like_all);
    actors::all(&manager, &FakeNode::first(1), Some("a certificate".to_owned()));
    replica.run(manager, pending()).await
}

/// Something of most actors comes, and goes.
async fn story(world: &World) {
    sleep(PATIENCE).await;
    let service = json!({"selector": {"app": "web"}, "ports": [{"port": 80}]});
    world.make::<Service>(object("v1", "Service", "web", service)).await;
    let web = workload("Deployment", "default", "web", json!({"replicas": 1}));
    world.make::<Deployment>(web).await;
    let claims = json!([{
        "metadata": {"name": "data"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    }]);
    let db = json!({"serviceName": "db", "replicas": 1, "volumeClaimTemplates": claims});
    world.make::<StatefulSet>(workload("StatefulSet", "default", "db", db)).await;
    let once = template("pi", json!({"restartPolicy": "Never"}));
    world.make::<Job>(object("batch/v1", "Job", "pi", json!({"template": once}))).await;
    let team = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}});
    world.make::<Namespace>(team).await;
    sleep(PATIENCE).await;
    world.delete::<Deployment>("web", Propagation::Foreground).await;
    let namespaces = world.client.api::<Namespace>();
    namespaces.delete("team", &DeleteOptions::default()).await.expect("a deletion");
    sleep(PATIENCE).await;
}

/// Where the story ends beside two replicas.
fn end(loss: &LeaderLoss) -> Vec<String> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(async {
        let cluster = Cluster::builder().actors([]).seed(36).clock(EPOCH).build();
        let world = World { client: cluster.client("script").field_manager("script"), cluster };
        let [first, second] = Replica::BOTH.map(|of| replica(&world.cluster, loss, of));
        tokio::select! {
            biased;
            () = Box::pin(story(&world)) => {}
            ended = first => panic!("the first one ended: {ended:?}"),
            ended = second => panic!("the second one ended: {ended:?}"),
        }
        let mut end = end_state(&world.cluster, Way::Other).await.expect("the state");
        end.retain(|line| !line.starts_with("leases.coordination.k8s.io "));
        end
    })
}

/// Some of the places, or each if the caller says so (`cargo xtask long` does).
#[expect(clippy::disallowed_methods, reason = "how much is done is the caller's to say")]
fn of_each(step: usize) -> usize {
    if std::env::var("WATCHKEEPER_EACH_FAULT").is_ok() { 1 } else { step }
}

/// Holds that it ends as if nothing had happened wherever the lease is lost: at each place, or one in so many. Tells how
/// many places there are at least, and whose reconciles were cut off, or which kinds of requests.
fn wherever_it_is_lost(lost_at: fn(usize) -> LeaderLoss, step: usize) -> (usize, BTreeSet<String>) {
    let expected = end(&LeaderLoss::never());
    assert!(expected.iter().any(|line| line.starts_with("statefulsets.apps ")), "{expected:?}");
    let (mut last, mut lost, mut taken, mut places) = (0, 0, 0, BTreeSet::new());
    for n in (1..).step_by(of_each(step)) {
        let loss = lost_at(n);
        let end = end(&loss);
        loss.handed_over_once().unwrap_or_else(|error| panic!("at {n}: {error}"));
        let Some(place) = loss.place() else { break };
        let differs = expected.iter().zip(&end).find(|(before, after)| before != after);
        assert!(
            differs.is_none() && expected.len() == end.len(),
            "cut off at {n}, {place}, it leads elsewhere: {differs:?}"
        );
        (last, lost, taken) = (n, lost + 1, taken + usize::from(loss.is_taken_over()));
        places.extend(place.split_once(' ').map(|(whose, _)| whose.to_owned()));
    }
    // At the end of the story there is no time left for it.
    assert!(taken * 10 >= lost * 7, "taken over {taken} times of {lost}");
    (last, places)
}

#[test]
fn wherever_a_reconcile_of_an_actor_waits_when_the_lease_is_lost_the_end_is_the_same() {
    let (places, actors) = wherever_it_is_lost(LeaderLoss::at_await, 23);
    assert!(places >= 100 && actors.len() >= 5, "{places}: {actors:?}");
}

#[test]
fn whenever_the_lease_of_the_actors_is_lost_the_end_is_the_same() {
    let (requests, verbs) = wherever_it_is_lost(LeaderLoss::at_request, 41);
    assert!(requests >= 100 && verbs.len() >= 3, "{requests}: {verbs:?}");
}
