//! The mask hides what it should and nothing beside it.

use serde_json::{Value, json};

use super::mask::mask;

fn masked(mut value: Value) -> Value {
    mask(&mut value);
    value
}

#[test]
fn fresh_values_are_hidden() {
    let one = json!({
        "metadata": {"uid": "4db48e62-da2f", "resourceVersion": "7", "creationTimestamp": "2026-11-22T13:47:45Z"},
        "status": {"token": "eyJhbGciOiJFUzI1NiJ9.x.y"},
        "extra": {"a/credential-id": ["JTI=1"], "a/pod-uid": ["1-2-3"]},
    });
    let other = json!({
        "metadata": {"uid": "b6f8e15e-8185", "resourceVersion": "19", "creationTimestamp": "2026-11-23T13:47:45Z"},
        "status": {"token": "eyJhbGciOiJIUzI1NiJ9.z.z"},
        "extra": {"a/credential-id": ["JTI=2"], "a/pod-uid": ["4-5-6"]},
    });
    assert_eq!(masked(one), masked(other));
}

#[test]
fn the_order_of_rules_is_hidden_and_that_of_others_is_not() {
    let rules = |list: [&str; 2]| masked(json!({"resourceRules": list}));
    assert_eq!(rules(["a", "b"]), rules(["b", "a"]));
    let groups = |list: [&str; 2]| masked(json!({"groups": list}));
    assert_ne!(groups(["a", "b"]), groups(["b", "a"]));
}

#[test]
fn of_tables_only_ages_and_descriptions_are_hidden() {
    let table = |age: &str, restarts: &str, text: &str| {
        masked(json!({"kind": "Table", "columnDefinitions": [
            {"name": "Age", "type": "string", "description": age},
            {"name": "Restarts", "type": "string", "description": ""},
            {"name": "Duration", "type": "string", "description": ""},
            {"name": "When", "type": "date", "description": ""},
        ], "rows": [{"cells": [age, restarts, text, age]}]}))
    };
    assert_eq!(table("5s", "3 (4s ago)", "5m"), table("6s", "3 (7d ago)", "5m"));
    assert_ne!(table("5s", "3 (4s ago)", "5m"), table("5s", "4 (4s ago)", "5m"));
    assert_ne!(table("5s", "3 (4s ago)", "5m"), table("5s", "3", "5m"));
    assert_ne!(table("5s", "3", "5m"), table("5s", "3", "6m"));
    assert_ne!(table("5s", "3", "5m"), table("<unknown>", "3", "5m"));
}

#[test]
fn where_a_server_is_is_hidden_and_what_was_asked_is_not() {
    let large = |asked, now| {
        let text = format!("Timeout: Too large resource version: {asked}, current: {now}");
        masked(json!({"message": text}))
    };
    assert_eq!(large("900", "7"), large("900", "88"));
    assert_ne!(large("900", "7"), large("901", "7"));
    assert_ne!(large("900", "7"), large("900", "x"));
    let old = |asked, now| {
        masked(json!({"message": format!("too old resource version: {asked} ({now})")}))
    };
    assert_eq!(old("1", "7"), old("1", "88"));
    assert_ne!(old("1", "7"), old("2", "7"));
    assert_ne!(old("1", "7"), old("1", ""));
}

#[test]
fn a_wrong_value_beside_these_is_found() {
    for (right, wrong) in [
        (json!({"message": "a"}), json!({"message": "b"})),
        (json!({"uid": "2"}), json!({"uid": "3"})),
        (json!({"uid": "4db48e62-da2f"}), json!({})),
        (json!({"metadata": {"name": "a"}}), json!({"metadata": {"name": "b"}})),
        (json!({"status": {"allowed": true}}), json!({"status": {"allowed": false}})),
        (json!({"token": "$x"}), json!({"token": ""})),
        (json!({"continue": "eyJ2IjoibWV0YSJ9"}), json!({})),
        (json!({"deletionTimestamp": "2026-11-22T13:47:45Z"}), json!({})),
        (
            json!({"lastTransitionTime": "2026-11-22T13:47:45Z"}),
            json!({"lastTransitionTime": null}),
        ),
        (
            json!({"resourceRules": [{"verbs": ["get"]}]}),
            json!({"resourceRules": [{"verbs": ["list"]}]}),
        ),
    ] {
        assert_ne!(masked(right.clone()), masked(wrong), "{right}");
    }
}
