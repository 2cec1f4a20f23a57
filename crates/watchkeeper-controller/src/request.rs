//! Which object to reconcile.

use std::fmt;
use std::ops::Deref;

use watchkeeper_api::ObjectKey;

/// Which object to reconcile, and nothing about why.
///
/// A reconciler that does not know what happened cannot depend on seeing every step; it looks at
/// what is and at what shall be. Controller-runtime's `reconcile.Request`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Request {
    /// The object's namespace and name.
    pub key: ObjectKey,
}

impl Request {
    /// The object's namespace; empty for objects of the cluster.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.key.namespace
    }

    /// The object's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.key.name
    }
}

impl Deref for Request {
    type Target = ObjectKey;

    fn deref(&self) -> &ObjectKey {
        &self.key
    }
}

impl AsRef<ObjectKey> for Request {
    fn as_ref(&self) -> &ObjectKey {
        &self.key
    }
}

impl From<ObjectKey> for Request {
    fn from(key: ObjectKey) -> Self {
        Self { key }
    }
}

impl From<Request> for ObjectKey {
    fn from(request: Request) -> Self {
        request.key
    }
}

impl From<&Request> for ObjectKey {
    fn from(request: &Request) -> Self {
        request.key.clone()
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key.fmt(f)
    }
}
