//! Pods that want others near or away, or are spread.

use expect_test::expect;

use super::*;

/// A term that means the pods of an app, by zone.
fn term(app: &str) -> Value {
    json!([{"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": "zone"}])
}

fn affinity(kind: &str, app: &str) -> Value {
    json!({"affinity": {kind: {"requiredDuringSchedulingIgnoredDuringExecution": term(app)}}})
}

fn spread() -> Value {
    json!({"topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone",
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "web"}}}]})
}

/// `a` and `b` are in zone `x`, `c` in `y`.
fn nodes() -> Vec<Arc<Node>> {
    let zones = [("a", "x"), ("b", "x"), ("c", "y")];
    zones.map(|(name, zone)| labelled(name, json!({"zone": zone}), json!({}))).to_vec()
}

/// A pod of another app.
fn other(name: &str, spec: Value) -> Arc<Pod> {
    let mut other = pod(name, spec);
    Arc::make_mut(&mut other).metadata.labels.insert("app", "other");
    other
}

#[test]
fn a_pod_keeps_away_from_those_that_it_does_not_want_near() {
    let (one, two) = (pod("one", json!({})), pod("two", json!({})));
    let new = pod("new", affinity("podAntiAffinity", "web"));
    assert_eq!(placed(&new, &nodes(), &mut pods_on(&[("a", &one)])), "c", "b is in the same zone");
    expect!["0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod."]
        .assert_eq(&placed(&new, &nodes(), &mut pods_on(&[("a", &one), ("c", &two)])));
}

#[test]
fn a_pod_keeps_away_from_those_that_do_not_want_it_near() {
    let shy = other("shy", affinity("podAntiAffinity", "web"));
    let mut ledger = pods_on(&[("a", &shy)]);
    let new = pod("new", json!({}));
    assert_eq!(placed(&new, &nodes(), &mut ledger), "c");
    assert_eq!(
        placed(&other("new", json!({})), &nodes(), &mut ledger),
        "b",
        "this one is not meant"
    );
    expect!["0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod."]
        .assert_eq(&placed(&new, &nodes()[..1], &mut ledger));
    ledger.observe(&Change::Deleted { last: on("a", &shy), final_state_unknown: false });
    assert_eq!(placed(&new, &nodes(), &mut ledger), "a");
}

#[test]
fn a_pod_goes_where_those_are_that_it_wants_near() {
    let cache = other("cache", json!({}));
    let new = pod("new", affinity("podAffinity", "other"));
    assert_eq!(placed(&new, &nodes(), &mut pods_on(&[("c", &cache)])), "c");
    let refusal = place(&new, &nodes(), &mut Ledger::default()).expect_err("there is none");
    expect!["0/3 nodes are available: 3 node(s) didn't match pod affinity rules. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."]
        .assert_eq(&refusal.message);
    assert!(refusal.help.coming && !refusal.help.leaving);
    let first = pod("first", affinity("podAffinity", "web"));
    assert_eq!(placed(&first, &nodes(), &mut Ledger::default()), "a", "somebody is the first");
    let bare = [node("a", json!({}))];
    assert!(place(&first, &bare, &mut Ledger::default()).is_err(), "a is in no zone");
}

#[test]
fn pods_are_spread_over_zones() {
    let [one, two] = ["one", "two"].map(|name| pod(name, json!({})));
    let busy = other("busy", json!({}));
    let new = pod("new", spread());
    let mut ledger = pods_on(&[("a", &one), ("c", &busy)]);
    assert_eq!(placed(&new, &nodes(), &mut ledger), "c", "b is emptier, but in the zone of a");
    ledger.observe(&Change::Added { new: on("c", &two), initial: false });
    assert_eq!(placed(&new, &nodes(), &mut ledger), "b", "both zones have one");
    ledger.observe(&Change::Deleted { last: on("c", &two), final_state_unknown: false });
    let mut closed = nodes();
    Arc::make_mut(&mut closed[2]).spec.unschedulable = true;
    closed.push(labelled("d", json!({}), json!({})));
    expect!["0/4 nodes are available: 1 node(s) didn't match pod topology spread constraints (missing required label), 1 node(s) were unschedulable, 2 node(s) didn't match pod topology spread constraints. preemption: 0/4 nodes are available: 2 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling."]
        .assert_eq(&placed(&new, &closed, &mut ledger));
}

#[test]
fn a_pod_that_is_asked_to_go_does_not_count_for_the_spread() {
    let mut going = pod("going", json!({}));
    Arc::make_mut(&mut going).metadata.deletion_timestamp =
        Some(watchkeeper_api::Time::from_unix(1));
    assert_eq!(placed(&pod("new", spread()), &nodes(), &mut pods_on(&[("a", &going)])), "b");
}

/// The labels of namespaces are not known: such a selector means no pods rather than those at home.
#[test]
fn a_selector_of_namespaces_does_not_mean_the_own_one() {
    let mut away = term("web");
    away[0]["namespaceSelector"] = json!({"matchLabels": {"team": "a"}});
    let away = json!({"requiredDuringSchedulingIgnoredDuringExecution": away});
    let new = pod("new", json!({"affinity": {"podAntiAffinity": away}}));
    let one = pod("one", json!({}));
    let ledger = &mut pods_on(&[("a", &one)]);
    assert_eq!(placed(&new, &nodes()[..1], ledger), "a", "nobody is meant");
    let mut near = term("web");
    near[0]["namespaceSelector"] = json!({"matchLabels": {"team": "a"}});
    near[0]["namespaces"] = json!(["default"]);
    let near = json!({"requiredDuringSchedulingIgnoredDuringExecution": near});
    let near = pod("near", json!({"affinity": {"podAffinity": near}}));
    assert_eq!(placed(&near, &nodes(), &mut pods_on(&[("c", &one)])), "c", "this one is named");
}
