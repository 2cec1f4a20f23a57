//! Pods leave a node that does not bear them any more, and others come elsewhere.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;
use watchkeeper_api::Object;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::{Node, Pod, PodCondition};
use watchkeeper_client::{Patch, PatchOptions};

use crate::faults::workload;
use crate::world::{World, is_ready, run};

const UNREACHABLE: &str = "node.kubernetes.io/unreachable";
const OUT: &str = "example.com/out";

async fn pod(world: &World, name: &str, more: Value) {
    let mut spec = json!({"containers": [{"name": "web", "image": "web:1"}]});
    for (name, value) in more.as_object().expect("members") {
        spec[name] = value.clone();
    }
    let metadata = json!({"name": name, "namespace": "default"});
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec});
    world.make::<Pod>(pod).await;
}

/// Tolerates the taint for so many seconds.
fn tolerating(key: &str, seconds: u32) -> Value {
    json!({"tolerations": [{
        "key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": seconds}]})
}

async fn patch_node(world: &World, change: Value) {
    let api = world.client.api::<Node>();
    api.patch("node-0", &Patch::merge(&change), &PatchOptions::default()).await.expect("a patch");
}

/// Loses the node, or finds it again.
async fn lose(world: &World, lost: Value) {
    patch_node(world, json!({"metadata": {"annotations": {"fake-kubelet/lost": lost}}})).await;
}

/// Gives the node taints that end pods.
async fn taint(world: &World, keys: &[&str]) {
    let taints = keys.iter().map(|key| json!({"key": key, "effect": "NoExecute"}));
    let taints: Vec<Value> = taints.collect();
    patch_node(world, json!({"spec": {"taints": taints}})).await;
}

/// The names of the pods that stay, in order.
async fn staying(world: &World) -> Vec<String> {
    let pods = world.pods().await.into_iter().filter(|pod| !pod.is_deleting());
    let mut names: Vec<String> = pods.map(|pod| pod.name().to_owned()).collect();
    names.sort();
    names
}

/// The nodes of the pods that stay, in order.
async fn nodes(world: &World) -> Vec<String> {
    let pods = world.pods().await.into_iter().filter(|pod| !pod.is_deleting());
    let mut nodes: Vec<String> = pods.map(|pod| pod.spec.node_name.to_string()).collect();
    nodes.sort();
    nodes
}

async fn get(world: &World, name: &str) -> Pod {
    world.get::<Pod>(name).await.expect("the pod")
}

fn why(pod: &Pod) -> Option<&PodCondition> {
    pod.status.conditions.iter().find(|condition| condition.type_ == "DisruptionTarget")
}

/// What was told of evictions of a pod.
async fn told(world: &World, pod: &str) -> Vec<String> {
    let mut events = world.events(pod).await;
    events.retain(|event| event.contains("TaintManagerEviction"));
    events
}

/// How much was written but heartbeats.
fn writes(world: &World) -> usize {
    let entries = world.cluster.server().history().entries().to_vec();
    entries.iter().filter(|entry| &*entry.table != "leases.coordination.k8s.io").count()
}

#[tokio::test(start_paused = true)]
async fn pods_of_a_lost_node_are_replaced_after_five_minutes() {
    run(2, async |world| {
        let web = workload("Deployment", "default", "web", json!({"replicas": 2}));
        world.make::<Deployment>(web).await;
        world.settled().await;
        assert_eq!(nodes(world).await, ["node-0", "node-1"]);
        lose(world, json!("true")).await;
        // It is given up after forty to fifty seconds.
        sleep(Duration::from_secs(330)).await;
        assert_eq!(nodes(world).await, ["node-0", "node-1"]);
        sleep(Duration::from_secs(40)).await;
        assert_eq!(nodes(world).await, ["node-1", "node-1"]);
        let pods = world.pods().await;
        assert_eq!(pods.len(), 3, "nobody on the lost node lets the old one go");
        assert_eq!(pods.iter().filter(|pod| is_ready(pod)).count(), 2);
        let web = world.get::<Deployment>("web").await.expect("the deployment");
        assert_eq!(web.status.available_replicas, 2);

        lose(world, json!(null)).await;
        world.settled().await;
        assert_eq!(nodes(world).await, ["node-1", "node-1"]);
        assert_eq!(world.pods().await.len(), 2);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn whoever_tolerates_it_for_longer_stays_for_longer() {
    run(1, async |world| {
        pod(world, "usual", json!({})).await;
        pod(world, "patient", tolerating(UNREACHABLE, 600)).await;
        pod(world, "faithful", json!({"tolerations": [{"operator": "Exists"}]})).await;
        world.settled().await;
        lose(world, json!("true")).await;
        sleep(Duration::from_secs(370)).await;
        assert_eq!(staying(world).await, ["faithful", "patient"]);
        sleep(Duration::from_secs(300)).await;
        assert_eq!(staying(world).await, ["faithful"]);
        let marked = "Normal TaintManagerEviction: Marking for deletion Pod default/usual";
        assert_eq!(told(world, "usual").await, [marked]);
        assert!(told(world, "faithful").await.is_empty());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_stays_whose_node_comes_back_in_time() {
    run(1, async |world| {
        pod(world, "web", json!({})).await;
        world.settled().await;
        lose(world, json!("true")).await;
        sleep(Duration::from_secs(200)).await;
        assert!(told(world, "web").await.is_empty());
        lose(world, json!(null)).await;
        sleep(Duration::from_secs(400)).await;
        let web = get(world, "web").await;
        assert!(is_ready(&web) && !web.is_deleting() && why(&web).is_none());
        let cancelled = "Normal TaintManagerEviction: Cancelling deletion of Pod default/web";
        assert_eq!(told(world, "web").await, [cancelled]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_taint_ends_the_pods_that_do_not_tolerate_it() {
    run(1, async |world| {
        pod(world, "plain", json!({})).await;
        pod(world, "brief", tolerating(OUT, 60)).await;
        pod(world, "tolerant", json!({"tolerations": [{"key": OUT, "operator": "Exists"}]})).await;
        world.settled().await;
        taint(world, &[OUT]).await;
        sleep(Duration::from_secs(5)).await;
        assert_eq!(staying(world).await, ["brief", "tolerant"]);
        assert!(world.get::<Pod>("plain").await.is_none());
        // Whoever comes later, past the scheduler, goes as well.
        pod(world, "late", json!({"nodeName": "node-0"})).await;
        sleep(Duration::from_secs(5)).await;
        assert_eq!(staying(world).await, ["brief", "tolerant"]);
        let marked = "Normal TaintManagerEviction: Marking for deletion Pod default/late";
        assert_eq!(told(world, "late").await, [marked]);
        sleep(Duration::from_secs(60)).await;
        assert_eq!(staying(world).await, ["tolerant"]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn it_is_told_once_why_a_pod_goes() {
    run(1, async |world| {
        pod(world, "web", json!({})).await;
        let hold = json!({"metadata": {"finalizers": ["example.com/hold"]}});
        world.patch::<Pod>("web", hold).await;
        world.settled().await;
        taint(world, &[OUT]).await;
        world.settled().await;
        let web = get(world, "web").await;
        let told_of = why(&web).expect("the condition");
        assert_eq!((&*told_of.status, &*told_of.reason), ("True", "DeletionByTaintManager"));
        assert_eq!(&*told_of.message, "Taint manager: deleting due to NoExecute taint");
        assert!(web.is_deleting());

        let before = writes(world);
        taint(world, &[OUT, "example.com/more"]).await;
        world.settled().await;
        assert_eq!(writes(world), before + 1, "the taint itself");
        assert_eq!(told(world, "web").await.len(), 1);
    })
    .await;
}
