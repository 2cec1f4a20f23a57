//! Where pods go, and what is said when they go nowhere.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;
use watchkeeper_api::core::v1::{Event, Node, Pod};
use watchkeeper_api::{Object, object};
use watchkeeper_apiserver::{Clock, Now};
use watchkeeper_cache::Change;
use watchkeeper_client::ListOptions;

use super::NAME;
use super::ledger::Ledger;
use super::plan::place;
use crate::Cluster;

mod asks;
mod beginning;
mod company;
mod filters;
mod ledger;
mod rooms;
mod waiting;

/// A node with room for three pods.
fn node(name: &str, spec: Value) -> Arc<Node> {
    labelled(name, json!({"kubernetes.io/hostname": name}), spec)
}

fn labelled(name: &str, labels: Value, spec: Value) -> Arc<Node> {
    let node = json!({
        "apiVersion": "v1", "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "spec": spec,
        "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "3"}},
    });
    Arc::new(read(&node))
}

/// A pod with a uid like its name.
fn pod(name: &str, spec: Value) -> Arc<Pod> {
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "uid": name, "labels": {"app": "web"}},
        "spec": spec,
    });
    Arc::new(read(&pod))
}

fn read<K: Object>(value: &Value) -> K {
    watchkeeper_api::json::from_slice(value.to_string().as_bytes()).expect("an object")
}

/// Containers that ask for so many processors.
fn cpu(amount: &str) -> Value {
    json!([{"name": "c", "resources": {"requests": {"cpu": amount}}}])
}

/// The same pod on a node.
fn on(node: &str, pod: &Pod) -> Arc<Pod> {
    let mut placed = pod.clone();
    placed.spec.node_name = node.into();
    Arc::new(placed)
}

/// The pods of some nodes: `a` has what comes with `a`.
fn pods_on(pods: &[(&str, &Arc<Pod>)]) -> Ledger {
    let mut ledger = Ledger::default();
    for (node, pod) in pods {
        ledger.observe(&Change::Added { new: on(node, pod), initial: false });
    }
    ledger
}

/// Where the pod goes, or what is said of it.
fn placed(pod: &Pod, nodes: &[Arc<Node>], ledger: &mut Ledger) -> String {
    place(pod, nodes, ledger).unwrap_or_else(|refusal| refusal.message)
}

/// Makes a pod before any node is there, runs the actors, and tells on which node the pod is and the
/// reasons of the scheduler's events.
async fn scheduled_early(nodes: u16, seed: u64) -> (String, Vec<String>) {
    let clock = Clock::Virtual(Now(Duration::from_secs(1_767_225_600)));
    let cluster = Cluster::builder().nodes(nodes).seed(seed).clock(clock).build();
    let client = cluster.client("script");
    let pods = client.api::<Pod>().namespace("default");
    let script = async {
        let pod = object!(Pod {
            metadata: { name: "early" },
            spec: { containers: [{ name: "a", image: "a" }] },
        });
        pods.create(&pod, &Default::default()).await.expect("a pod");
        sleep(Duration::from_secs(60)).await;
        let node = pods.get("early").await.expect("the pod").spec.node_name.to_string();
        let events = client.api::<Event>().list_all(&ListOptions::default()).await.expect("events");
        let ours = events.items.iter().filter(|event| event.source.component == *NAME);
        (node, ours.map(|event| event.reason.to_string()).collect())
    };
    tokio::select! {
        biased;
        told = script => told,
        ended = cluster.run(pending()) => panic!("the cluster ended: {ended:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn no_pod_is_refused_while_the_cluster_starts() {
    for seed in 0..20 {
        for nodes in [1, 3] {
            let (node, reasons) = scheduled_early(nodes, seed).await;
            assert!(node.starts_with("node-"), "seed {seed}: {node:?}");
            assert_eq!(reasons, ["Scheduled"], "seed {seed}, {nodes} nodes");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_cluster_without_nodes_says_so() {
    assert_eq!(scheduled_early(0, 1).await, (String::new(), vec!["FailedScheduling".to_owned()]));
}
