//! Which object: a namespace and a name.

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use crate::{IStr, Object};

/// The namespace and name of an object. One of the cluster has an empty namespace.
///
/// Written as upstream writes keys: `shop/web`, or `node-1` without a namespace.
///
/// ```
/// use watchkeeper_api::ObjectKey;
/// let key: ObjectKey = "shop/web".parse()?;
/// assert_eq!(key, ObjectKey::from(("shop", "web")));
/// assert_eq!(key.to_string(), "shop/web");
/// # Ok::<(), watchkeeper_api::key::KeyError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectKey {
    /// The namespace; empty for objects of the cluster.
    pub namespace: IStr,
    /// The name.
    pub name: IStr,
}

/// A text with more than one slash, or without a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyError(String);

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no object key: expected `namespace/name` or `name`", self.0)
    }
}

impl std::error::Error for KeyError {}

/// The key of an object.
#[must_use]
pub fn of(object: &impl Object) -> ObjectKey {
    ObjectKey::new(object.namespace().unwrap_or_default(), object.name())
}

impl ObjectKey {
    /// A key of its parts; the namespace is empty for objects of the cluster.
    #[must_use]
    pub fn new(namespace: impl Into<IStr>, name: impl Into<IStr>) -> Self {
        Self { namespace: namespace.into(), name: name.into() }
    }

    /// The namespace, if there is one.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        Some(&*self.namespace).filter(|namespace| !namespace.is_empty())
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.namespace() {
            Some(namespace) => write!(f, "{namespace}/{}", self.name),
            None => fmt::Display::fmt(&self.name, f),
        }
    }
}

impl FromStr for ObjectKey {
    type Err = KeyError;
    fn from_str(text: &str) -> Result<Self, KeyError> {
        let (namespace, name) = text.split_once('/').unwrap_or(("", text));
        if name.is_empty() || name.contains('/') || text.starts_with('/') {
            return Err(KeyError(text.to_owned()));
        }
        Ok(Self::new(namespace, name))
    }
}

impl<N: Into<IStr>, M: Into<IStr>> From<(N, M)> for ObjectKey {
    fn from((namespace, name): (N, M)) -> Self {
        Self::new(namespace, name)
    }
}

/// The key of an object of the cluster; a text with a slash is not split.
impl From<&str> for ObjectKey {
    fn from(name: &str) -> Self {
        Self::new(IStr::EMPTY, name)
    }
}

impl From<&Self> for ObjectKey {
    fn from(key: &Self) -> Self {
        key.clone()
    }
}
