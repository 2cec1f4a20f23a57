//! Where pods go, and what is said when they go nowhere.

use std::collections::BTreeMap;
use std::sync::Arc;

use expect_test::expect;
use watchkeeper_api::List;
use watchkeeper_api::core::v1::{Node, NodeCondition, Pod, Taint, Toleration};

use super::plan::place;

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

fn load(text: &[(&str, usize)]) -> BTreeMap<String, usize> {
    text.iter().map(|(name, pods)| ((*name).to_owned(), *pods)).collect()
}

#[test]
fn the_emptiest_node_is_chosen_and_the_name_breaks_ties() {
    let nodes = ["a", "b", "c"].map(|name| Arc::new(node(name, true)));
    let pod = Pod::default();
    assert_eq!(place(&pod, &nodes, &load(&[("a", 1)])), Ok("b".to_owned()));
    assert_eq!(place(&pod, &nodes, &load(&[])), Ok("a".to_owned()));
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
    let reason = place(&Pod::default(), &nodes, &load(&[])).expect_err("no node fits");
    expect!["0/3 nodes are available: 1 node(s) had untolerated taint {gpu: }, 1 node(s) were not ready, 1 node(s) were unschedulable."]
        .assert_eq(&reason);
    let reason = place(&Pod::default(), &[], &load(&[])).expect_err("there is no node");
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
    assert!(place(&pod, &nodes, &load(&[])).is_err());
    let toleration =
        Toleration { key: "gpu".into(), operator: "Exists".into(), ..Toleration::default() };
    pod.spec.tolerations = List::from([toleration]).into();
    assert_eq!(place(&pod, &nodes, &load(&[])), Ok("a".to_owned()));
}
