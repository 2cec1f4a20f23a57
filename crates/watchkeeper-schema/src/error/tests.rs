//! Messages.

use expect_test::expect;
use serde_json::json;

use super::*;

#[test]
fn each_kind_of_mistake_has_its_words() {
    let errors = [
        FieldError::required("spec.name", ""),
        FieldError::required("spec.name", "must not be empty"),
        FieldError::invalid("spec.replicas", -1, "must be greater than or equal to 0"),
        FieldError::invalid("spec.name", "a\"b\n", "bad"),
        FieldError::invalid("spec.selector", json!({"a": ["b"]}), "bad"),
        FieldError::forbidden("spec", "no"),
        FieldError::duplicate("spec.ports[1]", "http"),
        FieldError::not_found("spec.volume", "data"),
        FieldError::not_supported("spec.type", "X", ["A", "B"]),
        FieldError::too_long("metadata.annotations", 262_144),
        FieldError::too_many("spec.items", 3, 1),
    ];
    let text: Vec<String> = errors.iter().map(ToString::to_string).collect();
    expect![[r#"
        spec.name: Required value
        spec.name: Required value: must not be empty
        spec.replicas: Invalid value: -1: must be greater than or equal to 0
        spec.name: Invalid value: "a\"b\n": bad
        spec.selector: Invalid value: {"a":["b"]}: bad
        spec: Forbidden: no
        spec.ports[1]: Duplicate value: "http"
        spec.volume: Not found: "data"
        spec.type: Unsupported value: "X": supported values: "A", "B"
        metadata.annotations: Too long: may not be more than 262144 bytes
        spec.items: Too many: 3: must have at most 1 item"#]]
    .assert_eq(&text.join("\n"));
    expect!["[a: Required value, b: Required value]"].assert_eq(&summary(&[
        FieldError::required("a", ""),
        FieldError::required("b", ""),
        FieldError::required("a", ""),
    ]));
}

#[test]
fn floats_are_written_as_go_writes_them() {
    for (float, text) in [
        (0.0, "0"),
        (1000.0, "1000"),
        (100_000.5, "100000.5"),
        (1e6, "1e+06"),
        (-1.5e7, "-1.5e+07"),
        (0.0001, "0.0001"),
        (0.000_012, "1.2e-05"),
        (1e100, "1e+100"),
    ] {
        assert_eq!(go_float(float), text);
    }
    let error = FieldError::duplicate("a", json!({"k": 2.0, "l": 0.5}));
    assert_eq!(error.to_string(), r#"a: Duplicate value: {"k":2,"l":0.5}"#);
}

/// As `json.Marshal` writes what is no text.
#[test]
fn lists_and_maps_are_shown_as_json_for_pages() {
    for (value, shown) in [
        (json!([]), "[]"),
        (json!({}), "{}"),
        (json!(["<a> & b\u{2028}\u{7}"]), r#"["\u003ca\u003e \u0026 b\u2028\u0007"]"#),
        (json!({"<": {"a": [1.5, null, true]}}), r#"{"\u003c":{"a":[1.5,null,true]}}"#),
        (json!("<a> & b\u{2028}\u{7}"), r#""<a> & b\u2028\a""#),
        (json!(null), "null"),
    ] {
        assert_eq!(show(&value), shown);
    }
}

/// As `strconv.Quote` writes them.
#[test]
fn what_is_not_printed_is_escaped_as_go_escapes_it() {
    for (text, quoted) in [
        ("", r#""""#),
        ("a \"b\" \\ 'c'", r#""a \"b\" \\ 'c'""#),
        ("\u{7}\u{8}\u{c}\n\r\t\u{b}", r#""\a\b\f\n\r\t\v""#),
        ("\0\u{1}\u{1b}\u{7f}", r#""\x00\x01\x1b\x7f""#),
        ("\u{80}\u{85}\u{a0}\u{ad}", r#""\u0080\u0085\u00a0\u00ad""#),
        ("\u{200b}\u{2028}\u{3000}\u{e000}", r#""\u200b\u2028\u3000\ue000""#),
        ("\u{feff}\u{378}\u{ffff}", r#""\ufeff\u0378\uffff""#),
        ("\u{2fffe}\u{e0001}\u{10ffff}", r#""\U0002fffe\U000e0001\U0010ffff""#),
        ("¡÷ÿ α 世界 \u{fffd} 😀 e\u{301}", "\"¡÷ÿ α 世界 \u{fffd} 😀 e\u{301}\""),
    ] {
        assert_eq!(quote(text), quoted, "{text:?}");
    }
}

#[test]
fn between_other_quotes_a_quote_is_itself() {
    let mut out = String::new();
    "\"'\\\u{1}¡".chars().for_each(|c| push_escaped(c, &mut out));
    assert_eq!(out, r#""'\\\x01¡"#);
}

#[test]
fn values_are_about_as_long_as_they_are_shown() {
    for (value, expected) in [
        (json!(null), 0),
        (json!(17), 0),
        (json!("abc"), 3),
        (json!([]), 0),
        (json!(["abc", {}]), 9),
        (json!({"ab": "c", "d": [1]}), 7 + 8),
    ] {
        assert_eq!(length(&value), expected, "{value}");
        assert_eq!(FieldError::invalid("ab", value, "cde").size(), 105 + expected);
    }
    assert_eq!(FieldError::required("ab", "").size(), 102);
}
