//! A cluster that runs beside a script.

use std::time::Duration;

use serde_json::Value;
use tokio::time::sleep;
use watchkeeper_api::core::v1::{Event, Pod};
use watchkeeper_api::{StaticKind, Writable, json};
use watchkeeper_apiserver::{Clock, Now};
use watchkeeper_client::{
    Client, CreateOptions, DeleteOptions, ListOptions, Patch, PatchOptions, Propagation,
};
use watchkeeper_cluster::Cluster;

/// The moment every test begins.
pub(crate) const EPOCH: Clock = Clock::Virtual(Now(Duration::from_secs(1_767_225_600)));
/// After this long without a write a world has settled.
const QUIET: Duration = Duration::from_secs(5);

pub(crate) struct World {
    pub(crate) cluster: Cluster,
    pub(crate) client: Client,
}

/// Runs `script` beside a cluster of `nodes` nodes. The runtime's clock must be paused.
pub(crate) async fn run(nodes: u16, script: impl AsyncFnOnce(&World)) {
    let cluster = Cluster::builder().nodes(nodes).seed(36).clock(EPOCH).build();
    let client = cluster.client("script").field_manager("script");
    let world = World { cluster, client };
    let script = async {
        world.settled().await;
        script(&world).await;
    };
    tokio::select! {
        biased;
        () = script => {}
        ended = world.cluster.run(std::future::pending()) => panic!("the cluster ended: {ended:?}"),
    }
}

impl World {
    /// Waits until nobody has written anything but heartbeats for a while.
    ///
    /// # Panics
    /// When that takes hours: somebody writes for ever.
    pub(crate) async fn settled(&self) {
        let writes = || {
            let entries = self.cluster.server().history().entries().to_vec();
            entries.iter().filter(|entry| &*entry.table != "leases.coordination.k8s.io").count()
        };
        for _ in 0..1_000 {
            let before = writes();
            sleep(QUIET).await;
            if writes() == before {
                return;
            }
        }
        panic!("the cluster does not settle");
    }

    pub(crate) async fn make<K: StaticKind + Writable>(&self, text: Value) -> K {
        let object: K = json::from_slice(text.to_string().as_bytes()).expect("the object is one");
        let api = match object.namespace() {
            Some(namespace) => self.client.api::<K>().namespace(namespace),
            None => self.client.api::<K>(),
        };
        api.create(&object, &CreateOptions::default()).await.expect("the object is made")
    }

    pub(crate) async fn get<K: StaticKind>(&self, name: &str) -> Option<K> {
        self.client.api::<K>().namespace("default").get_opt(name).await.expect("a read")
    }

    pub(crate) async fn patch<K: StaticKind>(&self, name: &str, change: Value) {
        let api = self.client.api::<K>().namespace("default");
        api.patch(name, &Patch::merge(&change), &PatchOptions::default()).await.expect("a patch");
    }

    pub(crate) async fn patch_status(&self, pod: &str, change: Value) {
        let api = self.client.api::<Pod>().namespace("default");
        let options = PatchOptions::default();
        api.patch_status(pod, &Patch::merge(&change), &options).await.expect("a patch");
    }

    pub(crate) async fn delete<K: StaticKind>(&self, name: &str, how: Propagation) {
        let api = self.client.api::<K>().namespace("default");
        api.delete(name, &DeleteOptions::default().propagation(how)).await.expect("a deletion");
    }

    pub(crate) async fn pods(&self) -> Vec<Pod> {
        let api = self.client.api::<Pod>().namespace("default");
        api.list_all(&ListOptions::default()).await.expect("a list").items
    }

    /// What was told of an object, as `Type Reason: message`.
    pub(crate) async fn events(&self, name: &str) -> Vec<String> {
        let api = self.client.api::<Event>().namespace("default");
        let events = api.list_all(&ListOptions::default()).await.expect("a list").items;
        let of = events.iter().filter(|event| event.involved_object.name == *name);
        of.map(|event| format!("{} {}: {}", event.type_, event.reason, event.message)).collect()
    }
}

/// Whether a pod's `Ready` condition is true.
pub(crate) fn is_ready(pod: &Pod) -> bool {
    pod.status.conditions.iter().any(|is| is.type_ == "Ready" && is.status == "True")
}
