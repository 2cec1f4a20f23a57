use serde_json::{Value, json};

use super::{MOST_DISRUPTED, allow_none, check, goes_anyway, is_ready, note, unguarded};
use crate::storage::{Stored, key};

const NOW: &str = "2026-01-01T00:00:00Z";
const EARLY: &str = "2020-01-01T00:00:00Z";

fn conditions(all: &Value) -> Value {
    json!({"status": {"conditions": all}})
}

fn none_allowed(since: &str) -> Value {
    json!({
        "type": "DisruptionAllowed", "status": "False", "observedGeneration": 3,
        "lastTransitionTime": since, "reason": "InsufficientPods", "message": "",
    })
}

#[test]
fn a_budget_that_allowed_its_last_disruption_says_since_when() {
    let other = json!({"type": "Other", "status": "False", "lastTransitionTime": EARLY});
    let known = |status: &str| json!({"type": "DisruptionAllowed", "status": status, "lastTransitionTime": EARLY});
    for (before, after) in [
        (json!(null), json!([none_allowed(NOW)])),
        (json!([other]), json!([other, none_allowed(NOW)])),
        (json!([known("True"), other]), json!([none_allowed(NOW), other])),
        (json!([other, known("False")]), json!([other, none_allowed(EARLY)])),
    ] {
        let mut status = json!({"observedGeneration": 3, "conditions": before});
        allow_none(&mut status, NOW);
        assert_eq!(status["conditions"], after, "{before}");
    }
}

#[test]
fn a_pod_says_why_it_goes_once() {
    let noted = |since: &str| {
        json!({
            "type": "DisruptionTarget", "status": "True", "lastProbeTime": null,
            "lastTransitionTime": since, "reason": "EvictionByEvictionAPI",
            "message": "Eviction API: evicting",
        })
    };
    let old = |status: &str| json!({"type": "DisruptionTarget", "status": status, "lastTransitionTime": EARLY});
    let ready = json!({"type": "Ready", "status": "True", "lastTransitionTime": EARLY});
    for (mut pod, after) in [
        (json!({}), json!([noted(NOW)])),
        (conditions(&json!([ready])), json!([ready, noted(NOW)])),
        (conditions(&json!([old("False"), ready])), json!([ready, noted(NOW)])),
        (conditions(&json!([ready, old("True")])), json!([ready, noted(EARLY)])),
    ] {
        note(&mut pod, NOW);
        assert_eq!(pod["status"]["conditions"], after);
    }
    let mut pod = json!({"status": {"phase": "Running"}});
    note(&mut pod, NOW);
    assert_eq!(pod["status"]["phase"], "Running");
}

#[test]
fn a_pod_that_is_not_ready_is_not_guarded_while_enough_others_are() {
    let budget = |policy: &str, healthy: i64, desired: i64| {
        json!({
            "spec": {"unhealthyPodEvictionPolicy": policy},
            "status": {"currentHealthy": healthy, "desiredHealthy": desired},
        })
    };
    for (policy, healthy, desired, expected) in [
        ("AlwaysAllow", 0, 3, true),
        ("IfHealthyBudget", 2, 3, false),
        ("IfHealthyBudget", 3, 3, true),
        ("IfHealthyBudget", 4, 3, true),
        ("IfHealthyBudget", 0, 0, false),
        ("IfHealthyBudget", 1, 0, false),
        ("IfHealthyBudget", 1, 1, true),
    ] {
        let is_unguarded = unguarded(&budget(policy, healthy, desired));
        assert_eq!(is_unguarded, expected, "{policy} {healthy} {desired}");
    }
    for (all, expected) in [
        (json!([{"type": "Ready", "status": "True"}]), true),
        (json!([{"type": "Ready", "status": "False"}]), false),
        (json!([{"type": "Other", "status": "True"}]), false),
    ] {
        assert_eq!(is_ready(&conditions(&all)), expected, "{all}");
    }
}

#[test]
fn what_runs_nowhere_or_is_going_goes_anyway() {
    for (pod, expected) in [
        (json!({"status": {"phase": "Pending"}}), true),
        (json!({"status": {"phase": "Succeeded"}}), true),
        (json!({"status": {"phase": "Failed"}}), true),
        (json!({"status": {"phase": "Running"}}), false),
        (json!({"metadata": {"deletionTimestamp": NOW}, "status": {"phase": "Running"}}), true),
    ] {
        assert_eq!(goes_anyway(&pod), expected, "{pod}");
    }
}

fn budget(status: &Value) -> Stored {
    let metadata = json!({"name": "b", "namespace": "a", "generation": 2});
    Stored::new(key("a", "b"), 1, json!({"metadata": metadata, "status": status}))
}

/// The code, and the cause or else the message.
fn said(status: &Value) -> String {
    match check(&budget(status)) {
        Ok(()) => "yes".to_owned(),
        Err(error) => {
            let cause = error.details.get("causes").map(|causes| causes[0]["message"].clone());
            let why = cause.unwrap_or_else(|| error.message.clone().into());
            format!("{} {}", error.code, why.as_str().expect("a text"))
        }
    }
}

#[test]
fn a_budget_whose_status_cannot_be_right_allows_nothing() {
    assert_eq!(said(&json!({"observedGeneration": 2, "disruptionsAllowed": 1})), "yes");
    let late = "429 The disruption budget b is still being processed by the server.";
    assert_eq!(said(&json!({"observedGeneration": 1, "disruptionsAllowed": 1})), late);
    let less = said(&json!({"observedGeneration": 2, "disruptionsAllowed": -1}));
    let head = "403 poddisruptionbudget.policy \"b\" is forbidden:";
    assert_eq!(less, format!("{head} pdb disruptions allowed is negative"));
    let disrupted = |count: usize| {
        let pods = (0..count).map(|pod| (pod.to_string(), Value::from(NOW)));
        let pods: serde_json::Map<String, Value> = pods.collect();
        json!({"observedGeneration": 2, "disruptionsAllowed": 1, "disruptedPods": pods})
    };
    assert_eq!(said(&disrupted(MOST_DISRUPTED)), "yes");
    assert!(said(&disrupted(MOST_DISRUPTED + 1)).contains("DisruptedPods map too big"));
}

#[test]
fn a_budget_that_allows_nothing_says_what_it_needs() {
    let begin = "429 The disruption budget b";
    let because = |healthy: i64, condition: &Value| {
        said(&json!({
            "observedGeneration": 2, "currentHealthy": healthy, "desiredHealthy": 2,
            "conditions": [{"type": "Other", "status": "False", "message": "?"}, condition],
        }))
    };
    let condition = |status: &str, reason: &str, message: &str| {
        json!({
            "type": "DisruptionAllowed", "status": status, "reason": reason, "message": message,
        })
    };
    let failed = condition("False", "SyncFailed", "no scale");
    let not = "does not allow evicting pods currently";
    let sync = format!("{begin} {not} because it failed sync: no scale");
    assert_eq!(because(1, &failed), sync);
    let few = format!("{begin} needs 2 healthy pods and has 2 currently");
    assert_eq!(because(2, &condition("False", "Why", "so")), few);
    assert_eq!(because(3, &condition("False", "Why", "so")), format!("{begin} {not} (Why): so"));
    assert_eq!(because(3, &condition("False", "Why", "")), format!("{begin} {not}"));
    assert_eq!(because(3, &condition("True", "Why", "so")), format!("{begin} {not}"));
}
