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
    "a\n  b\n c",
    "self.x == 'y' ? 1 : 2",
    ",",
    "a, b",
    "---",
    "...",
    "=a",
];

#[test]
fn whatever_a_text_is_it_is_read_again() {
    for text in TEXTS {
        for value in
            [json!({ "a": text }), json!([text]), json!({ *text: [{ "b": text, "c": 1 }] })]
        {
            let written = document(&value);
            let read: Value = serde_saphyr::from_str(&written).expect("YAML");
            assert_eq!(read, value, "{text:?} as\n{written}");
        }
    }
}

#[test]
fn numbers_and_truths_stay_what_they_are() {
    let value = json!({ "a": 1, "b": -2.5, "c": true, "d": null, "e": [], "f": {}, "g": [[], {}] });
    let read: Value = serde_saphyr::from_str(&document(&value)).expect("YAML");
    assert_eq!(read, value);
}
