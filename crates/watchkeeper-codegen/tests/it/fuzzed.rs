//! What a fuzzer feeds, fed without one: the corpus, what is near it, and schemas made up.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};

use watchkeeper_codegen::Generator;

use crate::entries;

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/definitions");
    let files = fs::read_dir(&folder).expect("a corpus");
    let mut found: Vec<_> =
        files.map(|file| fs::read(file.expect("a file").path()).expect("a file")).collect();
    found.sort();
    assert!(!found.is_empty() && found.len() < 50, "the corpus is small");
    found
}

#[test]
fn the_corpus_is_taken() {
    for bytes in corpus() {
        entries::definitions(&bytes);
    }
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

#[test]
fn names_that_no_server_takes_are_refused() {
    let refused = |group: &str, version: &str, kind: &str, plural: &str| {
        let definition = json!({
            "kind": "CustomResourceDefinition",
            "spec": {
                "group": group, "scope": "Cluster", "names": { "kind": kind, "plural": plural },
                "versions": [{ "name": version }],
            },
        });
        Generator::new().text("x", &definition.to_string()).err().map(|error| error.to_string())
    };
    assert_eq!(refused("1.x-y.io", "v1", "Foo", "foos"), None);
    for (group, version, kind, plural, told) in [
        ("x.io", "0", "Foo", "foos", "x: no version is called \"0\""),
        ("x.io", "v1", "", "foos", "x: no kind is called \"\""),
        ("x.io", "v1", "Fo o", "foos", "x: no kind is called \"Fo o\""),
        ("x.io", "v1", "Foo", "Foos", "x: no plural is called \"Foos\""),
        ("x..io", "v1", "Foo", "foos", "x: no group is called \"\""),
        ("x/y", "v1", "Foo", "foos", "x: no group is called \"x/y\""),
    ] {
        assert_eq!(refused(group, version, kind, plural).as_deref(), Some(told));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn what_is_near_the_corpus_is_taken(
        file in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        cut in any::<prop::sample::Index>(),
    ) {
        let files = corpus();
        let mut bytes = files[file.index(files.len())].clone();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        entries::definitions(&bytes);
        entries::definitions(&bytes[..cut.index(bytes.len())]);
    }

    #[test]
    fn any_schema_becomes_rust(
        schema in schema(),
        group in "[a-z0-9]{1,3}(\\.[a-z0-9]{1,3}(-[a-z0-9])?){0,2}",
        version in "[a-z][a-z0-9]{0,3}(-[0-9])?",
        kind in "[A-Za-z][a-zA-Z0-9]{0,6}",
        plural in "[a-z][a-z0-9-]{0,4}[a-z]",
    ) {
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
        entries::definitions(definition.to_string().as_bytes());
        let of = json!({ "group": "g", "version": "v1", "kind": "K" });
        let document = json!({
            "openapi": "3.0.0",
            "paths": { "/apis/g/v1/ks/{name}": { "get": { "x-kubernetes-group-version-kind": of } } },
            "components": { "schemas": {
                "A": schema,
                "K": { "x-kubernetes-group-version-kind": [of], "properties": { "spec": { "$ref": "x/A" } } },
            } },
        });
        entries::definitions(document.to_string().as_bytes());
    }
}
