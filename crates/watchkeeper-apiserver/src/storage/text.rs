//! The JSON of objects: written once, read back whole or in parts.
//!
//! What is read here was written here, so there is no space in it and nothing is wrong with it.

use bytes::Bytes;
use serde::Deserialize as _;
use serde_json::{Map, Value};

/// The members after `kind` and `apiVersion`, as JSON with a comma in front of each.
#[must_use]
pub fn tail(value: &Value) -> Bytes {
    let mut text = Vec::with_capacity(4096);
    for (name, member) in value.as_object().into_iter().flatten() {
        if !is_type_meta(name) {
            text.push(b',');
            write_json(&mut text, name);
            text.push(b':');
            write_json(&mut text, member);
        }
    }
    text.push(b'}');
    // As long as it is: it is kept.
    Bytes::copy_from_slice(&text)
}

/// What is before the tail: `{"apiVersion":"v1","kind":"Pod"`.
pub(super) fn head(value: &Value) -> String {
    let mut text = Vec::with_capacity(64);
    for name in ["apiVersion", "kind"] {
        if let Some(member) = value.get(name) {
            text.push(if text.is_empty() { b'{' } else { b',' });
            write_json(&mut text, name);
            text.push(b':');
            write_json(&mut text, member);
        }
    }
    String::from_utf8(text).unwrap_or_default()
}

fn write_json(text: &mut Vec<u8>, value: &(impl serde::Serialize + ?Sized)) {
    // Neither a text nor a value has anything that JSON has not, and a list takes all.
    let _written = serde_json::to_writer(text, value);
}

fn is_type_meta(name: &str) -> bool {
    matches!(name, "kind" | "apiVersion")
}

/// The value of which these are head and tail.
pub(super) fn read(head: &str, tail: &[u8]) -> Value {
    let text = match (head, tail.strip_prefix(b",")) {
        ("", members) => [b"{", members.unwrap_or(tail)].concat(),
        _ => [head.as_bytes(), tail].concat(),
    };
    value(&text)
}

/// The version that a head tells.
pub(super) fn api_version(head: &str) -> String {
    let version = member(head.as_bytes(), "apiVersion").map(value);
    version.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A value of which this is the JSON.
fn value(text: &[u8]) -> Value {
    let mut reader = serde_json::Deserializer::from_slice(text);
    reader.disable_recursion_limit();
    Value::deserialize(&mut reader).unwrap_or_default()
}

/// A value with those of the members at these paths that are in a tail; none where a name of the paths is
/// one that JSON spells in more than one way.
pub(super) fn parts(tail: &[u8], paths: &[&str]) -> Option<Value> {
    let mut parts = Value::Object(Map::new());
    for path in paths {
        if path.contains(|c: char| matches!(c, '"' | '\\') || c.is_control()) {
            return None;
        }
        let names = || path.split('.').filter(|name| !name.is_empty());
        let Some(text) = names().try_fold(tail, member) else { continue };
        let mut at = &mut parts;
        for name in names() {
            if !at.is_object() {
                *at = Value::Object(Map::new());
            }
            at = &mut at[name];
        }
        *at = value(text);
    }
    Some(parts)
}

/// The JSON of a member of an object; the first byte may be the comma that a tail begins with.
fn member<'a>(object: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let (b'{' | b',', mut rest) = object.split_first()? else { return None };
    loop {
        let (own, after) = split_text(rest)?;
        let (value, after) = split_value(after.strip_prefix(b":")?)?;
        if own == name.as_bytes() {
            return Some(value);
        }
        rest = after.strip_prefix(b",")?;
    }
}

/// What is between the quotes at the beginning, and what comes after them.
fn split_text(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.strip_prefix(b"\"")?;
    let mut from = 0;
    loop {
        let rest = text.get(from..)?;
        let at = from + rest.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
        if text.get(at) == Some(&b'"') {
            return Some((text.get(..at)?, text.get(at + 1..)?));
        }
        from = at + 2;
    }
}

/// The value at the beginning, and what comes after it.
fn split_value(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut rest = text;
    let mut open = 0_usize;
    loop {
        let skipped = rest.iter().position(|byte| {
            matches!(byte, b'"' | b'{' | b'[' | b'}' | b']') || open == 0 && *byte == b','
        })?;
        rest = rest.get(skipped..)?;
        match rest.first()? {
            b'"' => rest = split_text(rest)?.1,
            b'{' | b'[' => (open, rest) = (open + 1, rest.get(1..)?),
            _ if open == 0 => {}
            _ => (open, rest) = (open - 1, rest.get(1..)?),
        }
        let ends = matches!(rest.first(), Some(b',' | b'}' | b']') | None);
        if open == 0 && ends {
            return text.split_at_checked(text.len() - rest.len());
        }
    }
}

#[cfg(test)]
mod tests;
