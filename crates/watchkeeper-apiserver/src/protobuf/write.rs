//! Values to messages: from the end to the beginning, as [`Writer`] wants it.

use serde_json::Value;
use watchkeeper_api::pb::Writer;
use watchkeeper_api::{ByteString, MicroTime, Time};
use watchkeeper_schema::facts::{Presence, Scalar, Type};

use super::{SCHEMA, fields};

/// The members of a struct. A value that is no object has none, so only what Go holds by value is
/// written.
pub(super) fn message(w: &mut Writer, model: &str, value: &Value) {
    for known in fields(model).iter().rev() {
        let field = known.field;
        if field.presence == Presence::Inline {
            if let Some(inner) = field.ty.model() {
                nested(w, known.number, inner, value);
            }
            continue;
        }
        let member = value.get(&field.json).unwrap_or(&Value::Null);
        if !member.is_null() || known.is_always() {
            put(w, known.number, &field.ty, field.pb_wrapped, member);
        }
    }
}

fn nested(w: &mut Writer, number: u32, model: &str, value: &Value) {
    let mark = w.len();
    message(w, model, value);
    w.close(number, mark);
}

fn put(w: &mut Writer, number: u32, ty: &Type, wrapped: bool, value: &Value) {
    match ty {
        Type::List(of) if wrapped => {
            let mark = w.len();
            put(w, 1, &Type::List(of.clone()), false, value);
            w.close(number, mark);
        }
        Type::List(of) => {
            for item in value.as_array().into_iter().flatten().rev() {
                put(w, number, of, false, item);
            }
        }
        Type::Map(of) => {
            for (key, item) in value.as_object().into_iter().flatten().rev() {
                let mark = w.len();
                put(w, 2, of, wrapped, item);
                w.bytes(1, key.as_bytes());
                w.close(number, mark);
            }
        }
        Type::Struct(model) => nested(w, number, model, value),
        Type::Scalar(of) | Type::Named(of, _) => scalar(w, number, *of, value),
    }
}

fn scalar(w: &mut Writer, number: u32, of: Scalar, value: &Value) {
    let text = || value.as_str().unwrap_or_default();
    match of {
        Scalar::String => w.bytes(number, text().as_bytes()),
        Scalar::Bool => w.integer(number, u64::from(value.as_bool().unwrap_or_default())),
        Scalar::Int32 | Scalar::Int64 => {
            w.integer(number, value.as_i64().unwrap_or_default().cast_unsigned());
        }
        Scalar::Float64 => w.fixed64(number, value.as_f64().unwrap_or_default().to_bits()),
        Scalar::Bytes => {
            w.bytes(number, &ByteString::from_base64(text()).unwrap_or_default());
        }
        Scalar::Time => {
            let time = text().parse::<Time>().ok();
            moment(w, number, time.map(|time| (time.unix(), 0)));
        }
        Scalar::MicroTime => {
            let time = text().parse::<MicroTime>().ok().map(MicroTime::unix_micros);
            let parts = |time: i64| {
                (time.div_euclid(1_000_000), time.rem_euclid(1_000_000).cast_unsigned() * 1_000)
            };
            moment(w, number, time.map(parts));
        }
        // No kind has one; a test sees to it.
        Scalar::Duration => {}
        Scalar::Quantity => {
            let mark = w.len();
            w.bytes(1, if text().is_empty() { b"0" } else { text().as_bytes() });
            w.close(number, mark);
        }
        Scalar::IntOrString => {
            let mark = w.len();
            w.bytes(3, text().as_bytes());
            w.integer(2, value.as_i64().unwrap_or_default().cast_unsigned());
            w.integer(1, u64::from(value.is_string()));
            w.close(number, mark);
        }
        Scalar::Raw | Scalar::FieldsV1 | Scalar::Json => {
            let mark = w.len();
            if !value.is_null() {
                w.bytes(1, value.to_string().as_bytes());
            }
            w.close(number, mark);
        }
        Scalar::SchemaOrBool | Scalar::SchemaOrArray | Scalar::SchemaOrStringArray => {
            schema_or(w, number, of, value);
        }
    }
}

/// Upstream's `Timestamp`; without members it is Go's zero time.
fn moment(w: &mut Writer, number: u32, time: Option<(i64, u64)>) {
    let mark = w.len();
    if let Some((seconds, nanos)) = time {
        w.integer(2, nanos);
        w.integer(1, seconds.cast_unsigned());
    }
    w.close(number, mark);
}

/// The unions of schemas: a schema, or else a truth, schemas, or texts.
fn schema_or(w: &mut Writer, number: u32, of: Scalar, value: &Value) {
    let mark = w.len();
    let schema = value.is_object();
    let place = if of == Scalar::SchemaOrBool { 2 } else { 1 };
    for item in value.as_array().into_iter().flatten().rev() {
        match of {
            Scalar::SchemaOrArray => nested(w, 2, SCHEMA, item),
            _ => w.bytes(2, item.as_str().unwrap_or_default().as_bytes()),
        }
    }
    if schema {
        nested(w, place, SCHEMA, value);
    }
    if of == Scalar::SchemaOrBool {
        w.integer(1, u64::from(schema || value == &Value::Bool(true)));
    }
    w.close(number, mark);
}
