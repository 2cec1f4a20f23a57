//! Differences, one line each.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::Patch;

#[test]
fn a_difference_says_no_more_than_it_must() {
    let cases = [
        (json!({"a": 1}), json!({"a": 1}), None),
        (json!({"a": 1, "b": 2}), json!({"a": 3}), Some(json!({"a": 3, "b": null}))),
        (json!({"a": {"b": 1, "c": 2}}), json!({"a": {"b": 1}}), Some(json!({"a": {"c": null}}))),
        (json!({"a": [1]}), json!({"a": [1, 2]}), Some(json!({"a": [1, 2]}))),
        (json!({}), json!({"a": {}}), Some(json!({"a": {}}))),
    ];
    for (before, after, patch) in cases {
        assert_eq!(merge_patch(&before, &after), patch, "{before} {after}");
    }
}

#[test]
fn what_the_types_do_not_know_stays() {
    let raw = json!({"new": 1, "spec": {"new": 2, "list": [{"name": "a", "new": 3}, {"name": "b", "new": 4}]}});
    let before = json!({"spec": {"list": [{"name": "a"}, {"name": "b"}]}});
    let after =
        json!({"spec": {"x": 0, "list": [{"name": "c"}, {"name": "b", "x": 1}, {"name": "a"}]}});
    let expected = json!({"new": 1, "spec": {"new": 2, "x": 0, "list": [
        {"name": "c"}, {"name": "b", "x": 1, "new": 4}, {"name": "a", "new": 3},
    ]}});
    assert_eq!(graft(raw, &before, &after, None), expected);
}

#[test]
fn what_the_type_cannot_leave_out_is_not_said() {
    let raw = json!({"spec": {"min": 2}});
    let before = json!({"spec": {"min": 2, "max": 0}});
    let after = json!({"spec": {"min": 3, "max": 0}});
    assert_eq!(graft(raw.clone(), &before, &after, None), json!({"spec": {"min": 3}}));
    let after = json!({"spec": {"min": 2, "max": 5}});
    assert_eq!(graft(raw, &before, &after, None), json!({"spec": {"min": 2, "max": 5}}));
}

#[test]
fn to_a_part_no_more_is_added_than_was_set() {
    // (raw, before, after, after without defaults, expected)
    let cases = [
        // What the type says around the change.
        (
            json!({"a": 1}),
            json!({"a": 1, "limits": {"cpu": 0, "mem": 0}}),
            json!({"a": 1, "limits": {"cpu": 5, "mem": 0}}),
            json!({"a": 1, "limits": {"cpu": 5}}),
            json!({"a": 1, "limits": {"cpu": 5}}),
        ),
        // The same of a type that writes its text by itself.
        (
            json!({"a": 1}),
            json!({"a": 1, "limits": {"cpu": 0, "mem": 0}}),
            json!({"a": 1, "limits": {"cpu": 5, "mem": 0}}),
            json!({"a": 1, "limits": {"cpu": 5, "mem": 0}}),
            json!({"a": 1, "limits": {"cpu": 5}}),
        ),
        // What was not there at all.
        (
            json!({"list": [{"name": "a", "n": 0, "own": 1}]}),
            json!({"list": [{"name": "a", "n": 0}]}),
            json!({"list": [{"name": "b", "n": 0}, {"name": "a", "n": 0}], "new": {"n": 0, "m": 1}}),
            json!({"list": [{"name": "b"}, {"name": "a"}], "new": {"m": 1}}),
            json!({"list": [{"name": "b"}, {"name": "a", "n": 0, "own": 1}], "new": {"m": 1}}),
        ),
        // What is owned and becomes the default is said.
        (json!({"a": 1}), json!({"a": 1}), json!({"a": 0}), json!({}), json!({"a": 0})),
    ];
    for (raw, before, after, set, expected) in cases {
        assert_eq!(graft_part(raw, &before, &after, &set, None), expected, "{after}");
    }
}

#[test]
fn elements_without_a_name_are_told_by_their_place() {
    let raw = json!([{"n": 1, "v": 1}, {"n": 2, "v": 2}]);
    let grafted = graft(raw, &json!([{"v": 1}, {"v": 2}]), &json!([{"v": 1}, {"v": 9}]), None);
    assert_eq!(grafted, json!([{"n": 1, "v": 1}, {"n": 2, "v": 9}]));
}

/// The list of that name in the containers of pods.
fn grafted_list(name: &str, raw: Value, before: Value, after: Value) -> Value {
    let pod = |list: Value| json!({"spec": {"containers": [{"name": "a", name: list}]}});
    let members = Members::of(&watchkeeper_api::core::v1::Pod::KIND);
    graft(pod(raw), &pod(before), &pod(after), members)["spec"]["containers"][0][name].take()
}

#[test]
fn items_that_share_a_name_are_not_mixed_up() {
    // (list, raw, before, after, expected)
    let cases = [
        // One volume at two paths: the second one is changed.
        (
            "volumeMounts",
            json!([{"name": "d", "mountPath": "/a", "newer": 1}, {"name": "d", "mountPath": "/b", "newer": 2}]),
            json!([{"name": "d", "mountPath": "/a"}, {"name": "d", "mountPath": "/b"}]),
            json!([{"name": "d", "mountPath": "/a"}, {"name": "d", "mountPath": "/b", "readOnly": true}]),
            json!([{"name": "d", "mountPath": "/a", "newer": 1}, {"name": "d", "mountPath": "/b", "readOnly": true, "newer": 2}]),
        ),
        // The first one is removed, and one of another path is new.
        (
            "volumeMounts",
            json!([{"name": "d", "mountPath": "/a", "newer": 1}, {"name": "d", "mountPath": "/b", "newer": 2}]),
            json!([{"name": "d", "mountPath": "/a"}, {"name": "d", "mountPath": "/b"}]),
            json!([{"name": "d", "mountPath": "/c"}, {"name": "d", "mountPath": "/b", "readOnly": true}]),
            json!([{"name": "d", "mountPath": "/c"}, {"name": "d", "mountPath": "/b", "readOnly": true, "newer": 2}]),
        ),
        // No key of the kind tells them apart, but the rest of them does.
        (
            "tolerations",
            json!([{"key": "k", "effect": "NoSchedule", "newer": 1}, {"key": "k", "effect": "NoExecute", "newer": 2}]),
            json!([{"key": "k", "effect": "NoSchedule"}, {"key": "k", "effect": "NoExecute"}]),
            json!([{"key": "k", "effect": "NoExecute", "tolerationSeconds": 9}]),
            json!([{"key": "k", "effect": "NoExecute", "tolerationSeconds": 9, "newer": 2}]),
        ),
        // One is changed, another is new; nothing names them.
        (
            "ports",
            json!([{"containerPort": 80, "newer": 1}]),
            json!([{"containerPort": 80}]),
            json!([{"containerPort": 81}, {"containerPort": 80, "hostPort": 8}]),
            json!([{"containerPort": 81}, {"containerPort": 80, "hostPort": 8, "newer": 1}]),
        ),
        // One port in two protocols, which trade places.
        (
            "ports",
            json!([{"containerPort": 53, "protocol": "TCP", "newer": 1}, {"containerPort": 53, "protocol": "UDP", "newer": 2}]),
            json!([{"containerPort": 53, "protocol": "TCP"}, {"containerPort": 53, "protocol": "UDP"}]),
            json!([{"containerPort": 53, "protocol": "UDP", "hostPort": 1}, {"containerPort": 53, "protocol": "TCP", "hostPort": 2}]),
            json!([{"containerPort": 53, "protocol": "UDP", "hostPort": 1, "newer": 2}, {"containerPort": 53, "protocol": "TCP", "hostPort": 2, "newer": 1}]),
        ),
        // Equal as far as the type knows.
        (
            "unknown",
            json!([{"name": "a", "newer": 1}, {"name": "a", "newer": 2}]),
            json!([{"name": "a"}, {"name": "a"}]),
            json!([{"name": "a", "x": 1}, {"name": "a"}]),
            json!([{"name": "a", "x": 1, "newer": 1}, {"name": "a", "newer": 2}]),
        ),
    ];
    for (list, raw, before, after, expected) in cases {
        assert_eq!(grafted_list(list, raw, before, after.clone()), expected, "{list}: {after}");
    }
}

/// Items of a list by their whole key; names come more than once.
fn any_items() -> impl Strategy<Value = Vec<(u8, u8)>> {
    let items = prop::collection::btree_set((0_u8..2, 0_u8..4), 0..6);
    items.prop_map(|items| items.into_iter().collect::<Vec<_>>()).prop_shuffle()
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        (0..3).prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-c]|name", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// RFC 7396, section 2.
fn applied(target: &Value, patch: &Value) -> Value {
    let Value::Object(patch) = patch else { return patch.clone() };
    let mut result = target.as_object().cloned().unwrap_or_default();
    for (name, value) in patch {
        if value.is_null() {
            result.remove(name);
        } else {
            let old = result.get(name).cloned().unwrap_or(Value::Null);
            result.insert(name.clone(), applied(&old, value));
        }
    }
    Value::Object(result)
}

/// A merge patch cannot store a null.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Null => json!("null"),
        Value::Array(list) => list.into_iter().map(without_nulls).collect(),
        Value::Object(map) => {
            map.into_iter().map(|(name, value)| (name, without_nulls(value))).collect()
        }
        other => other,
    }
}

proptest! {
    #[test]
    fn a_patch_makes_one_value_of_the_other(before in any_value(), after in any_value()) {
        let (before, after) = (without_nulls(before), without_nulls(after));
        let patched = match Patch::difference(&before, &after) {
            Some(patch) => applied(&before, &patch),
            None => before,
        };
        prop_assert_eq!(patched, after);
    }

    #[test]
    fn what_is_newer_stays_at_its_item(
        before in any_items(),
        after in any_items(),
        changed in any::<bool>(),
    ) {
        let item = |(name, path): &(u8, u8), changed: bool, newer: bool| {
            let mut item = json!({"name": name.to_string(), "mountPath": path.to_string()});
            if changed {
                item["subPath"] = json!("changed");
            }
            if newer {
                item["newer"] = json!([name, path]);
            }
            item
        };
        // The kind's key is the path, so paths come once.
        let once = |items: &[(u8, u8)]| {
            let mut paths = std::collections::BTreeSet::new();
            items.iter().copied().filter(|(_, path)| paths.insert(*path)).collect::<Vec<_>>()
        };
        let (before, after) = (once(&before), once(&after));
        let list = |items: &[(u8, u8)], changed, newer| {
            items.iter().map(|of| item(of, changed, newer)).collect::<Value>()
        };
        let result = grafted_list(
            "volumeMounts",
            list(&before, false, true),
            list(&before, false, false),
            list(&after, changed, false),
        );
        for (of, found) in after.iter().zip(result.as_array().unwrap()) {
            let kept = before.iter().find(|old| old.1 == of.1);
            let expected = kept.map_or(Value::Null, |(name, path)| json!([name, path]));
            prop_assert_eq!(&found["newer"], &expected, "{:?}", of);
        }
    }

    #[test]
    fn what_is_known_whole_becomes_what_is_wanted(before in any_value(), after in any_value()) {
        prop_assert_eq!(&graft_part(before.clone(), &before, &after, &after, None), &after);
        prop_assert_eq!(graft(before.clone(), &before, &after, None), after);
    }
}
