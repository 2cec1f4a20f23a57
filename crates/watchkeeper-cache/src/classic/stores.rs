//! The store under upstream's words, for those who fill one by hand.

use std::sync::Arc;

use watchkeeper_api::ObjectKey;

use super::queue::{ReflectorStore, Refused};
use crate::delta::{Delta, Replacement};
use crate::item::Item;
use crate::store::Store;

/// The calls of upstream's `cache.Store`, for [`Store`], [`Indexer`](super::Indexer) and
/// [`UndeltaStore`](super::UndeltaStore).
///
/// ```
/// # use std::sync::Arc;
/// # use watchkeeper_api::core::v1::ConfigMap;
/// # use watchkeeper_api::object;
/// use watchkeeper_cache::Store;
/// use watchkeeper_cache::classic::ClassicStore;
///
/// let store = Store::<ConfigMap>::new();
/// store.add(Arc::new(object!(ConfigMap { metadata: { name: "a", namespace: "shop" } })));
/// assert!(store.get_by_key(&("shop", "a").into()).is_some());
/// store.delete(&("shop", "a").into());
/// assert_eq!(store.list_keys(), []);
/// ```
pub trait ClassicStore<K: Item> {
    /// Applies a delta.
    fn apply_delta(&self, delta: Delta<K>);

    /// The objects.
    fn objects(&self) -> &Store<K>;

    /// Adds an object.
    fn add(&self, object: Arc<K>) {
        self.apply_delta(Delta::Added(object));
    }

    /// Gives an object another state.
    fn update(&self, object: Arc<K>) {
        self.apply_delta(Delta::Updated(object));
    }

    /// Removes an object.
    fn delete(&self, key: &ObjectKey) {
        self.apply_delta(Delta::Vanished { key: key.clone(), version: String::new() });
    }

    /// These, of this version, are all there is.
    fn replace(&self, items: Vec<Arc<K>>, version: &str) {
        let version = version.to_owned();
        self.apply_delta(Delta::Replaced(Replacement {
            items,
            unreadable: Vec::new(),
            nameless: false,
            version,
        }));
    }

    /// The server has come to this version, and nothing else is new (upstream: `Bookmark`).
    fn bookmark(&self, version: &str) {
        self.apply_delta(Delta::Bookmark(version.to_owned()));
    }

    /// Asks for everything once more, which a store has no use for: what it is for is a queue's or a
    /// handler's business (upstream: `Resync`).
    fn resync(&self) {
        self.apply_delta(Delta::Sync);
    }

    /// The version that what is stored has come to; empty where none was told (upstream:
    /// `LastStoreSyncResourceVersion`). It never runs ahead of what can be read (C-46).
    fn last_store_sync_resource_version(&self) -> String {
        self.objects().version()
    }

    /// The object of a key.
    fn get_by_key(&self, key: &ObjectKey) -> Option<Arc<K>> {
        self.objects().get(key)
    }

    /// What is stored under an object's key.
    fn get(&self, object: &K) -> Option<Arc<K>> {
        self.get_by_key(&object.item_key())
    }

    /// Every object, in the order of the keys.
    fn list(&self) -> Vec<Arc<K>> {
        self.objects().list()
    }

    /// Every key, in order.
    fn list_keys(&self) -> Vec<ObjectKey> {
        self.objects().snapshot().iter().map(|object| object.item_key()).collect()
    }
}

impl<K: Item> ClassicStore<K> for Store<K> {
    fn apply_delta(&self, delta: Delta<K>) {
        drop(self.apply(delta));
    }

    fn objects(&self) -> &Self {
        self
    }
}

impl<K: Item> ReflectorStore<K> for Store<K> {
    async fn push(&self, delta: Delta<K>) -> Result<(), Refused> {
        self.apply_delta(delta);
        Ok(())
    }

    fn transforms(&self) -> bool {
        false
    }

    async fn push_list(&self, list: Replacement<K>, _: &Self) -> Result<(), Refused> {
        self.push(Delta::Replaced(list)).await
    }
}
