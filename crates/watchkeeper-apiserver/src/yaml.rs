//! JSON values as YAML, for clients that ask for it.
//!
//! Maps and lists in blocks, texts plain where nothing else could be read from them, else quoted as
//! in JSON, which is YAML, too.

use std::fmt::Write as _;

use serde_json::Value;

/// The value as a document.
pub(crate) fn text(value: &Value) -> String {
    let mut out = String::new();
    match value {
        Value::Object(_) | Value::Array(_) if !is_empty(value) => block(&mut out, value, 0, true),
        _ => {
            inline(&mut out, value);
            out.push('\n');
        }
    }
    out
}

/// Whether it is written on one line.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => true,
    }
}

/// The lines of a map or list; the first may stand behind a dash.
fn block(out: &mut String, value: &Value, depth: usize, mut starts_line: bool) {
    let mut indent = |out: &mut String| {
        if starts_line {
            out.extend(std::iter::repeat_n("  ", depth));
        }
        starts_line = true;
    };
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                indent(out);
                scalar(out, name);
                out.push(':');
                // A list may stand as deep as its name.
                after(out, value, if value.is_array() { depth } else { depth + 1 });
            }
        }
        Value::Array(items) => {
            for item in items {
                indent(out);
                out.push('-');
                if is_empty(item) {
                    after(out, item, depth);
                } else {
                    out.push(' ');
                    block(out, item, depth + 1, false);
                }
            }
        }
        _ => {}
    }
}

fn after(out: &mut String, value: &Value, depth: usize) {
    if is_empty(value) {
        out.push(' ');
        inline(out, value);
        out.push('\n');
    } else {
        out.push('\n');
        block(out, value, depth, true);
    }
}

fn inline(out: &mut String, value: &Value) {
    match value {
        Value::String(text) => scalar(out, text),
        other => out.push_str(&other.to_string()),
    }
}

fn scalar(out: &mut String, text: &str) {
    if is_plain(text) {
        out.push_str(text);
    } else {
        for sign in Value::from(text).to_string().chars() {
            quoted(out, sign);
        }
    }
}

/// A sign of a text that JSON quoted: YAML wants some escaped that JSON does not.
fn quoted(out: &mut String, sign: char) {
    if matches!(sign, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}') {
        // A string takes whatever it is given.
        let _infallible = write!(out, "\\u{:04x}", u32::from(sign));
    } else {
        out.push(sign);
    }
}

/// Whether it reads as that very text without quotes: it begins with a letter, `/`, `_` or `.`, has
/// no sign that means something, and is no word that means something else.
fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 11] =
        ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "inf", "nan"];
    let begins = |c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '_');
    let goes_on = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '_' | '.' | '-' | '+');
    text.starts_with(begins)
        && text.chars().all(goes_on)
        && !WORDS.contains(&&*text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::request::body;

    #[test]
    fn it_reads_like_upstreams() {
        let value = json!({
            "apiVersion": "v1",
            "data": {"a": "true", "b": "two words", "c": "", "1": "x"},
            "items": [{"name": "a", "list": [1, [2]]}, {}, []],
            "time": "2026-11-21T06:15:49Z",
        });
        expect_test::expect![[r#"
            apiVersion: v1
            data:
              "1": x
              a: "true"
              b: "two words"
              c: ""
            items:
            - list:
              - 1
              - - 2
              name: a
            - {}
            - []
            time: "2026-11-21T06:15:49Z"
        "#]]
        .assert_eq(&text(&value));
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "[ -\u{a0}\n\u{e9}\u{2028}\u{2029}\u{feff}]{0,8}".prop_map(Value::from),
            "(null|~|yes|0x1|1e3|- a|a: b|#|.5|.inf)".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[ -\u{a0}]{1,6}", inner, 0..4)
                    .prop_map(|members| members.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(value in values()) {
            let value = json!({ "value": value });
            let read = body::yaml(text(&value).as_bytes(), "Any").expect("YAML");
            prop_assert_eq!(read.value, value);
        }
    }
}
