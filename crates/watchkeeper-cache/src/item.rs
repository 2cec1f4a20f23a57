//! What the states need to know of an object: which one it is, which life, which version.

use watchkeeper_api::{Object, ObjectKey};

/// An object as the copy sees it. Every [`Object`] is one; the tests have smaller ones.
pub trait Item: Send + Sync + 'static {
    /// Namespace and name.
    fn item_key(&self) -> ObjectKey;
    /// Which life of that name.
    fn item_uid(&self) -> &str;
    /// Which version of that life.
    fn item_version(&self) -> &str;
}

impl<K: Object> Item for K {
    fn item_key(&self) -> ObjectKey {
        self.key()
    }

    fn item_uid(&self) -> &str {
        self.uid()
    }

    fn item_version(&self) -> &str {
        self.resource_version()
    }
}

/// Whether both are the very same version of the same life, so that either value will do.
pub(crate) fn unchanged<K: Item>(a: &K, b: &K) -> bool {
    a.item_version() == b.item_version()
        && a.item_uid() == b.item_uid()
        && !a.item_version().is_empty()
}
