//! Quantities and times have one spelling each; what cannot be read stays for validation.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde_json::Value;
use watchkeeper_api::Quantity;
use watchkeeper_schema::{SchemaRef, builtin};

use crate::go::go_bytes;

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

/// Bytes become the text that they are in base64: a list of them, or a text that is written in another way than Go
/// writes it, with line breaks.
pub(super) fn bytes(value: &mut Value) {
    let bytes: Vec<u8> = match &*value {
        Value::Array(items) => {
            let byte = |item: &Value| item.as_u64().and_then(|number| u8::try_from(number).ok());
            items.iter().map(|item| byte(item).unwrap_or(0)).collect()
        }
        // This one reads only what it writes itself.
        Value::String(text) if STANDARD.decode(text).is_err() => match go_bytes(text) {
            Some(bytes) => bytes,
            None => return,
        },
        _ => return,
    };
    *value = STANDARD.encode(bytes).into();
}

/// The schema of the schemas in a value that is one, several, or a truth value: upstream's types of it decode
/// themselves.
pub(crate) fn schema_within(of: SchemaRef<'_>) -> Option<SchemaRef<'_>> {
    let model = of.name()?;
    let kind = model.rsplit('.').next()?;
    let plain = matches!(kind, "JSONSchemaPropsOrBool" | "JSONSchemaPropsOrArray")
        .then(|| format!("{}JSONSchemaProps", &model[..model.len() - kind.len()]))?;
    of.schemas().by_name(&plain)
}

/// The schemas in such a value.
pub(crate) fn schemas_in(value: &Value) -> impl Iterator<Item = &Value> {
    let (one, several) = match value {
        Value::Array(items) => (None, &items[..]),
        value => (value.is_object().then_some(value), &[][..]),
    };
    one.into_iter().chain(several)
}

/// Does something with each of them.
pub(super) fn each_schema(value: &mut Value, change: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::Object(_) => change(value),
        Value::Array(items) => items.iter_mut().for_each(change),
        _ => {}
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
