//! A store with named indices.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use watchkeeper_api::ObjectKey;

use super::queue::{ReflectorStore, Refused};
use super::stores::ClassicStore;
use crate::delta::{Delta, Replacement};
use crate::item::Item;
use crate::lock::lock;
use crate::store::{Index, Store};
use crate::sync::Mutex;

/// The name by which tutorials find objects of a namespace (upstream: `NamespaceIndex`).
pub const NAMESPACE_INDEX: &str = "namespace";

/// Computes the values under which an object is found (upstream: `IndexFunc`).
pub type IndexFunc<K> = Arc<dyn Fn(&K) -> Vec<String> + Send + Sync>;

/// A store whose indices have names, as texts (upstream: `Indexer`). [`Store::index`] makes indices whose
/// values have types, and which need no name.
///
/// ```
/// # use std::sync::Arc;
/// # use watchkeeper_api::core::v1::ConfigMap;
/// # use watchkeeper_api::object;
/// use watchkeeper_cache::classic::{ClassicStore, Indexer};
///
/// # fn main() -> watchkeeper_api::Result<()> {
/// let indexer = Indexer::new();
/// indexer.add_index("by-first-letter", |map: &ConfigMap| {
///     map.metadata.name.chars().next().map(String::from).into_iter().collect()
/// })?;
/// indexer.add(Arc::new(object!(ConfigMap { metadata: { name: "a", namespace: "shop" } })));
/// assert_eq!(indexer.by_index("by-first-letter", "a")?.len(), 1);
/// # Ok(())
/// # }
/// ```
pub struct Indexer<K: Item> {
    store: Store<K>,
    indices: Arc<Mutex<BTreeMap<String, Named<K>>>>,
}

struct Named<K: Item> {
    of: IndexFunc<K>,
    index: Index<K, String>,
}

/// An index that is not there, or is there already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexError(String);

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for IndexError {}

impl From<IndexError> for watchkeeper_api::Error {
    fn from(error: IndexError) -> Self {
        Self::usage(error.0)
    }
}

impl<K: Item> Indexer<K> {
    /// An empty store without indices.
    #[must_use]
    pub fn new() -> Self {
        Self::over(Store::new())
    }

    /// Indices over a store.
    #[must_use]
    pub fn over(store: Store<K>) -> Self {
        Self { store, indices: Arc::default() }
    }

    /// Adds an index over what is stored and what will be.
    ///
    /// # Errors
    /// When there is one of this name; then nothing has changed.
    pub fn add_index(
        &self,
        name: &str,
        of: impl Fn(&K) -> Vec<String> + Send + Sync + 'static,
    ) -> Result<(), IndexError> {
        self.add_indexers([(name.to_owned(), Arc::new(of) as IndexFunc<K>)])
    }

    /// Adds several indices (upstream: `AddIndexers`).
    ///
    /// # Errors
    /// When there is one of these names, or one comes twice; then nothing has changed (C-52).
    pub fn add_indexers(
        &self,
        indexers: impl IntoIterator<Item = (String, IndexFunc<K>)>,
    ) -> Result<(), IndexError> {
        let mut indices = lock(&self.indices);
        let mut new: BTreeMap<String, IndexFunc<K>> = BTreeMap::new();
        for (name, of) in indexers {
            if indices.contains_key(&name) || new.contains_key(&name) {
                return Err(IndexError(format!("there is an index {name:?} already")));
            }
            new.insert(name, of);
        }
        for (name, of) in new {
            let values = Arc::clone(&of);
            let index = self.store.index(move |object: &K| values(object));
            indices.insert(name, Named { of, index });
        }
        Ok(())
    }

    /// The names of the indices, in order (upstream: `GetIndexers`).
    #[must_use]
    pub fn indexers(&self) -> Vec<String> {
        lock(&self.indices).keys().cloned().collect()
    }

    /// The objects under a value of an index, in the order of their keys.
    ///
    /// # Errors
    /// When there is no such index.
    pub fn by_index(&self, name: &str, value: &str) -> Result<Vec<Arc<K>>, IndexError> {
        Ok(self.named(name)?.1.get(value))
    }

    /// The objects that share a value of an index with `object`, each once, in the order of their keys
    /// (upstream: `Index`).
    ///
    /// # Errors
    /// As [`by_index`](Self::by_index).
    pub fn index(&self, name: &str, object: &K) -> Result<Vec<Arc<K>>, IndexError> {
        let (of, index) = self.named(name)?;
        let mut found = BTreeMap::new();
        for value in of(object) {
            found.extend(index.get(&value).into_iter().map(|object| (object.item_key(), object)));
        }
        Ok(found.into_values().collect())
    }

    /// The keys of the objects under a value of an index, in order.
    ///
    /// # Errors
    /// As [`by_index`](Self::by_index).
    pub fn index_keys(&self, name: &str, value: &str) -> Result<Vec<ObjectKey>, IndexError> {
        Ok(self.named(name)?.1.keys(value))
    }

    /// Every value of an index that some object has, in order (upstream: `ListIndexFuncValues`).
    ///
    /// # Errors
    /// As [`by_index`](Self::by_index).
    pub fn index_values(&self, name: &str) -> Result<Vec<String>, IndexError> {
        Ok(self.named(name)?.1.values())
    }

    /// The function of an index.
    pub(super) fn index_func(&self, name: &str) -> Result<IndexFunc<K>, IndexError> {
        Ok(self.named(name)?.0)
    }

    fn named(&self, name: &str) -> Result<(IndexFunc<K>, Index<K, String>), IndexError> {
        let indices = lock(&self.indices);
        let Some(named) = indices.get(name) else {
            return Err(IndexError(format!("there is no index {name:?}")));
        };
        Ok((Arc::clone(&named.of), named.index.clone()))
    }
}

/// Finds objects by their namespace, as the index called [`NAMESPACE_INDEX`] does (upstream:
/// `MetaNamespaceIndexFunc`).
#[must_use]
pub fn meta_namespace_index<K: Item>(object: &K) -> Vec<String> {
    vec![object.item_key().namespace.to_string()]
}

impl<K: Item> ClassicStore<K> for Indexer<K> {
    fn apply_delta(&self, delta: Delta<K>) {
        drop(self.store.apply(delta));
    }

    fn objects(&self) -> &Store<K> {
        &self.store
    }
}

impl<K: Item> ReflectorStore<K> for Indexer<K> {
    async fn push(&self, delta: Delta<K>) -> Result<(), Refused> {
        self.apply_delta(delta);
        Ok(())
    }

    fn transforms(&self) -> bool {
        false
    }

    async fn push_list(&self, list: Replacement<K>, _: &Store<K>) -> Result<(), Refused> {
        self.push(Delta::Replaced(list)).await
    }
}

impl<K: Item> Default for Indexer<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Item> Clone for Indexer<K> {
    fn clone(&self) -> Self {
        Self { store: self.store.clone(), indices: Arc::clone(&self.indices) }
    }
}

impl<K: Item> fmt::Debug for Indexer<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Indexer({:?}, {:?})", self.store, self.indexers())
    }
}

#[cfg(test)]
mod tests;
