//! Schemas made up: also those of `cargo xtask conformance crds --random`.

use proptest::prelude::*;
use serde_json::{Value, json};

/// A definition in two versions and an OpenAPI document, of one schema.
pub(crate) fn texts() -> impl Strategy<Value = [String; 2]> {
    let names = (
        "[a-z0-9]{1,3}(\\.[a-z0-9]{1,3}(-[a-z0-9])?){0,2}",
        "[a-z][a-z0-9]{0,3}(-[0-9])?",
        "[A-Za-z][a-zA-Z0-9]{0,6}",
        "[a-z][a-z0-9-]{0,4}[a-z]",
    );
    (schema(), names).prop_map(|(schema, (group, version, kind, plural))| {
        let definition = json!({
            "kind": "CustomResourceDefinition",
            "spec": {
                "group": group, "scope": "Namespaced", "names": { "kind": kind, "plural": plural },
                "versions": [
                    { "name": version, "schema": { "openAPIV3Schema": schema } },
                    { "name": "v1", "subresources": { "status": {} }, "schema": { "openAPIV3Schema": {
                        "type": "object", "properties": { "spec": schema, "status": schema },
                    } } },
                ],
            },
        });
        let of = json!({ "group": "g", "version": "v1", "kind": "K" });
        let document = json!({
            "openapi": "3.0.0",
            "paths": { "/apis/g/v1/ks/{name}": { "get": { "x-kubernetes-group-version-kind": of } } },
            "components": { "schemas": {
                "A": schema,
                "K": { "x-kubernetes-group-version-kind": [of], "properties": { "spec": { "$ref": "x/A" } } },
            } },
        });
        [definition.to_string(), document.to_string()]
    })
}

/// A schema: most of what is said fits together, some of it does not.
fn schema() -> impl Strategy<Value = Value> {
    let word = "[ -~éß\u{0}-\u{1f}]{0,6}";
    let scalar = prop_oneof![
        Just(json!({})),
        Just(json!({ "type": "string" })),
        Just(json!({ "type": "integer", "format": "int32" })),
        Just(json!({ "type": ["number", "null"], "nullable": true })),
        Just(json!({ "type": "string", "format": "date-time" })),
        Just(json!({ "x-kubernetes-int-or-string": true })),
        Just(json!({ "x-kubernetes-preserve-unknown-fields": true })),
        Just(json!({ "x-kubernetes-embedded-resource": true })),
        Just(json!({ "$ref": "#/components/schemas/A" })),
        Just(json!({ "anyOf": [7] })),
        Just(json!(7)),
        Just(json!({ "type": "null", "properties": [], "required": "all" })),
        word.prop_map(|word| json!({ "type": word, "description": word, "format": word })),
        prop::collection::vec(word, 0..3)
            .prop_map(|words| json!({ "type": "string", "enum": words, "default": words.first() })),
    ];
    scalar.prop_recursive(5, 40, 6, move |inner| {
        let members = prop::collection::btree_map(word, inner.clone(), 0..6);
        let names = prop_oneof![
            Just("type".to_owned()),
            Just("self".to_owned()),
            Just("Self".to_owned()),
            Just("other".to_owned()),
            Just("metadata".to_owned()),
            Just("crate".to_owned()),
            Just("Default".to_owned()),
            Just("a-b".to_owned()),
            Just("a_b".to_owned()),
        ];
        let usual = prop::collection::btree_map(names, inner.clone(), 0..6);
        prop_oneof![
            members.prop_map(|members| json!({ "type": "object", "properties": members })),
            usual.prop_map(|members| {
                let required: Vec<&String> = members.keys().take(2).collect();
                json!({ "type": "object", "required": required, "properties": members })
            }),
            inner.clone().prop_map(|items| json!({ "type": "array", "items": items })),
            inner
                .clone()
                .prop_map(|values| json!({ "type": "object", "additionalProperties": values })),
            inner.prop_map(|part| json!({ "allOf": [part], "description": "*/ \" \\ `" })),
        ]
    })
}
