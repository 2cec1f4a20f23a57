//! Subtrees that objects share, found by their text.

use std::sync::Arc;

use super::decoder::Unknown;
use super::{Read, ReadError, Reader};
use crate::Shared;
use crate::tables::Found;

impl Reader<'_> {
    /// Reads a value that objects share: one that was met before is not decoded again.
    pub(super) fn shared<T: Read + Send + Sync + 'static>(
        &mut self,
    ) -> Result<Shared<T>, ReadError> {
        self.peek()?;
        let start = self.at;
        // What was kept was read without looking for what is unknown.
        if self.tables.is_none() || self.options.unknown != Unknown::Skip {
            return T::read(self).map(Shared::from);
        }
        let text = self.raw()?;
        let end = self.at;
        let found = match &mut self.tables {
            Some(tables) => tables.find::<T>(text.as_bytes()),
            None => Found::New,
        };
        if let Found::Value(value) = found {
            return Ok(Shared::from(value));
        }
        self.at = start;
        let value = Arc::new(T::read(self)?);
        debug_assert_eq!(self.at, end);
        if let (Found::Again, Some(tables)) = (found, &mut self.tables) {
            tables.keep(text.as_bytes(), Arc::clone(&value));
        }
        Ok(Shared::from(value))
    }
}
