//! What an update of a pod may change.

use super::*;

const MIRROR: &str = "kubernetes.io/config.mirror";
const ARMOR: &str = "container.apparmor.security.beta.kubernetes.io/a";

fn annotated(annotations: Value) -> Value {
    let mut pod = pod(&json!({"nodeName": "n"}));
    pod["metadata"] = json!({"annotations": annotations});
    pod
}

#[test]
fn annotations_that_mean_something_stay_as_they_are() {
    for (name, what, value, other) in [
        (MIRROR, "mirror pod annotation", "a", "b"),
        (ARMOR, "AppArmor annotations", "runtime/default", "unconfined"),
        (ARMOR, "AppArmor annotations", "", "unconfined"),
    ] {
        let of = |value: &str| annotated(json!({name: value}));
        let none = annotated(json!({}));
        let wrong = |why: &str| format!("metadata.annotations[{name}]: may not {why} {what}");
        assert_eq!(told_of_update(&of(value), &of(value)), NONE, "{name}");
        assert_eq!(told_of_update(&of(value), &of(other)), [wrong("remove or update")]);
        assert_eq!(told_of_update(&of(value), &none), [wrong("remove or update")]);
        assert_eq!(told_of_update(&none, &of(value)), [wrong("add")]);
    }
    let other = |value: &str| annotated(json!({"example.com/a": value}));
    assert_eq!(told_of_update(&other("a"), &other("b")), NONE);
    assert_eq!(told_of_update(&other("a"), &annotated(json!({}))), NONE);
}

#[test]
fn the_cost_of_a_deletion_is_a_number_of_32_bits_as_it_is_written() {
    const COST: &str = "controller.kubernetes.io/pod-deletion-cost";
    let told = |cost: &str| {
        let pod = completed("", "Pod", annotated(json!({COST: cost})));
        each(&validate("", "Pod", &pod, None))
    };
    for cost in ["0", "1", "-1", "10", "2147483647", "-2147483648"] {
        assert_eq!(told(cost), NONE, "{cost}");
    }
    let wrong = format!("metadata.annotations[{COST}]: must be a 32bit integer");
    for cost in ["", "+1", "01", "00", "1.0", "a", "2147483648", "-2147483649"] {
        assert_eq!(told(cost), [&*wrong], "{cost}");
    }
}

#[test]
fn profiles_that_annotations_name_are_known() {
    let told = |name: &str, profile: &str| {
        let pod = completed("", "Pod", annotated(json!({name: profile})));
        each(&validate("", "Pod", &pod, None))
    };
    let seccomp = "seccomp.security.alpha.kubernetes.io/pod";
    for (name, profile) in [
        (seccomp, "runtime/default"),
        (seccomp, "docker/default"),
        (seccomp, "localhost/a/b"),
        ("container.seccomp.security.alpha.kubernetes.io/x", "unconfined"),
        (ARMOR, "localhost/x"),
        (ARMOR, ""),
    ] {
        assert_eq!(told(name, profile), NONE, "{name} {profile}");
    }
    let unknown = format!("metadata.annotations.{seccomp}: must be a valid seccomp profile");
    assert_eq!(told(seccomp, "localhost"), [unknown]);
    let steps = format!("metadata.annotations.{seccomp}: must not contain '..'");
    assert_eq!(told(seccomp, "localhost/../a"), [steps]);
    let unknown =
        format!("metadata.annotations[{ARMOR}]: invalid AppArmor profile name: \"docker/default\"");
    assert_eq!(told(ARMOR, "docker/default"), [unknown]);
    let elsewhere = "container.apparmor.security.beta.kubernetes.io/b";
    let unfound = format!("metadata.annotations[{elsewhere}]: container not found");
    assert_eq!(told(elsewhere, "unconfined"), [unfound]);
}

/// Whether something is told of a part that stays, and what else.
fn update(old: &Value, new: &Value) -> (bool, Vec<String>) {
    let stays = "spec: pod updates may not change fields other than ";
    let told = told_of_update(&pod(old), &pod(new));
    let (of_stays, others): (Vec<_>, Vec<_>) =
        told.into_iter().partition(|told| told.starts_with(stays));
    (!of_stays.is_empty(), others)
}

#[test]
fn the_time_to_end_only_stops_being_negative() {
    let grace = |seconds: i64| json!({"terminationGracePeriodSeconds": seconds});
    for (old, new, is_refused) in
        [(-1, 1, false), (-1, 2, true), (0, 1, true), (30, 1, true), (30, 30, false)]
    {
        let (refused, others) = update(&grace(old), &grace(new));
        assert_eq!((refused, others), (is_refused, vec![]), "{old} {new}");
    }
}

#[test]
fn a_deadline_may_be_told_later_and_become_less() {
    let deadline = |seconds: Option<i64>| json!({"activeDeadlineSeconds": seconds});
    let wrong = |why: &str| vec![format!("spec.activeDeadlineSeconds: {why}")];
    for (old, new, expected) in [
        (None, Some(5), vec![]),
        (Some(5), Some(5), vec![]),
        (Some(5), Some(4), vec![]),
        (Some(5), Some(6), wrong("must be less than or equal to previous value")),
        (Some(5), None, wrong("must not update from a positive integer to nil value")),
    ] {
        assert_eq!(update(&deadline(old), &deadline(new)), (false, expected), "{old:?} {new:?}");
    }
}

#[test]
fn tolerations_stay_but_for_their_seconds_and_become_more() {
    let bears = |key: &str, seconds: i64| json!({"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": seconds});
    let of = |list: &[Value]| json!({"tolerations": list});
    let one = of(&[bears("a", 1)]);
    let wrong =
        "spec.tolerations: existing toleration can not be modified except its tolerationSeconds";
    for (new, expected) in [
        (of(&[bears("a", 1)]), vec![]),
        (of(&[bears("a", 2)]), vec![]),
        (of(&[bears("b", 1), bears("a", 1)]), vec![]),
        (of(&[bears("b", 1)]), vec![wrong.to_owned()]),
        (of(&[]), vec![wrong.to_owned()]),
    ] {
        assert_eq!(update(&one, &new), (false, expected), "{new}");
    }
}

fn gated(more: &Value) -> Value {
    crate::patch::merge(&json!({"schedulingGates": [{"name": "g"}]}), more)
}

fn on_nodes(terms: &[Value]) -> Value {
    let required = json!({"nodeSelectorTerms": terms});
    let affinity = json!({"requiredDuringSchedulingIgnoredDuringExecution": required});
    json!({"affinity": {"nodeAffinity": affinity}})
}

fn term(keys: &[&str]) -> Value {
    let exists = |key: &&str| json!({"key": key, "operator": "Exists"});
    json!({"matchExpressions": keys.iter().map(exists).collect::<Vec<_>>()})
}

#[test]
fn terms_of_a_pod_that_waits_only_get_more_to_ask_for() {
    let place = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
    let wrong = |at: usize| {
        format!("{place}[{at}]: only additions are allowed (no mutations or deletions)")
    };
    let lists =
        format!("{place}: no additions/deletions to non-empty NodeSelectorTerms list are allowed");
    let (a, b, ab, none) = (term(&["a"]), term(&["b"]), term(&["a", "b"]), json!({}));
    for (old, new, expected) in [
        (vec![&a], vec![&a], vec![]),
        (vec![&a], vec![&ab], vec![]),
        (vec![&ab], vec![&a], vec![wrong(0)]),
        (vec![&a], vec![&b], vec![wrong(0)]),
        (vec![&none, &a], vec![&none, &ab], vec![]),
        (vec![&a, &none], vec![&a, &a], vec![wrong(1)]),
        (vec![&a], vec![&a, &b], vec![lists.clone()]),
        (vec![&a, &b], vec![&a], vec![lists]),
    ] {
        let of = |terms: Vec<&Value>| {
            let terms: Vec<Value> = terms.into_iter().cloned().collect();
            gated(&on_nodes(&terms))
        };
        let (old, new) = (of(old), of(new));
        assert_eq!(update(&old, &new), (false, expected), "{old} {new}");
    }
    assert_eq!(update(&gated(&json!({})), &gated(&on_nodes(&[a]))), (false, vec![]));
    assert!(update(&json!({}), &on_nodes(&[b])).0);
}

#[test]
fn a_pod_that_waits_gets_more_labels_of_nodes_and_no_gates() {
    let labels = |labels: Value| gated(&json!({"nodeSelector": labels}));
    let wrong = "spec.nodeSelector: only additions to spec.nodeSelector are allowed (no mutations or deletions)";
    for (new, expected) in [
        (json!({"a": "1"}), vec![]),
        (json!({"a": "1", "b": "2"}), vec![]),
        (json!({"a": "2"}), vec![wrong.to_owned()]),
        (json!({"b": "2"}), vec![wrong.to_owned()]),
    ] {
        assert_eq!(
            update(&labels(json!({"a": "1"})), &labels(new.clone())),
            (false, expected),
            "{new}"
        );
    }
    let gates = |names: &[&str]| {
        let gate = |name: &&str| json!({"name": name});
        json!({"schedulingGates": names.iter().map(gate).collect::<Vec<_>>()})
    };
    assert_eq!(update(&gates(&["g", "h"]), &gates(&["h"])), (false, vec![]));
    assert_eq!(update(&gates(&["g"]), &gates(&[])), (false, vec![]));
    let new =
        "spec.schedulingGates[1].name: only deletion is allowed, but found new scheduling gate 'h'";
    assert_eq!(update(&gates(&["g"]), &gates(&["g", "h"])), (false, vec![new.to_owned()]));
    let containers = json!([{"name": "a", "image": "x"}, {"name": "b", "image": "x"}]);
    let wrong = "spec.containers: pod updates may not add or remove containers";
    let (_, told) = update(&json!({}), &json!({"containers": containers}));
    assert_eq!(told, [wrong]);
}
