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
    let told = "8 fields, 3 left open by the schema (37.50 %), 3 untyped (37.50 %)";
    assert_eq!((counts.to_string().as_str(), counts.open_maps), (told, 1));
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
    let told = "11 fields, 9 left open by the schema (81.82 %), 1 untyped (9.09 %)";
    assert_eq!((counts.to_string().as_str(), counts.open_maps), (told, 8));
}

/// The counts of kinds add up to those of all, and say which kind has what.
#[test]
fn each_kind_is_told_what_of_it_is_raw() {
    let open = "{type: object, properties: {spec: {type: object, properties: {
        a: {x-kubernetes-preserve-unknown-fields: true}, b: {description: Nothing else.}}}}}";
    let untyped = "{type: object, properties: {'quo\"te': {type: string}, c: {type: string},
        d: {anyOf: [{type: string}]}}}";
    let other =
        definition(untyped).replace("kind: A", "kind: B").replace("plural: as", "plural: bs");
    let generator = Generator::new().text("a", &definition(open)).and_then(|g| g.text("b", &other));
    let generated = generator.expect("definitions").generate();
    let kinds: Vec<_> =
        generated.kinds().iter().map(|kind| format!("{} {}", kind.kind, kind.counts)).collect();
    assert_eq!(
        kinds,
        [
            "A 3 fields, 2 left open by the schema (66.67 %), 0 untyped (0.00 %)",
            "B 3 fields, 0 left open by the schema (0.00 %), 2 untyped (66.67 %)",
        ]
    );
    let sum = generated.kinds().iter().map(|kind| kind.counts).reduce(|a, b| a.and(b));
    assert_eq!(sum, Some(generated.counts()));
    let parts = generated.raw_parts().iter().filter(|part| !part.open);
    let parts: Vec<_> = parts.map(|part| format!("{}: {}", part.path, part.why)).collect();
    let wanted = ["d: the schema names no type", "quo\\\"te: a member's name needs escapes"];
    assert_eq!(parts, wanted);
}

/// A component that is raw is raw, and counted for what it is, wherever it is referred to.
#[test]
fn what_a_component_is_counts_each_time() {
    let reference = |name: &str| format!("{{\"$ref\": \"#/components/schemas/{name}\"}}");
    let schemas = format!(
        r#"{{"A": {{"type": "object", "x-kubernetes-group-version-kind": [{{"group": "example.com", "version": "v1", "kind": "A"}}],
        "properties": {{"a": {odd}, "b": {odd}, "c": {any}, "d": {any}, "e": {raw}}}}},
        "Odd": {{"type": "tuple"}}, "Any": {{}}}}"#,
        odd = reference("Odd"),
        any = reference("Any"),
        raw = reference("io.k8s.apimachinery.pkg.runtime.RawExtension"),
    );
    let document = format!(
        r#"{{"openapi": "3.0.0", "paths": {{"/apis/example.com/v1/as/{{name}}": {{"get": {{"x-kubernetes-action": "get",
        "x-kubernetes-group-version-kind": {{"group": "example.com", "version": "v1", "kind": "A"}}}}}}}},
        "components": {{"schemas": {schemas}}}}}"#
    );
    let generated = Generator::new().text("a", &document).expect("a document").generate();
    let told = "5 fields, 3 left open by the schema (60.00 %), 2 untyped (40.00 %)";
    assert_eq!(generated.counts().to_string(), told, "{:?}", generated.raw_parts());
    assert_eq!(generated.raw_parts().len(), 5);
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
