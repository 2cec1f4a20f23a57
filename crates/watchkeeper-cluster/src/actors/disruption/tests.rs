//! How many pods a budget lets go.

use std::sync::Arc;

use watchkeeper_api::apps::v1::ReplicaSet;
use watchkeeper_api::core::v1::{Pod, PodCondition};
use watchkeeper_api::meta::v1::{LabelSelector, LabelSelectorRequirement, OwnerReference};
use watchkeeper_api::policy::v1::PodDisruptionBudget;
use watchkeeper_api::{IntOrString, Object, Time};
use watchkeeper_cache::Change;

use super::plan::{Told, asks_workloads, failed, status};
use super::{matters, stale, workloads};

const NOW: Time = Time::from_unix(1_000);

fn budget(bound: &str) -> PodDisruptionBudget {
    let (name, text) = bound.split_once(' ').expect("a bound");
    let value = text.parse().map_or_else(|_| IntOrString::from(text), IntOrString::Int);
    let mut budget = PodDisruptionBudget::default();
    match name {
        "most" => budget.spec.max_unavailable = Some(value),
        _ => budget.spec.min_available = Some(value),
    }
    budget
}

/// `+` is a pod that is ready, `-` one that is not, `x` a ready one that is asked to go. They are called by their
/// place.
fn pods(text: &str) -> Vec<Arc<Pod>> {
    let pod = |(place, mark): (usize, char)| {
        let mut pod = Pod::default();
        pod.metadata.name = place.to_string().as_str().into();
        if mark != '-' {
            pod.status.conditions.push(PodCondition {
                type_: "Ready".into(),
                status: "True".into(),
                ..PodCondition::default()
            });
        }
        if mark == 'x' {
            pod.metadata.deletion_timestamp = Some(NOW);
        }
        Arc::new(pod)
    };
    text.chars().enumerate().map(pod).collect()
}

/// Expected, desired, healthy, allowed.
fn numbers(told: &Told) -> [i32; 4] {
    let status = &told.status;
    [
        status.expected_pods,
        status.desired_healthy,
        status.current_healthy,
        status.disruptions_allowed,
    ]
}

fn condition(told: &Told) -> String {
    let condition = &told.status.conditions[0];
    let since = condition.last_transition_time.map_or(0, |time| time.unix());
    format!("{} {} @{since}", condition.status, condition.reason)
}

#[test]
fn bounds_are_of_what_the_workloads_ask_for() {
    for (bound, text, scale, expected) in [
        ("least 2", "+++", 0, [3, 2, 3, 1]),
        ("least 2", "++-", 0, [3, 2, 2, 0]),
        ("least 50%", "++++", 5, [5, 3, 4, 1]),
        ("most 1", "+++", 3, [3, 2, 3, 1]),
        ("most 1", "++x", 3, [3, 2, 2, 0]),
        ("most 30%", "++++", 4, [4, 2, 4, 2]),
        ("most 9", "+", 1, [1, 0, 1, 1]),
        ("least 0", "", 0, [0, 0, 0, 0]),
    ] {
        let told = status(&budget(bound), &pods(text), scale, NOW);
        assert_eq!(numbers(&told), expected, "{bound} {text}");
    }
    assert!(asks_workloads(&budget("least 50%")) && asks_workloads(&budget("most 1")));
    assert!(!asks_workloads(&budget("least 2")));
}

#[test]
fn an_evicted_pod_does_not_count_until_it_has_taken_too_long() {
    let mut budget = budget("most 1");
    let at = |seconds| Time::from_unix(seconds);
    budget.status.disrupted_pods.insert("0", at(1_000));
    budget.status.disrupted_pods.insert("gone", at(1_000));
    let told = status(&budget, &pods("+++"), 3, at(1_010));
    assert_eq!(numbers(&told), [3, 2, 2, 0]);
    assert_eq!(told.again, Some(at(1_120)));
    assert_eq!(told.status.disrupted_pods.len(), 1);
    let told = status(&budget, &pods("+++"), 3, at(1_120));
    assert_eq!(numbers(&told), [3, 2, 3, 1]);
    assert_eq!(told.staying.iter().map(|pod| pod.name()).collect::<Vec<_>>(), ["0"]);
    assert!(told.status.disrupted_pods.is_empty() && told.again.is_none());
}

#[test]
fn the_condition_moves_with_what_it_says() {
    let mut budget = budget("most 1");
    let mut look = |text: &str, now: i64| {
        let told = status(&budget, &pods(text), 3, Time::from_unix(now));
        budget.status = told.status.clone();
        condition(&told)
    };
    assert_eq!(look("++-", 1), "False InsufficientPods @1");
    assert_eq!(look("+--", 2), "False InsufficientPods @1");
    assert_eq!(look("+++", 3), "True SufficientPods @3");
    let told = failed(&budget, "why", Time::from_unix(4));
    assert_eq!(condition(&told), "False SyncFailed @4");
    assert_eq!(told.status.disruptions_allowed, 0);
}

#[test]
fn what_was_told_of_a_pod_that_stays_is_taken_back_some_time() {
    let told = |status: &str, reason: &str| {
        let mut pod = Pod::default();
        pod.status.conditions.push(PodCondition {
            type_: "DisruptionTarget".into(),
            status: status.into(),
            reason: reason.into(),
            last_transition_time: Some(NOW),
            ..PodCondition::default()
        });
        pod
    };
    let evicted = told("True", "EvictionByEvictionAPI");
    assert_eq!(stale::due(&evicted), Some(Time::from_unix(1_120)));
    assert_eq!(stale::due(&told("False", "")), None);
    assert_eq!(stale::due(&told("True", "TerminationByKubelet")), None);
    assert_eq!(stale::due(&Pod::default()), None);
    let (mut going, mut ended) = (evicted.clone(), evicted);
    going.metadata.deletion_timestamp = Some(NOW);
    ended.status.phase = "Failed".into();
    assert_eq!((stale::due(&going), stale::due(&ended)), (None, None));
}

#[test]
fn a_selector_is_told_as_upstream_does() {
    let mut selector = LabelSelector::default();
    selector.match_labels.insert("tier", "front");
    selector.match_labels.insert("app", "web");
    selector.match_expressions.push(LabelSelectorRequirement {
        key: "zone".into(),
        operator: "In".into(),
        values: ["x".into(), "y".into()].into(),
    });
    let told = "&LabelSelector{MatchLabels:map[string]string{app: web,tier: front,},\
                MatchExpressions:[]LabelSelectorRequirement{\
                LabelSelectorRequirement{Key:zone,Operator:In,Values:[x y],},},}";
    assert_eq!(workloads::text(&selector), told);
}

#[test]
fn the_status_of_a_workload_brings_no_budget_back() {
    let old = ReplicaSet::default();
    let is_told = |change: &dyn Fn(&mut ReplicaSet)| {
        let mut new = old.clone();
        change(&mut new);
        let change = Change::Updated { old: Arc::new(old.clone()), new: Arc::new(new) };
        matters(&change, |set| set.spec.replicas)
    };
    assert!(!is_told(&|set| set.status.ready_replicas = 1));
    assert!(is_told(&|set| set.spec.replicas = Some(2)));
    assert!(is_told(&|set| set.metadata.uid = "another".into()));
    assert!(is_told(&|set| {
        let owner = OwnerReference { controller: Some(true), ..OwnerReference::default() };
        set.metadata.owner_references.push(owner);
    }));
    let gone = Change::Deleted { last: Arc::new(old), final_state_unknown: false };
    assert!(matters(&gone, |set: &ReplicaSet| set.spec.replicas));
}
