//! The patch of a difference, applied, makes the difference.

use proptest::prelude::*;
use serde_json::json;

use super::*;

#[test]
fn only_what_changed_is_in_the_patch() {
    let before =
        json!({"spec": {"replicas": 1, "paused": true, "template": {"a": [1, 2]}}, "x": 1});
    let after = json!({"spec": {"replicas": 3, "template": {"a": [1]}}, "x": 1, "y": {}});
    let patch = json!({"spec": {"replicas": 3, "paused": null, "template": {"a": [1]}}, "y": {}});
    assert_eq!(merge_patch(&before, &after), Some(patch));
}

#[test]
fn equal_values_need_no_patch() {
    let value = json!({"a": [1, {"b": null}], "c": "d"});
    assert_eq!(merge_patch(&value, &value.clone()), None);
}

#[test]
fn a_member_that_neither_side_knows_survives() {
    let patch = merge_patch(&json!({"a": 1}), &json!({"a": 2})).unwrap();
    let server = json!({"a": 1, "newer": true});
    assert_eq!(applied(&server, &patch), json!({"a": 2, "newer": true}));
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

/// Objects without nulls: a merge patch cannot store one.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![any::<bool>().prop_map(Value::from), (0..3).prop_map(Value::from)];
    leaf.prop_recursive(4, 30, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[a-c]", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn a_patch_makes_one_value_of_the_other(before in value(), after in value()) {
        let patched = match merge_patch(&before, &after) {
            Some(patch) => applied(&before, &patch),
            None => before,
        };
        prop_assert_eq!(patched, after);
    }
}
