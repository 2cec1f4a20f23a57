//! A packed copy, read as if it were not.

use std::fmt;
use std::sync::Arc;

use watchkeeper_api::{Object, ObjectKey};

use super::Packed;
use crate::change::Change;
use crate::error::Result;
use crate::hub::HandlerOptions;
use crate::store::Index;
use crate::watch::{Subscription, Watch};

/// Reads a packed copy: what it tells are the objects themselves, made anew for each call. Cheap to clone;
/// keeps the copy alive.
///
/// ```no_run
/// # use watchkeeper_api::core::v1::Pod;
/// # use watchkeeper_cache::Cache;
/// # use watchkeeper_client::Select;
/// # async fn f(cache: &Cache) -> watchkeeper_cache::Result<()> {
/// let pods = cache.packed(Select::<Pod>::all()).unpacked();
/// if let Some(pod) = pods.get(("shop", "web")).await? {
///     println!("{} runs on {}", pod.metadata.name, pod.spec.node_name);
/// }
/// let running = pods.iter().filter(|pod| &*pod.status.phase == "Running").count();
/// # Ok(())
/// # }
/// ```
pub struct Unpacked<K: Object> {
    watch: Watch<Packed<K>>,
}

impl<K: Object> Watch<Packed<K>> {
    /// The same copy for who wants the objects themselves.
    #[must_use]
    pub fn unpacked(&self) -> Unpacked<K> {
        Unpacked { watch: self.clone() }
    }
}

impl<K: Object> Unpacked<K> {
    /// As [`Watch::get`].
    ///
    /// # Errors
    /// As [`Watch::get`].
    ///
    /// # Cancel safety
    /// Reading changes nothing: the future may be dropped at any time.
    pub async fn get(&self, key: impl Into<ObjectKey>) -> Result<Option<Arc<K>>> {
        Ok(self.watch.get(key).await?.map(|packed| packed.unpack()))
    }

    /// As [`Watch::try_get`].
    ///
    /// # Errors
    /// As [`Watch::get`], at once.
    pub fn try_get(&self, key: impl Into<ObjectKey>) -> Result<Option<Arc<K>>> {
        Ok(self.watch.try_get(key)?.map(|packed| packed.unpack()))
    }

    /// As [`Watch::peek`].
    #[must_use]
    pub fn peek(&self, key: impl Into<ObjectKey>) -> Option<Arc<K>> {
        self.watch.peek(key).map(|packed| packed.unpack())
    }

    /// Every object as the copy has it now, in the order of the keys, each made when it is asked for.
    pub fn iter(&self) -> impl Iterator<Item = Arc<K>> {
        self.watch.peek_all().into_iter().map(|packed| packed.unpack())
    }

    /// Every object of a namespace, in the order of the names, each made when it is asked for.
    pub fn iter_in(&self, namespace: &str) -> impl Iterator<Item = Arc<K>> {
        self.watch.peek_in(namespace).into_iter().map(|packed| packed.unpack())
    }

    /// As [`Watch::index`]; `of` is called for the old and the new state of each change, so both are made.
    /// What it finds is packed.
    pub fn index<V, I>(&self, of: impl Fn(&K) -> I + Send + Sync + 'static) -> Index<Packed<K>, V>
    where
        V: Ord + Clone + Send + Sync + 'static,
        I: IntoIterator<Item = V>,
    {
        self.watch.index(move |packed| of(&packed.unpack()))
    }

    /// As [`Watch::subscribe`]. What waits for the handler is packed.
    pub fn subscribe(&self, handler: impl FnMut(&Change<K>) + Send + 'static) -> Subscription {
        self.subscribe_with(HandlerOptions::default(), handler)
    }

    /// As [`Watch::subscribe_with`].
    pub fn subscribe_with(
        &self,
        options: HandlerOptions,
        mut handler: impl FnMut(&Change<K>) + Send + 'static,
    ) -> Subscription {
        self.watch.subscribe_with(options, move |change| handler(&change.unpack()))
    }

    /// The copy underneath.
    #[must_use]
    pub const fn watch(&self) -> &Watch<Packed<K>> {
        &self.watch
    }
}

impl<K: Object> Clone for Unpacked<K> {
    fn clone(&self) -> Self {
        Self { watch: self.watch.clone() }
    }
}

impl<K: Object> fmt::Debug for Unpacked<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Unpacked({:?})", self.watch)
    }
}
