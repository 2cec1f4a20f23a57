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
    assert_eq!(graft(raw, &before, &after), expected);
}

#[test]
fn what_the_type_cannot_leave_out_is_not_said() {
    let raw = json!({"spec": {"min": 2}});
    let before = json!({"spec": {"min": 2, "max": 0}});
    let after = json!({"spec": {"min": 3, "max": 0}});
    assert_eq!(graft(raw.clone(), &before, &after), json!({"spec": {"min": 3}}));
    let after = json!({"spec": {"min": 2, "max": 5}});
    assert_eq!(graft(raw, &before, &after), json!({"spec": {"min": 2, "max": 5}}));
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
        assert_eq!(graft_part(raw, &before, &after, &set), expected, "{after}");
    }
}

#[test]
fn elements_without_a_name_are_told_by_their_place() {
    let raw = json!([{"n": 1, "v": 1}, {"n": 2, "v": 2}]);
    let grafted = graft(raw, &json!([{"v": 1}, {"v": 2}]), &json!([{"v": 1}, {"v": 9}]));
    assert_eq!(grafted, json!([{"n": 1, "v": 1}, {"n": 2, "v": 9}]));
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
    fn what_is_known_whole_becomes_what_is_wanted(before in any_value(), after in any_value()) {
        prop_assert_eq!(&graft_part(before.clone(), &before, &after, &after), &after);
        prop_assert_eq!(graft(before.clone(), &before, &after), after);
    }
}
