//! Documents that are odd, and what becomes of them.

mod hostile;
mod open;

use serde_json::{Value, json};

use super::names::names;
use super::shape::{self, identifier};
use super::{Generator, Place, input, words};

fn definition(schema: &str) -> String {
    format!(
        "kind: CustomResourceDefinition\nmetadata: {{name: as.example.com}}\nspec:\n  \
         group: example.com\n  scope: Namespaced\n  names: {{kind: A, plural: as}}\n  versions:\n  \
         - name: v1\n    served: true\n    schema:\n      openAPIV3Schema: {schema}\n"
    )
}

fn text(schema: &str) -> String {
    let generator =
        Generator::new().clients(false).informers(false).definitions(false).builders(false);
    generator.text("a.yaml", &definition(schema)).expect("a definition").generate().text()
}

fn struct_names(schema: &str) -> Vec<String> {
    let resources = input::resources(&definition(schema), "a.yaml").expect("a definition");
    names(&shape::module(&resources.iter().collect::<Vec<_>>(), false)).structs
}

#[test]
fn a_text_without_resources_is_refused_with_its_name() {
    let error =
        |text: &str| Generator::new().text("a.yaml", text).expect_err("no resource").to_string();
    assert!(
        error("kind: Pod\n").starts_with("a.yaml: there is neither"),
        "{}",
        error("kind: Pod\n")
    );
    assert!(error("a: [").starts_with("a.yaml: line 1: this is not YAML: "), "{}", error("a: ["));
    let nameless = "kind: CustomResourceDefinition\nmetadata: {name: x}\nspec: {group: a}\n";
    assert_eq!(
        error(nameless),
        "a.yaml: document 1, spec.names.kind: the definition \"x\" has none"
    );
}

/// `v-1` and `v1`, of which a random schema told.
#[test]
fn versions_that_are_one_word_in_rust_have_types_of_their_own() {
    let one = definition("{type: object}");
    let both = one.replace("  - name: v1\n", "  - name: v-1\n    schema: {}\n  - name: v1\n");
    let text = Generator::new().text("a.yaml", &both).expect("a definition").generate().text();
    for of in [
        "pub struct V1<'a>(&'a Client);",
        "pub struct V1_2<'a>(&'a Client);",
        "fn v1(self) -> V1_2<'a>",
    ] {
        assert_eq!(text.matches(of).count(), if of.contains("fn") { 2 } else { 1 }, "{of}\n{text}");
    }
}

#[test]
fn an_error_has_its_document_and_the_member_in_it() {
    let good = definition("{type: object}");
    let list =
        "kind: CustomResourceDefinitionList\nitems: [{}, {spec: {group: a, names: {kind: A}}}]\n";
    for (text, path) in [
        (
            format!("{good}\n---\n---\nkind: Pod\n---\nkind: CustomResourceDefinition\n"),
            "spec.group",
        ),
        (
            format!("{good}\n---\nkind: Pod\n---\n{}", list.replace("{}, ", "")),
            "items[0].spec.names.plural",
        ),
        (
            format!(
                "{good}\n---\nkind: Pod\n---\nkind: List\nitems: [{{kind: Pod}}, {{{}}}]\n",
                list.trim_end().replace('\n', ", ").replace("{}, ", "")
            ),
            "items[1].items[0].spec.names.plural",
        ),
    ] {
        let error = Generator::new().text("a.yaml", &text).expect_err("no resource");
        assert_eq!(error.place(), &Place::Member { document: 3, path: path.into() }, "{text}");
    }
}

#[test]
fn lists_and_maps_that_servers_fill_in_can_be_empty() {
    let text = text(
        "{type: object, properties: {\
           args: {type: array, items: {type: string}, default: [--all]}, \
           env: {type: object, additionalProperties: {type: string}, default: {a: b}}, \
           none: {type: array, items: {type: string}, default: []}, \
           nil: {type: object, additionalProperties: {type: string}, default: {}}}}",
    );
    for line in ["args: Option<List<IStr>>", "env: Option<Map>", "none: List<IStr>", "nil: Map"] {
        assert!(text.contains(&format!("    pub {line},\n")), "{line}: {text}");
    }
    for line in ["\"args\" opt args", "\"env\" opt env"] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn no_struct_has_the_name_of_a_type_that_the_text_uses() {
    let all = "{type: object, properties: {spec: {type: object, properties: {\
        a: {type: string, format: password}, b: {type: string, format: byte}, \
        c: {type: string, format: date-time}, d: {type: array, items: {type: string}}, \
        e: {type: object, additionalProperties: {type: string}}, \
        f: {x-kubernetes-int-or-string: true}, g: {x-kubernetes-preserve-unknown-fields: true}, \
        text: {type: object, properties: {pin: {type: string}}}}}}}";
    let text = text(all);
    let (of_version, _) = text.split_once("use watchkeeper::api::registry").expect("its end");
    let used = of_version.split("use ").skip(1).filter_map(|text| text.split(';').next());
    let words = used.flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
    let types: Vec<_> = words.filter(|word| word.starts_with(char::is_uppercase)).collect();
    assert!(types.contains(&"SecretText") && types.contains(&"ByteString"), "{types:?}");
    for name in types {
        assert!(super::names::RESERVED.contains(&name), "{name}");
    }
}

#[test]
fn a_list_of_definitions_is_as_good_as_documents() {
    let item = definition("{type: object}").replace('\n', "\n  ");
    let list = format!("kind: List\nitems:\n- {}", item.trim_end());
    let generated = Generator::new().text("a.yaml", &list).expect("a list").generate();
    assert_eq!(generated.kinds().len(), 1);
}

#[test]
fn the_last_definition_of_a_kind_counts() {
    let old = definition("{type: object, properties: {old: {type: string}}}");
    let new = definition("{type: object, properties: {new: {type: string}}}");
    let generator = Generator::new().text("a", &old).and_then(|g| g.text("b", &new));
    let text = generator.expect("definitions").generate().text();
    assert!(text.contains("pub new:") && !text.contains("pub old:"), "{text}");
    assert!(text.starts_with("// Generated by watchkeeper-codegen from a, b; do not edit.\n"));
}

#[test]
fn every_file_begins_with_the_licence() {
    let generator = Generator::new().header("Copyright A\n\n// B\n");
    let generated = generator.text("a", &definition("{type: object}")).expect("a").generate();
    assert!(generated.text().starts_with("// Copyright A\n\n// B\n// Generated"));
    for (path, text) in generated.files("crds.rs".as_ref()) {
        assert!(text.contains("\n// Copyright A\n\n// B\n"), "{}", path.display());
    }
}

#[test]
fn a_description_is_neither_code_nor_markup() {
    let text = text(
        "{type: object, description: \"a\\n```\\nlet a\\n\\u0007\\n    b\\n<c> [d]\\n```\\n<e>\"}",
    );
    let doc: Vec<&str> =
        text.lines().map(str::trim).filter(|line| line.starts_with("///")).collect();
    let about = "/// `example.com/v1`.";
    let group = "/// The API group `example.com`.";
    assert_eq!(
        doc,
        [
            group,
            about,
            "/// a",
            "/// ```text",
            "/// let a",
            "///",
            "/// b",
            "/// <c> [d]",
            "/// ```",
            "/// \\<e>",
            "/// The registry, with the kinds of `example.com`, too."
        ]
    );
}

#[test]
fn names_of_structs_grow_until_they_are_apart() {
    let part = |leaf: &str| {
        format!(
            "{{type: object, properties: {{c: {{type: object, properties: {{{leaf}: {{type: string}}}}}}}}}}"
        )
    };
    let schema = format!(
        "{{type: object, properties: {{spec: {{type: object, properties: {{a: {}, b: {}}}}}}}}}",
        part("x"),
        part("y")
    );
    let mut names = struct_names(&schema);
    names.sort();
    assert_eq!(names, ["A", "AA", "AB", "ABC", "AC", "ASpec"].map(str::to_owned));
}

#[test]
fn kinds_keep_out_of_the_way_of_what_the_text_needs() {
    let list =
        definition("{type: object, properties: {spec: {type: array, items: {type: string}}}}")
            .replace("kind: A,", "kind: List,");
    let text = Generator::new().text("a", &list).expect("a").generate().text();
    assert!(text.contains("pub struct List2 {"), "{text}");
    assert!(text.contains("custom! { List2: \"example.com/v1\" \"List\""), "{text}");
}

#[test]
fn a_schema_that_is_none_still_makes_an_object() {
    for schema in ["null", "{}", "[]", "7", "{type: string}", "{properties: 5, required: {}}"] {
        let text = text(schema);
        assert!(text.contains("pub other: Map<Raw>,"), "{schema}: {text}");
    }
}

#[test]
fn whatever_a_member_is_called_its_field_has_a_name() {
    let names = [
        ("type", "type_"),
        ("podIPs", "pod_ips"),
        ("x-kubernetes-foo", "x_kubernetes_foo"),
        ("$ref", "ref_"),
        ("a.b/c", "a_b_c"),
        ("3d", "_3d"),
        ("_", "field"),
        ("Größe", "gr_e"),
        ("self", "self_"),
        ("ALLCAPS", "allcaps"),
    ];
    for (json, field) in names {
        assert_eq!(identifier(json), field, "{json}");
    }
}

#[test]
fn one_of_several_loses_its_ending() {
    let words = [
        ("policies", "policy"),
        ("addresses", "address"),
        ("rules", "rule"),
        ("matches", "match"),
        ("status", "status"),
        ("boxes", "box"),
        ("dns", "dns"),
        ("s", "s"),
        ("tls", "tls"),
    ];
    for (several, one) in words {
        assert_eq!(words::singular(several), one);
    }
}

#[test]
fn modules_of_groups_and_versions_are_apart() {
    let one = definition("{type: object}").replace("name: v1", "name: clients");
    let two = one.replace("group: example.com", "group: example-com");
    let generator = Generator::new().text("a", &one).and_then(|g| g.text("b", &two));
    let text = generator.expect("definitions").generate().text();
    for module in ["example_com", "example_com_2", "clients", "clients_2", "informers"] {
        assert!(text.contains(&format!("pub mod {module} {{\n")), "{module}: {text}");
    }
}

/// Changes one value of a tree, the `at`th.
fn change(value: &mut Value, at: &mut u32, to: &Value) {
    if *at == 0 {
        *value = to.clone();
    }
    *at = at.wrapping_sub(1);
    match value {
        Value::Object(members) => members.values_mut().for_each(|value| change(value, at, to)),
        Value::Array(items) => items.iter_mut().for_each(|value| change(value, at, to)),
        _ => {}
    }
}

/// A definition with every kind of member that there is.
fn full() -> Value {
    let rule = json!({"rule": "true", "message": "a", "messageExpression": "'a'", "reason": "FieldValueInvalid",
        "fieldPath": ".a", "optionalOldSelf": false});
    let schema = json!({"type": "object", "description": "a", "title": "a", "nullable": false, "required": ["a"],
    "maxProperties": 3, "minProperties": 1, "x-kubernetes-preserve-unknown-fields": true,
    "x-kubernetes-validations": [rule], "externalDocs": {"description": "a", "url": "b"},
    "properties": {
        "a": {"type": "string", "format": "byte", "pattern": "a", "maxLength": 9, "minLength": 1, "enum": ["a"],
            "default": "a", "example": {"b": null}},
        "b": {"type": "array", "items": {"type": "number", "maximum": 1.5, "exclusiveMaximum": true,
            "multipleOf": 0.5}, "maxItems": 3, "uniqueItems": false, "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["a"]},
        "c": {"type": "object", "additionalProperties": {"x-kubernetes-int-or-string": true},
            "x-kubernetes-map-type": "atomic"},
        "d": {"allOf": [{"not": {"type": "string"}}], "anyOf": [{}], "oneOf": [{}]},
    }});
    json!({"kind": "CustomResourceDefinition", "metadata": {"name": "as.example.com"}, "spec": {
        "group": "example.com", "scope": "Namespaced", "preserveUnknownFields": false,
        "names": {"kind": "A", "plural": "as", "singular": "a", "listKind": "AList", "shortNames": ["x"],
            "categories": ["all"]},
        "conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {
            "url": "https://a", "caBundle": "YWJj",
            "service": {"namespace": "a", "name": "b", "path": "/c", "port": 443}}}},
        "versions": [{"name": "v1", "served": true, "storage": true, "deprecated": true,
            "deprecationWarning": "a", "schema": {"openAPIV3Schema": schema}, "selectableFields": [{"jsonPath": ".a"}],
            "subresources": {"status": {}, "scale": {"specReplicasPath": ".a", "statusReplicasPath": ".b",
                "labelSelectorPath": ".c"}},
            "additionalPrinterColumns": [{"name": "a", "type": "string", "format": "b", "description": "c",
                "priority": 1, "jsonPath": ".a"}]}],
    }})
}

/// Whatever is written down as `crd()` is read back.
#[test]
fn a_definition_of_a_wrong_shape_is_refused_or_has_no_crd() {
    let reads = |document: &Value| {
        let found = input::resources(&document.to_string(), "a").ok()?;
        let definition = found[0].definition.clone()?;
        drop(watchkeeper_api::custom_resource::definition_of(&definition.text));
        Some(())
    };
    assert_eq!(reads(&full()), Some(()), "what is right is written down");
    let (mut refused, mut kept) = (0, 0);
    for to in
        [json!(null), json!("object"), json!(-1.5e300), json!([{}]), json!({"": 1}), json!(true)]
    {
        let mut at = 0;
        loop {
            let (mut changed, mut left) = (full(), at);
            change(&mut changed, &mut left, &to);
            if left <= at {
                break;
            }
            at += 1;
            if reads(&changed).is_some() { kept += 1 } else { refused += 1 }
        }
    }
    assert!(refused > 400 && kept > 100, "{refused}, {kept}");
    let mut wrong = full();
    wrong["spec"]["versions"][0]["additionalPrinterColumns"][0]["priority"] = json!("one");
    let error =
        Generator::new().text("a", &wrong.to_string()).expect_err("no priority").to_string();
    assert_eq!(
        error,
        "a: document 1, spec.versions[0].additionalPrinterColumns[0].priority: \
         in the definition \"as.example.com\" it must be a whole number"
    );
}

/// The types are made, and cannot install themselves.
#[test]
fn types_of_a_schema_that_is_none_have_no_definition() {
    let text = |schema: &str| {
        let text = definition(&format!("{{type: object, properties: {{a: {schema}}}}}"));
        Generator::new().text("a", &text).expect("a definition").generate().text()
    };
    assert!(text("{type: string, maxLength: 3}").contains("definition! {"));
    let none = text("{type: string, maxLength: three}");
    assert!(none.contains("pub a: Option<IStr>,") && !none.contains("definition! {"), "{none}");
}

#[test]
fn whatever_a_document_says_there_is_text_or_an_error() {
    let inputs = [
        include_str!("../../tests/data/lamps.yaml"),
        include_str!("../../tests/data/tree.openapi.json"),
    ];
    let changes =
        [json!(null), json!("object"), json!(-1.5e300), json!([{}]), json!({"": {"$ref": "#"}})];
    let mut generated = 0;
    for input in inputs {
        for document in input::documents(input, "a").expect("a document") {
            let mut at = 0;
            loop {
                let mut changed = document.clone();
                let mut left = at;
                change(&mut changed, &mut left, &changes[at as usize % changes.len()]);
                if left <= at {
                    break;
                }
                at += 1;
                if let Ok(generator) = Generator::new().text("a", &changed.to_string()) {
                    generated += usize::from(generator.generate().text().contains("pub struct "));
                }
            }
        }
    }
    assert!(generated > 300, "{generated}");
}
