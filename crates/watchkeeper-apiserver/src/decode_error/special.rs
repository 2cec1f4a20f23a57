//! Types that decode themselves: quantities, times, numbers or texts, bytes.

use serde_json::Value;
use watchkeeper_api::Quantity;
use watchkeeper_schema::times::{Fraction, moment};
use watchkeeper_schema::{SchemaRef, builtin};

/// What is wrong with a value of such a type.
pub(super) enum Wrong {
    /// It has another JSON type than this Go type decodes from.
    Type(&'static str),
    /// Its text cannot be read.
    Text(String),
    /// It is a list of bytes, and this is none.
    Item(Value),
    /// Its text is none of bytes, which a type of Go's own is told of.
    Bytes(String),
}

/// What is wrong with the value, if its type is one of these.
pub(super) fn check(value: &Value, of: SchemaRef<'_>) -> Option<Wrong> {
    match of.name() {
        Some(builtin::QUANTITY) => quantity(value),
        Some(builtin::TIME) => text(value, |text| moment(text, Fraction::Optional)),
        Some(builtin::MICRO_TIME) => text(value, |text| moment(text, Fraction::Micros)),
        Some(builtin::INT_OR_STRING) => int_or_string(value),
        _ if of.usage.format.as_deref() == Some("byte") => bytes(value),
        _ => None,
    }
}

/// Whether a list stands for bytes.
pub(super) fn is_bytes(value: &Value, of: SchemaRef<'_>) -> bool {
    of.usage.format.as_deref() == Some("byte") && value.is_array()
}

/// Bytes are a text in base64, or a list of numbers.
fn bytes(value: &Value) -> Option<Wrong> {
    match value {
        Value::String(text) => base64(text).err().map(Wrong::Bytes),
        Value::Array(items) => {
            let is_byte = |item: &&Value| item.as_u64().is_some_and(|number| number < 256);
            let wrong = items.iter().find(|item| !is_byte(item) && !item.is_null())?;
            Some(Wrong::Item(wrong.clone()))
        }
        _ => None,
    }
}

fn text(value: &Value, read: impl Fn(&str) -> Result<(), String>) -> Option<Wrong> {
    match value.as_str() {
        None => Some(Wrong::Type("string")),
        Some(text) => read(text).err().map(Wrong::Text),
    }
}

fn quantity(value: &Value) -> Option<Wrong> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    let fits = !text.is_empty() && Quantity::from(text).amount().is_ok();
    let form = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$";
    let why = || Wrong::Text(format!("quantities must match the regular expression '{form}'"));
    (!fits).then(why)
}

fn int_or_string(value: &Value) -> Option<Wrong> {
    let is_int = value.as_i64().is_some_and(|number| i32::try_from(number).is_ok());
    (!value.is_string() && !is_int).then_some(Wrong::Type("int32"))
}

/// Standard base64 with its padding, line breaks passed over.
fn base64(text: &str) -> Result<(), String> {
    let illegal = |at: usize| Err(format!("illegal base64 data at input byte {at}"));
    let bytes: Vec<(usize, u8)> =
        text.bytes().enumerate().filter(|(_, b)| !matches!(b, b'\r' | b'\n')).collect();
    for quantum in bytes.chunks(4) {
        let letters = quantum.iter().take_while(|(_, b)| is_base64(*b)).count();
        let padding = quantum.iter().skip(letters).filter(|(_, b)| *b == b'=').count();
        let is_last = quantum.last() == bytes.last();
        let fits = letters == 4 || (is_last && letters >= 2 && letters + padding == 4);
        if !fits {
            let wrong = quantum.iter().find(|(_, b)| !is_base64(*b));
            return illegal(wrong.or(quantum.first()).map_or(0, |(at, _)| *at));
        }
    }
    Ok(())
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/'
}
