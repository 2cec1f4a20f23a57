//! What `sigs.k8s.io/yaml` v1.6.0 makes of scalars, as values and as keys.

use serde_json::{Value, json};

use super::{Limits, documents, documents_with_repeats};

fn read(text: &str) -> Value {
    match documents(text, &Limits::default()) {
        Ok(mut found) => found.remove(0),
        Err(error) => panic!("{text:?}: {error}"),
    }
}

fn refused(text: &str) -> String {
    documents(text, &Limits::default()).unwrap_err().to_string()
}

/// What `YAMLToJSON` of version 1.6.0 prints for `a: <scalar>` and for `<scalar>: a`.
const SCALARS: &[(&str, &str, &str)] = &[
    ("0644", "420", "420"),
    ("-0644", "-420", "-420"),
    ("+0644", "420", "420"),
    ("0o644", "420", "420"),
    ("0O17", "15", "15"),
    ("08", "8", "8"),
    ("09.5", "9.5", "9.5"),
    ("0", "0", "0"),
    ("-0", "0", "0"),
    ("00", "0", "0"),
    ("1e3", "1000", "1000"),
    ("1.0", "1", "1"),
    ("1.5", "1.5", "1.5"),
    ("-2.0", "-2", "-2"),
    ("+1", "1", "1"),
    (".5", "0.5", "0.5"),
    ("1.", "1", "1"),
    ("0x1F", "31", "31"),
    ("0X1f", "31", "31"),
    ("0b11", "3", "3"),
    ("-0b11", "-3", "-3"),
    ("1_000", "1000", "1000"),
    ("0_7", "7", "7"),
    ("_1", "\"_1\"", "_1"),
    ("0x", "\"0x\"", "0x"),
    ("0b2", "\"0b2\"", "0b2"),
    ("-9223372036854775808", "-9223372036854775808", "-9223372036854775808"),
    ("9007199254740993", "9007199254740993", "9007199254740993"),
    ("yes", "true", "true"),
    ("Yes", "true", "true"),
    ("YES", "true", "true"),
    ("no", "false", "false"),
    ("on", "true", "true"),
    ("Off", "false", "false"),
    ("y", "true", "true"),
    ("N", "false", "false"),
    ("True", "true", "true"),
    ("FALSE", "false", "false"),
    ("2001-01-01", "\"2001-01-01\"", "2001-01-01"),
    ("2001-01-01T00:00:00Z", "\"2001-01-01T00:00:00Z\"", "2001-01-01T00:00:00Z"),
    ("12:30:45", "\"12:30:45\"", "12:30:45"),
    ("infinity", "\"infinity\"", "infinity"),
    ("nan", "\"nan\"", "nan"),
    ("\"0644\"", "\"0644\"", "0644"),
    ("'yes'", "\"yes\"", "yes"),
    ("!!str yes", "\"yes\"", "yes"),
    ("!!str 0644", "\"0644\"", "0644"),
    ("100m", "\"100m\"", "100m"),
    ("1e3m", "\"1e3m\"", "1e3m"),
    ("1.2.3", "\"1.2.3\"", "1.2.3"),
];

#[test]
fn scalars_are_what_upstream_makes_of_them() {
    for (scalar, value, key) in SCALARS {
        let value: Value = serde_json::from_str(value).unwrap();
        assert_eq!(read(&format!("a: {scalar}\n")), json!({ "a": value }), "{scalar}");
        assert_eq!(read(&format!("{scalar}: a\n")), json!({ *key: "a" }), "{scalar}");
    }
    for nothing in ["~", "null", "Null", "NULL", ""] {
        assert_eq!(read(&format!("a: {nothing}\n")), json!({ "a": null }), "{nothing}");
    }
    for large in ["18446744073709551615", "18446744073709551616", "1e20", "1e-7"] {
        assert_eq!(read(&format!("a: {large}\n"))["a"].as_f64(), large.parse().ok(), "{large}");
    }
}

#[test]
fn lists_maps_anchors_and_documents() {
    let text = "a: &one [1, {b: 2}]\nc: *one\n---\n---\n- x\n---\n{\"d\": 010}\n";
    let found = documents(text, &Limits::default()).unwrap();
    let one = json!([1, { "b": 2 }]);
    assert_eq!(found, [json!({ "a": one, "c": one }), json!(["x"]), json!({ "d": 8 })]);
}

#[test]
fn what_is_no_json_is_refused_with_its_place() {
    for text in ["a: .inf\n", "a: .nan\n", "~: a\n", "[1]: a\n", "a: 1\na: 2\n"] {
        let told = refused(text);
        assert!(told.starts_with("line "), "{text:?}: {told}");
    }
    assert_eq!(read("yes: 1\non: 2\n"), json!({ "true": 2 }));
    assert_eq!(refused("a: [1\n").lines().count(), 1);
    let deep = "[".repeat(65) + &"]".repeat(65);
    assert!(refused(&deep).contains("Depth"), "{}", refused(&deep));
    let few = Limits { nodes: 3, ..Limits::default() };
    assert!(documents("[1, 2, 3]", &few).is_err());
}

#[test]
fn what_comes_twice_is_told_where_it_may() {
    let text = "a: 1\nb:\n- c: 1\n  d: x\n  c: 2\na:\n  e: 1\nb: 3\n";
    assert!(documents(text, &Limits::default()).is_err());
    let (values, repeats) = documents_with_repeats(text, &Limits::default()).expect("YAML");
    assert_eq!(values, [json!({"a": {"e": 1}, "b": 3})]);
    let told: Vec<String> = repeats.iter().map(ToString::to_string).collect();
    let expected = [
        r#"line 5: key "c" already set in map"#,
        r#"line 7: key "a" already set in map"#,
        r#"line 8: key "b" already set in map"#,
    ];
    assert_eq!(told, expected);
}
