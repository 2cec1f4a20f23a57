//! Subtrees that are met again, found by their bytes.
//!
//! As in JSON, and simpler: a value says how long it is. Only a list or a map is a run of tags, which
//! ends where another tag comes. The bytes begin with the tag, since the same ones behind another tag
//! could be less of a run.

use std::sync::Arc;

use super::{Field, ReadError, Reader, Rule, Tag};
use crate::json::Write;
use crate::shared::Blank;
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
    /// Where its bytes begin.
    start: usize,
    place: usize,
    depth: usize,
    /// What all values weighed before it.
    weight: usize,
}

impl<T: Field + Blank + Clone + Send + Sync> Field for Shared<T> {
    const REPEATS: bool = T::REPEATS;

    #[inline(never)]
    fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, rule: Rule) -> Result<(), ReadError> {
        // What is there already came in another piece.
        if !self.is_absent() {
            return self.make_mut().merge(r, tag, rule);
        }
        let next = r.look::<T>(tag, rule)?;
        if let Next::Known(value) = next {
            *self = Self::from(value);
            return Ok(());
        }
        let mut value = T::default();
        value.merge(r, tag, rule)?;
        let value = Arc::new(value);
        if let Next::Keep(keep) = next {
            r.keep(keep, || Arc::clone(&value));
        }
        *self = Self::from(value);
        Ok(())
    }

    #[inline]
    fn put(&self, w: &mut super::Writer, number: u32, rule: Rule) {
        (**self).put(w, number, rule);
    }
}

impl Reader<'_> {
    /// Reads a value of which others like it have copies: one that was met before is not decoded
    /// again, but cloned.
    ///
    /// # Errors
    /// As for the value itself.
    #[inline(never)]
    pub fn same<T: Field + Write + Clone + Send + Sync + 'static>(
        &mut self,
        field: &mut T,
        tag: Tag,
        rule: Rule,
    ) -> Result<(), ReadError> {
        // What is there already came in another piece.
        if !field.is_default() {
            return field.merge(self, tag, rule);
        }
        let next = self.look::<T>(tag, rule)?;
        if let Next::Known(value) = next {
            field.clone_from(&value);
            return Ok(());
        }
        field.merge(self, tag, rule)?;
        if let Next::Keep(keep) = next {
            self.keep(keep, || Arc::new(field.clone()));
        }
        Ok(())
    }

    /// Reads a list whose elements objects share one by one.
    ///
    /// # Errors
    /// As for the list itself.
    pub fn each<T: Field + Blank + Clone + Send + Sync>(
        &mut self,
        list: &mut List<Shared<T>>,
        tag: Tag,
        rule: Rule,
    ) -> Result<(), ReadError> {
        let place = self.place;
        let count = self.count(tag)?;
        let first = list.grow(count);
        self.grown += count * size_of::<Shared<T>>();
        self.pay(first)?;
        for (index, element) in list.iter_mut().enumerate().skip(first) {
            if index > first {
                self.member = self.at;
                self.next(tag)?;
            }
            self.place = tables::element(place, index);
            let read = element.merge(self, tag, rule.within());
            read.map_err(|error| error.in_element(index))?;
        }
        Ok(())
    }

    fn look<T: Field + Send + Sync + 'static>(
        &mut self,
        tag: Tag,
        rule: Rule,
    ) -> Result<Next<T>, ReadError> {
        let (start, at, place, depth) = (self.member, self.at, self.place, self.depth);
        let rest = &self.bytes[start..self.end];
        // What was kept was read without looking for what is unknown, and as a plain member.
        let tables = match &mut self.tables {
            Some(tables) if !self.options.strict && !rule.is_wrapped() => tables,
            _ => return Ok(Next::Unknown),
        };
        tables.at(place);
        if let Some((length, value)) = tables.expected::<T>(rest, depth) {
            self.at = start + length;
            if !T::REPEATS || !self.is_next(tag) {
                return Ok(Next::Known(value));
            }
            self.at = at;
        }
        let Some(tables) = &mut self.tables else { return Ok(Next::Unknown) };
        let hope = tables.hope();
        if hope == Hope::None {
            return Ok(Next::Unknown);
        }
        let end = self.end_of(tag, T::REPEATS)?;
        let bytes = &self.bytes[start..end];
        let Some(tables) = &mut self.tables else { return Ok(Next::Unknown) };
        let found = tables.find::<T>(bytes);
        tables.tried(!matches!(found, Found::New));
        Ok(match found {
            Found::Value(value) => {
                self.at = end;
                Next::Known(value)
            }
            Found::New if hope != Hope::High => Next::Unknown,
            Found::Again | Found::New => {
                Next::Keep(Keep { start, place, depth, weight: self.weight() })
            }
        })
    }

    /// Keeps a value for the bytes from where it began to here.
    fn keep<T: Send + Sync + 'static>(&mut self, of: Keep, value: impl FnOnce() -> Arc<T>) {
        let bytes = &self.bytes[of.start..self.at];
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
