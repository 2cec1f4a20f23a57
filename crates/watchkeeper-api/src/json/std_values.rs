//! Containers of the standard library, for users' own types, and trees of serde.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Read, ReadError, Reader, Write, Writer};

impl<T: Read> Read for Vec<T> {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        let mut elements = Self::new();
        r.list(&mut |r| {
            elements.push(T::read(r)?);
            Ok(())
        })?;
        Ok(elements)
    }
}

impl<T: Write> Write for Vec<T> {
    fn write(&self, w: &mut Writer) {
        w.list(self);
    }
    fn is_default(&self) -> bool {
        self.is_empty()
    }
}

impl<V: Read> Read for BTreeMap<String, V> {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        let mut entries = Self::new();
        r.members(&mut |r, name| {
            entries.insert(name.to_owned(), V::read(r)?);
            Ok(())
        })?;
        Ok(entries)
    }
}

impl<V: Write> Write for BTreeMap<String, V> {
    fn write(&self, w: &mut Writer) {
        w.map(self);
    }
    fn is_default(&self) -> bool {
        self.is_empty()
    }
}

impl Read for Value {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        tree(r, &|text| Err(format!("{text} is out of range")))
    }
}

/// Reads a tree. Not by `serde_json`, which nests less deep than texts may; `huge` is asked about numbers that
/// its trees cannot hold.
pub(super) fn tree(
    r: &mut Reader<'_>,
    huge: &dyn Fn(&str) -> Result<Value, String>,
) -> Result<Value, ReadError> {
    match r.peek()? {
        b'{' => {
            let mut members = Map::new();
            r.members(&mut |r, name| {
                members.insert(name.to_owned(), tree(r, huge)?);
                Ok(())
            })?;
            Ok(Value::Object(members))
        }
        b'[' => {
            let mut elements = Vec::new();
            r.list(&mut |r| {
                elements.push(tree(r, huge)?);
                Ok(())
            })?;
            Ok(Value::Array(elements))
        }
        b'"' => Ok(Value::String(r.text()?.into_owned())),
        b't' | b'f' => bool::read(r).map(Value::Bool),
        b'n' => r.null().map(|_| Value::Null),
        _ => {
            let start = r.offset();
            let text = r.number()?;
            let number = text.parse().map(Value::Number);
            number.or_else(|_| huge(text)).map_err(|why| ReadError::new(why, start))
        }
    }
}

impl Write for Value {
    fn write(&self, w: &mut Writer) {
        w.raw(&self.to_string());
    }
    fn is_default(&self) -> bool {
        self.is_null()
    }
}
