//! Where pods go, and what is said when they go nowhere.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use expect_test::expect;
use tokio::time::sleep;
use watchkeeper_api::core::v1::{Event, Node, NodeCondition, Pod, Taint, Toleration};
use watchkeeper_api::{List, object};
use watchkeeper_apiserver::{Clock, Now};
use watchkeeper_client::ListOptions;

use super::NAME;
use super::plan::place;
use crate::Cluster;

fn node(name: &str, ready: bool) -> Node {
    let mut node = Node::default();
    node.metadata.name = name.into();
    node.status.conditions.push(NodeCondition {
        type_: "Ready".into(),
        status: if ready { "True" } else { "False" }.into(),
        ..NodeCondition::default()
    });
    node
}

fn load(pods: &[(&str, usize)]) -> impl Fn(&str) -> usize {
    let pods: BTreeMap<String, usize> =
        pods.iter().map(|(name, pods)| ((*name).to_owned(), *pods)).collect();
    move |name| pods.get(name).copied().unwrap_or(0)
}

#[test]
fn the_emptiest_node_is_chosen_and_the_name_breaks_ties() {
    let nodes = ["a", "b", "c"].map(|name| Arc::new(node(name, true)));
    let pod = Pod::default();
    assert_eq!(place(&pod, &nodes, load(&[("a", 1)])), Ok("b".to_owned()));
    assert_eq!(place(&pod, &nodes, load(&[])), Ok("a".to_owned()));
}

#[test]
fn a_pod_that_fits_nowhere_is_told_why() {
    let mut cordoned = node("b", true);
    cordoned.spec.unschedulable = true;
    let mut tainted = node("c", true);
    tainted.spec.taints.push(Taint {
        key: "gpu".into(),
        effect: "NoSchedule".into(),
        ..Taint::default()
    });
    let nodes = [node("a", false), cordoned, tainted].map(Arc::new);
    let reason = place(&Pod::default(), &nodes, load(&[])).expect_err("no node fits");
    expect!["0/3 nodes are available: 1 node(s) had untolerated taint {gpu: }, 1 node(s) were not ready, 1 node(s) were unschedulable."]
        .assert_eq(&reason);
    let reason = place(&Pod::default(), &[], load(&[])).expect_err("there is no node");
    expect!["no nodes available to schedule pods"].assert_eq(&reason);
}

#[test]
fn a_toleration_opens_a_tainted_node_and_a_selector_closes_others() {
    let mut tainted = node("a", true);
    tainted.spec.taints.push(Taint {
        key: "gpu".into(),
        effect: "NoExecute".into(),
        ..Taint::default()
    });
    tainted.metadata.labels.insert("zone", "x");
    let nodes = [tainted, node("b", true)].map(Arc::new);
    let mut pod = Pod::default();
    pod.spec.node_selector.insert("zone", "x");
    assert!(place(&pod, &nodes, load(&[])).is_err());
    let toleration =
        Toleration { key: "gpu".into(), operator: "Exists".into(), ..Toleration::default() };
    pod.spec.tolerations = List::from([toleration]).into();
    assert_eq!(place(&pod, &nodes, load(&[])), Ok("a".to_owned()));
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
