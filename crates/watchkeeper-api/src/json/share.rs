//! Subtrees that are met again, found by their text.

use std::sync::Arc;

use super::decoder::Unknown;
use super::{Read, ReadError, Reader};
use crate::tables::{self, Found, Hope};
use crate::{List, Shared};

/// What is known of the subtree that comes next.
enum Next<T> {
    /// It was passed over: this is its value.
    Known(Arc<T>),
    /// It is still to be read, and its value kept.
    Keep(Keep),
    /// It is still to be read.
    Unknown,
}

/// A value to keep: what was known before it was read.
#[derive(Clone, Copy)]
struct Keep {
    /// How many bytes its text has.
    length: usize,
    place: usize,
    depth: usize,
    /// What all values weighed before it.
    weight: usize,
}

impl Reader<'_> {
    /// Reads a value that objects share: one that was met before is not decoded again.
    pub(super) fn shared<T: Read + Send + Sync + 'static>(
        &mut self,
    ) -> Result<Shared<T>, ReadError> {
        Ok(Shared::from(match self.look::<T>()? {
            Next::Known(value) => value,
            Next::Unknown => Arc::new(T::read(self)?),
            Next::Keep(keep) => {
                let value = Arc::new(T::read(self)?);
                self.keep(keep, || Arc::clone(&value));
                value
            }
        }))
    }

    /// Reads a value of which others like it have copies: one that was met before is not decoded
    /// again, but cloned.
    ///
    /// # Errors
    /// As for the value itself.
    pub fn same<T: Read + Clone + Send + Sync + 'static>(
        &mut self,
        field: &mut T,
    ) -> Result<(), ReadError> {
        match self.look::<T>()? {
            Next::Known(value) => field.clone_from(&value),
            Next::Unknown => field.read_into(self)?,
            Next::Keep(keep) => {
                *field = T::read(self)?;
                self.keep(keep, || Arc::new(field.clone()));
            }
        }
        Ok(())
    }

    /// Reads a list whose elements objects share one by one.
    ///
    /// # Errors
    /// As for the list itself.
    pub fn each<T: Read + Send + Sync + 'static>(
        &mut self,
        field: &mut List<Shared<T>>,
    ) -> Result<(), ReadError> {
        let place = self.place;
        let mut elements = Vec::new();
        self.list(&mut |r| {
            r.place = tables::element(place, elements.len());
            if elements.is_empty() {
                // Most lists have one element, and need no spare room.
                elements.reserve_exact(1);
            }
            elements.push(r.shared()?);
            Ok(())
        })?;
        self.grown += elements.len() * size_of::<Shared<T>>();
        *field = List::from(elements);
        Ok(())
    }

    fn look<T: Send + Sync + 'static>(&mut self) -> Result<Next<T>, ReadError> {
        // What was kept was read without looking for what is unknown; and only brackets end a value
        // for sure.
        let is_tree = matches!(self.peek()?, b'{' | b'[');
        let (start, place, depth) = (self.at, self.place, self.depth);
        let rest = &self.text.as_bytes()[start..];
        let tables = match &mut self.tables {
            Some(tables) if is_tree && self.options.unknown == Unknown::Skip => tables,
            _ => return Ok(Next::Unknown),
        };
        tables.at(place);
        if let Some((length, value)) = tables.expected::<T>(rest, depth) {
            self.at += length;
            return Ok(Next::Known(value));
        }
        let hope = tables.hope();
        if hope == Hope::None {
            return Ok(Next::Unknown);
        }
        let Ok(text) = self.raw().map(str::as_bytes) else {
            // What is wrong, and where, is told by reading it.
            (self.at, self.depth) = (start, depth);
            return Ok(Next::Unknown);
        };
        let Some(tables) = &mut self.tables else { return Ok(Next::Unknown) };
        let found = tables.find::<T>(text);
        tables.tried(!matches!(found, Found::New));
        if let Found::Value(value) = found {
            return Ok(Next::Known(value));
        }
        self.at = start;
        if hope == Hope::High || matches!(found, Found::Again) {
            let (length, weight) = (text.len(), self.weight());
            Ok(Next::Keep(Keep { length, place, depth, weight }))
        } else {
            Ok(Next::Unknown)
        }
    }

    fn keep<T: Send + Sync + 'static>(&mut self, of: Keep, value: impl FnOnce() -> Arc<T>) {
        let bytes = &self.text.as_bytes()[self.at.saturating_sub(of.length)..self.at];
        let weight = self.weight().wrapping_sub(of.weight) + size_of::<T>();
        if let Some(tables) = &mut self.tables {
            tables.at(of.place);
            tables.keep(bytes, of.depth, weight, value);
        }
    }

    /// What all values so far take beside texts; only differences mean something.
    fn weight(&self) -> usize {
        let found = self.tables.as_ref().map_or(0, |tables| tables.found());
        self.grown.wrapping_add(found)
    }
}
