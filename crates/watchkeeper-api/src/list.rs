//! A list that keeps no spare room: what a decoded object holds instead of a `Vec`.

#[cfg(test)]
mod tests;

use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

/// A boxed slice without spare capacity; an empty one allocates nothing.
///
/// ```
/// use watchkeeper_api::List;
/// let mut ports = List::from([80, 443]);
/// ports.push(8080);
/// ports.edit(|ports| ports.retain(|port| *port != 80));
/// assert_eq!(*ports, [443, 8080]);
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct List<T>(
    // Dropped by `release` alone: nothing is left for the glue of whatever holds a list.
    ManuallyDrop<Option<Box<[T]>>>,
);

impl<T> List<T> {
    /// An empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self(ManuallyDrop::new(None))
    }

    /// The elements.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Appends one element. Moves all of them: build long lists as a `Vec` and convert.
    pub fn push(&mut self, element: T) {
        self.edit(|elements| elements.push(element));
    }

    /// Changes the elements as a `Vec`.
    pub fn edit<R>(&mut self, change: impl FnOnce(&mut Vec<T>) -> R) -> R {
        let mut elements = std::mem::take(self).into_vec();
        let result = change(&mut elements);
        *self = Self::from(elements);
        result
    }

    /// Appends so many empty elements; the index of the first of them.
    #[inline(never)]
    pub(crate) fn grow(&mut self, more: usize) -> usize
    where
        T: Default,
    {
        let mut elements = std::mem::take(self).into_vec();
        let first = elements.len();
        elements.reserve_exact(more);
        for _ in 0..more {
            elements.push(T::default());
        }
        *self = Self::from(elements);
        first
    }

    /// Keeps the elements for which `keep` holds.
    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.edit(|elements| elements.retain(keep));
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        *self.0 = None;
    }

    /// The elements as a `Vec`.
    #[must_use]
    pub fn into_vec(mut self) -> Vec<T> {
        self.0.take().map(Vec::from).unwrap_or_default()
    }
}

impl<T> Drop for List<T> {
    #[inline]
    fn drop(&mut self) {
        if self.0.is_some() {
            release(self);
        }
    }
}

/// Drops the elements, in one place for all structs with such a list.
///
/// `extern "C"`, because such a function cannot unwind: what drops a struct then needs no second way
/// through its fields. An element whose own drop panics ends the process.
#[inline(never)]
extern "C" fn release<T>(list: &mut List<T>) {
    *list.0 = None;
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Deref for List<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.0.as_deref_mut().unwrap_or_default()
    }
}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_slice(), f)
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(elements: Vec<T>) -> Self {
        // One representation of "empty", so that equality can be derived.
        Self(ManuallyDrop::new((!elements.is_empty()).then(|| elements.into_boxed_slice())))
    }
}

impl<T, const N: usize> From<[T; N]> for List<T> {
    fn from(elements: [T; N]) -> Self {
        Self::from(Vec::from(elements))
    }
}

impl<T: Clone> From<&[T]> for List<T> {
    fn from(elements: &[T]) -> Self {
        Self::from(elements.to_vec())
    }
}

impl<T> From<List<T>> for Vec<T> {
    fn from(list: List<T>) -> Self {
        list.into_vec()
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Self::from(Vec::from_iter(elements))
    }
}

impl<T> Extend<T> for List<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, more: I) {
        self.edit(|elements| elements.extend(more));
    }
}

impl<T> IntoIterator for List<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut List<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T: PartialEq<U>, U, const N: usize> PartialEq<[U; N]> for List<T> {
    fn eq(&self, other: &[U; N]) -> bool {
        self.as_slice() == other
    }
}
