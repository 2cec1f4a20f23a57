//! What holds other values: options, boxes, lists, maps, shared subtrees.

use super::{Field, ReadError, Reader, Rule, Tag, Wire, Writer};
use crate::shared::Blank;
use crate::{ByteString, IStr, IntOrString, List, Map, Quantity, Raw, Shared};

impl<T: Field> Field for Box<T> {
    fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, rule: Rule) -> Result<(), ReadError> {
        r.grown += size_of::<T>();
        (**self).merge(r, tag, rule)
    }

    #[inline]
    fn put(&self, w: &mut Writer, number: u32, rule: Rule) {
        (**self).put(w, number, rule);
    }
}

/// A pointer of Go: whether the field is there is all that matters.
macro_rules! option {
    ($([$($generic:tt)*] $type:ty),* $(,)?) => { $(
        impl<$($generic)*> Field for Option<$type> {
            #[inline(never)]
            fn merge(
                &mut self,
                r: &mut Reader<'_>,
                tag: Tag,
                rule: Rule,
            ) -> Result<(), ReadError> {
                self.get_or_insert_default().merge(r, tag, rule.within())
            }

            #[inline]
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
    const REPEATS: bool = true;

    fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, rule: Rule) -> Result<(), ReadError> {
        r.elements(self, T::WIRE, tag, rule)
    }

    #[inline(never)]
    fn put(&self, w: &mut Writer, number: u32, rule: Rule) {
        if rule.is_wrapped() {
            return w
                .wrapped(number, rule, self.is_empty(), &mut |w| self.put(w, 1, Rule::Element));
        }
        let (rule, mut rest) = (rule.within(), &**self);
        while let Some((last, before)) = rest.split_last() {
            last.put(w, number, rule);
            rest = before;
        }
    }
}

impl Writer {
    /// Writes a list in a message of its own, unless it is empty and no element.
    fn wrapped(&mut self, number: u32, rule: Rule, is_empty: bool, put: &mut dyn FnMut(&mut Self)) {
        if rule == Rule::WrappedElement || !is_empty {
            let mark = self.len();
            put(self);
            self.close(number, mark);
        }
    }
}

/// A list whose elements the reader does not know the type of: one driver reads all lists.
pub(super) trait Elements {
    /// Appends so many empty ones, and adds what they take to `grown`; the index of the first of them.
    fn grow(&mut self, more: usize, grown: &mut usize) -> usize;

    /// Reads the value that is next into one of them.
    fn merge_element(
        &mut self,
        r: &mut Reader<'_>,
        tag: Tag,
        rule: Rule,
        index: usize,
    ) -> Result<(), ReadError>;
}

impl<T: Field + Default> Elements for List<T> {
    fn grow(&mut self, more: usize, grown: &mut usize) -> usize {
        *grown += more * size_of::<T>();
        Self::grow(self, more)
    }

    fn merge_element(
        &mut self,
        r: &mut Reader<'_>,
        tag: Tag,
        rule: Rule,
        index: usize,
    ) -> Result<(), ReadError> {
        match self.get_mut(index) {
            Some(element) => element.merge(r, tag, rule),
            None => r.skip(tag),
        }
    }
}

/// Entries are messages `{ key = 1; value = 2 }`.
impl<V: Field + Default> Field for Map<V> {
    const REPEATS: bool = true;

    #[inline(never)]
    fn merge(&mut self, r: &mut Reader<'_>, tag: Tag, rule: Rule) -> Result<(), ReadError> {
        r.pay(self.len())?;
        let count = r.count(tag)?;
        r.grown += count * size_of::<(IStr, V)>();
        let mut entries = Vec::with_capacity(count);
        for index in 0..count {
            if index > 0 {
                r.next(tag)?;
            }
            let (mut key, mut value) = (IStr::EMPTY, V::default());
            r.members(tag, &mut |r, tag| match tag.number {
                1 => key.merge(r, tag, Rule::Plain),
                2 => value.merge(r, tag, rule.within()).map_err(|error| error.in_member(&key)),
                _ => r.skip(tag),
            })
            .map_err(|error| error.in_element(index))?;
            entries.push((key, value));
        }
        if self.is_empty() {
            *self = entries.into_iter().collect();
        } else {
            self.extend(entries);
        }
        Ok(())
    }

    #[inline(never)]
    fn put(&self, w: &mut Writer, number: u32, rule: Rule) {
        for (key, value) in self.iter().rev() {
            let mark = w.len();
            value.put(w, 2, rule.within());
            w.bytes(1, key.as_bytes());
            w.close(number, mark);
        }
    }
}

impl Reader<'_> {
    /// Reads the run of tags that is a list; each element where it stays.
    fn elements(
        &mut self,
        list: &mut dyn Elements,
        wire: Wire,
        tag: Tag,
        rule: Rule,
    ) -> Result<(), ReadError> {
        if rule.is_wrapped() {
            return self.members(tag, &mut |r, tag| match tag.number {
                1 => r.elements(list, wire, tag, Rule::Element),
                _ => r.skip(tag),
            });
        }
        let is_packed = tag.wire == Wire::Length && wire != Wire::Length;
        let count = if is_packed { self.count_packed(tag, wire)? } else { self.count(tag)? };
        let first = list.grow(count, &mut self.grown);
        self.pay(first)?;
        let outer = if is_packed { Some(self.open(tag)?) } else { None };
        let element = Tag { number: tag.number, wire: if is_packed { wire } else { tag.wire } };
        for index in first..first + count {
            if outer.is_none() && index > first {
                self.next(tag)?;
            }
            let read = list.merge_element(self, element, rule.within(), index);
            read.map_err(|error| error.in_element(index))?;
        }
        if let Some(outer) = outer {
            self.close(outer);
        }
        Ok(())
    }
}
