//! Reading a copy under the field's own name.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::selector::Selector;
use watchkeeper_api::{Object, ObjectKey};

use crate::error::{Error, Result, Why};
use crate::item::Item;
use crate::store::Index;
use crate::watch::Watch;

/// Reads a copy (upstream: the generated listers). Cheap to clone; keeps the copy alive.
///
/// What it returns may be older than this process's own writes; [`Watch::get`], [`Watch::list`] and
/// [`Watch::matching`] wait for those.
pub struct Lister<K: Item> {
    watch: Watch<K>,
}

impl<K: Item> Lister<K> {
    pub(crate) const fn new(watch: Watch<K>) -> Self {
        Self { watch }
    }

    /// The object of this key.
    #[must_use]
    pub fn get(&self, key: impl Into<ObjectKey>) -> Option<Arc<K>> {
        self.watch.peek(key)
    }

    /// The object of this key, which must be there (upstream: `Get`, C-57).
    ///
    /// # Errors
    /// [`is_not_found`](crate::Error::is_not_found) if it is not; the error names the resource. Where the copy
    /// cannot know, it does not say so: [`is_not_synced`](crate::Error::is_not_synced) before the first list,
    /// [`is_not_followed`](crate::Error::is_not_followed) for a key of another namespace than the copy's, or of
    /// another name than its fields select.
    pub fn require(&self, key: impl Into<ObjectKey>) -> Result<Arc<K>> {
        let key = key.into();
        // Asked first: what is missing before the first list may come while this looks.
        let why = self.why_missing(&key);
        self.watch.peek(&key).ok_or_else(|| {
            let subject = format!("{} \"{key}\"", self.watch.kind().group_resource());
            Error::new(subject, why, self.watch.status())
        })
    }

    /// What it means if there is no object of this key.
    fn why_missing(&self, key: &ObjectKey) -> Why {
        let scope = &self.watch.core.scope;
        match scope.namespace.as_deref() {
            Some(namespace) if namespace != &*key.namespace => Why::NotFollowed,
            _ if !scope.selection.may_hold(key) => {
                Why::NotSelected { only: scope.selection.fields().to_owned() }
            }
            _ if !self.watch.has_synced() => Why::NotSynced { waited: Duration::ZERO },
            _ => Why::NotFound,
        }
    }

    /// Every object, in the order of the keys.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<K>> {
        self.watch.peek_all()
    }

    /// Every object of a namespace, in the order of the names.
    #[must_use]
    pub fn list_in(&self, namespace: &str) -> Vec<Arc<K>> {
        self.watch.peek_in(namespace)
    }

    /// An index over the objects, as [`Watch::index`].
    pub fn index<V, I>(&self, of: impl Fn(&K) -> I + Send + Sync + 'static) -> Index<K, V>
    where
        V: Ord + Clone + Send + Sync + 'static,
        I: IntoIterator<Item = V>,
    {
        self.watch.index(of)
    }
}

impl<K: Object> Lister<K> {
    /// The objects whose labels match, in the order of the keys; of one namespace, if one is given. A selector
    /// that asks for nothing looks at no labels.
    #[must_use]
    pub fn matching(&self, selector: &Selector, namespace: Option<&str>) -> Vec<Arc<K>> {
        self.watch.snapshot().matching(selector, namespace)
    }
}

impl<K: Item> Clone for Lister<K> {
    fn clone(&self) -> Self {
        Self { watch: self.watch.clone() }
    }
}

impl<K: Item> fmt::Debug for Lister<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lister({:?})", self.watch)
    }
}
