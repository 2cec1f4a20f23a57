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

fn of_deployments(before: &Value, after: &Value) -> Difference {
    use watchkeeper_api::apps::v1::Deployment;
    difference(before, after, Members::of(&Deployment::KIND)).unwrap()
}

fn containers(containers: &Value) -> Value {
    json!({"spec": {"template": {"spec": {"containers": containers}}}})
}

#[test]
fn items_of_a_list_with_a_key_are_changed_one_by_one() {
    let before = containers(&json!([
        {"name": "a", "image": "x", "env": [{"name": "E", "value": "1"}], "args": ["-v"]},
        {"name": "b", "image": "y"},
        {"name": "c", "image": "z"},
    ]));
    let after = containers(&json!([
        {"name": "d"},
        {"name": "a", "image": "x", "env": [{"name": "E", "value": "2"}], "args": ["-w"]},
        {"name": "c", "image": "z"},
    ]));
    let patch = of_deployments(&before, &after);
    let expected = json!({"spec": {"template": {"spec": {
        "containers": [
            {"$patch": "delete", "name": "b"},
            {"name": "d"},
            {
                "name": "a",
                "args": ["-w"],
                "env": [{"name": "E", "value": "2"}],
                "$setElementOrder/env": [{"name": "E"}],
            },
        ],
        "$setElementOrder/containers": [{"name": "d"}, {"name": "a"}, {"name": "c"}],
    }}}});
    assert_eq!(patch, Difference::Strategic(expected));
}

#[test]
fn values_come_and_go_beside_a_list_with_a_key() {
    let mut before = containers(&json!([{"name": "a"}]));
    before["metadata"]["finalizers"] = json!(["x/y", "z/w"]);
    let mut after = containers(&json!([{"name": "b"}]));
    after["metadata"]["finalizers"] = json!(["z/w", "u/v"]);
    let Difference::Strategic(patch) = of_deployments(&before, &after) else {
        panic!("a keyed list changed")
    };
    assert_eq!(
        patch["metadata"],
        json!({
            "$deleteFromPrimitiveList/finalizers": ["x/y"],
            "$setElementOrder/finalizers": ["z/w", "u/v"],
            "finalizers": ["u/v"],
        })
    );
}

#[test]
fn a_merge_patch_does_where_no_list_with_a_key_changed() {
    let before = containers(&json!([{"name": "a"}]));
    let mut after = before.clone();
    after["metadata"]["finalizers"] = json!(["x/y"]);
    let patch = json!({"metadata": {"finalizers": ["x/y"]}});
    assert_eq!(of_deployments(&before, &after), Difference::Merge(patch));
}

#[test]
fn a_list_in_which_two_items_have_the_same_key_is_replaced() {
    let before = containers(&json!([{"name": "a"}, {"name": "a", "image": "x"}]));
    let after = containers(&json!([{"name": "a"}, {"name": "a", "image": "y"}]));
    assert_eq!(of_deployments(&before, &after), Difference::Merge(after));
}
