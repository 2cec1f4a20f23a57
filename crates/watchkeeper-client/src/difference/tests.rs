//! What a difference says, and in which language.

use serde_json::json;

use super::*;

fn of_deployments(before: &Value, after: &Value) -> Difference {
    use watchkeeper_api::apps::v1::Deployment;
    Difference::of(before, after, Members::of(&Deployment::KIND)).unwrap()
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

#[test]
fn a_list_that_is_replaced_is_no_reason_to_replace_the_others() {
    let ports = |protocol: &str| {
        json!([
            {"containerPort": 53, "protocol": "TCP"}, {"containerPort": 53, "protocol": protocol},
        ])
    };
    let container = |image: &str, protocol: &str| json!({"name": "a", "image": image, "ports": ports(protocol)});
    let before = containers(&json!([container("x", "UDP"), {"name": "b"}]));
    let after = containers(&json!([container("y", "SCTP"), {"name": "b"}]));
    let mut replaced = ports("SCTP");
    replaced.as_array_mut().unwrap().insert(0, json!({"$patch": "replace"}));
    let expected = json!({"spec": {"template": {"spec": {
        "containers": [{"name": "a", "image": "y", "ports": replaced}],
        "$setElementOrder/containers": [{"name": "a"}, {"name": "b"}],
    }}}});
    assert_eq!(of_deployments(&before, &after), Difference::Strategic(expected));
}

#[test]
fn what_no_strategic_patch_can_say_is_said_by_a_merge_patch() {
    let mut before = containers(&json!([{"name": "a"}]));
    before["metadata"]["finalizers"] = json!(["x/y"]);
    let mut after = containers(&json!([{"name": "b"}]));
    after["metadata"]["finalizers"] = json!(["x/y", "x/y"]);
    assert_eq!(of_deployments(&before, &after), Difference::Merge(after));
}
