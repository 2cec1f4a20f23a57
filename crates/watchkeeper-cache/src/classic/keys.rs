//! The keys of objects as texts, under upstream's names.

use std::fmt;

use super::deltas::DeletedObject;
use crate::change::Change;
use crate::item::Item;

/// What has a key of its own: objects, those that are gone, and keys themselves.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no key",
    note = "objects, `DeletedObject`, `Change` and `ExplicitKey` have one"
)]
pub trait HasKey {
    /// `namespace/name`, or `name` where there is no namespace.
    fn key_text(&self) -> String;
}

impl<K: Item> HasKey for K {
    fn key_text(&self) -> String {
        self.item_key().to_string()
    }
}

impl<K: Item> HasKey for DeletedObject<K> {
    fn key_text(&self) -> String {
        self.key().to_string()
    }
}

impl<K: Item> HasKey for Change<K> {
    fn key_text(&self) -> String {
        self.key().to_string()
    }
}

/// A key that is taken as it is (upstream: `ExplicitKey`), for who knows the key and has no object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExplicitKey(pub String);

impl HasKey for ExplicitKey {
    fn key_text(&self) -> String {
        self.0.clone()
    }
}

/// The key of an object (upstream: `MetaNamespaceKeyFunc`). Within a program,
/// [`ObjectKey`](watchkeeper_api::ObjectKey) is the better key: it need not be taken apart again.
///
/// ```
/// # use watchkeeper_api::core::v1::{ConfigMap, Node};
/// # use watchkeeper_api::object;
/// use watchkeeper_cache::classic::{ExplicitKey, meta_namespace_key};
///
/// let map = object!(ConfigMap { metadata: { name: "a", namespace: "shop" } });
/// assert_eq!(meta_namespace_key(&map), "shop/a");
/// assert_eq!(meta_namespace_key(&object!(Node { metadata: { name: "node-0" } })), "node-0");
/// assert_eq!(meta_namespace_key(&ExplicitKey("as/it/is".into())), "as/it/is");
/// ```
#[must_use]
pub fn meta_namespace_key(object: &impl HasKey) -> String {
    object.key_text()
}

/// The key of an object that may be gone; of a tombstone the key that it was made with (upstream:
/// `DeletionHandlingMetaNamespaceKeyFunc`). Here the types tell them apart, so it is the same function.
#[must_use]
pub fn deletion_handling_key(object: &impl HasKey) -> String {
    object.key_text()
}

/// Namespace and name of a key; no namespace is the empty one (upstream: `SplitMetaNamespaceKey`).
///
/// ```
/// use watchkeeper_cache::classic::split_meta_namespace_key;
///
/// assert_eq!(split_meta_namespace_key("shop/a"), Ok(("shop", "a")));
/// assert_eq!(split_meta_namespace_key("node-0"), Ok(("", "node-0")));
/// let error = split_meta_namespace_key("a/b/c").unwrap_err();
/// assert_eq!(error.to_string(), r#"unexpected key format: "a/b/c""#);
/// ```
///
/// # Errors
/// When there is more than one slash.
pub fn split_meta_namespace_key(key: &str) -> Result<(&str, &str), UnexpectedKey> {
    match key.split_once('/') {
        None => Ok(("", key)),
        Some((_, name)) if name.contains('/') => Err(UnexpectedKey(key.to_owned())),
        Some(parts) => Ok(parts),
    }
}

/// A text with more than one slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnexpectedKey(String);

impl fmt::Display for UnexpectedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unexpected key format: {:?}", self.0)
    }
}

impl std::error::Error for UnexpectedKey {}

#[cfg(test)]
mod tests;
