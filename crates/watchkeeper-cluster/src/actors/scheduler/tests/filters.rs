//! Which nodes are refused, and in which words.

use expect_test::expect;

use super::*;

fn names<const N: usize>(names: [&str; N]) -> [Arc<Node>; N] {
    names.map(|name| node(name, json!({})))
}

#[test]
fn the_emptiest_node_is_chosen_and_the_name_breaks_ties() {
    let nodes = names(["a", "b", "c"]);
    let (one, new) = (pod("one", json!({})), pod("new", json!({})));
    assert_eq!(placed(&new, &nodes, &mut pods_on(&[("a", &one)])), "b");
    assert_eq!(placed(&new, &nodes, &mut Ledger::default()), "a");
}

#[test]
fn a_pod_that_fits_nowhere_is_told_why() {
    let taint = json!({"taints": [{"key": "gpu", "effect": "NoSchedule"}]});
    let nodes = [
        node("a", json!({"unschedulable": true})),
        node("b", taint),
        labelled("c", json!({"zone": "y"}), json!({})),
    ];
    let pod = pod("new", json!({"nodeSelector": {"zone": "x"}}));
    expect!["0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."]
        .assert_eq(&placed(&pod, &nodes, &mut Ledger::default()));
    expect!["no nodes available to schedule pods"].assert_eq(&placed(
        &pod,
        &[],
        &mut Ledger::default(),
    ));
}

#[test]
fn a_toleration_opens_a_tainted_node_and_a_selector_closes_others() {
    let taint = json!({"taints": [{"key": "gpu", "effect": "NoExecute"}]});
    let nodes = [labelled("a", json!({"zone": "x"}), taint), node("b", json!({}))];
    let mut spec = json!({"nodeSelector": {"zone": "x"}});
    assert!(place(&pod("new", spec.clone()), &nodes, &mut Ledger::default()).is_err());
    spec["tolerations"] = json!([{"key": "gpu", "operator": "Exists"}]);
    assert_eq!(placed(&pod("new", spec), &nodes, &mut Ledger::default()), "a");
}

#[test]
fn what_a_node_has_is_enough_for_so_many_pods() {
    let mut nodes = names(["a", "b", "c"]);
    Arc::make_mut(&mut nodes[2]).status.allocatable.insert("cpu", "1");
    let [x, y, z] = ["x", "y", "z"].map(|name| pod(name, json!({})));
    let big = pod("big", json!({"containers": cpu("3")}));
    let mut ledger = pods_on(&[("a", &x), ("a", &y), ("a", &z), ("b", &big)]);
    let new = pod("new", json!({"containers": cpu("2")}));
    expect!["0/3 nodes are available: 1 Too many pods, 2 Insufficient cpu. preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod."]
        .assert_eq(&placed(&new, &nodes, &mut ledger));
    let refusal = place(&new, &nodes, &mut ledger).expect_err("it fits nowhere");
    assert!(refusal.help.leaving && !refusal.help.coming);
    let small = pod("small", json!({"containers": cpu("1")}));
    assert_eq!(
        placed(&small, &nodes, &mut ledger),
        "c",
        "it fits just so, and c is emptier than b"
    );
    ledger.observe(&Change::Deleted { last: on("b", &big), final_state_unknown: false });
    assert_eq!(placed(&new, &nodes, &mut ledger), "b");
}

#[test]
fn who_might_be_preempted_is_not() {
    let nodes = names(["a"]);
    let big = pod("big", json!({"containers": cpu("3")}));
    let mut spec = json!({"containers": cpu("2"), "priority": 10});
    let new = pod("new", spec.clone());
    expect!["0/1 nodes are available: 1 Insufficient cpu."].assert_eq(&placed(
        &new,
        &nodes,
        &mut pods_on(&[("a", &big)]),
    ));
    spec["preemptionPolicy"] = json!("Never");
    let equal = pod("equal", json!({"containers": cpu("3"), "priority": 10}));
    expect!["0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never."]
        .assert_eq(&placed(&pod("new", spec), &nodes, &mut pods_on(&[("a", &equal)])));
}

#[test]
fn a_port_of_a_node_is_for_one_pod() {
    let with = |name: &str, mut port: Value| {
        port["containerPort"] = json!(1);
        pod(name, json!({"containers": [{"name": "c", "ports": [port]}]}))
    };
    let first = with("first", json!({"hostPort": 80, "hostIP": "10.0.0.1"}));
    let nodes = names(["a"]);
    for (port, expected) in [
        (json!({"hostPort": 80}), "taken"),
        (json!({"hostPort": 80, "hostIP": "10.0.0.1"}), "taken"),
        (json!({"hostPort": 80, "hostIP": "10.0.0.2"}), "a"),
        (json!({"hostPort": 80, "protocol": "UDP"}), "a"),
        (json!({"hostPort": 81}), "a"),
        (json!({}), "a"),
    ] {
        let said = placed(&with("new", port.clone()), &nodes, &mut pods_on(&[("a", &first)]));
        let taken = "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod \
                     ports. preemption: 0/1 nodes are available: 1 No preemption victims found for \
                     incoming pod.";
        assert_eq!(said, if expected == "taken" { taken } else { expected }, "{port}");
    }
}

/// As daemons do.
#[test]
fn a_pod_may_be_for_one_node_by_its_name() {
    let only = |values: Value| {
        let name = json!({"key": "metadata.name", "operator": "In", "values": values});
        let terms = json!([{"matchFields": [name]}]);
        json!({"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": terms}}})
    };
    let nodes = [node("a", json!({})), node("b", json!({"unschedulable": true}))];
    let on_a = pod("new", json!({"affinity": only(json!(["a"]))}));
    assert_eq!(placed(&on_a, &nodes, &mut Ledger::default()), "a");
    let on_b = pod("new", json!({"affinity": only(json!(["b"]))}));
    expect!["0/2 nodes are available: 1 node(s) didn't satisfy plugin(s) [NodeAffinity], 1 node(s) were unschedulable. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."]
        .assert_eq(&placed(&on_b, &nodes, &mut Ledger::default()));
    let mut nowhere = only(json!(["a"]));
    let field = json!({"key": "metadata.name", "operator": "In", "values": ["b"]});
    nowhere["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
        [0]["matchFields"]
        .as_array_mut()
        .expect("the fields")
        .push(field);
    expect!["0/2 nodes are available: pod affinity terms conflict. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."]
        .assert_eq(&placed(&pod("new", json!({"affinity": nowhere})), &nodes, &mut Ledger::default()));
}

#[test]
fn of_several_nodes_the_one_that_is_preferred_is_chosen() {
    let taint = json!({"taints": [{"key": "slow", "effect": "PreferNoSchedule"}]});
    let nodes =
        [node("a", taint), node("b", json!({})), labelled("c", json!({"disk": "ssd"}), json!({}))];
    let one = pod("one", json!({}));
    let mut ledger = pods_on(&[("c", &one)]);
    assert_eq!(placed(&pod("new", json!({})), &nodes, &mut ledger), "b", "not the tainted one");
    let ssd = json!({"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]});
    let affinity = json!({"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [
        {"weight": 1, "preference": ssd}]}});
    let new = pod("new", json!({"affinity": affinity}));
    assert_eq!(placed(&new, &nodes, &mut ledger), "c", "although it is not empty");
}
