//! What stays and what goes.

use expect_test::expect;
use serde_json::json;

use super::*;
use crate::Schema;

fn schema() -> Schema {
    Schema::from_crd_json(&json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": {
            "items": {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true,
                "properties": {"closed": {"type": "object"}}},
            "template": {"type": "object", "x-kubernetes-embedded-resource": true,
                "properties": {"spec": {"type": "object"}}},
        }},
    }}))
    .expect("a schema")
}

#[test]
fn unknown_members_go_and_are_named() {
    let mut value = json!({
        "apiVersion": "g/v1", "kind": "Foo", "metadata": {"name": "x"}, "extra": 1,
        "spec": {"items": [{"a": "1"}, {"a": "2", "b": 3}], "labels": {"any": "thing"},
            "free": {"more": {"x": [1]}, "closed": {"y": 1}},
            "template": {"kind": "Pod", "metadata": {"name": "p"}, "spec": {"z": 1}, "other": 1},
            "nope": null}});
    let dropped = prune(&mut value, schema().alone(), true);
    expect![[
        r#"["extra", "spec.free.closed.y", "spec.items[1].b", "spec.nope", "spec.template.other", "spec.template.spec.z"]"#
    ]]
    .assert_eq(&format!("{dropped:?}"));
    assert_eq!(
        value["spec"],
        json!({"items": [{"a": "1"}, {"a": "2"}], "labels": {"any": "thing"},
            "free": {"more": {"x": [1]}, "closed": {}},
            "template": {"kind": "Pod", "metadata": {"name": "p"}, "spec": {}}})
    );
    assert_eq!(unknown_fields(&value, schema().alone(), true), Vec::<String>::new());
}

#[test]
fn metadata_stays_whatever_the_schema_of_a_custom_resource_says_of_it() {
    let meta = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    let schema = json!({"type": "object", "properties": {"metadata": meta}});
    let schema = Schema::from_crd_json(&schema).expect("a schema");
    let mut value = json!({"metadata": {"name": "x", "labels": {"a": "b"}}});
    let before = value.clone();
    assert_eq!(prune(&mut value, schema.alone(), true), Vec::<String>::new());
    assert_eq!(value, before);
}

#[test]
fn of_the_objects_that_nothing_is_said_of_nothing_stays() {
    let free = json!({"type": "object", "additionalProperties": true});
    let mut kept = free.clone();
    kept["x-kubernetes-preserve-unknown-fields"] = true.into();
    let said = json!({"type": "object", "properties": {"a": free, "b": kept}});
    let schema = Schema::from_crd_json(&said).expect("a schema");
    assert_eq!(schema.to_crd_json(), said);
    let value = json!({"t": "u", "o": {"p": {"q": 1}}, "l": [1, {"m": 2}, [{"n": 3}]]});
    let mut value = json!({"a": value, "b": value});
    let dropped = prune(&mut value, schema.alone(), false);
    expect![[r#"["a.l[1].m", "a.l[2][0].n", "a.o.p", "b.l[1].m", "b.l[2][0].n", "b.o.p"]"#]]
        .assert_eq(&format!("{dropped:?}"));
    let left = json!({"t": "u", "o": {}, "l": [1, {}, [{}]]});
    assert_eq!(value, json!({"a": left, "b": left}));
}

/// `skipPrune` goes through lists, also those of lists.
#[test]
fn what_a_list_keeps_its_items_keep() {
    let schema = Schema::from_crd_json(&json!({"type": "object", "properties": {
        "kept": {"type": "array", "x-kubernetes-preserve-unknown-fields": true, "items": {"type": "array",
            "items": {"type": "object", "properties": {"closed": {"type": "object"}}}}},
        "not": {"type": "array", "items": {"type": "object"}},
    }}))
    .expect("a schema");
    let mut value = json!({"kept": [[{"a": {"b": 1}, "closed": {"c": 1}}]], "not": [{"a": 1}]});
    assert_eq!(prune(&mut value, schema.alone(), false), ["kept[0][0].closed.c", "not[0].a"]);
    assert_eq!(value, json!({"kept": [[{"a": {"b": 1}, "closed": {}}]], "not": [{}]}));
}
