//! Definitions of custom resources.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use watchkeeper_schema::FieldError;

use super::{check, completed, validate};
use crate::kind_validation::told::MOST_TOLD;

#[test]
fn definitions() {
    let crd = |patch: Value| {
        let good = json!({"metadata": {"name": "foos.g.io"}, "spec": {"group": "g.io", "scope": "Namespaced",
            "names": {"plural": "foos", "kind": "Foo"}, "versions": [{"name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object"}}}]}});
        crate::patch::merge(&good, &patch)
    };
    let kind = ("apiextensions.k8s.io", "CustomResourceDefinition");
    check(kind.0, kind.1, crd(json!({})), expect![[""]]);
    check(
        kind.0,
        kind.1,
        crd(
            json!({"spec": {"group": "x.k8s.io", "scope": "Galactic", "names": {"singular": "Foo", "shortNames": ["F"]}, "versions": [
            {"name": "V1", "storage": true, "schema": {"openAPIV3Schema": {"properties": {"a": {}}}}},
            {"name": "v2", "storage": true, "additionalPrinterColumns": [{"name": "", "type": "text", "jsonPath": ".a["}]}]}}),
        ),
        expect![[r#"
            metadata.name: Invalid value: "foos.g.io": must be spec.names.plural+"."+spec.group
            spec.scope: Unsupported value: "Galactic": supported values: "Cluster", "Namespaced"
            spec.versions[1].schema.openAPIV3Schema: Required value
            spec.versions[0].name: Invalid value: "V1": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')
            spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields
            spec.versions[0].schema.openAPIV3Schema.type: Required value: must not be empty at the root
            spec.versions[1].additionalPrinterColumns[0].name: Required value
            spec.versions[1].additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string
            spec.versions[1].additionalPrinterColumns[0].JSONPath: Invalid value: ".a[": is an invalid path: unterminated array
            spec.versions: Invalid value: [{"Name":"V1","Served":false,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":{"OpenAPIV3Schema":{"ID":"","Schema":"","Ref":null,"Description":"","Type":"","Nullable":false,"Format":"","Title":"","Default":null,"Maximum":null,"ExclusiveMaximum":false,"Minimum":null,"ExclusiveMinimum":false,"MaxLength":null,"MinLength":null,"Pattern":"","MaxItems":null,"MinItems":null,"UniqueItems":false,"MultipleOf":null,"Enum":null,"MaxProperties":null,"MinProperties":null,"Required":null,"Items":null,"AllOf":null,"OneOf":null,"AnyOf":null,"Not":null,"Properties":{"a":{"ID":"","Schema":"","Ref":null,"Description":"","Type":"","Nullable":false,"Format":"","Title":"","Default":null,"Maximum":null,"ExclusiveMaximum":false,"Minimum":null,"ExclusiveMinimum":false,"MaxLength":null,"MinLength":null,"Pattern":"","MaxItems":null,"MinItems":null,"UniqueItems":false,"MultipleOf":null,"Enum":null,"MaxProperties":null,"MinProperties":null,"Required":null,"Items":null,"AllOf":null,"OneOf":null,"AnyOf":null,"Not":null,"Properties":null,"AdditionalProperties":null,"PatternProperties":null,"Dependencies":null,"AdditionalItems":null,"Definitions":null,"ExternalDocs":null,"Example":null,"XPreserveUnknownFields":null,"XEmbeddedResource":false,"XIntOrString":false,"XListMapKeys":null,"XListType":null,"XMapType":null,"XValidations":null}},"AdditionalProperties":null,"PatternProperties":null,"Dependencies":null,"AdditionalItems":null,"Definitions":null,"ExternalDocs":null,"Example":null,"XPreserveUnknownFields":null,"XEmbeddedResource":false,"XIntOrString":false,"XListMapKeys":null,"XListType":null,"XMapType":null,"XValidations":null}},"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v2","Served":false,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":[{"Name":"","Type":"text","Format":"","Description":"","Priority":0,"JSONPath":".a["}],"SelectableFields":null}]: must have exactly one version marked as storage version
            spec.names.singular: Invalid value: "Foo": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')
            spec.names.shortNames[0]: Invalid value: "F": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')
            metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111"#]],
    );
}

/// A definition of one version, of whose schema this is one member.
fn check_schema(schema: Value, expected: Expect) {
    let schema = json!({"type": "object", "properties": {"spec": schema}});
    check_root(schema, json!({}), expected);
}

fn check_root(schema: Value, subresources: Value, expected: Expect) {
    let version = json!({"name": "v1", "served": true, "storage": true,
        "schema": {"openAPIV3Schema": schema}, "subresources": subresources});
    let definition = json!({"metadata": {"name": "foos.g.io"}, "spec": {"group": "g.io", "scope": "Namespaced",
        "names": {"plural": "foos", "singular": "foo", "kind": "Foo", "listKind": "FooList"}, "versions": [version]}});
    check("apiextensions.k8s.io", "CustomResourceDefinition", definition, expected);
}

#[test]
fn keywords_that_schemas_do_not_have_are_refused() {
    check_schema(
        json!({"type": "object", "properties": {
            "a": {"type": "text"}, "b": {"type": "string", "id": "x", "uniqueItems": true, "minLength": -1},
            "c": {"type": "object", "properties": {"d": {"type": "string"}}, "additionalProperties": false},
            "e": {"type": "array", "items": {"type": "string"}, "additionalItems": true},
            "f": {"type": "object", "x-kubernetes-preserve-unknown-fields": false},
            "g": {"type": "string", "definitions": {}, "patternProperties": {}, "dependencies": {}}}}),
        expect![[r#"
            spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"
            spec.validation.openAPIV3Schema.properties[spec].properties[b].id: Forbidden: id is not supported
            spec.validation.openAPIV3Schema.properties[spec].properties[b].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic
            spec.validation.openAPIV3Schema.properties[spec].properties[c].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive
            spec.validation.openAPIV3Schema.properties[spec].properties[e].additionalItems: Forbidden: additionalItems is not supported
            spec.validation.openAPIV3Schema.properties[spec].properties[f].x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined"#]],
    );
    check_schema(
        json!({"type": "array", "items": [{"type": "string"}, {"type": "null"}]}),
        expect![[r#"
            spec.validation.openAPIV3Schema.properties[spec].items: Forbidden: items must be a schema object and not an array
            spec.validation.openAPIV3Schema.properties[spec].items[1].type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"
            spec.validation.openAPIV3Schema.properties[spec].items[1].type: Forbidden: type cannot be set to null, use nullable as an alternative"#]],
    );
    check_schema(
        json!({"type": "object", "$schema": "x"}),
        expect![[
            r#"spec.validation.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema 'schema' is not supported"#
        ]],
    );
}

#[test]
fn lists_and_maps_are_of_known_types_and_have_what_these_ask_for() {
    check_schema(
        json!({"type": "object", "properties": {
            "a": {"type": "array", "items": {"type": "string", "nullable": true}, "x-kubernetes-list-type": "set"},
            "b": {"type": "array", "items": {"type": "object"}, "x-kubernetes-list-type": "set"},
            "c": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "map"},
            "d": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k", "k", "x", "o"],
                "items": {"type": "object", "properties": {"k": {"type": "string", "nullable": true}, "o": {"type": "object", "default": {}}}}},
            "e": {"type": "string", "x-kubernetes-list-type": "atomic", "x-kubernetes-map-type": "x"},
            "f": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "x", "x-kubernetes-list-map-keys": ["k"]}}}),
        expect![[r#"
            spec.validation.openAPIV3Schema.properties[spec].properties[a].items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set
            spec.validation.openAPIV3Schema.properties[spec].properties[b].items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set
            spec.validation.openAPIV3Schema.properties[spec].properties[c].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map
            spec.validation.openAPIV3Schema.properties[spec].properties[c].items.type: Invalid value: "string": must be object if parent array's x-kubernetes-list-type is map
            spec.validation.openAPIV3Schema.properties[spec].properties[d].x-kubernetes-list-map-keys: Invalid value: ["k","k","x","o"]: must not contain duplicate entries
            spec.validation.openAPIV3Schema.properties[spec].properties[d].x-kubernetes-list-map-keys: Invalid value: ["k","k","x","o"]: entries must all be names of item properties
            spec.validation.openAPIV3Schema.properties[spec].properties[d].items.properties[o].type: Invalid value: "object": must be a scalar type if parent array's x-kubernetes-list-type is map
            spec.validation.openAPIV3Schema.properties[spec].properties[d].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property
            spec.validation.openAPIV3Schema.properties[spec].properties[d].items.properties[k].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable
            spec.validation.openAPIV3Schema.properties[spec].properties[d].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property
            spec.validation.openAPIV3Schema.properties[spec].properties[d].items.properties[k].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable
            spec.validation.openAPIV3Schema.properties[spec].properties[e].type: Invalid value: "string": must be object if x-kubernetes-map-type is specified
            spec.validation.openAPIV3Schema.properties[spec].properties[e].x-kubernetes-map-type: Unsupported value: "x": supported values: "atomic", "granular"
            spec.validation.openAPIV3Schema.properties[spec].properties[e].type: Invalid value: "string": must be array if x-kubernetes-list-type is specified
            spec.validation.openAPIV3Schema.properties[spec].properties[f].x-kubernetes-list-type: Unsupported value: "x": supported values: "atomic", "set", "map"
            spec.validation.openAPIV3Schema.properties[spec].properties[f].x-kubernetes-list-type: Invalid value: "x": must be map if x-kubernetes-list-map-keys is non-empty"#]],
    );
}

#[test]
fn defaults_are_values_of_their_schema() {
    check_schema(
        json!({"type": "object", "default": {"zzz": 1}, "properties": {
            "a": {"type": "string", "default": 3},
            "b": {"type": "array", "items": {"type": "integer", "default": "x"}, "default": [1, "y"]},
            "c": {"type": "integer", "default": 1, "x-kubernetes-validations": [{"rule": "self > 2"}]},
            "d": {"type": "object", "required": ["e"], "properties": {"e": {"type": "string"}}, "default": {}}}}),
        expect![[r#"
            spec.validation.openAPIV3Schema.properties[spec].default: Invalid value: {"zzz":1}: must not have unknown fields
            spec.validation.openAPIV3Schema.properties[spec].properties[a].default: Invalid value: "integer":  in body must be of type string: "integer"
            spec.validation.openAPIV3Schema.properties[spec].properties[b].default.[1]: Invalid value: "string": [1] in body must be of type integer: "string"
            spec.validation.openAPIV3Schema.properties[spec].properties[b].items.default: Invalid value: "string":  in body must be of type integer: "string"
            spec.validation.openAPIV3Schema.properties[spec].properties[c].default: Invalid value: 1: failed rule: self > 2
            spec.validation.openAPIV3Schema.properties[spec].properties[d].default.e: Required value"#]],
    );
    check_root(
        json!({"type": "object", "properties": {"kind": {"type": "string", "default": "Foo"},
            "metadata": {"type": "object", "properties": {"name": {"type": "string", "default": "x"}}}}}),
        json!({}),
        expect![[r#"
            spec.validation.openAPIV3Schema.properties[kind].default: Forbidden: must not be set in top-level kind
            spec.validation.openAPIV3Schema.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata"#]],
    );
}

#[test]
fn rules_are_asked_only_where_all_else_is_well() {
    let rule = json!([{"rule": "self.nothing"}]);
    check_schema(
        json!({"type": "object", "x-kubernetes-validations": rule, "properties": {
            "a": {"type": "object", "x-kubernetes-validations": rule},
            "b": {"type": "string", "uniqueItems": true}}}),
        expect![[r#"
            spec.validation.openAPIV3Schema.properties[spec].properties[b].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic
            spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.nothing","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:5: undefined field 'nothing'
             | self.nothing
             | ....^"#]],
    );
    check_schema(
        json!({"type": "object", "x-kubernetes-validations": [{"rule": ""}], "default": 1}),
        expect![[r#"
            spec.validation.openAPIV3Schema.properties[spec].default: Invalid value: "integer":  in body must be of type object: "integer"
            spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: Required value: rule is not specified"#]],
    );
}

#[test]
fn beside_a_status_the_root_is_an_object_with_members() {
    let schema = |more: Value| crate::patch::merge(&json!({"type": "object"}), &more);
    let status = || json!({"status": {}});
    check_root(schema(json!({"required": ["spec"]})), status(), expect![[""]]);
    check_root(
        schema(json!({"nullable": true})),
        json!({}),
        expect![
            "spec.validation.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root"
        ],
    );
    check_root(schema(json!({"maxProperties": 3})), json!({}), expect![[""]]);
    check_root(
        schema(json!({"maxProperties": 3})),
        status(),
        expect![[
            r#"spec.validation.openAPIV3Schema: Invalid value: {"ID":"","Schema":"","Ref":null,"Description":"","Type":"object","Nullable":false,"Format":"","Title":"","Default":null,"Maximum":null,"ExclusiveMaximum":false,"Minimum":null,"ExclusiveMinimum":false,"MaxLength":null,"MinLength":null,"Pattern":"","MaxItems":null,"MinItems":null,"UniqueItems":false,"MultipleOf":null,"Enum":null,"MaxProperties":3,"MinProperties":null,"Required":null,"Items":null,"AllOf":null,"OneOf":null,"AnyOf":null,"Not":null,"Properties":null,"AdditionalProperties":null,"PatternProperties":null,"Dependencies":null,"AdditionalItems":null,"Definitions":null,"ExternalDocs":null,"Example":null,"XPreserveUnknownFields":null,"XEmbeddedResource":false,"XIntOrString":false,"XListMapKeys":null,"XListType":null,"XMapType":null,"XValidations":null}: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the status subresource is enabled"#
        ]],
    );
}

#[test]
fn scales_are_found() {
    check_root(
        json!({"type": "object"}),
        json!({"scale": {"specReplicasPath": "spec.replicas", "statusReplicasPath": ".spec.x", "labelSelectorPath": ".x"}}),
        expect![[r#"
            spec.subresources.scale.specReplicasPath: Invalid value: "spec.replicas": must be a simple json path starting with .
            spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.x": should be a json path under .status
            spec.subresources.scale.labelSelectorPath: Invalid value: ".x": should be a json path under either .spec or .status"#]],
    );
    check_root(
        json!({"type": "object"}),
        json!({"scale": {}}),
        expect![[r#"
        spec.subresources.scale.specReplicasPath: Required value
        spec.subresources.scale.statusReplicasPath: Required value"#]],
    );
}

/// What is wrong with a definition of these versions: each has a schema and subresources.
fn told(versions: impl Iterator<Item = (Value, Value)>) -> Vec<FieldError> {
    let version = |(index, (schema, subresources)): (usize, (Value, Value))| {
        json!({"name": format!("v{index}"), "served": true, "storage": index == 0,
            "schema": {"openAPIV3Schema": schema}, "subresources": subresources})
    };
    let versions: Vec<Value> = versions.enumerate().map(version).collect();
    let definition = json!({"metadata": {"name": "foos.g.io"}, "spec": {"group": "g.io", "scope": "Namespaced",
        "names": {"plural": "foos", "singular": "foo", "kind": "Foo", "listKind": "FooList"}, "versions": versions}});
    let (group, kind) = ("apiextensions.k8s.io", "CustomResourceDefinition");
    validate(group, kind, &completed(group, kind, definition), None)
}

/// How many say this, and that all have room.
fn count(errors: &[FieldError], saying: &str) -> usize {
    let bytes: usize = errors.iter().map(|error| error.to_string().len()).sum();
    assert!(bytes < MOST_TOLD, "{bytes}");
    errors.iter().filter(|error| error.detail.contains(saying)).count()
}

fn map_of(items: &Value) -> Value {
    json!({"type": "array", "x-kubernetes-list-type": "map", "items": items})
}

/// In JSON they are three bytes each, and seven hundred as they are shown.
fn nothings(count: usize) -> Value {
    json!(vec![json!({}); count])
}

#[test]
fn schemas_are_shown_as_long_as_there_is_room() {
    let flat: serde_json::Map<String, Value> =
        (0..30).map(|n| (format!("p{n}"), map_of(&nothings(1_370)))).collect();
    let nested = (0..90).fold(map_of(&nothings(1_250)), |inner, _| map_of(&json!([inner])));
    for schema in [
        json!({"type": "object", "properties": flat}),
        json!({"type": "object", "properties": {"spec": nested}}),
    ] {
        let errors = told([(schema, json!({}))].into_iter());
        let shown = count(&errors, "must only have a single schema");
        assert!((3..=4).contains(&shown), "{shown}");
    }
}

/// They are shown in JSON, and to find that out a megabyte is written of each.
#[test]
fn schemas_that_are_too_long_to_be_shown_are_not_written_again_and_again() {
    let flat: serde_json::Map<String, Value> =
        (0..30).map(|n| (format!("p{n}"), map_of(&nothings(1_400)))).collect();
    let errors = told([(json!({"type": "object", "properties": flat}), json!({}))].into_iter());
    assert_eq!(count(&errors, "must only have a single schema"), 4);
}

#[test]
fn the_schema_of_each_version_is_shown_as_long_as_there_is_room() {
    let schema = |n: usize| json!({"type": "object", "maxProperties": n, "anyOf": nothings(1_300)});
    let errors = told((0..8).map(|n| (schema(n), json!({"status": {}}))));
    let shown = count(&errors, "fields are allowed at the root");
    assert!((3..=4).contains(&shown), "{shown}");
}

/// Each key that is wrong shows all of them.
#[test]
fn keys_of_maps_are_shown_as_long_as_there_is_room() {
    let mut map = map_of(&json!({"type": "object"}));
    map["x-kubernetes-list-map-keys"] = (0..3_000).map(|n| format!("k{n}")).collect();
    let schema = json!({"type": "object", "properties": {"spec": map}});
    let errors = told([(schema, json!({}))].into_iter());
    let shown = count(&errors, "entries must all be names of item properties");
    assert!((100..250).contains(&shown), "{shown}");
}

/// What it makes of an object is told before that there may be none.
#[test]
fn a_default_of_what_every_object_has_is_judged_although_there_may_be_none() {
    let root = |kind: Value, version: Value| {
        let texts = json!({"apiVersion": {"type": "string", "default": version},
            "kind": {"type": "string", "default": kind}});
        json!({"type": "object", "properties": texts})
    };
    check_root(
        root(json!(5), json!("a/b/c")),
        json!({}),
        expect![[r#"
            spec.validation.openAPIV3Schema.properties[apiVersion].default: Invalid value: "a/b/c": must result in valid metadata: apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c
            spec.validation.openAPIV3Schema.properties[kind].default: Invalid value: 5: must result in valid metadata: kind: Invalid value: 5: must be a string
            spec.validation.openAPIV3Schema.properties[apiVersion].default: Forbidden: must not be set in top-level apiVersion
            spec.validation.openAPIV3Schema.properties[kind].default: Forbidden: must not be set in top-level kind"#]],
    );
    let name = json!({"type": "string", "default": "a/b"});
    check_root(
        json!({"type": "object", "properties": {
            "metadata": {"type": "object", "properties": {"name": name}}}}),
        json!({}),
        expect![[r#"
            spec.validation.openAPIV3Schema.properties[metadata].properties[name].default: Invalid value: "a/b": must result in valid metadata: metadata.name: Invalid value: "a/b": may not contain '/'
            spec.validation.openAPIV3Schema.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata"#]],
    );
}
