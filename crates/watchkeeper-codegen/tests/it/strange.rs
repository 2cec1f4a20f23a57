//! The types of definitions that no sensible person writes (`oddities.yaml`): they compile, as they are committed,
//! and bring objects back as they were.

use expect_test::expect;
use serde_json::{Value, json};
use watchkeeper_api::json::{Decoder, to_string};
use watchkeeper_api::{CustomResource, HasMeta, StaticKind};
use watchkeeper_apiserver::crd;
use watchkeeper_codegen::Generator;

use crate::oddities::_3scale_type::into;
use crate::oddities::_3scale_type_2::{group, string, super_};

/// The object as it comes back, but for a spec and a status that say nothing.
fn again<K: StaticKind + HasMeta>(members: Value) {
    let mut object = json!({
        "apiVersion": K::static_kind().api_version(), "kind": K::static_kind().kind,
        "metadata": { "name": "a" },
    });
    let Value::Object(members) = members else { panic!("members") };
    object.as_object_mut().expect("an object").extend(members);
    let read: K = Decoder::new().strict(true).decode_str(&object.to_string()).expect("it is one");
    let back: Value = serde_json::from_str(&to_string(&read)).expect("JSON");
    assert_eq!(back, object);
}

#[test]
fn a_server_refuses_of_what_the_types_have_only_what_it_must() {
    let definitions =
        [string::Self2::crd(), string::SelfSpec::crd(), string::Vec2::crd(), into::VEC::crd()];
    let text: String = definitions.iter().map(|crd| format!("---\n{}\n", to_string(crd))).collect();
    let refused = crd::install(&text).expect_err("not all of it is structural");
    expect![[r#"
        selfspecs.3scale.type: spec.validation.openAPIV3Schema.properties[spec].properties[described].type: Required value: must not be empty for specified object fields
        selfspecs.3scale.type: spec.validation.openAPIV3Schema.properties[spec].properties[either].oneOf[0].type: Forbidden: must be empty to be structural
        selfspecs.3scale.type: spec.validation.openAPIV3Schema.properties[spec].properties[either].oneOf[1].type: Forbidden: must be empty to be structural
        selfspecs.3scale.type: spec.validation.openAPIV3Schema.properties[spec].properties[either].type: Required value: must not be empty for specified object fields
        vecs.3scale.type: metadata.name: Invalid value: "vecs.3scale.type": must be spec.names.plural+"."+spec.group
        vecs.3scale-type: spec.group: Invalid value: "3scale-type": should be a domain with at least one dot"#]].assert_eq(&refused.to_string());
}

#[test]
fn names_that_rust_has_otherwise_come_back() {
    again::<string::Self2>(json!({
        "Metadata": "m", "Kind": "k", "api_version": "v", "other": 1, "4th": "4",
        "spec": {
            "Self": "S", "self": "s", "super": true, "crate": 1,
            "fn": { "impl": { "dyn": "d" } }, "async": [{ "await": "a" }],
            "fooBar": "1", "foo_bar": 2, "foo-bar": true, "FooBar": { "a": "b" },
            "foo_bar_2": ["c"], "foo.bar": "80%",
            "1": "one", "01": "one", "1a": { "2b": { "3c": "3" } }, "": "empty", "-": "dash",
            "日本": { "語": "go" }, "Ångström": 0.1,
            "list": { "option": { "box": "b" } }, "spec": { "spec": { "spec": 3 } },
            "status": { "status": false },
        },
        "status": { "spec": { "other": "o" } },
    }));
    again::<string::Self2>(json!({ "spec": { "Self": "S", "crate": 0, "fn": {} } }));
}

#[test]
fn each_version_has_types_of_its_own() {
    again::<group::Self2>(json!({ "spec": "a text", "status": [1, 2] }));
    again::<super_::Self2>(json!({ "spec": [{ "any": null }], "unheardOf": { "a\"b": 1.50 } }));
    again::<string::Vec2>(json!({ "data": { "a": "YWJj" } }));
    again::<into::VEC>(json!({}));
}

#[test]
fn values_of_several_types_and_odd_texts_come_back() {
    for mode in ["a", "A", "a-b", "a_b", "a b", "1", "-1", "Self", "other", "Other", "null", "日"]
    {
        again::<string::SelfSpec>(json!({ "spec": { "mode": mode, "modes": ["True", "new"] } }));
    }
    for mode in ["\"", "\\", "\n", "not known yet"] {
        again::<string::SelfSpec>(json!({ "spec": { "mode": mode } }));
    }
    for (one, other) in [(json!(80), json!("80%")), (json!("a"), json!(-1)), (json!(0), json!(""))]
    {
        again::<string::SelfSpec>(json!({ "spec": {
            "port": one, "ports": [one, null, other], "byName": { "a": one, "": other },
            "either": other, "mixed": one, "described": { "any": [one] }, "nullable": "x",
            "size": "1.5Gi", "number": 2, "shape": { "square": { "side": 1.5 } },
        }}));
    }
}

#[test]
fn what_holds_itself_by_what_is_not_named_comes_back() {
    let leaf = json!({ "name": "leaf", "children": [] });
    let child = json!({ "name": "b", "children": [leaf, { "deeper": [leaf] }] });
    let tree = json!({ "name": "a", "unheardOf": [child], "children": [child] });
    let pod = json!({ "apiVersion": "v1", "kind": "Pod", "spec": { "containers": [] } });
    again::<string::SelfSpec>(json!({ "spec": { "tree": tree, "templates": [pod, {}] } }));
}

#[test]
fn what_nests_deep_comes_back() {
    let mut deep = json!({ "a": "at last" });
    for _ in 0..40 {
        deep = json!({ "l": deep });
    }
    let mut lists = json!({ "a": "b", "c": null });
    for level in 1..12 {
        lists = if level % 2 == 0 { json!({ "a": lists, "b": lists }) } else { json!([lists]) };
    }
    let leaf = json!({ "a": "at last" });
    let (mut items, mut maps) = (leaf.clone(), leaf);
    for _ in 0..14 {
        items = json!({ "items": [items, {}] });
        maps = json!({ "maps": { "a": maps, "b": {} } });
    }
    again::<string::SelfSpec>(json!({ "spec": {
        "deep": deep, "lists": lists, "listsOfObjects": items, "mapsOfObjects": maps,
    } }));
}

/// As deep as the compiler follows types, and no deeper: a program does not compile otherwise, and what is told to be
/// too deep would be typed if it could.
#[test]
fn each_way_to_nest_is_typed_as_deep_as_the_compiler_goes() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/oddities.yaml");
    let generated = Generator::new().file(file).expect("the document is readable").generate();
    let levels = |part: &str| {
        let parts = generated.raw_parts().iter().filter(|of| of.why == "it nests too deep");
        let mut paths = parts.map(|of| of.path.split('.').filter(|name| *name == part).count());
        paths.find(|levels| *levels > 0)
    };
    let levels = ["l", "items", "maps"].map(levels);
    expect!["[Some(22), Some(10), Some(8)]"].assert_eq(&format!("{levels:?}"));
}

/// What has no type is told with its reason, what is left open apart from it.
#[test]
fn only_what_could_have_a_type_is_untyped() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/oddities.yaml");
    let generated = Generator::new().file(file).expect("the document is readable").generate();
    let told = |open: bool| -> Vec<String> {
        let parts = generated.raw_parts().iter().filter(|part| part.open == open);
        parts.map(|part| format!("{}: {}", part.path, part.why)).collect()
    };
    let untyped = told(false);
    let untyped: Vec<_> = untyped.iter().filter(|of| !of.ends_with("too deep")).collect();
    assert_eq!(untyped, ["spec.either: the schema names no type"]);
    let open = [
        "spec.described: any value",
        "spec.mixed: any value",
        "spec.templates: an object of any kind",
    ];
    assert_eq!(told(true), open);
}
