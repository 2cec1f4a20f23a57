//! JSON there and back.

use expect_test::expect;
use serde_json::json;

use crate::Schema;
use crate::crd::OBJECT_META;

fn round_trip(json: serde_json::Value) {
    let schema = Schema::from_crd_json(&json).expect("a schema");
    assert_eq!(schema.to_crd_json(), json);
}

#[test]
fn every_member_survives() {
    round_trip(json!({
        "type": "object",
        "title": "t",
        "description": "d",
        "example": {"a": null},
        "externalDocs": {"description": "more", "url": "https://example.com"},
        "required": ["spec"],
        "properties": {
            "spec": {
                "type": "object",
                "properties": {
                    "replicas": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 10,
                        "exclusiveMaximum": true, "default": 1, "multipleOf": 0.5},
                    "port": {"x-kubernetes-int-or-string": true,
                        "anyOf": [{"type": "integer"}, {"type": "string"}]},
                    "names": {"type": "array", "items": {"type": "string", "pattern": "^a", "minLength": 1,
                        "maxLength": 5}, "x-kubernetes-list-type": "set", "maxItems": 3, "uniqueItems": true},
                    "ports": {"type": "array", "x-kubernetes-list-type": "map",
                        "x-kubernetes-list-map-keys": ["port"],
                        "items": {"type": "object", "x-kubernetes-map-type": "atomic"}},
                    "any": {"x-kubernetes-preserve-unknown-fields": true, "nullable": true},
                    "map": {"type": "object", "additionalProperties": {"type": "string", "enum": ["a"]}},
                    "not": {"type": "string", "not": {"enum": ["x"]}, "allOf": [{"minLength": 1}],
                        "oneOf": [{"maxLength": 2}]},
                },
                "x-kubernetes-validations": [{"rule": "self.a > 1", "message": "m", "optionalOldSelf": true}],
            },
            "template": {"type": "object", "x-kubernetes-embedded-resource": true,
                "x-kubernetes-preserve-unknown-fields": true},
        },
    }));
}

#[test]
fn a_member_of_the_wrong_type_is_named() {
    let bad =
        json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": 3}}}});
    let error = Schema::from_crd_json(&bad).expect_err("type is no string");
    expect![".properties[a].items.type: expected a string"].assert_eq(&error.to_string());
    let error = Schema::from_crd_json(&json!({"type": "null"})).expect_err("no such type");
    expect![[r#".type: unknown value "null""#]].assert_eq(&error.to_string());
}

#[test]
fn a_reference_with_more_is_wrapped() {
    let schema = Schema { default: Some(json!({})), ..Schema::reference("io.k8s.Spec") };
    let written = schema.to_openapi();
    assert_eq!(
        written,
        json!({"allOf": [{"$ref": "#/components/schemas/io.k8s.Spec"}], "default": {}})
    );
}

/// What a schema says of the metadata of a whole object within stays; where it says nothing, it is that of any object.
#[test]
fn whole_objects_within_have_metadata() {
    let template = |properties: serde_json::Value| json!({"type": "object", "x-kubernetes-embedded-resource": true, "properties": properties});
    let own = json!({"type": "object", "required": ["labels"]});
    let schema = json!({"type": "object", "properties": {"a": template(json!({"spec": {"type": "object"}})),
        "b": {"type": "array", "items": template(json!({"metadata": own}))}}});
    let schema = Schema::from_crd_json(&schema).expect("a schema").into_resource();
    let metadata = |of: &Schema| of.properties["metadata"].clone();
    assert_eq!(metadata(&schema.properties["a"]).reference.as_deref(), Some(OBJECT_META));
    let items = schema.properties["b"].items.as_deref().expect("items");
    assert_eq!(metadata(items).required, ["labels"]);
}
