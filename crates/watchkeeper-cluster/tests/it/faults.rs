//! Whatever fails on the way, the actors bring the cluster where it would have been.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;
use watchkeeper_api::apps::v1::{DaemonSet, Deployment, StatefulSet};
use watchkeeper_api::batch::v1::{CronJob, Job};
use watchkeeper_api::core::v1::{ConfigMap, Namespace, Service};
use watchkeeper_api::policy::v1::PodDisruptionBudget;
use watchkeeper_apiserver::hooks::{Fault, Faults};
use watchkeeper_client::{DeleteOptions, Propagation};
use watchkeeper_cluster::testing::{Way, end_state};

use crate::world::{World, run};

/// Longer than anybody waits who failed as often in a row as these seeds bring about.
const PATIENCE: Duration = Duration::from_secs(600);

pub(crate) fn template(app: &str, more: Value) -> Value {
    let mut spec = json!({"containers": [{"name": "c", "image": "c:1"}]});
    for (name, value) in more.as_object().expect("members") {
        spec[name] = value.clone();
    }
    json!({"metadata": {"labels": {"app": app}}, "spec": spec})
}

pub(crate) fn workload(kind: &str, namespace: &str, name: &str, more: Value) -> Value {
    let mut object = json!({
        "apiVersion": "apps/v1", "kind": kind,
        "metadata": {"name": name, "namespace": namespace},
        "spec": {
            "selector": {"matchLabels": {"app": name}},
            "template": template(name, json!({})),
        },
    });
    for (name, value) in more.as_object().expect("members") {
        object["spec"][name] = value.clone();
    }
    object
}

pub(crate) fn object(api_version: &str, kind: &str, name: &str, spec: Value) -> Value {
    json!({
        "apiVersion": api_version, "kind": kind,
        "metadata": {"name": name, "namespace": "default"},
        "spec": spec,
    })
}

fn image(image: &str) -> Value {
    json!({"spec": {"template": {"spec": {"containers": [{"name": "c", "image": image}]}}}})
}

/// Something for every actor, whatever state it is in by then.
async fn story(world: &World) {
    let pause = || sleep(Duration::from_secs(120));
    let claims = json!([{
        "metadata": {"name": "data"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    }]);
    let web = workload("Deployment", "default", "web", json!({"replicas": 3}));
    world.make::<Deployment>(web).await;
    let db = json!({"serviceName": "db", "replicas": 2, "volumeClaimTemplates": claims});
    world.make::<StatefulSet>(workload("StatefulSet", "default", "db", db)).await;
    world.make::<DaemonSet>(workload("DaemonSet", "default", "agent", json!({}))).await;
    let service = json!({"selector": {"app": "web"}, "ports": [{"port": 80}]});
    world.make::<Service>(object("v1", "Service", "web", service)).await;
    let budget = json!({"selector": {"matchLabels": {"app": "web"}}, "minAvailable": 1});
    world
        .make::<PodDisruptionBudget>(object("policy/v1", "PodDisruptionBudget", "web", budget))
        .await;
    let runs_once = template("pi", json!({"restartPolicy": "Never"}));
    let pi = json!({"completions": 3, "ttlSecondsAfterFinished": 100, "template": runs_once});
    world.make::<Job>(object("batch/v1", "Job", "pi", pi)).await;
    let tick = json!({"schedule": "* * * * *", "jobTemplate": {"spec": {"template": runs_once}}});
    world.make::<CronJob>(object("batch/v1", "CronJob", "tick", tick)).await;
    let team = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}});
    world.make::<Namespace>(team).await;
    world.make::<Deployment>(workload("Deployment", "team", "web", json!({"replicas": 2}))).await;
    pause().await;
    world.patch::<Deployment>("web", image("c:2")).await;
    world.patch::<StatefulSet>("db", image("c:2")).await;
    world.patch::<DaemonSet>("agent", image("c:2")).await;
    world.patch::<CronJob>("tick", json!({"spec": {"suspend": true}})).await;
    pause().await;
    world.patch::<Deployment>("web", json!({"spec": {"replicas": 5}})).await;
    world.delete::<StatefulSet>("db", Propagation::Background).await;
    world.delete::<CronJob>("tick", Propagation::Foreground).await;
    let team = world.client.api::<Namespace>();
    team.delete("team", &DeleteOptions::default()).await.expect("a deletion");
    pause().await;
    let last = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "last", "namespace": "default"}});
    world.make::<ConfigMap>(last).await;
}

/// The end of the story through faults.
fn end_through(faults: &Faults) -> Vec<String> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let mut end = Vec::new();
    runtime.expect("a runtime").block_on(run(1, async |world| {
        world.cluster.server().add_hook(faults.clone());
        story(world).await;
        faults.stop();
        sleep(PATIENCE).await;
        world.settled().await;
        end = end_state(&world.cluster, Way::Other).await.expect("the state");
    }));
    end
}

#[test]
#[expect(clippy::disallowed_methods, reason = "how many seeds is the caller's to say")]
fn through_every_fault_the_end_is_the_same() {
    let nothing = Faults::seeded(0);
    nothing.stop();
    let expected = end_through(&nothing);
    let count = |table: &str| expected.iter().filter(|line| line.starts_with(table)).count();
    assert_eq!([count("pods "), count("persistentvolumes "), count("namespaces ")], [6, 2, 4]);
    let mut struck: BTreeMap<Fault, u64> = BTreeMap::new();
    // `cargo xtask long` asks for many more.
    let seeds =
        std::env::var("WATCHKEEPER_SEEDS").map_or(2, |text| text.parse().expect("a number"));
    for seed in 1..=seeds {
        let faults = Faults::seeded(seed).spare("script");
        let end = end_through(&faults);
        let at = expected.iter().zip(&end).take_while(|(a, b)| a == b).count();
        let [before, after] =
            [&expected, &end].map(|lines| lines.get(at).map_or("nothing", |line| line));
        assert_eq!(
            before,
            after,
            "seed {seed}, at line {at} of {} and {}",
            expected.len(),
            end.len()
        );
        faults
            .struck()
            .into_iter()
            .for_each(|(fault, times)| *struck.entry(fault).or_default() += times);
    }
    assert_eq!(struck.len(), 9, "{struck:?}");
}
