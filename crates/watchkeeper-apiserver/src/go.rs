//! Decoded values as Go names and prints them, which is what clients of upstream's servers read in messages.

mod numbers;

use std::borrow::Cow;

pub(crate) use numbers::{atoi, parse_int, parse_uint};

use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use base64::{Engine as _, alphabet};
use serde_json::{Map, Value};

/// A JSON type as Go's decoder names it.
pub(crate) fn go_kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The type of a decoded value, as Go names it.
pub(crate) fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

/// A decoded value as it would be written in Go.
pub(crate) fn go_syntax(value: &Value) -> String {
    match value {
        Value::Null => "interface {}(nil)".to_owned(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(go_syntax).collect();
            format!("[]interface {{}}{{{}}}", items.join(", "))
        }
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| {
                format!("{}:{}", watchkeeper_schema::error::quote(name), go_syntax(value))
            };
            let members: Vec<String> = members.iter().map(member).collect();
            format!("map[string]interface {{}}{{{}}}", members.join(", "))
        }
        Value::String(text) => watchkeeper_schema::error::quote(text),
        other => other.to_string(),
    }
}

/// A map as Go prints it.
pub(crate) fn go_map(members: &Map<String, Value>) -> String {
    let shown = members.iter().map(|(name, value)| format!("{name}:{}", go_value(value)));
    format!("map[{}]", shown.collect::<Vec<_>>().join(" "))
}

/// A value as Go prints it.
pub(crate) fn go_value(value: &Value) -> String {
    match value {
        Value::Object(members) => go_map(members),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(go_value).collect::<Vec<_>>().join(" "))
        }
        Value::String(text) => text.clone(),
        Value::Null => "<nil>".to_owned(),
        other => other.to_string(),
    }
}

/// The bytes of a text in base64, which Go reads with line breaks anywhere in it, and with whatever stands in those
/// bits of its last letter that belong to no byte.
pub(crate) fn go_bytes(text: &str) -> Option<Vec<u8>> {
    const AS_GO: GeneralPurposeConfig =
        GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true);
    static ENGINE: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, AS_GO);
    let text = if text.contains(['\r', '\n']) {
        Cow::Owned(text.replace(['\r', '\n'], ""))
    } else {
        Cow::Borrowed(text)
    };
    ENGINE.decode(&*text).ok()
}

/// JSON as Go's encoder leaves it: fit for HTML and for scripts, wherever these stand.
pub(crate) fn go_escaped(json: &str) -> String {
    let json = json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    json.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Writes parts between brackets, with commas.
pub(crate) fn enclosed<T>(
    (open, close): (char, char),
    parts: impl Iterator<Item = T>,
    out: &mut String,
    mut write: impl FnMut(T, &mut String),
) {
    out.push(open);
    for (index, part) in parts.enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(part, out);
    }
    out.push(close);
}

#[cfg(test)]
mod tests {
    use super::go_bytes;

    #[test]
    fn bytes_are_read_as_go_reads_them() {
        for text in ["YWJj", "YW\r\nJj\n"] {
            assert_eq!(go_bytes(text).as_deref(), Some(&b"abc"[..]), "{text}");
        }
        assert_eq!(go_bytes("YR==").as_deref(), Some(&b"a"[..]), "bits that belong to no byte");
        for text in ["YQ", "YQ=", "Y Q==", "-_-_"] {
            assert_eq!(go_bytes(text), None, "{text}");
        }
    }
}
