//! Values and what is said about them.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::*;
use crate::Schema;

fn schema() -> Schema {
    Schema::from_crd_json(&json!({"type": "object", "required": ["spec"], "properties": {
        "spec": {"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string", "minLength": 2, "maxLength": 5, "pattern": "^[a-z]+$"},
            "replicas": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 10},
            "nanos": {"type": "integer", "format": "int64"},
            "ratio": {"type": "number", "exclusiveMinimum": true, "minimum": 0, "multipleOf": 0.5},
            "mode": {"type": "string", "enum": ["A", "B"]},
            "when": {"type": "string", "format": "date-time"},
            "port": {"x-kubernetes-int-or-string": true},
            "flag": {"type": "boolean", "nullable": true},
            "set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set", "maxItems": 3},
            "ports": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port"],
                "items": {"type": "object", "properties": {"port": {"type": "integer"}, "name": {"type": "string", "maxLength": 3}}}},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}, "maxProperties": 2},
            "choice": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
                "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
            "any": {"type": "string", "anyOf": [{"minLength": 3}, {"pattern": "^x"}], "not": {"enum": ["xx"]}},
            "all": {"type": "integer", "allOf": [{"minimum": 3}, {"maximum": 5}]},
        }},
    }}))
    .expect("a schema")
}

fn check(spec: Value, expected: Expect) {
    check_update(spec, None, expected);
}

fn check_update(spec: Value, old: Option<Value>, expected: Expect) {
    let schema = schema();
    let old = old.map(|spec| json!({"spec": spec}));
    let errors = validate(&json!({"spec": spec}), old.as_ref(), schema.alone());
    let text: Vec<String> = errors.iter().map(ToString::to_string).collect();
    expected.assert_eq(&text.join("\n"));
}

#[test]
fn a_good_value_passes() {
    check(
        json!({"name": "abc", "replicas": 3, "ratio": 1.5, "mode": "A", "when": "2026-01-02T03:04:05Z",
            "port": "http", "flag": null, "set": ["a", "b"], "ports": [{"port": 1}, {"port": 2}],
            "labels": {"a": "b"}, "choice": {"a": 1}, "any": "xyz", "all": 4}),
        expect![[""]],
    );
}

/// Integers above 2^53 are integers, as times in nanoseconds are.
#[test]
fn integers_may_use_all_their_bits() {
    for nanos in [1_762_000_000_000_000_001_i64, i64::MAX, i64::MIN] {
        check(json!({"name": "ab", "nanos": nanos}), expect![[""]]);
    }
    check(
        json!({"name": "ab", "nanos": 1e19}),
        expect![[r#"
        spec.nanos: Invalid value: "float64": spec.nanos in body must be of type int64: "float64"
        <nil>: Invalid value: "": Checked value must be of type integer with format int64 in spec.nanos"#]],
    );
}

/// A list that is updated costs no more than what it is long.
#[test]
fn long_lists_are_compared_item_by_item() {
    let list = |name: &str| {
        let item = |port: u32| json!({"port": port, "name": if port == 7 { name } else { "long" }});
        json!({"name": "ab", "ports": (0..30_000).map(item).collect::<Vec<_>>()})
    };
    check_update(
        list("other"),
        Some(list("abc")),
        expect!["spec.ports[7].name: Too long: may not be more than 3 bytes"],
    );
}

#[test]
fn types_are_named() {
    check(
        json!({"name": 3, "replicas": "3", "mode": "A", "port": true, "flag": "yes", "set": {}, "labels": {"a": 1}, "ratio": null}),
        expect![[r#"
            spec.flag: Invalid value: "string": spec.flag in body must be of type boolean: "string"
            spec.labels.a: Invalid value: "integer": spec.labels.a in body must be of type string: "integer"
            spec.name: Invalid value: "integer": spec.name in body must be of type string: "integer"
            spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"
            spec.ratio: Invalid value: "null": spec.ratio in body must be of type number: "null"
            spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"
            spec.set: Invalid value: "object": spec.set in body must be of type array: "object""#]],
    );
    check(
        json!({"name": "ab", "replicas": 1.5}),
        expect![[r#"
            spec.replicas: Invalid value: "float64": spec.replicas in body must be of type int32: "float64"
            <nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.replicas"#]],
    );
}

#[test]
fn bounds_patterns_and_enumerations() {
    check(
        json!({"name": "A", "replicas": 0, "ratio": 0.3, "mode": "C", "when": "today",
            "set": ["a", "b", "c", "d"], "labels": {"a": "", "b": "", "c": ""}}),
        expect![[r#"
            spec.labels: Too many: 3: must have at most 2 items
            spec.mode: Unsupported value: "C": supported values: "A", "B"
            spec.name: Invalid value: "A": spec.name in body should be at least 2 chars long
            spec.ratio: Invalid value: 0.3: spec.ratio in body should be a multiple of 0.5
            spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1
            spec.set: Too many: 4: must have at most 3 items
            spec.when: Invalid value: "today": spec.when in body must be of type date-time: "today""#]],
    );
    check(
        json!({"replicas": 11, "ratio": 0, "name": "abcdef"}),
        expect![[r#"
            spec.name: Too long: may not be more than 5 bytes
            spec.ratio: Invalid value: 0: factor MultipleOf declared for spec.ratio must be positive: 0
            spec.ratio: Invalid value: 0: spec.ratio in body should be greater than 0
            spec.replicas: Invalid value: 11: spec.replicas in body should be less than or equal to 10"#]],
    );
    check(json!({}), expect!["spec.name: Required value"]);
}

#[test]
fn combinations() {
    check(
        json!({"name": "ab", "choice": {}, "any": "ab", "all": 7}),
        expect![[r#"
            spec.all: Invalid value: 7: spec.all in body should be less than or equal to 5
            <nil>: Invalid value: "": "spec.all" must validate all the schemas (allOf)
            <nil>: Invalid value: "": "spec.any" must validate at least one schema (anyOf)
            spec.any: Invalid value: "ab": spec.any in body should be at least 3 chars long
            <nil>: Invalid value: "": "spec.choice" must validate one and only one schema (oneOf). Found none valid
            spec.choice.a: Required value"#]],
    );
    check(
        json!({"name": "ab", "choice": {"a": 1, "b": 2}, "any": "xx"}),
        expect![[r#"
            <nil>: Invalid value: "": "spec.any" must not validate the schema (not)
            <nil>: Invalid value: "": "spec.choice" must validate one and only one schema (oneOf). Found 2 valid alternatives"#]],
    );
}

#[test]
fn keys_are_unique() {
    check(
        json!({"name": "ab", "set": ["a", "a"], "ports": [{"port": 1}, {"port": 1}]}),
        expect![[r#"
            spec.ports[1]: Duplicate value: {"port":1}
            spec.set[1]: Duplicate value: "a""#]],
    );
}

#[test]
fn what_did_not_change_passes() {
    let old = json!({"name": "TOO", "replicas": 99, "ports": [{"port": 1, "name": "long"}]});
    check_update(
        json!({"name": "TOO", "replicas": 99, "mode": "A", "ports": [{"port": 2}, {"port": 1, "name": "long"}]}),
        Some(old.clone()),
        expect![[""]],
    );
    check_update(
        json!({"name": "TOO", "replicas": 98}),
        Some(old),
        expect![
            "spec.replicas: Invalid value: 98: spec.replicas in body should be less than or equal to 10"
        ],
    );
}

fn check_of(schema: Value, value: Value, old: Option<Value>, expected: Expect) {
    let schema = Schema::from_crd_json(&schema).expect("a schema");
    let errors = validate(&value, old.as_ref(), schema.alone());
    let text: Vec<String> = errors.iter().map(ToString::to_string).collect();
    expected.assert_eq(&text.join("\n"));
}

/// Bounds lose their fractions beside a whole number, and formats that nobody knows say nothing.
#[test]
fn whole_numbers_have_whole_bounds_and_formats_are_known_ones() {
    let number = json!({"type": "number", "minimum": 0.5, "maximum": 7.25, "multipleOf": 0.25});
    check_of(
        number.clone(),
        json!(8),
        None,
        expect![[r#"
        : Invalid value: 0: factor MultipleOf declared for  must be positive: 0
        : Invalid value: 8:  in body should be less than or equal to 7"#]],
    );
    check_of(
        number,
        json!(7.3),
        None,
        expect![[r#"
        : Invalid value: 7.3:  in body should be a multiple of 0.25
        : Invalid value: 7.3:  in body should be less than or equal to 7.25"#]],
    );
    let text = |format: &str| json!({"type": "string", "format": format});
    check_of(
        text("uri"),
        json!(3),
        None,
        expect![[r#": Invalid value: "int64":  in body must be of type uri: "int64""#]],
    );
    check_of(
        text("int32"),
        json!(3),
        None,
        expect![[r#": Invalid value: "integer":  in body must be of type string: "integer""#]],
    );
    check_of(text("int32"), json!("x"), None, expect![[""]]);
    check_of(
        text("k8s-short-name"),
        json!("A"),
        None,
        expect![[r#": Invalid value: "A":  in body must be of type k8s-short-name: "A""#]],
    );
    let schema = json!({"type": "object", "format": "x", "properties": {
        "a": {"type": "string", "format": "int32"}, "b": {"type": "integer", "format": "int32"}}});
    let schema = Schema::from_crd_json(&schema).expect("a schema");
    assert_eq!(unknown_formats(&schema), ["x", "int32"]);
}

#[test]
fn what_was_there_twice_stays_and_whole_objects_are_for_others_to_judge() {
    let embedded = json!({"type": "object", "additionalProperties": {
        "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}});
    check_of(embedded, json!({"a": {"kind": "Pod"}}), None, expect![[""]]);
    let set =
        json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"});
    check_of(set.clone(), json!(["a", "a"]), None, expect![[r#"[1]: Duplicate value: "a""#]]);
    check_of(set.clone(), json!(["a", "a", "b", "b"]), Some(json!(["a", "a"])), expect![[""]]);
    check_of(
        set,
        json!(["a", "b", "b"]),
        Some(json!(["a", "b"])),
        expect![[r#"[2]: Duplicate value: "b""#]],
    );
}

/// A format is asked for before a type, and what has no type is of none where it has a format.
#[test]
fn values_of_another_type_are_told_by_their_format() {
    let ipv4 = json!({"format": "ipv4"});
    let told = "must be of type ipv4";
    check_of(
        json!({"type": "boolean", "oneOf": [ipv4, {"required": ["a"]}]}),
        json!(true),
        None,
        expect![[""]],
    );
    check_of(
        json!({"allOf": [ipv4, ipv4]}),
        json!("a"),
        None,
        expect![[r#"
        : Invalid value: "a":  in body must be of type ipv4: "a"
        <nil>: Invalid value: "": "" must validate all the schemas (allOf). None validated"#]],
    );
    for (value, is_wrong) in
        [(json!(true), true), (json!({}), true), (json!(1.5), true), (json!([]), false)]
    {
        let schema = Schema::from_crd_json(&ipv4).expect("a schema");
        let errors = validate(&value, None, schema.alone());
        assert_eq!(errors.iter().any(|error| error.detail.contains(told)), is_wrong, "{value}");
    }
}

/// A float is compared with floats, a whole number with whole ones, and both are written as Go writes them.
#[test]
fn numbers_are_compared_as_they_were_sent() {
    let of = |spec: Value| json!({"type": "number", "maximum": 7.25, "multipleOf": 0.25, "minimum": spec});
    check_of(
        of(json!(0.5)),
        json!(1000.0),
        None,
        expect![[r#"
        : Invalid value: 1000:  in body should be less than or equal to 7.25"#]],
    );
    check_of(of(json!(0.5)), json!(3.0), None, expect![[""]]);
    check_of(
        of(json!(0.5)),
        json!(1_000_000),
        None,
        expect![[r#"
        : Invalid value: 0: factor MultipleOf declared for  must be positive: 0
        : Invalid value: 1000000:  in body should be less than or equal to 7"#]],
    );
    let large = json!({"type": "number", "maximum": 3_000_000});
    check_of(
        large,
        json!(1e21),
        None,
        expect![[r#"
        : Invalid value: 1e+21:  in body should be less than or equal to 3e+06"#]],
    );
    let int32 = json!({"type": "integer", "format": "int32", "maximum": 7, "multipleOf": 0.5});
    check_of(
        int32,
        json!(3_000_000_000_u64),
        None,
        expect![[r#"
        <nil>: Invalid value: "": Checked value must be of type integer with format int32 in 
        <nil>: Invalid value: "": MultipleOf value must be of type integer with format int32 in 
        : Invalid value: 3000000000:  in body should be less than or equal to 7"#]],
    );
    check_of(json!({"enum": [1, 2]}), json!(2.0), None, expect![[""]]);
    // The last digits of a quotient are not looked at, as long as it is not below what it should be.
    let cents = json!({"type": "number", "multipleOf": 0.01});
    for (value, is_taken) in
        [(0.07, true), (0.14, true), (0.55, true), (0.57, false), (0.075, false)]
    {
        let schema = Schema::from_crd_json(&cents).expect("a schema");
        assert_eq!(validate(&json!(value), None, schema.alone()).is_empty(), is_taken, "{value}");
    }
}

/// An item without a key, one that is there twice, and a member without a schema are not found again.
#[test]
fn what_cannot_be_found_again_has_changed() {
    let list = |keys: Value, required: &str| {
        json!({"type": "object", "properties": {"a": {"type": "array",
        "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys, "items": {"type": "object",
        "required": [required], "properties": {"k": {"type": "string"}, "l": {"type": "integer"}, "v": {"type": "integer", "minimum": 1}}}}}})
    };
    let without = json!({"a": [{"l": 7}]});
    check_of(
        list(json!(["k", "l"]), "k"),
        without.clone(),
        Some(without),
        expect!["a[0].k: Required value"],
    );
    let twice = json!({"a": [{"k": "x", "v": 2}, {"k": "x", "v": 0}]});
    check_of(
        list(json!(["k"]), "k"),
        twice.clone(),
        Some(twice),
        expect!["a[1].v: Invalid value: 0: a[1].v in body should be greater than or equal to 1"],
    );
    let once = json!({"a": [{"k": "x", "v": 0}]});
    check_of(list(json!(["k"]), "v"), once.clone(), Some(once), expect![[""]]);
    let free = json!({"type": "object", "required": ["b"], "properties": {"a": {"x-kubernetes-preserve-unknown-fields": true}}});
    let unknown = json!({"a": {"zzz": 1}});
    check_of(free.clone(), unknown.clone(), Some(unknown), expect!["b: Required value"]);
    check_of(free, json!({"a": 1}), Some(json!({"a": 1})), expect![[""]]);
}

/// Whoever looks on at what is too much to look at makes it worse.
#[test]
fn of_what_is_too_much_to_look_at_no_more_is_looked_at() {
    let schema =
        json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}});
    let schema = Schema::from_crd_json(&schema).expect("a schema");
    let judged = |count: usize| {
        let list = Value::Array(vec![json!("x"); count]);
        let Judged { errors, is_whole } = validate_parts(&list, None, schema.alone());
        (is_whole, errors.len(), validate(&list, None, schema.alone()).len())
    };
    assert_eq!(judged(2), (true, 2, 3), "it is there twice");
    let (is_whole, parts, all) = judged(100_000);
    assert!(!is_whole);
    assert_eq!(parts, all);
}

/// A server of an older version may have taken such a schema.
#[test]
fn a_pattern_that_takes_too_long_to_be_made_ready_is_not_made() {
    let said = |pattern: &str| {
        let schema = json!({"type": "string", "pattern": pattern});
        let schema = Schema::from_crd_json(&schema).expect("a schema");
        let errors = validate(&json!("LAMP"), None, schema.alone());
        errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        said(&r"(?i)\p{Any}".repeat(20_000)),
        "<nil>: Too long: validating this value by its schema takes too long; shorten lists, patterns or enumerations"
    );
    assert_eq!(said("(?i)^[a-z]+$"), "");
    assert_eq!(said(r"(?i)^\pL+$"), "");
}
