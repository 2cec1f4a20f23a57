//! An object whose type is known to the registry, not to the code that carries it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::json::{Write, Writer};
use crate::{Kind, Object, ObjectKey, Unstructured, Writable};

/// An object of a type that is found out by [`Typed::get`]. Clones share it.
#[derive(Clone)]
pub struct Typed(Arc<dyn Erased>);

/// What can be asked of an object without naming its type.
trait Erased: Any + Send + Sync {
    fn kind(&self) -> &Kind;
    fn key(&self) -> ObjectKey;
    fn write(&self, w: &mut Writer);
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    fn to_unstructured(&self) -> Unstructured;
    #[cfg(feature = "core")]
    fn reference(&self) -> crate::core::v1::ObjectReference;
}

impl<K: Writable> Erased for K {
    fn kind(&self) -> &Kind {
        Object::kind(self)
    }
    fn key(&self) -> ObjectKey {
        Object::key(self)
    }
    fn write(&self, w: &mut Writer) {
        Write::write(self, w);
    }
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
    fn to_unstructured(&self) -> Unstructured {
        Unstructured::encode(self)
    }
    #[cfg(feature = "core")]
    fn reference(&self) -> crate::core::v1::ObjectReference {
        crate::registry::reference(self)
    }
}

impl Typed {
    pub(super) fn new<K: Writable>(object: K) -> Self {
        Self(Arc::new(object))
    }

    /// What kind of object it is.
    #[must_use]
    pub fn kind(&self) -> &Kind {
        self.0.kind()
    }

    /// Namespace and name.
    #[must_use]
    pub fn key(&self) -> ObjectKey {
        self.0.key()
    }

    /// The object, if it is a `K`.
    #[must_use]
    pub fn get<K: Object>(&self) -> Option<&K> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    /// The same object, forgetting its type.
    #[must_use]
    pub fn to_unstructured(&self) -> Unstructured {
        self.0.to_unstructured()
    }

    #[cfg(feature = "core")]
    pub(super) fn reference(&self) -> crate::core::v1::ObjectReference {
        self.0.reference()
    }

    pub(super) fn write(&self, w: &mut Writer) {
        self.0.write(w);
    }
}

impl fmt::Debug for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(f)
    }
}
