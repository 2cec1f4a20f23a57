//! A subtree that several objects hold together.

#[cfg(test)]
mod tests;

use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use crate::{List, Map};

/// A value that equal subtrees of different objects share, copied when one of them is edited.
///
/// The replicas of a workload differ in name and node but not in their probes or environment. A
/// decoder that meets the same text again hands out the same value.
///
/// ```
/// use watchkeeper_api::{List, Shared};
/// let a: Shared<List<i32>> = Shared::from(List::from([1, 2]));
/// let mut b = a.clone();
/// b.push(3);
/// assert_eq!((a.len(), b.len()), (2, 3));
/// ```
pub struct Shared<T>(
    // Dropped by `release` alone: nothing is left for the glue of whatever holds it.
    ManuallyDrop<Option<Arc<T>>>,
);

/// A type with one empty value that everybody can borrow, so that an absent [`Shared`] costs
/// nothing.
pub trait Blank: Default + 'static {
    /// The empty value: equal to `Default`.
    fn blank() -> &'static Self;
}

/// Implements [`Blank`](crate::shared::Blank) for structs.
#[macro_export]
#[doc(hidden)]
macro_rules! blank {
    ($($type:ty),* $(,)?) => { $(
        impl $crate::shared::Blank for $type {
            fn blank() -> &'static Self {
                static BLANK: ::std::sync::LazyLock<$type> =
                    ::std::sync::LazyLock::new(::core::default::Default::default);
                &BLANK
            }
        }
    )* };
}

impl<T: 'static> Blank for List<T> {
    fn blank() -> &'static Self {
        const { &Self::new() }
    }
}

impl<V: 'static> Blank for Map<V> {
    fn blank() -> &'static Self {
        const { &Self::new() }
    }
}

impl<T> Shared<T> {
    /// An absent value: reads as the empty one.
    #[must_use]
    pub const fn new() -> Self {
        Self(ManuallyDrop::new(None))
    }

    /// Whether there is no value.
    pub(crate) fn is_absent(&self) -> bool {
        self.0.is_none()
    }

    /// Whether both hold the very same value in memory.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (&*self.0, &*other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T: Blank> Shared<T> {
    /// The value, to change it: copied first when others hold it, too.
    pub fn make_mut(&mut self) -> &mut T
    where
        T: Clone,
    {
        Arc::make_mut(self.0.get_or_insert_default())
    }
}

impl<T: Blank> Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        match &*self.0 {
            Some(value) => value,
            None => T::blank(),
        }
    }
}

/// As [`Shared::make_mut`].
impl<T: Blank + Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.make_mut()
    }
}

impl<T> Drop for Shared<T> {
    #[inline]
    fn drop(&mut self) {
        if self.0.is_some() {
            release(self);
        }
    }
}

/// Drops what is held, in one place for all structs that hold it.
///
/// `extern "C"`, because such a function cannot unwind: what drops a struct then needs no second way
/// through its fields. A value whose own drop panics ends the process.
#[inline(never)]
extern "C" fn release<T>(shared: &mut Shared<T>) {
    *shared.0 = None;
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Blank + PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || **self == **other
    }
}

impl<T: Blank + Eq> Eq for Shared<T> {}

impl<T: Blank + fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self::from(Arc::new(value))
    }
}

impl<T> From<Arc<T>> for Shared<T> {
    fn from(value: Arc<T>) -> Self {
        Self(ManuallyDrop::new(Some(value)))
    }
}
