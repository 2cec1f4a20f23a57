//! Containers of the standard library, for users' own types, and trees of serde.

use std::collections::BTreeMap;

use serde_json::Value;

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
        w.list(&mut self.iter().map(|element| element as &dyn Write));
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
        w.map(&mut self.iter().map(|(key, value)| (key.as_str(), value as &dyn Write)));
    }
    fn is_default(&self) -> bool {
        self.is_empty()
    }
}

impl Read for Value {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        let text = r.raw()?;
        serde_json::from_str(text).map_err(|error| r.error(error.to_string()))
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
