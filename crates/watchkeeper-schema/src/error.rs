//! What is wrong with a field, said as upstream's `field.Error` says it
//! (apimachinery, `pkg/util/validation/field`).

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use serde_json::Value;

mod printable;

#[cfg(test)]
mod tests;

pub use printable::is_printable;

/// So many bytes of mistakes, or of names, are told of an object, which nobody reads to the end.
pub const MOST_TOLD: usize = 4 << 20;

/// The kind of mistake; also the reason of a cause in a `Status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The value is missing.
    Required,
    /// The value is malformed.
    Invalid,
    /// The value has the wrong type.
    TypeInvalid,
    /// The value is none of those allowed.
    NotSupported,
    /// The value may not be set here.
    Forbidden,
    /// The value is there twice.
    Duplicate,
    /// What the value names does not exist.
    NotFound,
    /// The text is too long.
    TooLong,
    /// There are too many items.
    TooMany,
    /// The mistake is not the user's.
    Internal,
}

impl Reason {
    /// The reason as causes of a `Status` carry it.
    #[must_use]
    pub fn cause(self) -> &'static str {
        match self {
            Self::Required => "FieldValueRequired",
            Self::Invalid => "FieldValueInvalid",
            Self::TypeInvalid => "FieldValueTypeInvalid",
            Self::NotSupported => "FieldValueNotSupported",
            Self::Forbidden => "FieldValueForbidden",
            Self::Duplicate => "FieldValueDuplicate",
            Self::NotFound => "FieldValueNotFound",
            Self::TooLong => "FieldValueTooLong",
            Self::TooMany => "FieldValueTooMany",
            Self::Internal => "InternalError",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Required => "Required value",
            Self::Invalid | Self::TypeInvalid => "Invalid value",
            Self::NotSupported => "Unsupported value",
            Self::Forbidden => "Forbidden",
            Self::Duplicate => "Duplicate value",
            Self::NotFound => "Not found",
            Self::TooLong => "Too long",
            Self::TooMany => "Too many",
            Self::Internal => "Internal error",
        }
    }

    /// Whether the message shows the value.
    fn shows_value(self) -> bool {
        !matches!(self, Self::Required | Self::Forbidden | Self::TooLong | Self::Internal)
    }
}

/// One mistake in an object.
///
/// Displayed with its field in front: `spec.replicas: Invalid value: -1: must be …`.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldError {
    /// The kind of mistake.
    pub reason: Reason,
    /// Where it is, e.g. `spec.containers[0].name`.
    pub field: String,
    /// The offending value, unless the message leaves it out.
    pub value: Option<Value>,
    /// What is said about it.
    pub detail: String,
}

/// Constructors, named as upstream names them.
impl FieldError {
    /// A mistake of any kind.
    pub fn new(
        reason: Reason,
        field: impl Into<String>,
        value: Option<Value>,
        detail: impl Into<String>,
    ) -> Self {
        Self { reason, field: field.into(), value, detail: detail.into() }
    }

    /// The value is missing.
    pub fn required(field: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(Reason::Required, field, None, detail)
    }

    /// The value is malformed.
    pub fn invalid(
        field: impl Into<String>,
        value: impl Into<Value>,
        detail: impl Into<String>,
    ) -> Self {
        Self::new(Reason::Invalid, field, Some(value.into()), detail)
    }

    /// The value may not be set here.
    pub fn forbidden(field: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(Reason::Forbidden, field, None, detail)
    }

    /// The value is there twice.
    pub fn duplicate(field: impl Into<String>, value: impl Into<Value>) -> Self {
        Self::new(Reason::Duplicate, field, Some(value.into()), "")
    }

    /// What the value names does not exist.
    pub fn not_found(field: impl Into<String>, value: impl Into<Value>) -> Self {
        Self::new(Reason::NotFound, field, Some(value.into()), "")
    }

    /// The value is none of `supported`.
    pub fn not_supported<S: AsRef<str>>(
        field: impl Into<String>,
        value: impl Into<Value>,
        supported: impl IntoIterator<Item = S>,
    ) -> Self {
        let quoted: Vec<String> = supported.into_iter().map(|s| quote(s.as_ref())).collect();
        let detail = match quoted.is_empty() {
            true => String::new(),
            false => format!("supported values: {}", quoted.join(", ")),
        };
        Self::new(Reason::NotSupported, field, Some(value.into()), detail)
    }

    /// The text has more than `most` bytes.
    pub fn too_long(field: impl Into<String>, most: u64) -> Self {
        let unit = if most == 1 { "byte" } else { "bytes" };
        Self::new(Reason::TooLong, field, None, format!("may not be more than {most} {unit}"))
    }

    /// There are `actual` items where only `most` may be.
    pub fn too_many(field: impl Into<String>, actual: u64, most: u64) -> Self {
        let unit = if most == 1 { "item" } else { "items" };
        let detail = format!("must have at most {most} {unit}");
        Self::new(Reason::TooMany, field, Some(actual.into()), detail)
    }

    /// How many bytes are told of it, about.
    #[must_use]
    pub fn size(&self) -> usize {
        let shown = self.value.as_ref().map_or(0, length);
        100 + self.field.len() + self.detail.len() + shown
    }

    /// What is wrong, without the field in front; the message of a cause in a `Status`.
    #[must_use]
    pub fn body(&self) -> String {
        let mut body = self.reason.words().to_owned();
        if self.reason.shows_value()
            && let Some(value) = &self.value
        {
            body.push_str(": ");
            body.push_str(&show(value));
        }
        if !self.detail.is_empty() {
            body.push_str(": ");
            body.push_str(&self.detail);
        }
        body
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.body())
    }
}

impl std::error::Error for FieldError {}

/// Several mistakes as one message: a single one as it is, more in brackets.
#[must_use]
pub fn summary(errors: &[FieldError]) -> String {
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let mut seen = BTreeSet::new();
    let told: Vec<&str> =
        texts.iter().map(String::as_str).filter(|text| seen.insert(*text)).collect();
    match told[..] {
        [one] => one.to_owned(),
        _ => format!("[{}]", told.join(", ")),
    }
}

/// A value as Go prints it in messages: text in quotes, numbers as they are, lists and maps as JSON.
#[must_use]
pub fn show(value: &Value) -> String {
    match value {
        Value::String(text) => quote(text),
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(float) => go_float(float),
            None => number.to_string(),
        },
        Value::Array(_) | Value::Object(_) if has_float(value) => {
            let mut written = value.clone();
            whole_numbers(&mut written);
            escaped(&written.to_string())
        }
        Value::Array(_) | Value::Object(_) => escaped(&value.to_string()),
        other => other.to_string(),
    }
}

/// How long a value is where it is shown, about. Of one that stands by itself only a text may be long.
fn length(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(|item| 3 + length(item)).sum(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| 4 + name.len() + length(value)).sum()
        }
    }
}

/// JSON as Go's encoder leaves it: fit for HTML and for scripts. None of these stands outside of a text.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                // Writing to a text does not fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// A float as Go's `%v` writes it: the fewest digits, with an exponent from a million on.
pub(crate) fn go_float(float: f64) -> String {
    let scientific = format!("{float:e}");
    let parts = scientific.split_once('e').and_then(|(digits, e)| Some((digits, e.parse().ok()?)));
    match parts {
        Some((digits, exponent @ (..=-5 | 6..))) => {
            let (sign, size): (char, i32) =
                if exponent < 0 { ('-', -exponent) } else { ('+', exponent) };
            format!("{digits}e{sign}{size:02}")
        }
        _ => float.to_string(),
    }
}

fn has_float(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(items) => items.iter().any(has_float),
        Value::Object(members) => members.values().any(has_float),
        _ => false,
    }
}

/// Go writes a float without a fraction as a whole number, and reads it as one again.
pub fn whole_numbers(value: &mut Value) {
    /// From here on not every whole number is a float.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) if number.is_f64() => {
            let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < EXACT);
            #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
            if let Some(float) = float {
                *value = Value::from(float as i64);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(whole_numbers),
        Value::Object(members) => members.values_mut().for_each(whole_numbers),
        _ => {}
    }
}

/// Text in double quotes with Go's escapes, as `%q` and `strconv.Quote` write it.
#[must_use]
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        if c == '"' {
            out.push('\\');
            out.push(c);
        } else {
            push_escaped(c, &mut out);
        }
    }
    out.push('"');
    out
}

/// A character as it stands between Go's quotes, which themselves are not escaped.
pub fn push_escaped(c: char, out: &mut String) {
    let letter = match c {
        '\\' => '\\',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        c if is_printable(c) => return out.push(c),
        c => return push_code(u32::from(c), out),
    };
    out.extend(['\\', letter]);
}

fn push_code(code: u32, out: &mut String) {
    // Writing to a text does not fail.
    let _ = match code {
        0..0x80 => write!(out, "\\x{code:02x}"),
        0x80..0x1_0000 => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

/// `path.name`, or `name` at the root.
#[must_use]
pub fn child(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// `path[index]`.
#[must_use]
pub fn item(path: &str, index: usize) -> String {
    format!("{path}[{index}]")
}

/// `path[key]`.
#[must_use]
pub fn key(path: &str, key: &str) -> String {
    format!("{path}[{key}]")
}
