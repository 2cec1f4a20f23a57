//! JSON that a type leaves open, within protobuf.
//!
//! `RawExtension`, `FieldsV1` and `JSON` are all `{ optional bytes raw = 1 }` around a JSON text.
//! The unions of JSON schemas are messages with a schema inside; a [`Raw`] holds their JSON, so they
//! pass through the type of a schema.

use super::{Field, MAGIC, ReadError, Reader, Rule, Tag, Writer};
use crate::Raw;

impl Field for Raw {
    #[inline(never)]
    fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, rule: Rule) -> Result<(), ReadError> {
        *self = match rule {
            #[cfg(feature = "apiextensions")]
            Rule::SchemaOrBool => schemas::read_or_bool(r, tag)?,
            #[cfg(feature = "apiextensions")]
            Rule::SchemaOrArray => schemas::read_or_array(r, tag)?,
            #[cfg(feature = "apiextensions")]
            Rule::SchemaOrStrings => schemas::read_or_strings(r, tag)?,
            _ => json(r, tag)?,
        };
        Ok(())
    }

    #[inline(never)]
    fn put(&self, w: &mut Writer, number: u32, rule: Rule) {
        let mark = w.len();
        match rule {
            #[cfg(feature = "apiextensions")]
            Rule::SchemaOrBool => schemas::put_or_bool(self, w),
            #[cfg(feature = "apiextensions")]
            Rule::SchemaOrArray => schemas::put_or_array(self, w),
            #[cfg(feature = "apiextensions")]
            Rule::SchemaOrStrings => schemas::put_or_strings(self, w),
            _ if self.is_empty() => {}
            _ => w.bytes(1, self.as_str().as_bytes()),
        }
        w.close(number, mark);
    }
}

fn json(r: &mut Reader<'_>, tag: Tag) -> Result<Raw, ReadError> {
    let mut raw = Raw::default();
    r.members(tag, &mut |r, tag| {
        if tag.number != 1 {
            return r.skip(tag);
        }
        let bytes = r.bytes(tag)?;
        let start = r.offset() - bytes.len();
        raw = if bytes.is_empty() { Raw::default() } else { text(bytes, start)? };
        Ok(())
    })?;
    Ok(raw)
}

fn text(bytes: &[u8], start: usize) -> Result<Raw, ReadError> {
    if bytes.starts_with(&MAGIC) {
        return Err(ReadError::new("the object inside is protobuf, not JSON", start));
    }
    crate::json::from_slice(bytes).map_err(|error| error.later(start))
}

#[cfg(feature = "apiextensions")]
mod schemas {
    use super::{Field, Raw, ReadError, Reader, Rule, Tag, Writer};
    use crate::apiextensions::v1::JSONSchemaProps;
    use crate::{IStr, List, json};

    pub(super) fn read_or_bool(r: &mut Reader<'_>, tag: Tag) -> Result<Raw, ReadError> {
        let (mut allows, mut schema) = (false, None);
        r.members(tag, &mut |r, tag| match tag.number {
            1 => allows.merge(r, tag, Rule::Plain),
            2 => merge(&mut schema, r, tag),
            _ => r.skip(tag),
        })?;
        Ok(schema.map_or_else(|| Raw::encode(&allows), |schema| Raw::encode(&*schema)))
    }

    pub(super) fn read_or_array(r: &mut Reader<'_>, tag: Tag) -> Result<Raw, ReadError> {
        let (mut schema, mut list) = (None, List::<JSONSchemaProps>::new());
        r.members(tag, &mut |r, tag| match tag.number {
            1 => merge(&mut schema, r, tag),
            2 => list.merge(r, tag, Rule::Plain),
            _ => r.skip(tag),
        })?;
        let whole = schema.map_or_else(Raw::default, |schema| Raw::encode(&*schema));
        Ok(if list.is_empty() { whole } else { Raw::encode(&list) })
    }

    pub(super) fn read_or_strings(r: &mut Reader<'_>, tag: Tag) -> Result<Raw, ReadError> {
        let (mut schema, mut list) = (None, List::<IStr>::new());
        r.members(tag, &mut |r, tag| match tag.number {
            1 => merge(&mut schema, r, tag),
            2 => list.merge(r, tag, Rule::Plain),
            _ => r.skip(tag),
        })?;
        let whole = schema.map_or_else(Raw::default, |schema| Raw::encode(&*schema));
        Ok(if list.is_empty() { whole } else { Raw::encode(&list) })
    }

    fn merge(
        schema: &mut Option<Box<JSONSchemaProps>>,
        r: &mut Reader<'_>,
        tag: Tag,
    ) -> Result<(), ReadError> {
        schema.merge(r, tag, Rule::Plain)
    }

    pub(super) fn put_or_bool(raw: &Raw, w: &mut Writer) {
        let schema = schema(raw);
        schema.put(w, 2, Rule::Plain);
        (schema.is_some() || raw.as_str() == "true").put(w, 1, Rule::Plain);
    }

    pub(super) fn put_or_array(raw: &Raw, w: &mut Writer) {
        let list: List<JSONSchemaProps> = list(raw);
        list.put(w, 2, Rule::Plain);
        schema(raw).put(w, 1, Rule::Plain);
    }

    pub(super) fn put_or_strings(raw: &Raw, w: &mut Writer) {
        let list: List<IStr> = list(raw);
        list.put(w, 2, Rule::Plain);
        schema(raw).put(w, 1, Rule::Plain);
    }

    /// What is no schema has no place in protobuf.
    fn schema(raw: &Raw) -> Option<Box<JSONSchemaProps>> {
        let is_object = raw.as_str().starts_with('{');
        is_object.then(|| raw.decode().ok()).flatten()
    }

    fn list<T: json::Read>(raw: &Raw) -> List<T> {
        let is_list = raw.as_str().starts_with('[');
        is_list.then(|| raw.decode().ok()).flatten().unwrap_or_default()
    }
}
