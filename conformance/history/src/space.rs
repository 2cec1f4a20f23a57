//! Where the objects of a history are: in one namespace, or in several that have the same names in them.

use watchkeeper_api::ObjectKey;

use crate::told::{PARTS, name_of, part_of};

/// The namespaces of a history. Each is a part of it; where there is one, it has the number zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    base: String,
    parts: u64,
}

impl Space {
    /// One namespace.
    #[must_use]
    pub fn one(name: &str) -> Self {
        Self { base: name.to_owned(), parts: 1 }
    }

    /// So many, whose names begin with `base`.
    #[must_use]
    pub fn several(base: &str, parts: u64) -> Self {
        Self { base: base.to_owned(), parts: parts.clamp(2, PARTS) }
    }

    /// The numbers of the parts.
    #[must_use]
    pub const fn parts(&self) -> std::ops::Range<u64> {
        0..self.parts
    }

    /// The namespace of a part.
    #[must_use]
    pub fn namespace(&self, part: u64) -> String {
        if self.parts == 1 { self.base.clone() } else { format!("{}-p{part}", self.base) }
    }

    /// The key of an object.
    #[must_use]
    pub fn key(&self, object: u64) -> ObjectKey {
        ObjectKey::new(self.namespace(part_of(object)), name_of(object))
    }
}
