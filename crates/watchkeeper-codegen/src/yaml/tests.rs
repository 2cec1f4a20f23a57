//! What is written is read again as it was.

use expect_test::expect;
use serde_json::json;

use super::*;

#[test]
fn lists_are_not_indented_and_keys_are_sorted() {
    let role = json!({
        "kind": "ClusterRole", "apiVersion": "v1", "metadata": { "name": "a", "labels": {} },
        "rules": [{ "verbs": ["*", "get"], "apiGroups": [""], "nested": [["a"], { "b": 1 }] }],
    });
    expect![[r#"
        ---
        apiVersion: v1
        kind: ClusterRole
        metadata:
          labels: {}
          name: a
        rules:
        - apiGroups:
          - ""
          nested:
          - - a
          - b: 1
          verbs:
          - '*'
          - get
    "#]]
    .assert_eq(&document(&role));
}

/// Texts that mean something to YAML, or nearly.
const TEXTS: &[&str] = &[
    "",
    "a",
    "a b",
    " a",
    "a ",
    "1",
    "1.5",
    "0x1f",
    "1e3",
    "-1",
    "+1",
    ".5",
    "2026-01-02",
    "12:30",
    "true",
    "No",
    "~",
    "null",
    "a: b",
    "a #b",
    "a:",
    "#a",
    "- a",
    "-",
    "*",
    "&a",
    "!a",
    "%a",
    "@a",
    "`a`",
    "{a}",
    "[a]",
    "'a'",
    "\"a\"",
    "it's",
    "a\nb",
    "a\nb\n",
    "a\n\nb\n\n",
    "\na",
    " a\nb",
    "a \nb",
    "a\tb",
    "\u{7}",
    "?a",
    "|",
    ">",
    "^[a-z]+$",
    "\\d",
    "é",
    "\u{2028}",
    "<<",
    "=",
    ".inf",
    "a\n",
    "\n",
    "1_000",
    "0o7",
    "0X1f",
    "0O17",
    "0644",
    "Yes",
    "a\n  b\n c",
    "self.x == 'y' ? 1 : 2",
    ",",
    "a, b",
    "---",
    "...",
    "=a",
];

fn read(text: &str) -> Value {
    let documents = watchkeeper_schema::yaml::documents(text, &Default::default());
    documents.expect("YAML").remove(0)
}

#[test]
fn whatever_a_text_is_it_is_read_again() {
    for text in TEXTS {
        for value in
            [json!({ "a": text }), json!([text]), json!({ *text: [{ "b": text, "c": 1 }] })]
        {
            let written = document(&value);
            assert_eq!(read(&written), value, "{text:?} as\n{written}");
        }
    }
}

/// Whether go-yaml reads a character as it is (`yaml_parser_update_buffer`), and not as the end of a line.
fn is_plain(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
        || c >= '\u{10000}'
}

#[test]
fn what_other_readers_refuse_is_escaped() {
    for c in ['\u{2028}', '\u{2029}', '\u{85}', '\u{feff}', '\u{7f}', '\u{80}', '\u{ffff}'] {
        for text in [format!("a{c}b"), format!("a\nb{c}c")] {
            let value = json!({ "a": text, text.as_str(): 1 });
            let written = document(&value);
            assert!(written.chars().all(is_plain), "{text:?} as\n{written}");
            assert_eq!(read(&written), value, "{text:?} as\n{written}");
        }
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_again_by_any_reader(text in "(?s:.){0,12}|[-a: #\n]{0,8}|[0-9xXoe._:+T -]{0,8}") {
        let value = json!([{ "a": text }]);
        let written = document(&value);
        proptest::prop_assert!(written.chars().all(is_plain), "{:?} as\n{}", text, written);
        proptest::prop_assert_eq!(read(&written), value);
    }
}

#[test]
fn numbers_and_truths_stay_what_they_are() {
    let value = json!({ "a": 1, "b": -2.5, "c": true, "d": null, "e": [], "f": {}, "g": [[], {}] });
    assert_eq!(read(&document(&value)), value);
}
