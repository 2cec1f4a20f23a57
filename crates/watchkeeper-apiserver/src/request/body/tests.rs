//! Bodies in YAML, as `sigs.k8s.io/yaml` reads them.

use serde::de::DeserializeSeed as _;
use serde::de::value::{BytesDeserializer, Error, StringDeserializer};
use serde_json::{Value, json};

use super::{Notes, Seed, decode, first_document};

fn read(text: &str) -> Result<Value, String> {
    let read = decode("application/yaml", text.as_bytes(), "v1", "ConfigMap");
    read.map(|decoded| decoded.value).map_err(|error| error.message)
}

#[test]
fn json_is_yaml() {
    let value = json!({"a": {"b": [1, "yes", null, 1.5]}, "c": "2001-01-01"});
    assert_eq!(read(&value.to_string()), Ok(value.clone()));
    let lines = serde_json::to_string_pretty(&value).expect("JSON");
    assert_eq!(read(&lines), Ok(value));
    assert_eq!(read("{\"a\": 1.0}"), Ok(json!({"a": 1})), "as Go writes it again");
    assert_eq!(read("{a: yes, 'b': no,}"), Ok(json!({"a": true, "b": false})));
}

#[test]
fn words_and_numbers_are_those_of_the_older_yaml() {
    let text = "a: yes\nb: 0644\nc: 1_000\nd: 2001-01-01\ne: \"on\"\noff: 1e3\nf: 12:30\ng: ~\n";
    let value = json!({
        "a": true, "b": 420, "c": 1000, "d": "2001-01-01", "e": "on", "false": 1000, "f": "12:30", "g": null,
    });
    assert_eq!(read(text), Ok(value));
}

#[test]
fn a_text_is_read_up_to_the_end_of_its_first_document() {
    for text in [
        "a: 1\n---\nb: 2\n",
        "---\na: 1\n---\n{ no YAML\n",
        "# first\n\n--- # second\na: 1\n...\nb: 2\n",
        "a: 1\r\n---\r\nb: 2",
        "--- {a: 1}\n--- {b: 2}\n",
    ] {
        assert_eq!(read(text), Ok(json!({"a": 1})), "{text:?}");
    }
    let within = "a: |\n  ---\n  b\nc: ---d\n";
    assert_eq!(read(within), Ok(json!({"a": "---\nb\n", "c": "---d"})));
    for whole in [within, "----: e\n.... f\n", "%YAML 1.1\n---\na: 1\n", "---\n# none\n---\na: 1\n"]
    {
        assert_eq!(first_document(whole), whole);
    }
}

#[test]
fn what_is_read_is_printed_without_its_value() {
    let body = br#"{"a": "secret", "a": "other"}"#;
    let read = decode("application/json", body, "v1", "ConfigMap").expect("JSON");
    let printed = format!("{read:?}");
    assert!(printed.starts_with("Decoded { duplicates: "), "{printed}");
    assert!(printed.ends_with(", .. }") && !printed.contains("secret"), "{printed}");
}

#[test]
fn a_value_is_made_of_what_any_reader_has_of_json() {
    let text = StringDeserializer::<Error>::new("a".to_owned());
    assert_eq!(Seed(&mut Notes::default()).deserialize(text), Ok(json!("a")));
    let bytes = BytesDeserializer::<Error>::new(b"a");
    let why = Seed(&mut Notes::default()).deserialize(bytes).expect_err("there are none in JSON");
    assert_eq!(why.to_string(), "invalid type: byte array, expected a JSON value");
}

#[test]
fn what_is_empty_or_has_no_parts_is_a_line_of_yaml() {
    for (value, text) in [
        (json!({}), "{}\n"),
        (json!([]), "[]\n"),
        (json!([[]]), "- []\n"),
        (json!("a"), "a\n"),
        (json!("a b"), "\"a b\"\n"),
        (json!(null), "null\n"),
        (json!(1.5), "1.5\n"),
    ] {
        assert_eq!(crate::yaml::text(&value), text, "{value}");
    }
}

#[test]
fn a_text_is_plain_where_nothing_else_can_be_read_from_it() {
    for text in ["yes1", "a-b", "/a", "_a", "Z9.b+c/d_e", "nothing", "infinite"] {
        assert_eq!(crate::yaml::text(&json!(text)), format!("{text}\n"));
    }
    for text in
        ["", "Yes", "NULL", "on", "y", "Inf", "1a", "-a", ".a", "+a", "a b", "a:b", "~", "\u{e9}"]
    {
        assert_eq!(crate::yaml::text(&json!(text)), format!("\"{text}\"\n"));
    }
    for (text, quoted) in [
        ("a\u{7f}", "\"a\\u007f\"\n"),
        ("\u{9f}\u{a0}", "\"\\u009f\u{a0}\"\n"),
        ("\u{2028}\u{2029}\u{feff}", "\"\\u2028\\u2029\\ufeff\"\n"),
        ("a\nb", "\"a\\nb\"\n"),
    ] {
        assert_eq!(crate::yaml::text(&json!(text)), quoted);
    }
}

#[test]
fn a_body_says_in_its_first_bytes_what_it_is() {
    let summary = super::summary;
    assert_eq!(summary(b""), "<empty>");
    assert_eq!(summary(b"{\"a\": 1}"), "{\"a\": 1}");
    assert_eq!(summary(b"a: 1"), "613a2031");
    let long = |byte: u8, count: usize| summary(&vec![byte; count]);
    assert_eq!(long(b'{', 30), "{".repeat(30));
    assert_eq!(long(b'{', 31), format!("{} ...", "{".repeat(30)));
    assert_eq!(long(b'a', 30), "61".repeat(30));
    assert_eq!(long(b'a', 31), format!("{} ...", "61".repeat(30)));
}

#[test]
fn a_member_that_is_there_twice_is_told_by_its_path_a_hundred_times_at_most() {
    let told = |text: &str| super::text(text.as_bytes()).expect("JSON").duplicates.paths;
    assert_eq!(
        told(r#"{"a": 1, "b": [{"c": {"d": 1, "d": 2}}, {"e": 1, "e": 1, "e": 1}]}"#),
        ["b[0].c.d", "b[1].e", "b[1].e"]
    );
    let many = |count: usize| format!("{{{}}}", vec![r#""a": 1"#; count].join(","));
    assert_eq!([told(&many(101)).len(), told(&many(102)).len()], [100, 100]);
    assert_eq!(told(&many(100)).len(), 99);
}
