//! Schemas that are and are not structural.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::Schema;

fn check(schema: Value, expected: Expect) {
    let schema = Schema::from_crd_json(&schema).expect("a schema");
    let errors: Vec<String> = super::check(&schema, "s").iter().map(ToString::to_string).collect();
    expected.assert_eq(&errors.join("\n"));
}

#[test]
fn a_plain_schema_is_structural() {
    check(
        json!({"type": "object", "properties": {
            "metadata": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 5}}},
            "port": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]},
            "spec": {"type": "object", "properties": {"a": {"type": "integer"}},
                "anyOf": [{"required": ["a"]}, {"properties": {"a": {"minimum": 3}}}]},
            "any": {"x-kubernetes-preserve-unknown-fields": true},
            "map": {"type": "object", "additionalProperties": true}}}),
        expect![""],
    );
}

#[test]
fn each_rule_has_its_message() {
    check(json!({}), expect!["s.type: Required value: must not be empty at the root"]);
    check(
        json!({"type": "string"}),
        expect![[r#"s.type: Invalid value: "string": must be object at the root"#]],
    );
    check(
        json!({"type": "object", "additionalProperties": {"type": "string"}, "properties": {
            "list": {"type": "array"}, "items": {"type": "array", "items": {}}, "field": {},
            "metadata": {"type": "object", "properties": {"labels": {"type": "object"}}},
            "embedded": {"type": "object", "x-kubernetes-embedded-resource": true},
            "nested": {"type": "object", "allOf": [{"type": "object", "properties": {"b": {"default": 1}}}]}}}),
        expect![[r#"
            s.additionalProperties: Forbidden: must not be used at the root
            s.properties[embedded].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields
            s.properties[field].type: Required value: must not be empty for specified object fields
            s.properties[items].items.type: Required value: must not be empty for specified array items
            s.properties[list].items: Required value: must be specified
            s.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified
            s.properties[nested].allOf[0].properties[b].default: Forbidden: must be undefined to be structural
            s.properties[nested].allOf[0].type: Forbidden: must be empty to be structural"#]],
    );
}

/// A default is told of where defaults are.
#[test]
fn of_the_metadata_of_the_root_only_names_are_spoken_of() {
    let of = |more: Value| {
        let mut metadata = json!({"type": "object"});
        for (name, value) in more.as_object().expect("members") {
            metadata[name] = value.clone();
        }
        let schema = json!({"type": "object", "properties": {"metadata": metadata}});
        let schema = Schema::from_crd_json(&schema).expect("a schema");
        let errors = super::check(&schema, "s");
        assert!(errors.iter().all(|error| error.field == "s.properties[metadata]"), "{errors:?}");
        errors.len()
    };
    let text = json!({"type": "string", "minLength": 3});
    for fine in [
        json!({}),
        json!({"default": {}}),
        json!({"default": {"name": "a"}, "properties": {}}),
        json!({"properties": {"generateName": text}}),
        json!({"properties": {"name": text, "generateName": text}}),
        json!({"description": "", "nullable": false, "required": [], "example": null}),
    ] {
        assert_eq!(of(fine.clone()), 0, "{fine}");
    }
    for (name, value) in [
        ("description", json!("x")),
        ("title", json!("x")),
        ("nullable", json!(true)),
        ("required", json!(["name"])),
        ("example", json!({})),
        ("format", json!("x")),
        ("maxProperties", json!(3)),
        ("additionalProperties", json!({"type": "string"})),
        ("properties", json!({"name": text, "labels": {"type": "object"}})),
        ("anyOf", json!([{"required": ["name"]}])),
        ("x-kubernetes-preserve-unknown-fields", json!(true)),
        ("x-kubernetes-map-type", json!("atomic")),
        ("x-kubernetes-validations", json!([{"rule": "true"}])),
    ] {
        assert_eq!(of(json!({ name: value })), 1, "{name}");
    }
}

#[test]
fn what_is_embedded_may_say_more_of_its_metadata() {
    let template = |metadata: Value| json!({"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"metadata": metadata}});
    let labels = json!({"type": "object", "default": {"a": "b"}, "additionalProperties": {"type": "string"}});
    check(
        json!({"type": "object", "properties": {
            "whole": template(json!({"type": "object", "properties": {"labels": labels}})),
            "text": template(json!({"type": "string"}))}}),
        expect![[
            r#"s.properties[text].properties[metadata].type: Invalid value: "string": must be object"#
        ]],
    );
}

#[test]
fn what_the_root_demands_of_a_member_is_said_of_a_known_one() {
    check(
        json!({"type": "object", "properties": {"a": {"type": "object"}},
            "anyOf": [{"properties": {"a": {"properties": {"c": {}}}, "b": {"items": {}}}}],
            "not": {"items": {"minimum": 1}}}),
        expect![[r#"
            s.items: Required value: because it is defined in s.not.items
            s.properties[a].properties[c]: Required value: because it is defined in s.anyOf[0].properties[a].properties[c]
            s.properties[b]: Required value: because it is defined in s.anyOf[0].properties[b]"#]],
    );
}

#[cfg(feature = "validate")]
#[test]
fn patterns_are_ones() {
    check(
        json!({"type": "object", "properties": {"a": {
            "type": "string", "pattern": "[", "anyOf": [{"pattern": "a)"}, {"pattern": "*"}]}}}),
        expect![[r#"
            s.properties[a].anyOf[0].pattern: Invalid value: "a)": must be a valid regular expression, but isn't: error parsing regexp: unexpected ): `a)`
            s.properties[a].anyOf[1].pattern: Invalid value: "*": must be a valid regular expression, but isn't: error parsing regexp: missing argument to repetition operator: `*`
            s.properties[a].pattern: Invalid value: "[": must be a valid regular expression, but isn't: error parsing regexp: missing closing ]: `[`"#]],
    );
}

/// No value would ever fit it.
#[cfg(feature = "validate")]
#[test]
fn a_pattern_that_takes_too_long_to_be_made_ready_is_none() {
    let of = |pattern: &str| {
        let schema =
            json!({"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}});
        let schema = Schema::from_crd_json(&schema).expect("a schema");
        let errors = super::check(&schema, "s");
        errors.into_iter().map(|error| (error.field, error.detail)).collect::<Vec<_>>()
    };
    let long = r"(?i)\p{Any}".repeat(20_000);
    let why =
        "must be a valid regular expression, but isn't: error parsing regexp: expression too large";
    assert_eq!(of(&long), [("s.properties[a].pattern".to_owned(), format!("{why}: `{long}`"))]);
    for pattern in ["(?i)^[a-z]+$", r"(?i)\pL+", r"(?i)^[^\s@]+@\S+$"] {
        assert!(of(pattern).is_empty(), "{pattern}");
    }
}
