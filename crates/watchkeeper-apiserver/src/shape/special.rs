//! Quantities and times have one spelling each; what cannot be read stays for validation.

use jiff::Timestamp;
use serde_json::Value;
use watchkeeper_api::Quantity;
use watchkeeper_schema::builtin;

/// Brings a value of a type that writes itself into the spelling that the server answers with.
pub(super) fn canonical(value: &mut Value, model: &str) {
    let spelled = match model {
        builtin::QUANTITY => quantity(value),
        builtin::TIME => time(value, 0),
        builtin::MICRO_TIME => time(value, 6),
        _ => None,
    };
    if let Some(spelled) = spelled {
        *value = spelled.into();
    }
}

fn quantity(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    Some(Quantity::from(text).canonical().ok()?.to_string())
}

/// In UTC, with that many digits behind the second.
fn time(value: &Value, digits: u8) -> Option<String> {
    let time: Timestamp = value.as_str()?.parse().ok()?;
    let whole = Timestamp::new(time.as_second(), 0).ok()?.to_string();
    if digits == 0 {
        return Some(whole);
    }
    let micros = time.subsec_microsecond();
    Some(format!("{}.{micros:06}Z", whole.trim_end_matches('Z')))
}
