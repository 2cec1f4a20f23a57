//! Pods get a node, or are told why not, and get one when that changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use watchkeeper_api::core::v1::{Node, Pod};
use watchkeeper_apiserver::Hook;
use watchkeeper_apiserver::hooks::{Aftermath, Answered, Write};
use watchkeeper_apiserver::storage::Event;
use watchkeeper_client::{Patch, PatchOptions, Propagation};

use crate::world::{World, run};

mod apart;

/// Makes a pod with labels that say its name, and with one container that is as `container` says besides.
async fn pod_with(world: &World, name: &str, mut spec: Value, mut container: Value) {
    container["name"] = json!("web");
    container["image"] = json!("web:1");
    spec["containers"] = json!([container]);
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "spec": spec,
        "metadata": {"name": name, "namespace": "default", "labels": {"app": name}}});
    world.make::<Pod>(pod).await;
}

async fn pod(world: &World, name: &str, spec: Value) {
    pod_with(world, name, spec, json!({})).await;
}

/// Asks for so many of the 32 processors of a node.
fn cpu(amount: &str) -> Value {
    json!({"resources": {"requests": {"cpu": amount}}})
}

async fn node_of(world: &World, name: &str) -> String {
    world.settled().await;
    world.get::<Pod>(name).await.expect("the pod").spec.node_name.to_string()
}

/// What the condition `PodScheduled` says.
async fn condition(world: &World, name: &str) -> [String; 3] {
    let pod = world.get::<Pod>(name).await.expect("the pod");
    let told = pod.status.conditions.iter().find(|one| one.type_ == "PodScheduled");
    let told = told.expect("the condition");
    [&told.status, &told.reason, &told.message].map(ToString::to_string)
}

/// The message of the events that say why a pod has no node.
async fn refusals(world: &World, name: &str) -> Vec<String> {
    let events = world.events(name).await.into_iter();
    let told = events
        .filter_map(|event| event.strip_prefix("Warning FailedScheduling: ").map(str::to_owned));
    told.collect()
}

async fn cordon(world: &World, yes: bool) {
    let change = json!({"spec": {"unschedulable": yes}});
    let api = world.client.api::<Node>();
    api.patch("node-0", &Patch::merge(&change), &PatchOptions::default()).await.expect("a patch");
}

/// Counts the lists of pods.
#[derive(Clone, Default)]
struct Lists(Arc<AtomicUsize>);

impl Hook for Lists {
    fn on_answer(&mut self, answered: &Answered<'_>) {
        let is_one = answered.verb == "list" && answered.table == "pods";
        self.0.fetch_add(is_one.into(), Ordering::Relaxed);
    }
}

/// The answer to a binding has no version that a copy could wait for; the ledger knows of it without.
#[tokio::test(start_paused = true)]
async fn nobody_asks_what_became_of_a_binding() {
    run(2, async |world| {
        let lists = Lists::default();
        world.cluster.server().add_hook(lists.clone());
        for number in 0..20 {
            pod(world, &format!("a-{number}"), json!({})).await;
        }
        world.settled().await;
        for number in 0..20 {
            assert_ne!(node_of(world, &format!("a-{number}")).await, "");
        }
        assert_eq!(lists.0.load(Ordering::Relaxed), 0);
    })
    .await;
}

/// Loses the first answer to a binding.
struct LostBinding(bool);

impl Hook for LostBinding {
    fn after_commit(&mut self, write: &Write<'_>, _: &Event) -> Aftermath {
        let node = write.object.and_then(|object| object.pointer("/spec/nodeName"));
        let is_binding = write.table == "pods" && node.is_some();
        let is_lost = is_binding && !self.0;
        self.0 |= is_binding;
        if is_lost { Aftermath::LoseReply } else { Aftermath::Reply }
    }
}

/// No copy is told of a binding, so that the scheduler asks by itself what became of one.
#[tokio::test(start_paused = true)]
async fn a_binding_whose_answer_is_lost_is_found() {
    run(1, async |world| {
        world.cluster.server().add_hook(LostBinding(false));
        pod(world, "a", json!({})).await;
        assert_eq!(node_of(world, "a").await, "node-0");
        let told = "Normal Scheduled: Successfully assigned default/a to node-0".to_owned();
        let events = world.events("a").await;
        assert_eq!(events.iter().filter(|event| **event == told).count(), 1, "{events:?}");
        assert!(refusals(world, "a").await.is_empty());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_waits_for_a_cordoned_node_and_is_told_so() {
    run(1, async |world| {
        cordon(world, true).await;
        pod(world, "a", json!({})).await;
        world.settled().await;
        let waiting = world.get::<Pod>("a").await.expect("the pod");
        assert_eq!(waiting.spec.node_name, "");
        assert_eq!(waiting.status.phase, "Pending");
        let told = "0/1 nodes are available: 1 node(s) were unschedulable. preemption: 0/1 nodes \
                    are available: 1 Preemption is not helpful for scheduling.";
        assert_eq!(refusals(world, "a").await, [told]);
        assert_eq!(condition(world, "a").await, ["False", "Unschedulable", told]);
        cordon(world, false).await;
        world.settled().await;
        let placed = world.get::<Pod>("a").await.expect("the pod");
        assert_eq!((&*placed.spec.node_name, &*placed.status.phase), ("node-0", "Running"));
        assert_eq!(condition(world, "a").await, ["True", "", ""]);
        let told = "Normal Scheduled: Successfully assigned default/a to node-0";
        assert!(world.events("a").await.contains(&told.to_owned()));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_with_gates_is_not_looked_at_before_they_are_gone() {
    run(1, async |world| {
        pod(world, "a", json!({"schedulingGates": [{"name": "example.com/wait"}]})).await;
        assert_eq!(node_of(world, "a").await, "");
        let told = "Scheduling is blocked due to non-empty scheduling gates";
        assert_eq!(condition(world, "a").await, ["False", "SchedulingGated", told]);
        assert!(world.events("a").await.is_empty());
        world.patch::<Pod>("a", json!({"spec": {"schedulingGates": null}})).await;
        assert_eq!(node_of(world, "a").await, "node-0");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_waits_until_there_is_room_for_it() {
    run(1, async |world| {
        pod_with(world, "a", json!({}), cpu("20")).await;
        assert_eq!(node_of(world, "a").await, "node-0");
        pod_with(world, "b", json!({}), cpu("20")).await;
        assert_eq!(node_of(world, "b").await, "");
        let told = "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are \
                    available: 1 No preemption victims found for incoming pod.";
        assert_eq!(refusals(world, "b").await, [told]);
        pod_with(world, "small", json!({}), cpu("12")).await;
        assert_eq!(node_of(world, "small").await, "node-0");
        world.delete::<Pod>("a", Propagation::Background).await;
        assert_eq!(node_of(world, "b").await, "node-0");
    })
    .await;
}

/// Whose status says that it has ended takes nothing.
#[tokio::test(start_paused = true)]
async fn a_pod_that_has_ended_leaves_its_room_to_others() {
    run(1, async |world| {
        pod_with(world, "a", json!({"restartPolicy": "Never"}), cpu("32")).await;
        pod_with(world, "b", json!({}), cpu("1")).await;
        assert_eq!(node_of(world, "b").await, "node-0");
        assert_eq!(world.get::<Pod>("a").await.expect("the pod").status.phase, "Succeeded");
        assert_eq!(refusals(world, "b").await.len(), 1, "there was no room before");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn pods_of_a_higher_priority_go_first() {
    run(1, async |world| {
        pod_with(world, "first", json!({}), cpu("32")).await;
        assert_eq!(node_of(world, "first").await, "node-0");
        for name in ["a", "b", "c", "d"] {
            pod_with(world, name, json!({}), cpu("32")).await;
        }
        let high = json!({"priorityClassName": "system-cluster-critical"});
        pod_with(world, "high", high, cpu("32")).await;
        assert_eq!(node_of(world, "high").await, "");
        world.delete::<Pod>("first", Propagation::Background).await;
        assert_eq!(node_of(world, "high").await, "node-0");
        for name in ["a", "b", "c", "d"] {
            assert_eq!(node_of(world, name).await, "");
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_port_of_a_node_is_for_one_pod_at_a_time() {
    run(1, async |world| {
        let port = json!({"ports": [{"containerPort": 80, "hostPort": 8080}]});
        pod_with(world, "a", json!({}), port.clone()).await;
        assert_eq!(node_of(world, "a").await, "node-0");
        pod_with(world, "b", json!({}), port).await;
        assert_eq!(node_of(world, "b").await, "");
        let why = "1 node(s) didn't have free ports for the requested pod ports.";
        let told = refusals(world, "b").await;
        assert!(told.iter().any(|told| told.contains(why)), "{told:?}");
        world.delete::<Pod>("a", Propagation::Background).await;
        assert_eq!(node_of(world, "b").await, "node-0");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_waits_for_the_one_that_it_wants_near() {
    run(2, async |world| {
        let terms = json!([{"topologyKey": "kubernetes.io/hostname",
            "labelSelector": {"matchLabels": {"app": "cache"}}}]);
        let near = json!({"requiredDuringSchedulingIgnoredDuringExecution": terms});
        pod(world, "web", json!({"affinity": {"podAffinity": near}})).await;
        assert_eq!(node_of(world, "web").await, "");
        let only = json!({"nodeSelector": {"kubernetes.io/hostname": "node-1"}});
        pod(world, "cache", only).await;
        assert_eq!(node_of(world, "cache").await, "node-1");
        assert_eq!(node_of(world, "web").await, "node-1");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_pod_keeps_away_from_those_that_it_does_not_want_near() {
    run(1, async |world| {
        let terms = json!([{"topologyKey": "kubernetes.io/hostname",
            "labelSelector": {"matchLabels": {"app": "cache"}}}]);
        let away = json!({"requiredDuringSchedulingIgnoredDuringExecution": terms});
        pod(world, "cache", json!({})).await;
        assert_eq!(node_of(world, "cache").await, "node-0");
        pod(world, "web", json!({"affinity": {"podAntiAffinity": away}})).await;
        assert_eq!(node_of(world, "web").await, "");
        world.delete::<Pod>("cache", Propagation::Background).await;
        assert_eq!(node_of(world, "web").await, "node-0");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn pods_are_spread_and_those_of_another_scheduler_are_left_alone() {
    run(3, async |world| {
        for name in ["a", "b", "c"] {
            pod(world, name, json!({})).await;
        }
        pod(world, "foreign", json!({"schedulerName": "another"})).await;
        world.settled().await;
        let mut nodes: Vec<String> =
            world.pods().await.iter().map(|pod| pod.spec.node_name.to_string()).collect();
        nodes.sort();
        assert_eq!(nodes, ["", "node-0", "node-1", "node-2"]);
        assert!(world.events("foreign").await.is_empty());
    })
    .await;
}
