//! Schemas in the names of Go.

use serde_json::json;

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
