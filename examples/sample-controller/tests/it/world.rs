//! A cluster with the sample controller, in a test: scripts run while everything else does.

use std::time::Duration;

use sample_controller::controller::foo_controller;
use sample_controller::foo::Foo;
use sample_controller::setup;
use tokio::time::sleep;
use watchkeeper::api::apps::v1::ReplicaSet;
use watchkeeper::api::core::v1::Event;
use watchkeeper::apiserver::{Clock, HistoryEntry};
use watchkeeper::client::access::AccessRecorder;
use watchkeeper::client::{ListOptions, Patch, PatchOptions};
use watchkeeper::cluster::Cluster;
use watchkeeper::prelude::*;

/// The moment every test begins: the first second of 2026.
pub(crate) const EPOCH: Clock =
    Clock::Virtual(watchkeeper::apiserver::Now(Duration::from_secs(1_767_225_600)));
/// After this long without a write a world has settled.
const QUIET: Duration = Duration::from_secs(5);

/// A cluster that runs, and a client for the script.
pub(crate) struct World {
    pub(crate) cluster: Cluster,
    pub(crate) client: Client,
}

/// Runs `script` beside a cluster and the sample controller, all from one seed, and returns what
/// it returns. The runtime's clock must be paused.
pub(crate) async fn run<T>(seed: u64, script: impl AsyncFnOnce(&World) -> T) -> T {
    run_on(Cluster::builder().seed(seed).clock(EPOCH).build(), seed, script).await
}

/// As [`run`], on a cluster that was made by the caller.
pub(crate) async fn run_on<T>(
    cluster: Cluster,
    seed: u64,
    script: impl AsyncFnOnce(&World) -> T,
) -> T {
    run_recorded(cluster, seed, &AccessRecorder::new(), script).await
}

/// As [`run_on`], and notes what the controller asks of the server.
pub(crate) async fn run_recorded<T>(
    cluster: Cluster,
    seed: u64,
    recorder: &AccessRecorder,
    script: impl AsyncFnOnce(&World) -> T,
) -> T {
    let client = cluster.client("script").field_manager("script");
    let world = World { cluster, client };
    setup::install_crd(&world.client).await.expect("the CRD");
    let controller = async {
        let client = world.cluster.client("sample-controller").recorded_by(recorder);
        let manager = Manager::new(&client).seed(seed).clock(world.cluster.clock());
        foo_controller(&manager, 2, Duration::from_secs(30));
        manager.run(std::future::pending()).await
    };
    tokio::select! {
        biased;
        done = Box::pin(script(&world)) => done,
        ended = controller => panic!("the controller ended: {ended:?}"),
        ended = world.cluster.run(std::future::pending()) => panic!("the cluster ended: {ended:?}"),
    }
}

impl World {
    /// Waits until nobody has written anything but heartbeats for a while.
    pub(crate) async fn settled(&self) {
        loop {
            let before = self.writes().len();
            sleep(QUIET).await;
            if self.writes().len() == before {
                return;
            }
        }
    }

    /// Every write but the heartbeats.
    pub(crate) fn writes(&self) -> Vec<HistoryEntry> {
        let entries = self.cluster.server().history().entries().to_vec();
        entries.into_iter().filter(|entry| &*entry.table != "leases.coordination.k8s.io").collect()
    }

    /// The writes of one actor since `mark`, as `verb table/subresource key`.
    pub(crate) fn written_by(&self, actor: &str, mark: usize) -> Vec<String> {
        let line = |entry: &HistoryEntry| {
            let part = if entry.subresource.is_empty() { "" } else { "/" };
            format!(
                "{} {}{part}{} {}",
                entry.verb.name(),
                entry.table,
                entry.subresource,
                entry.key
            )
        };
        self.writes()[mark..].iter().filter(|entry| *entry.actor == *actor).map(line).collect()
    }

    /// Makes a Foo.
    pub(crate) async fn foo(&self, name: &str, deployment: &str, replicas: Option<i32>) -> Foo {
        let foo = object!(Foo {
            metadata: { name: name, namespace: "default" },
            spec: { deployment_name: deployment, replicas: replicas },
        });
        let api = self.client.api::<Foo>().namespace("default");
        api.create(&foo, &Default::default()).await.expect("the Foo is made")
    }

    /// Merges `change` into an object.
    pub(crate) async fn patch<K: StaticKind>(&self, name: &str, change: serde_json::Value) {
        let api = self.client.api::<K>().namespace("default");
        api.patch(name, &Patch::merge(&change), &PatchOptions::default()).await.expect("a patch");
    }

    /// Deletes an object.
    pub(crate) async fn delete<K: StaticKind>(&self, name: &str) {
        let api = self.client.api::<K>().namespace("default");
        api.delete(name, &Default::default()).await.expect("a deletion");
    }

    /// Reads an object, if it is there.
    pub(crate) async fn get<K: StaticKind>(&self, name: &str) -> Option<K> {
        self.client.api::<K>().namespace("default").get_opt(name).await.expect("a read")
    }

    /// All objects of a kind in the namespace.
    pub(crate) async fn all<K: StaticKind>(&self) -> Vec<K> {
        let api = self.client.api::<K>().namespace("default");
        api.list_all(&ListOptions::default()).await.expect("a list").items
    }

    /// What stands in the namespace, a line each.
    pub(crate) async fn picture(&self) -> String {
        let mut lines = Vec::new();
        for foo in self.all::<Foo>().await {
            lines.push(format!("foo {} {}", foo.name(), foo.status.available_replicas));
        }
        for deployment in self.all::<Deployment>().await {
            let status = &deployment.status;
            let wanted = deployment.spec.replicas.unwrap_or(1);
            lines.push(format!(
                "deployment {} {}/{wanted}",
                deployment.name(),
                status.available_replicas
            ));
        }
        let sets = self.all::<ReplicaSet>().await;
        let active = sets.iter().filter(|set| set.spec.replicas != Some(0)).count();
        lines.push(format!("{active} replica sets, {} pods", self.all::<Pod>().await.len()));
        lines.join("\n")
    }

    /// The events about an object: `type reason xN message`.
    pub(crate) async fn events(&self, kind: &str, name: &str) -> Vec<String> {
        let about = |event: &&Event| {
            event.involved_object.kind == *kind && event.involved_object.name == *name
        };
        let line = |event: &Event| {
            format!("{} {} x{} {}", event.type_, event.reason, event.count.max(1), event.message)
        };
        self.all::<Event>().await.iter().filter(about).map(line).collect()
    }
}
