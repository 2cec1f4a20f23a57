//! Messages to values.

use serde_json::{Map, Value};
use watchkeeper_api::json::ReadError;
use watchkeeper_api::pb::{Reader, Tag, Wire};
use watchkeeper_api::{ByteString, MicroTime, Time};
use watchkeeper_schema::facts::{Field, Presence, Scalar, Type};

use super::{Known, SCHEMA, fields};
use crate::request::body;

/// The seconds of years that RFC 3339 can spell.
const SPELLED: std::ops::Range<i64> = -62_135_596_800..253_402_300_800;

/// The members of a message.
pub(super) fn message(model: &str, bytes: &[u8]) -> Result<Map<String, Value>, ReadError> {
    let mut members = Map::new();
    let mut r = Reader::new(bytes);
    while !r.is_done() {
        let tag = r.tag()?;
        any(&mut r, tag, fields(model), &mut members)?;
    }
    Ok(members)
}

/// The members of the message that is the next value.
fn nested(
    r: &mut Reader<'_>,
    tag: Tag,
    model: &str,
    out: &mut Map<String, Value>,
) -> Result<(), ReadError> {
    let table = fields(model);
    r.members(tag, &mut |r, tag| any(r, tag, table, out))
}

/// The member that is next, if it is known.
fn any(
    r: &mut Reader<'_>,
    tag: Tag,
    table: &[Known],
    out: &mut Map<String, Value>,
) -> Result<(), ReadError> {
    let Some(known) = table.iter().find(|known| known.number == tag.number) else {
        return r.skip(tag);
    };
    if known.field.presence == Presence::Inline {
        return nested(r, tag, known.field.ty.model().unwrap_or_default(), out);
    }
    let name = &known.field.json;
    member(r, tag, known.field, out).map_err(|error| error.in_member(name))
}

fn member(
    r: &mut Reader<'_>,
    tag: Tag,
    field: &Field,
    out: &mut Map<String, Value>,
) -> Result<(), ReadError> {
    let old = out.remove(&field.json).unwrap_or_default();
    let new = value(r, tag, &field.ty, field.pb_wrapped, old)?;
    // Go writes these though they are empty, and JSON leaves them out.
    let is_absent = field.presence == Presence::OmitEmpty && is_empty(&new);
    if !is_absent {
        out.insert(field.json.clone(), new);
    }
    Ok(())
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(_) | Value::Object(_) => false,
    }
}

/// The value that is next, added to what came before with the same tag.
fn value(
    r: &mut Reader<'_>,
    tag: Tag,
    ty: &Type,
    wrapped: bool,
    old: Value,
) -> Result<Value, ReadError> {
    match ty {
        Type::List(of) => {
            let mut items = if let Value::Array(items) = old { items } else { Vec::new() };
            if wrapped {
                r.members(tag, &mut |r, tag| match tag.number {
                    1 => element(r, tag, of, &mut items),
                    _ => r.skip(tag),
                })?;
            } else {
                element(r, tag, of, &mut items)?;
            }
            Ok(Value::Array(items))
        }
        Type::Map(of) => {
            let mut entries = if let Value::Object(entries) = old { entries } else { Map::new() };
            let (mut key, mut item) = (String::new(), zero(of));
            r.members(tag, &mut |r, tag| {
                match tag.number {
                    1 => r.text(tag)?.clone_into(&mut key),
                    2 => item = value(r, tag, of, wrapped, std::mem::take(&mut item))?,
                    _ => r.skip(tag)?,
                }
                Ok(())
            })?;
            entries.insert(key, item);
            Ok(Value::Object(entries))
        }
        Type::Struct(model) => {
            let mut members = if let Value::Object(members) = old { members } else { Map::new() };
            nested(r, tag, model, &mut members)?;
            Ok(Value::Object(members))
        }
        Type::Scalar(of) | Type::Named(of, _) => scalar(r, tag, *of),
    }
}

/// One item of a list, or several numbers that are packed together.
fn element(
    r: &mut Reader<'_>,
    tag: Tag,
    of: &Type,
    items: &mut Vec<Value>,
) -> Result<(), ReadError> {
    let wire = match of.scalar() {
        Some(Scalar::Bool | Scalar::Int32 | Scalar::Int64) => Wire::Varint,
        Some(Scalar::Float64) => Wire::Fixed64,
        _ => Wire::Length,
    };
    if tag.wire != Wire::Length || wire == Wire::Length {
        items.push(value(r, tag, of, false, Value::Null)?);
        return Ok(());
    }
    let bytes = r.bytes(tag)?;
    let start = r.offset() - bytes.len();
    let mut packed = Reader::new(bytes);
    while !packed.is_done() {
        let tag = Tag { number: tag.number, wire };
        let item = value(&mut packed, tag, of, false, Value::Null);
        items.push(item.map_err(|error| ReadError::new(error.message().to_owned(), start))?);
    }
    Ok(())
}

/// What an entry holds that has no value.
fn zero(of: &Type) -> Value {
    match of {
        Type::List(_) => Value::Array(Vec::new()),
        Type::Map(_) | Type::Struct(_) => Value::Object(Map::new()),
        Type::Scalar(of) | Type::Named(of, _) => match of {
            Scalar::Bool => false.into(),
            Scalar::Int32 | Scalar::Int64 | Scalar::IntOrString => 0.into(),
            Scalar::Float64 => 0.0.into(),
            Scalar::String | Scalar::Bytes => "".into(),
            Scalar::Quantity => "0".into(),
            _ => Value::Null,
        },
    }
}

fn scalar(r: &mut Reader<'_>, tag: Tag, of: Scalar) -> Result<Value, ReadError> {
    Ok(match of {
        Scalar::String => r.text(tag)?.into(),
        Scalar::Bool => (r.integer(tag)? != 0).into(),
        Scalar::Int32 => int32(r, tag)?.into(),
        Scalar::Int64 => r.integer(tag)?.cast_signed().into(),
        Scalar::Float64 => f64::from_bits(r.fixed64(tag)?).into(),
        Scalar::Bytes => ByteString::from(r.bytes(tag)?).to_base64().into(),
        Scalar::Time => match moment(r, tag)? {
            Some((seconds, _)) => Time::from_unix(seconds).to_string().into(),
            None => Value::Null,
        },
        Scalar::MicroTime => match moment(r, tag)? {
            Some((seconds, nanos)) => {
                let micros = seconds * 1_000_000 + i64::from(nanos / 1_000);
                MicroTime::from_unix_micros(micros).to_string().into()
            }
            None => Value::Null,
        },
        // No kind has one; a test sees to it.
        Scalar::Duration => {
            r.skip(tag)?;
            Value::Null
        }
        Scalar::Quantity => {
            first(r, tag, |r, tag| r.text(tag).map(str::to_owned))?.unwrap_or_default().into()
        }
        Scalar::IntOrString => int_or_string(r, tag)?,
        Scalar::Raw | Scalar::FieldsV1 | Scalar::Json => first(r, tag, json)?.unwrap_or_default(),
        Scalar::SchemaOrBool | Scalar::SchemaOrArray | Scalar::SchemaOrStringArray => {
            schema_or(r, tag, of)?
        }
    })
}

/// Protobuf cuts off what is too much for the type, as Go does.
#[expect(clippy::cast_possible_truncation, reason = "that is the rule")]
fn int32(r: &mut Reader<'_>, tag: Tag) -> Result<i32, ReadError> {
    Ok(r.integer(tag)? as i32)
}

/// The member with number 1 of a message.
fn first<T>(
    r: &mut Reader<'_>,
    tag: Tag,
    mut read: impl FnMut(&mut Reader<'_>, Tag) -> Result<T, ReadError>,
) -> Result<Option<T>, ReadError> {
    let mut found = None;
    r.members(tag, &mut |r, tag| {
        match tag.number {
            1 => found = Some(read(r, tag)?),
            _ => r.skip(tag)?,
        }
        Ok(())
    })?;
    Ok(found)
}

fn json(r: &mut Reader<'_>, tag: Tag) -> Result<Value, ReadError> {
    let bytes = r.bytes(tag)?;
    if bytes.is_empty() {
        return Ok(Value::Null);
    }
    let start = r.offset() - bytes.len();
    let read = body::text(bytes).map_err(|why| ReadError::new(why, start));
    read.map(|decoded| decoded.value)
}

fn moment(r: &mut Reader<'_>, tag: Tag) -> Result<Option<(i64, i32)>, ReadError> {
    let (mut seconds, mut nanos, mut any) = (0, 0, false);
    r.members(tag, &mut |r, tag| {
        any = true;
        match tag.number {
            1 => seconds = r.integer(tag)?.cast_signed(),
            2 => nanos = int32(r, tag)?,
            _ => r.skip(tag)?,
        }
        Ok(())
    })?;
    if !SPELLED.contains(&seconds) {
        return Err(r.error("the time is outside of the years 1 to 9999"));
    }
    Ok(any.then_some((seconds, nanos.clamp(0, 999_999_999))))
}

fn int_or_string(r: &mut Reader<'_>, tag: Tag) -> Result<Value, ReadError> {
    let (mut is_text, mut number, mut text) = (false, 0, "");
    r.members(tag, &mut |r, tag| {
        match tag.number {
            1 => is_text = r.integer(tag)? == 1,
            2 => number = int32(r, tag)?,
            3 => text = r.text(tag)?,
            _ => r.skip(tag)?,
        }
        Ok(())
    })?;
    Ok(if is_text { text.into() } else { number.into() })
}

/// The unions of schemas: a schema, or else a truth, schemas, or texts.
fn schema_or(r: &mut Reader<'_>, tag: Tag, of: Scalar) -> Result<Value, ReadError> {
    let (mut allows, mut schema, mut items) = (false, Value::Null, Vec::new());
    let ty = Type::Struct(SCHEMA.to_owned());
    let place = if of == Scalar::SchemaOrBool { 2 } else { 1 };
    r.members(tag, &mut |r, tag| {
        match (tag.number, of) {
            (1, Scalar::SchemaOrBool) => allows = r.integer(tag)? != 0,
            (number, _) if number == place => {
                schema = value(r, tag, &ty, false, std::mem::take(&mut schema))?;
            }
            (2, Scalar::SchemaOrArray) => items.push(value(r, tag, &ty, false, Value::Null)?),
            (2, _) => items.push(r.text(tag)?.into()),
            _ => r.skip(tag)?,
        }
        Ok(())
    })?;
    Ok(match of {
        _ if !items.is_empty() => Value::Array(items),
        Scalar::SchemaOrBool if schema.is_null() => allows.into(),
        _ => schema,
    })
}

#[cfg(test)]
mod tests;
