//! A value that serde knows, as a part of our objects.

use std::fmt;
use std::ops::{Deref, DerefMut};

use ref_cast::RefCast;
use serde::Serialize;
use serde::de::DeserializeOwned;
use watchkeeper_api::json::{Read, ReadError, Reader, Write, Writer};

use crate::text;

/// A value that is read and written by serde: what [`HasStatus`](watchkeeper_api::HasStatus) hands
/// out for the status of kube's types. It derefs to the value.
///
/// ```
/// use watchkeeper_api::json;
/// use watchkeeper_kube::Serde;
/// let mut sizes: Serde<Option<Vec<u8>>> = json::from_str("[1,2]")?;
/// sizes.get_or_insert_default().push(3);
/// assert_eq!(json::to_string(&sizes), "[1,2,3]");
/// # Ok::<(), json::ReadError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, RefCast)]
#[repr(transparent)]
pub struct Serde<T>(pub T);

impl<T> Serde<T> {
    /// The value where it stands.
    pub fn of(value: &T) -> &Self {
        Self::ref_cast(value)
    }

    /// The value where it stands, to change it.
    pub fn of_mut(value: &mut T) -> &mut Self {
        Self::ref_cast_mut(value)
    }
}

impl<T> Deref for Serde<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Serde<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: fmt::Debug> fmt::Debug for Serde<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: DeserializeOwned> Read for Serde<T> {
    fn read(r: &mut Reader<'_>) -> Result<Self, ReadError> {
        text::read(r).map(Self)
    }
}

impl<T: Serialize> Write for Serde<T> {
    fn write(&self, w: &mut Writer) {
        text::write(&self.0, w);
    }

    fn is_default(&self) -> bool {
        let mut w = Writer::new();
        self.write(&mut w);
        w.finish() == "null"
    }
}
