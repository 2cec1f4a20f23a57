//! Schemas in the names of Go.

use serde_json::json;

use super::super::keywords::unread;
use super::*;

/// The members of a schema that say something, as they are shown.
fn said(schema: &Value) -> String {
    let shown = super::schema(schema).expect("it is shown");
    let nothing = [":null", ":false", ":\"\""];
    // Of one that has no other schemas in it, so members are between commas.
    let says = |member: &&str| !nothing.iter().any(|end| member.ends_with(end));
    let members: Vec<&str> = shown.trim_matches(['{', '}']).split(',').filter(says).collect();
    members.join(",")
}

#[test]
fn a_schema_has_all_members_under_the_names_of_go() {
    assert_eq!(said(&json!({})), "");
    let shown = schema(&json!({})).expect("it is shown");
    assert!(shown.starts_with(r#"{"ID":"","Schema":"","Ref":null,"#), "{shown}");
    assert!(shown.ends_with(r#""XMapType":null,"XValidations":null}"#), "{shown}");
    let schema = json!({"type": "string", "nullable": true, "maxLength": 3, "default": "<", "maximum": 2.0,
        "x-kubernetes-list-type": "set", "unknown": 1, "description": null});
    assert_eq!(
        said(&schema),
        r#""Type":"string","Nullable":true,"Default":"\u003c","Maximum":2,"MaxLength":3,"XListType":"set""#
    );
}

#[test]
fn schemas_within_schemas_are_shown_so_too() {
    let empty = schema(&json!({})).expect("it is shown");
    for (schema, part) in [
        (json!({"items": {}}), r#""Items":{"Schema":{},"JSONSchemas":null}"#),
        (json!({"items": [{}, {}]}), r#""Items":{"Schema":null,"JSONSchemas":[{},{}]}"#),
        (
            json!({"additionalProperties": {}}),
            r#""AdditionalProperties":{"Allows":true,"Schema":{}}"#,
        ),
        (json!({"additionalItems": false}), r#""AdditionalItems":{"Allows":false,"Schema":null}"#),
        (json!({"properties": {"b": {}, "a": {}}}), r#""Properties":{"a":{},"b":{}}"#),
        (json!({"anyOf": [{}], "not": {}}), r#""AnyOf":[{}],"Not":{}"#),
        (
            json!({"dependencies": {"a": ["b"], "c": {}}}),
            r#""Dependencies":{"a":{"Schema":null,"Property":["b"]},"c":{"Schema":{},"Property":null}}"#,
        ),
        (
            json!({"x-kubernetes-validations": [{"rule": "a < b", "optionalOldSelf": true}]}),
            r#""XValidations":[{"Rule":"a \u003c b","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":true}]"#,
        ),
        (json!({"externalDocs": {"url": "u"}}), r#""ExternalDocs":{"Description":"","URL":"u"}"#),
    ] {
        let shown = super::schema(&schema).expect("it is shown").replace(&empty, "{}");
        assert!(shown.contains(part), "{part} in {shown}");
    }
}

#[test]
fn what_would_be_too_long_or_too_deep_is_shown_in_json() {
    let wide: serde_json::Map<String, Value> =
        (0..2_000).map(|n| (format!("p{n}"), json!({}))).collect();
    assert_eq!(schema(&json!({"properties": wide})), None);
    let deep = |levels: u32| (0..levels).fold(json!({}), |inner, _| json!({"items": inner}));
    assert!(schema(&deep(DEEPEST - 1)).is_some());
    assert_eq!(schema(&deep(DEEPEST)), None);
    let error = refused("spec.versions", None, Some(&json!([1])), "no");
    assert_eq!(error.to_string(), "spec.versions: Invalid value: [1]: no");
}

#[test]
fn a_keyword_with_nothing_in_it_is_none() {
    for (name, shown) in [
        ("id", "id"),
        ("$schema", "schema"),
        ("$ref", "$ref"),
        ("patternProperties", "patternProperties"),
        ("dependencies", "dependencies"),
        ("definitions", "definitions"),
    ] {
        for nothing in [Value::Null, json!(""), json!([]), json!({})] {
            assert_eq!(unread(&json!({ name: nothing })), None, "{name}");
        }
        for something in [json!("a"), json!(["a"]), json!({"a": true}), json!(1)] {
            let why = format!("OpenAPIV3Schema '{shown}' is not supported");
            assert_eq!(unread(&json!({ name: something })), Some(why));
        }
    }
}

#[test]
fn a_part_is_shown_only_as_long_as_there_is_room() {
    let object = Value::Null;
    let told = |shown: Option<usize>| {
        let mut check = Check::of(&object, None);
        let mut written = 0;
        for _ in 0..10 {
            let show = || {
                written += 1;
                shown.map(|bytes| "x".repeat(bytes))
            };
            refuse(&mut check, ("a", Some(&object)), show, "no");
        }
        (check.errors.len(), written)
    };
    assert_eq!(told(Some(LONGEST)), (3, 4), "the fourth has no room");
    assert_eq!(told(None), (4, 4), "what was lost counts");
    assert_eq!(told(Some(100)), (10, 10));
}
