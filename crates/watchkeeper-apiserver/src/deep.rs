//! Values that are nested deep.
//!
//! Everything that walks a value calls itself for what is inside, so a value of ten thousand levels,
//! which Go's decoder takes and so does a kube-apiserver, needs a larger stack than a thread of a
//! runtime has. Requests that may bring such a value are answered on a stack of their own, and once
//! one is stored, everything is; nobody else pays for it.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

use serde::Deserialize as _;
use serde_json::Value;

use crate::protobuf;

/// How deep Go's decoder follows nested values (`maxNestingDepth` of `encoding/json`).
pub(crate) const DEEPEST: usize = 10_000;
/// Up to here any stack will do.
const SHALLOW: usize = 64;
/// Room for [`DEEPEST`] levels of the deepest call chain without optimization, five times over. Only
/// what is used of it is ever given by the system.
const STACK: usize = 512 << 20;

/// Does the work on a large stack; none when the system has no room for one.
pub(crate) fn run<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    scope(|threads| {
        let thread = Builder::new().name("deep".to_owned()).stack_size(STACK);
        let thread = thread.spawn_scoped(threads, work).ok()?;
        Some(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// Reads JSON, however deep its value is: for whoever has the stack for it.
///
/// # Errors
///
/// It is not one value.
pub(crate) fn read(json: &[u8]) -> serde_json::Result<Value> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    reader.disable_recursion_limit();
    let value = Value::deserialize(&mut reader)?;
    reader.end().map(|()| value)
}

/// Whether a request with that body may bring a deep value, or make one.
pub(crate) fn may_come(media_type: &str, body: &[u8]) -> bool {
    match media_type {
        // Each operation may move a value deeper.
        "application/json-patch+json" => {
            body.len() > 2048 || nesting(body) > SHALLOW || has(body, b"copy") || has(body, b"move")
        }
        // What an alias stands for may hold aliases.
        _ if media_type.ends_with("yaml") && has(body, b"*") => true,
        protobuf::MEDIA_TYPE => nesting(body) > SHALLOW || protobuf::may_nest(body),
        _ => nesting(body) > SHALLOW || !starts_as_json(body) && indent(body) > SHALLOW / 2,
    }
}

fn has(body: &[u8], word: &[u8]) -> bool {
    body.windows(word.len()).any(|window| window == word)
}

/// Whether a text looks like a JSON object.
pub(crate) fn starts_as_json(body: &[u8]) -> bool {
    body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

/// How deep brackets are nested, at most: whatever stands in texts counts as well, except for the
/// brackets that close.
pub(crate) fn nesting(body: &[u8]) -> usize {
    let (mut open, mut deepest, mut in_text, mut escaped) = (0_usize, 0, false, false);
    for byte in body {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_text,
            b'"' => in_text = !in_text,
            b'{' | b'[' => {
                open += 1;
                deepest = deepest.max(open);
            }
            b'}' | b']' if !in_text => open = open.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// How far YAML is indented, at most: by spaces, or by the marks of nested lists.
fn indent(body: &[u8]) -> usize {
    let mark = |byte: &u8| matches!(byte, b' ' | b'-' | b'?' | b'\t' | b':');
    let lines = body.split(|byte| *byte == b'\n');
    lines.map(|line| line.iter().take_while(|byte| mark(byte)).count()).max().unwrap_or(0)
}

/// How many levels a value has, at most `limit`.
pub(crate) fn depth(value: &Value, limit: usize) -> usize {
    let mut deepest = 0;
    let mut rest = vec![(value, 1)];
    while let Some((value, level)) = rest.pop() {
        match value {
            Value::Object(members) => rest.extend(members.values().map(|v| (v, level + 1))),
            Value::Array(items) => rest.extend(items.iter().map(|v| (v, level + 1))),
            _ => continue,
        }
        deepest = deepest.max(level);
        if deepest >= limit {
            return limit;
        }
    }
    deepest
}

/// How large a value is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    /// In bytes, written as JSON, about.
    pub(crate) bytes: usize,
    /// The sum of the lengths of the paths of all that is in it, in bytes. Whoever says what is wrong with a
    /// value, or who owns what of it, writes such paths; a value that is deep and wide where it is deep has
    /// gigabytes of them.
    pub(crate) paths: usize,
}

/// The longest paths that are followed, all together: a value that is a chain of ten thousand members, as
/// deep as values are, has less.
pub(crate) const LONGEST_PATHS: usize = 1 << 30;

/// What is said of a value with more of them.
pub(crate) const TOO_WIDE: &str = "the value is too wide where it is nested deep: the paths of its members are more \
     than a gigabyte";

impl Extent {
    /// Counts no further than it takes to know that the paths are too long.
    pub(crate) fn of(value: &Value) -> Self {
        let mut extent = Self::default();
        let mut rest = vec![(value, 0)];
        while let Some((value, above)) = rest.pop() {
            extent.paths = extent.paths.saturating_add(above);
            if extent.is_too_wide() {
                return extent;
            }
            extent.bytes += 2;
            match value {
                Value::String(text) => extent.bytes += text.len(),
                Value::Array(items) => rest.extend(items.iter().map(|item| (item, above + 4))),
                Value::Object(members) => {
                    for (name, value) in members {
                        extent.bytes += name.len() + 4;
                        rest.push((value, above + name.len() + 1));
                    }
                }
                Value::Null | Value::Bool(_) | Value::Number(_) => extent.bytes += 2,
            }
        }
        extent
    }

    pub(crate) const fn is_too_wide(self) -> bool {
        self.paths > LONGEST_PATHS
    }
}

/// Whether a value needs a large stack.
pub(crate) fn is(value: &Value) -> bool {
    depth(value, SHALLOW + 1) > SHALLOW
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_are_added_up() {
        let extent = Extent::of(&json!({"ab": [1, {"c": "text"}], "d": null}));
        // `ab`, its two items, `c` of the second one, and `d`.
        assert_eq!(extent.paths, 3 + 7 + 7 + 9 + 2);
        assert!((20..60).contains(&extent.bytes), "{}", extent.bytes);
        let mut deep = json!((0..30_000).collect::<Vec<u32>>());
        for _ in 0..20_000 {
            // Not by the macro, which walks what it is given.
            deep = Value::Object([("a".to_owned(), deep)].into_iter().collect());
        }
        assert!(Extent::of(&deep).is_too_wide());
        // A value of that depth is dropped on a larger stack than a test has.
        run(move || drop(deep)).expect("a stack");
    }

    #[test]
    fn levels_are_counted() {
        assert_eq!(depth(&json!(1), 100), 0);
        assert_eq!(depth(&json!({"a": [{}], "b": 1}), 100), 3);
        assert_eq!(depth(&json!([[[[]]]]), 2), 2);
        assert_eq!(nesting(br#"{"a": [{}], "b": "]\"[", "c": {}}"#), 3);
        assert!(!may_come("", br#"{"a": 1}"#));
        assert!(may_come("", &b"[".repeat(65)));
        assert!(may_come("application/yaml", &b"- ".repeat(65)));
        assert!(!may_come("application/yaml", b"a:\n  b:\n    - c: 1\n"));
        assert!(may_come("application/json-patch+json", br#"[{"op": "move"}]"#));
    }

    #[test]
    fn only_what_may_be_deep_goes_on_a_large_stack() {
        let open = |levels: usize| b"[".repeat(levels);
        for (media_type, body, may) in [
            ("application/json", open(64), false),
            ("application/json", open(65), true),
            ("application/json-patch+json", open(64), false),
            ("application/json-patch+json", open(65), true),
            ("application/json-patch+json", vec![b' '; 2048], false),
            ("application/json-patch+json", vec![b' '; 2049], true),
            ("application/json-patch+json", b"[{\"op\": \"copy\"}]".to_vec(), true),
            ("application/yaml", b"a: *b".to_vec(), true),
            ("application/json", b"{\"a\": \"*\"}".to_vec(), false),
            ("application/yaml", [&b" ".repeat(32)[..], &b"a"[..]].concat(), false),
            ("application/yaml", [&b" ".repeat(33)[..], &b"a"[..]].concat(), true),
            ("", [&b" ".repeat(33)[..], &b"{}"[..]].concat(), false),
            (protobuf::MEDIA_TYPE, open(65), true),
        ] {
            let told = String::from_utf8_lossy(&body);
            assert_eq!(may_come(media_type, &body), may, "{media_type} {told}");
        }
    }

    #[test]
    fn brackets_that_close_in_texts_close_nothing() {
        assert_eq!(nesting(br#"["]"["#), 2);
        assert_eq!(nesting(br#"["\"]"["#), 2, "the quote is escaped");
        assert_eq!(nesting(br#"["\\"]["#), 1, "the backslash is");
        assert_eq!(nesting(b"]]["), 1);
        assert_eq!(indent(b"a\n  b\n - - c\n"), 5);
        assert_eq!(indent(b"\t?: x"), 4);
    }

    #[test]
    fn a_value_is_deep_from_65_levels_on() {
        let nested = |levels: usize| (0..levels).fold(json!(1), |inside, _| json!([inside]));
        assert!(!is(&nested(64)) && is(&nested(65)));
        assert_eq!((depth(&nested(3), 3), depth(&nested(3), 4)), (3, 3));
    }
}
