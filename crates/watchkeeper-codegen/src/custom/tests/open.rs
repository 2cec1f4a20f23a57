//! What schemas leave open, and what of it is raw.

use expect_test::expect;

use super::*;

#[test]
fn what_is_no_type_is_raw_and_told() {
    let schema = "{type: object, properties: {spec: {type: object, properties: {
        a: {type: tuple}, b: {anyOf: [{type: string}]}, c: {type: array}, d: {},
        e: {type: object, properties: {'quo\"te': {type: string}}},
        f: {type: [string, 'null']}, g: {type: object, additionalProperties: true}}}}}";
    let generator = Generator::new().text("a", &definition(schema)).expect("a").generate();
    let told: Vec<String> = generator
        .raw_parts()
        .iter()
        .map(|part| format!("{}{}: {}", if part.open { "open " } else { "" }, part.path, part.why))
        .collect();
    assert_eq!(
        told,
        [
            "spec.a: no type is called \"tuple\"",
            "spec.b: the schema names no type",
            "open spec.c: items of any type",
            "open spec.d: any value",
            "spec.e: a member's name needs escapes",
            "open spec.g: an object of any members",
        ]
    );
    let counts = generator.counts();
    assert_eq!((counts.fields, counts.raw_fields, counts.open_maps), (8, 5, 1));
    let text = generator.text();
    assert!(
        text.contains("// Raw: no type is called \"tuple\".\n            pub a: Raw,"),
        "{text}"
    );
    assert!(text.contains("pub f: Option<IStr>,"), "{text}");
}

/// A server keeps what a list of open items holds, and drops it from the values of a map: those have a schema.
#[test]
fn what_a_list_keeps_its_items_keep_and_the_values_of_a_map_do_not() {
    let keeps = "x-kubernetes-preserve-unknown-fields: true";
    let named = "{type: object, properties: {a: {type: string}}}";
    let text = text(&format!(
        "{{type: object, properties: {{spec: {{type: object, properties: {{
        open: {{type: array, {keeps}, items: {{type: object}}}},
        lists: {{type: array, {keeps}, items: {{type: array, items: {{type: object}}}}}},
        words: {{type: array, {keeps}, items: {{type: string}}}},
        named: {{type: array, {keeps}, items: {named}}},
        pipelines: {{type: object, {keeps}, additionalProperties: {named}}}}}}}}}}}"
    ));
    for line in [
        "pub open: List<Map<Raw>>,",
        "pub lists: List<List<Map<Raw>>>,",
        "pub words: List<IStr>,",
        "pub named: List<ANamed>,",
        "pub pipelines: Map<APipelines>,",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let rest = text.split("pub struct ").filter(|of| of.contains("pub other: Map<Raw>,"));
    let names: Vec<&str> = rest.filter_map(|of| of.split(' ').next()).collect();
    assert_eq!(names, ["ANamed"]);
}

/// What a server keeps without knowing its shape has keys, and is there or not. An embedded resource is raw:
/// it is read as a whole, as an object of its kind.
#[test]
fn an_object_of_anything_is_a_map_of_raw_values() {
    let keeps = "type: object, x-kubernetes-preserve-unknown-fields: true";
    let generator = Generator::new().text(
        "a.yaml",
        &definition(&format!(
            "{{type: object, properties: {{status: {{{keeps}}}, spec: {{type: object, required: [d, e], properties: {{
            a: {{{keeps}}}, b: {{type: object, additionalProperties: true}},
            c: {{type: object, additionalProperties: {{}}}}, d: {{{keeps}}}, e: {{{keeps}, nullable: true}},
            f: {{type: object, additionalProperties: {{x-kubernetes-preserve-unknown-fields: true}}}},
            g: {{type: array, items: {{{keeps}}}}}, h: {{{keeps}, x-kubernetes-embedded-resource: true}},
            i: {{type: object, additionalProperties: {{type: tuple}}}}}}}}}}}}"
        )),
    );
    let generated = generator.expect("a definition").generate();
    let text = generated.text();
    let fields: Vec<&str> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("pub ")?.strip_suffix(','))
        .filter(|field| field.contains("Raw"))
        .collect();
    expect![[r#"
        [
            "status: Map<Raw>",
            "a: Option<Map<Raw>>",
            "b: Option<Map<Raw>>",
            "c: Option<Map<Raw>>",
            "d: Map<Raw>",
            "e: Option<Map<Raw>>",
            "f: Option<Map<Raw>>",
            "g: List<Map<Raw>>",
            "h: Raw",
            "i: Map<Raw>",
        ]
    "#]]
    .assert_debug_eq(&fields);
    for line in ["\"a\" opt a", "\"d\" req d", "\"e\" req e"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let counts = generated.counts();
    assert_eq!((counts.fields, counts.raw_fields, counts.open_maps), (11, 2, 8));
}

#[test]
fn what_nests_without_end_is_raw_at_last() {
    let mut schema = "{type: string}".to_owned();
    for _ in 0..70 {
        schema = format!("{{type: array, items: {schema}}}");
    }
    let schema = format!("{{type: object, properties: {{deep: {schema}}}}}");
    assert!(text(&schema).contains("it nests too deep"));
}
