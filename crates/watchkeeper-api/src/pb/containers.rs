//! What holds other values: options, boxes, lists, maps, shared subtrees.

use std::sync::Arc;

use super::{Field, ReadError, Reader, Rule, Tag, Wire, Writer};
use crate::shared::Blank;
use crate::tables::Found;
use crate::{ByteString, IStr, IntOrString, List, Map, Quantity, Raw, Shared};

impl<T: Field> Field for Box<T> {
    fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, rule: Rule) -> Result<(), ReadError> {
        (**self).merge(r, tag, rule)
    }

    fn put(&self, w: &mut Writer, number: u32, rule: Rule) {
        (**self).put(w, number, rule);
    }
}

/// A pointer of Go: whether the field is there is all that matters.
macro_rules! option {
    ($([$($generic:tt)*] $type:ty),* $(,)?) => { $(
        impl<$($generic)*> Field for Option<$type> {
            fn merge(
                &mut self,
                r: &mut Reader<'_>,
                tag: Tag,
                rule: Rule,
            ) -> Result<(), ReadError> {
                self.get_or_insert_default().merge(r, tag, rule.within())
            }

            fn put(&self, w: &mut Writer, number: u32, rule: Rule) {
                if let Some(value) = self {
                    value.put(w, number, rule.within());
                }
            }
        }
    )* };
}
option!(
    [] bool, [] i32, [] i64, [] f64, [] IStr, [] ByteString, [] Quantity, [] IntOrString, [] Raw,
    [T: Field + Default] Box<T>,
    [T: Field + Blank + Clone + Send + Sync] Shared<T>,
    [T: Field + Default] List<T>,
);

impl<T: Field + Default> Field for List<T> {
    fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, rule: Rule) -> Result<(), ReadError> {
        if matches!(rule, Rule::Wrapped | Rule::WrappedElement) {
            return r.members(tag, &mut |r, tag| match tag.number {
                1 => self.merge(r, tag, Rule::Element),
                _ => r.skip(tag),
            });
        }
        r.pay(self.len())?;
        let mut elements = std::mem::take(self).into_vec();
        let wire = T::default().wire();
        if tag.wire == Wire::Length && wire != Wire::Length {
            let outer = r.open(tag)?;
            while !r.is_done() {
                let mut element = T::default();
                element.merge(r, Tag { number: tag.number, wire }, rule.within())?;
                elements.push(element);
            }
            r.close(outer);
        } else {
            elements.reserve_exact(r.count(tag)?);
            r.run(tag, elements.len(), &mut |r, tag| {
                let mut element = T::default();
                element.merge(r, tag, rule.within())?;
                elements.push(element);
                Ok(())
            })?;
        }
        *self = Self::from(elements);
        Ok(())
    }

    fn put(&self, w: &mut Writer, number: u32, rule: Rule) {
        if matches!(rule, Rule::Wrapped | Rule::WrappedElement) {
            if rule == Rule::WrappedElement || !self.is_empty() {
                let mark = w.len();
                self.put(w, 1, Rule::Element);
                w.close(number, mark);
            }
            return;
        }
        let mut elements = self.iter().map(|element| element as &dyn Field);
        w.list(&mut elements, number, rule.within());
    }

    fn repeats(&self) -> bool {
        true
    }
}

/// Entries are messages `{ key = 1; value = 2 }`.
impl<V: Field + Default> Field for Map<V> {
    fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, rule: Rule) -> Result<(), ReadError> {
        r.pay(self.len())?;
        let mut entries = Vec::with_capacity(r.count(tag)?);
        r.run(tag, 0, &mut |r, tag| {
            let (mut key, mut value) = (IStr::EMPTY, V::default());
            r.entry(tag, &mut key, &mut value, rule.within())?;
            entries.push((key, value));
            Ok(())
        })?;
        if self.is_empty() {
            *self = entries.into_iter().collect();
        } else {
            self.extend(entries);
        }
        Ok(())
    }

    fn put(&self, w: &mut Writer, number: u32, rule: Rule) {
        let mut entries: Vec<(&IStr, &dyn Field)> =
            self.iter().map(|(key, value)| (key, value as &dyn Field)).collect();
        while let Some((key, value)) = entries.pop() {
            w.entry(number, key, value, rule.within());
        }
    }

    fn repeats(&self) -> bool {
        true
    }
}

impl Reader<'_> {
    fn entry(
        &mut self,
        tag: Tag,
        key: &mut IStr,
        value: &mut dyn Field,
        rule: Rule,
    ) -> Result<(), ReadError> {
        self.members(tag, &mut |r, tag| match tag.number {
            1 => key.merge(r, tag, Rule::Plain),
            2 => value.merge(r, tag, rule).map_err(|error| error.in_member(key)),
            _ => r.skip(tag),
        })
    }

    /// Reads a value that objects share: one that was met before is not decoded again.
    fn shared<T: Field + Blank + Clone + Send + Sync>(
        &mut self,
        into: &mut Shared<T>,
        tag: Tag,
        rule: Rule,
    ) -> Result<(), ReadError> {
        if self.tables.is_none() || !into.is_absent() {
            return into.make_mut().merge(self, tag, rule);
        }
        let bytes = self.ahead(tag, T::blank().repeats())?;
        let found = match &mut self.tables {
            Some(tables) => tables.find::<T>(bytes),
            None => Found::New,
        };
        if let Found::Value(value) = found {
            self.pass(bytes.len());
            *into = Shared::from(value);
            return Ok(());
        }
        let mut value = T::default();
        value.merge(self, tag, rule)?;
        let value = Arc::new(value);
        if let (Found::Again, Some(tables)) = (found, &mut self.tables) {
            tables.keep(bytes, Arc::clone(&value), 0);
        }
        *into = Shared::from(value);
        Ok(())
    }
}

impl Writer {
    fn entry(&mut self, number: u32, key: &str, value: &dyn Field, rule: Rule) {
        let mark = self.len();
        value.put(self, 2, rule);
        self.bytes(1, key.as_bytes());
        self.close(number, mark);
    }
}

impl<T: Field + Blank + Clone + Send + Sync> Field for Shared<T> {
    fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, rule: Rule) -> Result<(), ReadError> {
        r.shared(self, tag, rule)
    }

    fn put(&self, w: &mut Writer, number: u32, rule: Rule) {
        (**self).put(w, number, rule);
    }

    fn repeats(&self) -> bool {
        T::blank().repeats()
    }
}
