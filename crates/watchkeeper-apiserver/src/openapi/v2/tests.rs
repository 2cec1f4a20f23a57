//! What kubectl would misread in v2 is not said, in the cases of apiextensions'
//! `controller/openapi/v2/conversion_test.go`; messages are looked into by their numbers.

use serde_json::{Value, json};
use watchkeeper_api::pb::{Reader, Wire, Writer};

use super::{encode, of, schema};

/// What becomes of a schema.
#[track_caller]
fn check(v3: &Value, v2: &Value) {
    assert_eq!(schema(v3), *v2, "{v3}");
}

#[test]
fn what_may_be_null_has_no_type() {
    let inner =
        json!({"type": "object", "nullable": true, "properties": {"a": {"type": "string"}}});
    check(&inner, &json!({}));
    let outer = json!({"type": "object", "properties": {"a": inner, "b": {"type": "string"}},
        "required": ["a", "b"]});
    let left = json!({"type": "object", "properties": {"a": {}, "b": {"type": "string"}},
        "required": ["b"]});
    check(&outer, &left);
    let map = json!({"type": "object", "required": ["a"],
        "additionalProperties": {"type": "string", "nullable": true}});
    check(&map, &json!({"type": "object", "additionalProperties": {}}));
}

#[test]
fn what_may_hold_anything_has_no_members() {
    let keeps = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true,
        "properties": {"a": {"type": "string"}}});
    check(&keeps, &json!({"x-kubernetes-preserve-unknown-fields": true}));
    let document = of(&json!({"components": {"schemas": {"com.example.v1.Foo": keeps}}}));
    assert_eq!(document["definitions"]["com.example.v1.Foo"], json!({"type": "object"}));
}

#[test]
fn an_array_without_items_has_no_type() {
    check(&json!({"type": "array"}), &json!({}));
    let array = json!({"type": "array", "items": {"type": "string"}});
    check(&array, &array);
}

#[test]
fn defaults_and_alternatives_are_not_told() {
    let one_of = json!({"type": "string", "default": "a", "oneOf": [{"enum": ["a"]}],
        "anyOf": [{"enum": ["a"]}], "allOf": [{"enum": ["a"]}], "not": {"enum": ["b"]}});
    check(&one_of, &json!({"type": "string"}));
}

#[test]
fn a_reference_bears_what_stands_beside_it() {
    let reference = json!({"allOf": [{"$ref": "#/components/schemas/a.B"}], "default": {},
        "description": "What."});
    check(&reference, &json!({"$ref": "#/definitions/a.B", "description": "What."}));
}

#[test]
fn a_body_is_a_parameter() {
    let content = json!({"application/json": {"schema": {"$ref": "#/components/schemas/a.B"}}});
    let put = json!({"requestBody": {"required": true, "content": content},
        "parameters": [{"name": "dryRun", "in": "query", "schema": {"type": "string"}}],
        "responses": {"200": {"description": "OK", "content": content}}});
    let document = of(&json!({"paths": {"/foos": {"put": put}}}));
    let reference = json!({"$ref": "#/definitions/a.B"});
    let want = json!({
        "consumes": ["application/json"],
        "produces": ["application/json"],
        "parameters": [
            {"name": "body", "in": "body", "required": true, "schema": reference},
            {"name": "dryRun", "in": "query", "type": "string"},
        ],
        "responses": {"200": {"description": "OK", "schema": reference}},
    });
    assert_eq!(document["paths"]["/foos"]["put"], want);
}

/// The texts at the end of a path of field numbers.
fn texts(bytes: &[u8], path: &[u32]) -> Vec<String> {
    let Some((first, rest)) = path.split_first() else {
        return vec![String::from_utf8_lossy(bytes).into_owned()];
    };
    let mut found = Vec::new();
    let mut reader = Reader::new(bytes);
    while !reader.is_done() {
        let tag = reader.tag().expect("a tag");
        if tag.wire == Wire::Length && tag.number == *first {
            found.extend(texts(reader.bytes(tag).expect("bytes"), rest));
        } else {
            reader.skip(tag).expect("a value");
        }
    }
    found
}

#[test]
fn messages_have_the_numbers_of_gnostic() {
    let foo = json!({"type": "object", "required": ["spec"],
        "properties": {"spec": {"type": "array", "items": {"$ref": "#/components/schemas/a.B"}}},
        "x-kubernetes-group-version-kind": [{"kind": "Foo"}]});
    let path =
        json!({"name": "name", "in": "path", "required": true, "schema": {"type": "string"}});
    let query = json!({"name": "dryRun", "in": "query", "schema": {"type": "string"}});
    let get = json!({"parameters": [query], "responses": {"200": {"description": "OK"}}});
    let document = of(&json!({
        "info": {"title": "Kubernetes", "version": "v1"},
        "paths": {"/foos": {"get": get, "parameters": [path]}},
        "components": {"schemas": {"a.Foo": foo}},
    }));
    let bytes = encode(&document);
    let at = |path: &[u32]| texts(&bytes, path);
    assert_eq!(at(&[1]), ["2.0"]);
    assert_eq!(at(&[2, 1]), ["Kubernetes"]);
    assert_eq!(at(&[8, 2, 1]), ["/foos"]);
    assert_eq!(at(&[8, 2, 2, 9, 1, 2, 4, 4]), ["name"], "a parameter of the path");
    assert_eq!(at(&[8, 2, 2, 9, 1, 2, 4, 5]), ["string"]);
    assert_eq!(at(&[8, 2, 2, 2, 8, 1, 2, 3, 4]), ["dryRun"], "a parameter of the query");
    assert_eq!(at(&[8, 2, 2, 2, 8, 1, 2, 3, 6]), ["string"]);
    assert_eq!(at(&[8, 2, 2, 2, 9, 1, 1]), ["200"]);
    assert_eq!(at(&[9, 1, 1]), ["a.Foo"]);
    assert_eq!(at(&[9, 1, 2, 22, 1]), ["object"]);
    assert_eq!(at(&[9, 1, 2, 25, 1, 1]), ["spec"]);
    assert_eq!(at(&[9, 1, 2, 25, 1, 2, 23, 1, 1]), ["#/definitions/a.B"]);
    assert_eq!(at(&[9, 1, 2, 31, 1]), ["x-kubernetes-group-version-kind"]);
    assert_eq!(at(&[9, 1, 2, 31, 2, 2]), ["[{\"kind\":\"Foo\"}]\n"]);
    assert_eq!(at(&[13, 1, 2, 2, 2]), ["authorization"]);
}

#[test]
fn what_is_required_is_told_as_long_as_it_must_be_there() {
    let of = |members: Value| {
        let mut of = json!({"properties": {"a": {"type": "string"}, "b": {"nullable": true}}});
        for (name, value) in members.as_object().into_iter().flatten() {
            of[name] = value.clone();
        }
        schema(&of)["required"].clone()
    };
    assert_eq!(of(json!({"required": ["a", "b", "c"]})), json!(["a", "c"]));
    assert_eq!(of(json!({"required": ["b"]})), Value::Null);
    assert_eq!(of(json!({"required": []})), Value::Null);
    let map = json!({"required": ["a"], "additionalProperties": {"nullable": false}});
    assert_eq!(of(map), json!(["a"]));
}

#[test]
fn types_are_left_out_where_they_would_be_misread() {
    let keeps = "x-kubernetes-preserve-unknown-fields";
    let anything = json!({"type": "array", "items": {"type": "string"}, keeps: true});
    check(&anything, &json!({ keeps: true }));
    check(&json!({"type": "string", keeps: true}), &json!({"type": "string", keeps: true}));
    check(&json!({"type": "object", keeps: false}), &json!({"type": "object", keeps: false}));
    check(&json!({"type": "integer", "nullable": false}), &json!({"type": "integer"}));
    check(&json!(true), &json!(true));
    let models = json!({"components": {"schemas": {
        "io.k8s.apimachinery.pkg.api.resource.Quantity": {"oneOf": []},
        "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {"oneOf": []},
        "a.B": {"type": "object", keeps: true, "description": "d", "properties": {},
            "x-kubernetes-group-version-kind": [{"kind": "B"}]},
    }}});
    let definitions = of(&models)["definitions"].clone();
    let expected = json!({
        "io.k8s.apimachinery.pkg.api.resource.Quantity": {"type": "string"},
        "io.k8s.apimachinery.pkg.util.intstr.IntOrString":
            {"type": "string", "format": "int-or-string"},
        "a.B": {"type": "object", "description": "d",
            "x-kubernetes-group-version-kind": [{"kind": "B"}]},
    });
    assert_eq!(definitions, expected);
}

#[test]
fn a_body_that_need_not_be_there_does_not_say_so() {
    let content = json!({"application/json": {"schema": {"type": "object"}}});
    let delete = json!({"requestBody": {"content": content}, "x-kubernetes-action": "delete",
        "responses": {"200": {"description": "OK"}, "401": {"description": "No"}}});
    let name = json!({"name": "name", "in": "path", "schema": {"type": "string"}});
    let document = of(&json!({"paths": {"/foos": {"delete": delete, "parameters": [name]}}}));
    let path = &document["paths"]["/foos"];
    let want = json!({
        "consumes": ["application/json"],
        "produces": [],
        "parameters": [{"name": "body", "in": "body", "schema": {"type": "object"}}],
        "responses": {"200": {"description": "OK"}, "401": {"description": "No"}},
        "x-kubernetes-action": "delete",
    });
    assert_eq!(path["delete"], want);
    assert_eq!(path["parameters"], json!([{"name": "name", "in": "path", "type": "string"}]));
}

/// A field of a message.
fn field(write: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut w = Writer::new();
    write(&mut w);
    w.finish()
}

/// A field that holds bytes, a text or a message.
fn holds(number: u32, bytes: impl AsRef<[u8]>) -> Vec<u8> {
    field(|w| w.bytes(number, bytes.as_ref()))
}

/// An entry of a map.
fn entry(number: u32, name: &str, value: &[u8]) -> Vec<u8> {
    holds(number, [holds(1, name), holds(2, value)].concat())
}

#[test]
fn members_of_schemas_are_written_as_what_they_are() {
    let whole = |number, value| field(|w| w.integer(number, value));
    let real = |number, value: f64| field(|w| w.fixed64(number, value.to_bits()));
    let format = holds(2, "f");
    for (schema, message) in [
        (json!({}), Vec::new()),
        (json!({"title": "t", "unknown": "u"}), holds(3, "t")),
        (json!({"exclusiveMaximum": true}), whole(8, 1)),
        (json!({"exclusiveMaximum": false}), whole(8, 0)),
        (json!({"maxLength": 300}), whole(11, 300)),
        (json!({"minimum": -1.5}), real(9, -1.5)),
        (json!({"maximum": 2}), real(7, 2.0)),
        (json!({"required": ["a", "b"]}), [holds(19, "a"), holds(19, "b")].concat()),
        (
            json!({"enum": [1, "x"]}),
            [holds(20, holds(2, "1\n")), holds(20, holds(2, "\"x\"\n"))].concat(),
        ),
        (json!({"additionalProperties": true}), holds(21, whole(2, 1))),
        (json!({"additionalProperties": false}), holds(21, whole(2, 0))),
        (json!({"additionalProperties": {"format": "f"}}), holds(21, holds(1, &format))),
        (json!({"type": "object"}), holds(22, holds(1, "object"))),
        (json!({"items": {"format": "f"}}), holds(23, holds(1, &format))),
        (
            json!({"properties": {"a": {}, "b": {"format": "f"}}}),
            holds(25, [entry(1, "a", &[]), entry(1, "b", &format)].concat()),
        ),
        (json!({"externalDocs": {"url": "u"}}), holds(29, holds(2, "u"))),
        (json!({"example": {"a": 1}}), holds(30, holds(2, "{\"a\":1}\n"))),
        (
            json!({"x-a": 1, "x-b": [2]}),
            [entry(31, "x-a", &holds(2, "1\n")), entry(31, "x-b", &holds(2, "[2]\n"))].concat(),
        ),
    ] {
        let document = json!({"definitions": {"A": schema}});
        assert_eq!(encode(&document), holds(9, entry(1, "A", &message)), "{schema}");
    }
}

#[test]
fn a_parameter_is_written_by_its_place_and_a_requirement_by_its_name() {
    let parameters: Vec<Value> =
        ["body", "path", "query"].map(|place| json!({"in": place, "required": true})).to_vec();
    let document = json!({"paths": {"/a": {"parameters": parameters}}});
    let required = |number| field(|w| w.integer(number, 1));
    let body = [required(4), holds(3, "body")].concat();
    let [path, query] = ["path", "query"].map(|place| [holds(2, place), required(1)].concat());
    let parameters = [
        holds(9, holds(1, holds(1, body))),
        holds(9, holds(1, holds(2, holds(4, path)))),
        holds(9, holds(1, holds(2, holds(3, query)))),
    ];
    assert_eq!(encode(&document), holds(8, entry(2, "/a", &parameters.concat())));
    let document = json!({"security": [{"a": [], "b": []}, {}]});
    let both = [entry(1, "a", &[]), entry(1, "b", &[])].concat();
    assert_eq!(encode(&document), [holds(12, both), holds(12, "")].concat());
}
