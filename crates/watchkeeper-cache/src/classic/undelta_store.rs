//! A store that tells everything there is whenever something changes.

use std::fmt;
use std::sync::Arc;

use super::queue::{ReflectorStore, Refused};
use super::stores::ClassicStore;
use crate::delta::{Delta, Replacement};
use crate::item::Item;
use crate::lock::lock;
use crate::store::Store;
use crate::sync::Mutex;

type Push<K> = Box<dyn FnMut(Vec<Arc<K>>) + Send>;

/// A store for those who want the whole state after each change and never what changed (upstream:
/// `UndeltaStore`), such as a program that writes a file of everything.
///
/// ```
/// # use std::sync::Arc;
/// # use watchkeeper_api::core::v1::ConfigMap;
/// # use watchkeeper_api::object;
/// use watchkeeper_cache::classic::{ClassicStore, UndeltaStore};
///
/// let store = UndeltaStore::new(|maps: Vec<Arc<ConfigMap>>| println!("{} maps", maps.len()));
/// store.add(Arc::new(object!(ConfigMap { metadata: { name: "a", namespace: "shop" } })));
/// ```
pub struct UndeltaStore<K: Item> {
    store: Store<K>,
    /// Held over a change and what is told of it, so that the last thing told is the last state.
    push: Mutex<Push<K>>,
}

impl<K: Item> UndeltaStore<K> {
    /// An empty store. `push` gets every object, in the order of the keys, after each change, one call at a
    /// time; it must not change this store.
    pub fn new(push: impl FnMut(Vec<Arc<K>>) + Send + 'static) -> Self {
        Self { store: Store::new(), push: Mutex::new(Box::new(push)) }
    }
}

impl<K: Item> ClassicStore<K> for UndeltaStore<K> {
    fn apply_delta(&self, delta: Delta<K>) {
        let mut push = lock(&self.push);
        let is_change =
            !matches!(delta, Delta::Unreadable { .. } | Delta::Bookmark(_) | Delta::Sync);
        self.store.apply(delta);
        if is_change {
            push(self.store.list());
        }
    }

    fn objects(&self) -> &Store<K> {
        &self.store
    }
}

impl<K: Item> ReflectorStore<K> for UndeltaStore<K> {
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

impl<K: Item> fmt::Debug for UndeltaStore<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UndeltaStore({:?})", self.store)
    }
}

#[cfg(test)]
mod tests;
