//! Which pods go.

use watchkeeper_api::core::v1::{NodeCondition, Taint};
use watchkeeper_api::{List, Time};

use super::*;

/// A pod by its name, its node, its phase and its age.
fn pod(name: &str, node: &str, phase: &str, made: i64) -> Arc<Pod> {
    let mut pod = Pod::default();
    pod.metadata.name = name.into();
    pod.metadata.creation_timestamp = Some(Time::from_unix(made));
    pod.spec.node_name = node.into();
    pod.status.phase = phase.into();
    Arc::new(pod)
}

fn node(name: &str) -> Node {
    let mut node = Node::default();
    node.metadata.name = name.into();
    node.status.conditions.push(NodeCondition {
        type_: "Ready".into(),
        status: "True".into(),
        ..NodeCondition::default()
    });
    node
}

fn names(pods: &[Arc<Pod>]) -> Vec<&str> {
    pods.iter().map(|pod| pod.name()).collect()
}

#[test]
fn the_oldest_of_too_many_pods_that_ended_go_and_evicted_ones_before_them() {
    let mut evicted = Arc::unwrap_or_clone(pod("evicted", "n", "Failed", 9));
    evicted.status.reason = "Evicted".into();
    let pods = [
        pod("young", "n", "Succeeded", 5),
        pod("old", "n", "Failed", 1),
        pod("running", "n", "Running", 0),
        Arc::new(evicted),
    ];
    assert_eq!(names(&plan::surplus(&pods, 1)), ["evicted", "old"]);
    assert_eq!(names(&plan::surplus(&pods, 3)), [""; 0]);
    assert_eq!(names(&plan::surplus(&pods, 0)), [""; 0], "without a number all are kept");
}

#[test]
fn a_node_is_asked_for_after_it_was_missing_for_a_while() {
    let pods = [
        pod("a", "here", "Running", 0),
        pod("b", "gone", "Running", 0),
        pod("c", "", "Pending", 0),
    ];
    let nodes = [Arc::new(node("here"))];
    let mut missing = Missing::default();
    let mut at = |seconds, nodes: &[Arc<Node>]| {
        missing.look(&pods, &by_name(nodes), Time::from_unix(seconds))
    };
    assert_eq!(at(0, &nodes), [""; 0]);
    assert_eq!(at(39, &nodes), [""; 0]);
    assert_eq!(at(40, &nodes), ["gone"]);
    let back = [Arc::new(node("here")), Arc::new(node("gone"))];
    assert_eq!(at(60, &back), [""; 0]);
    assert_eq!(at(80, &nodes), [""; 0], "its time begins anew");
    assert_eq!(at(120, &nodes), ["gone"]);
}

#[test]
fn a_pod_that_was_asked_to_go_has_to_have_a_node_that_sees_to_it() {
    let going = |name: &str, node: &str, made: i64| {
        let mut pod = Arc::unwrap_or_clone(pod(name, node, "Running", made));
        pod.metadata.deletion_timestamp = Some(Time::from_unix(1));
        Arc::new(pod)
    };
    let mut off = node("off");
    off.status.conditions.clear();
    off.spec
        .taints
        .push(Taint { key: "node.kubernetes.io/out-of-service".into(), ..Taint::default() });
    let mut doubtful = off.clone();
    doubtful.metadata.name = "doubtful".into();
    doubtful.spec.taints.clear();
    let nodes = [Arc::new(node("on")), Arc::new(off), Arc::new(doubtful)];
    let pods = [
        going("young", "off", 2),
        going("old", "off", 1),
        going("seen to", "on", 0),
        going("waiting", "doubtful", 0),
        going("nowhere", "", 0),
        going("elsewhere", "gone", 0),
        pod("staying", "off", "Running", 0),
        pod("pending", "", "Pending", 0),
    ];
    assert_eq!(names(&plan::stranded(&pods, &by_name(&nodes))), ["old", "young"]);
    assert_eq!(names(&plan::unplaced(&pods)), ["nowhere"]);
    assert_eq!(names(&plan::of_node(&pods, "gone")), ["elsewhere"]);
}

#[test]
fn a_condition_is_told_in_its_place_and_keeps_its_time() {
    let said = |type_: &str, status: &str, message: &str| PodCondition {
        type_: type_.into(),
        status: status.into(),
        message: message.into(),
        ..PodCondition::default()
    };
    let mut conditions: List<PodCondition> = List::new();
    let mut tell = |fresh: PodCondition, at: i64| {
        condition::set(&mut conditions, fresh, Time::from_unix(at));
        let line = |one: &PodCondition| {
            let since = one.last_transition_time.map_or(0, |time| time.unix());
            format!("{}={}@{since} {}", one.type_, one.status, one.message)
        };
        conditions.iter().map(line).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(tell(said("A", "False", "x"), 1), "A=False@1 x");
    assert_eq!(tell(said("B", "True", ""), 2), "A=False@1 x, B=True@2 ");
    assert_eq!(tell(said("A", "False", "y"), 3), "A=False@1 y, B=True@2 ");
    assert_eq!(tell(said("A", "True", "y"), 4), "A=True@4 y, B=True@2 ");
    let later = PodCondition { observed_generation: 7, ..said("B", "True", "") };
    assert_eq!(tell(later, 5), "A=True@4 y, B=True@2 ");
    assert_eq!(conditions[1].observed_generation, 0, "it said the same before");
}
