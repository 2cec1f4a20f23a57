//! Patches and what becomes of objects.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::json;
use watchkeeper_schema::Schemas;

use super::*;

fn strategic_on_deployment(object: &Value, patch: &Value) -> Result<Value, PatchError> {
    let schemas = Schemas::builtin();
    let schema = schemas.by_name("io.k8s.api.apps.v1.Deployment").expect("a built-in type");
    strategic(object, patch, schema)
}

fn deployment(containers: Value) -> Value {
    json!({"spec": {"template": {"spec": {"containers": containers}}}})
}

fn check_containers(old: Value, patch: Value, expected: Expect) {
    let patched = match strategic_on_deployment(&deployment(old), &deployment(patch)) {
        Ok(patched) => patched["spec"]["template"]["spec"]["containers"].to_string(),
        Err(error) => format!("error: {error}"),
    };
    expected.assert_eq(&patched);
}

#[test]
fn json_patch_applies_or_says_why_not() {
    let object = json!({"spec": {"replicas": 1, "list": ["a"]}});
    let patch = json!([{"op": "replace", "path": "/spec/replicas", "value": 2},
        {"op": "add", "path": "/spec/list/-", "value": "b"}, {"op": "test", "path": "/spec/replicas", "value": 2}]);
    assert_eq!(json(&object, &patch), Ok(json!({"spec": {"replicas": 2, "list": ["a", "b"]}})));
    let failing = json!([{"op": "test", "path": "/spec/replicas", "value": 3}]);
    assert!(matches!(json(&object, &failing), Err(PatchError::Failed(_))));
    assert!(matches!(json(&object, &json!({"op": "x"})), Err(PatchError::Malformed(_))));
    let long = json!(vec![json!({"op": "test", "path": "", "value": null}); 10_001]);
    let error = json(&object, &long).expect_err("too long");
    expect!["The allowed maximum operations in a JSON patch is 10000, got 10001"]
        .assert_eq(&error.to_string());
}

#[test]
fn merge_patch_merges_objects_and_replaces_the_rest() {
    let object = json!({"a": {"b": 1, "c": 2}, "l": [1, 2], "x": 1});
    let patch = json!({"a": {"b": null, "d": {"e": null, "f": 1}}, "l": [3], "x": {"y": null}});
    assert_eq!(merge(&object, &patch), json!({"a": {"c": 2, "d": {"f": 1}}, "l": [3], "x": {}}));
}

#[test]
fn lists_merge_by_key_and_new_items_come_first() {
    check_containers(
        json!([{"name": "a", "image": "1"}, {"name": "b", "image": "1"}]),
        json!([{"name": "b", "image": "2"}, {"name": "c", "image": "1"}]),
        expect![[
            r#"[{"image":"1","name":"a"},{"image":"2","name":"b"},{"image":"1","name":"c"}]"#
        ]],
    );
    check_containers(
        json!([{"name": "a", "image": "1"}]),
        json!([{"name": "c", "image": "1"}]),
        expect![[r#"[{"image":"1","name":"c"},{"image":"1","name":"a"}]"#]],
    );
}

#[test]
fn directives_on_list_items() {
    check_containers(
        json!([{"name": "a", "image": "1"}, {"name": "b", "image": "1"}]),
        json!([{"name": "a", "$patch": "delete"}]),
        expect![[r#"[{"image":"1","name":"b"}]"#]],
    );
    check_containers(
        json!([{"name": "a", "image": "1"}]),
        json!([{"$patch": "replace"}, {"name": "z"}]),
        expect![[r#"[{"name":"z"}]"#]],
    );
    check_containers(
        json!([{"name": "a"}]),
        json!([{"image": "x"}]),
        expect!["error: map: map[image:x] does not contain declared merge key: name"],
    );
    check_containers(
        json!([{"name": "a"}]),
        json!([{"name": "a", "$patch": "frob"}]),
        expect!["error: unknown patch type: frob in map: map[$patch:frob name:a]"],
    );
}

#[test]
fn the_order_can_be_set() {
    let old = deployment(json!([{"name": "a"}, {"name": "b"}, {"name": "c"}]));
    let patch = json!({"spec": {"template": {"spec": {
        "$setElementOrder/containers": [{"name": "c"}, {"name": "n"}, {"name": "a"}],
        "containers": [{"name": "n"}]}}}});
    let patched = strategic_on_deployment(&old, &patch).expect("applies");
    expect![[r#"[{"name":"b"},{"name":"c"},{"name":"n"},{"name":"a"}]"#]]
        .assert_eq(&patched["spec"]["template"]["spec"]["containers"].to_string());
}

#[test]
fn scalars_merge_and_are_deleted_by_value() {
    let old = json!({"metadata": {"finalizers": ["a", "b"]}});
    let added = strategic_on_deployment(&old, &json!({"metadata": {"finalizers": ["c", "a"]}}));
    assert_eq!(added, Ok(json!({"metadata": {"finalizers": ["c", "a", "b"]}})));
    let patch = json!({"metadata": {"$deleteFromPrimitiveList/finalizers": ["a"]}});
    assert_eq!(
        strategic_on_deployment(&old, &patch),
        Ok(json!({"metadata": {"finalizers": ["b"]}}))
    );
}

#[test]
fn directives_on_maps() {
    let old =
        json!({"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}}});
    let patch = json!({"spec": {"strategy": {"$retainKeys": ["type"], "type": "Recreate"}}});
    assert_eq!(
        strategic_on_deployment(&old, &patch),
        Ok(json!({"spec": {"strategy": {"type": "Recreate"}}}))
    );
    let replace = json!({"spec": {"strategy": {"$patch": "replace", "type": "Recreate"}}});
    assert_eq!(
        strategic_on_deployment(&old, &replace),
        Ok(json!({"spec": {"strategy": {"type": "Recreate"}}}))
    );
    let delete = json!({"spec": {"strategy": {"$patch": "delete"}}});
    assert_eq!(strategic_on_deployment(&old, &delete), Ok(json!({"spec": {"strategy": {}}})));
    let bad = json!({"spec": {"strategy": {"$retainKeys": ["type"], "rollingUpdate": {}}}});
    assert!(matches!(strategic_on_deployment(&old, &bad), Err(PatchError::Malformed(_))));
}

/// The one field of all kinds that is an object and is replaced: its type says so.
#[test]
fn the_selector_of_a_budget_is_replaced() {
    let schemas = Schemas::builtin();
    let schema = schemas.by_name("io.k8s.api.policy.v1.PodDisruptionBudget");
    let schema = schema.expect("a built-in type");
    let old = json!({"spec": {"selector": {"matchLabels": {"app": "a"}}, "minAvailable": 1}});
    for selector in [json!({}), json!({"matchLabels": {"tier": "b"}}), json!({"$patch": "delete"})]
    {
        let patched = strategic(&old, &json!({"spec": {"selector": selector}}), schema);
        assert_eq!(patched, Ok(json!({"spec": {"selector": selector, "minAvailable": 1}})));
    }
    let removed = strategic(&old, &json!({"spec": {"selector": null}}), schema);
    assert_eq!(removed, Ok(json!({"spec": {"minAvailable": 1}})));
}

/// Of other directives than `$patch` upstream knows no more there, and the server warns of members without a name.
#[test]
fn values_that_are_new_lose_what_has_a_patch_in_it() {
    let patch = json!({"spec": {"strategy": {"$retainKeys": ["type"], "type": "Recreate", "x": null},
        "template": {"spec": {"$setElementOrder/containers": [{"name": "a"}],
            "containers": [{"name": "a"}, {"name": "b", "$patch": "delete"}]}}}});
    assert_eq!(
        strategic_on_deployment(&json!({}), &patch),
        Ok(json!({"spec": {"strategy": {"$retainKeys": ["type"], "type": "Recreate"},
            "template": {"spec": {"$setElementOrder/containers": [{"name": "a"}],
                "containers": [{"name": "a"}]}}}}))
    );
}

#[test]
fn a_new_item_of_a_list_comes_as_it_is() {
    let old = json!({"spec": {"template": {"spec": {"containers": [{"name": "a"}]}}}});
    let item = json!({"name": "b", "env": [{"name": "A", "$patch": "delete"}], "image": null});
    let patch = json!({"spec": {"template": {"spec": {"containers": [item]}}}});
    assert_eq!(
        strategic_on_deployment(&old, &patch),
        Ok(json!({"spec": {"template": {"spec": {"containers": [item, {"name": "a"}]}}}}))
    );
}

#[test]
fn what_merges_is_of_one_type() {
    let told = |old: Value, patch: Value| {
        let under = |list: Value| json!({"spec": {"template": {"spec": list}}});
        strategic_on_deployment(&under(old), &under(patch)).expect_err("no list").to_string()
    };
    let old = json!({"containers": [{"name": "a"}]});
    assert_eq!(
        told(old.clone(), json!({"containers": ["a"]})),
        "list element types are not identical: [[map[name:a]] [a]]"
    );
    assert_eq!(
        told(old.clone(), json!({"containers": [[]]})),
        "list element types are not identical: [[map[name:a]] [[]]]"
    );
    let order = |order: Value, list: Value| json!({"$setElementOrder/containers": order, "containers": list});
    assert_eq!(
        told(json!({}), order(json!([{"name": "a"}]), json!([]))),
        "no elements in any of the given slices"
    );
    assert_eq!(
        told(old.clone(), order(json!(1), json!([]))),
        "expected a []interface {}, but received a int64"
    );
    let directive = json!({"$patch": "replace"});
    let patch = order(json!([{"name": "a"}, {"name": "a"}]), json!([{"name": "a"}, directive]));
    let patch = json!({"spec": {"template": {"spec": patch}}});
    let replaced = strategic_on_deployment(&json!({"spec": {"template": {"spec": old}}}), &patch);
    assert_eq!(
        replaced,
        Ok(json!({"spec": {"template": {"spec": {"containers": [{"name": "a"}]}}}}))
    );
    let patch = order(json!([{"name": "a"}]), json!([{"name": "a"}, directive]));
    assert_eq!(
        told(old, patch),
        "The order in patch list:\n[map[name:a] map[$patch:replace]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n"
    );
}

/// JSON without `null`, which a merge patch cannot set.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![any::<bool>().prop_map(Value::from), (0..5).prop_map(Value::from)];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[a-d]", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// The merge patch from `old` to `new`.
fn difference(old: &Value, new: &Value) -> Value {
    let (Value::Object(old), Value::Object(new)) = (old, new) else { return new.clone() };
    let mut patch = serde_json::Map::new();
    for name in old.keys().filter(|name| !new.contains_key(*name)) {
        patch.insert(name.clone(), Value::Null);
    }
    for (name, value) in new {
        match old.get(name) {
            Some(before) if before == value => {}
            Some(before) if before.is_object() == value.is_object() => {
                patch.insert(name.clone(), difference(before, value));
            }
            _ => {
                patch.insert(name.clone(), value.clone());
            }
        }
    }
    Value::Object(patch)
}

proptest! {
    #[test]
    fn the_merge_patch_of_a_difference_gives_the_new_value(old in any_json(), new in any_json()) {
        prop_assert_eq!(merge(&old, &difference(&old, &new)), new);
    }

    #[test]
    fn a_merge_patch_applied_twice_changes_nothing_more(old in any_json(), patch in any_json()) {
        let once = merge(&old, &patch);
        prop_assert_eq!(merge(&once, &patch), once);
    }

    #[test]
    fn a_strategic_patch_without_directives_is_idempotent(old in any_json(), patch in any_json()) {
        if let Ok(once) = strategic_on_deployment(&json!({"spec": old}), &json!({"spec": patch})) {
            prop_assert_eq!(strategic_on_deployment(&once, &json!({"spec": patch})), Ok(once));
        }
    }
}

#[test]
fn replace_on_an_item_speaks_of_the_whole_list() {
    check_containers(
        json!([{"name": "a", "image": "1"}]),
        json!([{"name": "a", "$patch": "replace", "image": "2"}, {"name": "b", "image": "1"}]),
        expect![[r#"[{"image":"1","name":"b"}]"#]],
    );
}

#[test]
fn a_patch_keeps_to_the_order_it_asks_for() {
    let old =
        json!({"spec": {"template": {"spec": {"containers": [{"name": "a"}, {"name": "b"}]}}}});
    let patch = |order: Value, containers: Value| {
        json!({"spec": {"template": {"spec": {
            "$setElementOrder/containers": order, "containers": containers}}}})
    };
    let order = json!([{"name": "b"}, {"name": "a"}]);
    let swapped = patch(order.clone(), json!([{"name": "a", "image": "1"}, {"name": "b"}]));
    expect![[r"
        The order in patch list:
        [map[image:1 name:a] map[name:b]]
         doesn't match $setElementOrder list:
        [map[name:b] map[name:a]]
    "]]
    .assert_eq(&strategic_on_deployment(&old, &swapped).expect_err("it fails").to_string());
    let deleted = json!([{"name": "a", "image": "1"}, {"name": "c", "$patch": "delete"}]);
    let fine = strategic_on_deployment(&old, &patch(order, deleted)).expect("it fits");
    expect![[r#"[{"name":"b"},{"image":"1","name":"a"}]"#]]
        .assert_eq(&fine["spec"]["template"]["spec"]["containers"].to_string());
}

#[test]
fn nulls_stay_in_what_takes_the_place_of_an_object_only() {
    let list = json!([{"b": null, "c": [{"d": null}]}]);
    let patch = json!({"a": list});
    let pruned = json!({"a": [{"c": [{}]}]});
    assert_eq!(merge(&json!({"a": 1}), &patch), pruned);
    assert_eq!(merge(&json!({}), &patch), pruned);
    assert_eq!(merge(&json!({"a": {"e": 1}}), &patch), patch);
}

#[test]
fn keys_that_are_retained_are_a_list_of_all_that_comes() {
    let old = json!({"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {}}}});
    let strategy = |patch: Value| {
        strategic_on_deployment(&old, &json!({"spec": {"strategy": patch}}))
            .map(|new| new["spec"]["strategy"].clone())
    };
    assert_eq!(
        strategy(json!({"$retainKeys": ["type"], "rollingUpdate": null})),
        Ok(json!({"type": "RollingUpdate"}))
    );
    assert_eq!(strategy(json!({"$retainKeys": []})), Ok(json!({})));
    let malformed = PatchError::Malformed("invalid patch format of retainKeys".to_owned());
    assert_eq!(strategy(json!({"$retainKeys": "type"})), Err(malformed.clone()));
    assert_eq!(strategy(json!({"$retainKeys": ["rollingUpdate"], "type": "x"})), Err(malformed));
}

#[test]
fn what_is_not_in_a_list_is_not_deleted_from_it() {
    let patch = json!({"metadata": {"$deleteFromPrimitiveList/finalizers": ["a"]}});
    for metadata in [json!({}), json!({"finalizers": ["b"]})] {
        let old = json!({"metadata": metadata});
        assert_eq!(strategic_on_deployment(&old, &patch), Ok(old));
    }
}

#[test]
fn the_order_of_a_list_without_a_key_is_that_of_its_items() {
    let patched = |order: Value| {
        let patch = json!({"$setElementOrder/finalizers": order, "finalizers": ["b"]});
        let old = json!({"metadata": {"finalizers": ["c"]}});
        let patched = strategic_on_deployment(&old, &json!({"metadata": patch}))?;
        Ok::<_, PatchError>(patched["metadata"]["finalizers"].as_array().map(Vec::len))
    };
    assert_eq!(patched(json!(["b"])), Ok(Some(2)));
    let broken = "doesn't match $setElementOrder list";
    let error = patched(json!(["a"])).expect_err("another order");
    assert!(error.to_string().contains(broken), "{error}");
}
