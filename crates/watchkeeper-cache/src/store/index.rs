//! Finding objects by what they say instead of by name.

use std::any::Any;
use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use watchkeeper_api::ObjectKey;

use super::Store;
use super::state::Edit;
use super::tree::{Tree, count};
use crate::item::Item;

/// What some edits do to one index: insertions and removals.
pub(super) type Plan = Box<dyn Any + Send>;

/// An index whose values' type is not known here.
pub(super) trait AnyIndex<K>: Send + Sync {
    /// Asks the index function about both sides of each edit.
    fn plan(&self, edits: &[Edit<K>]) -> Plan;
    /// Does what was planned, and says whether all of it is done: the order of the values is others' code,
    /// and may panic. Then the index has to be made anew.
    fn commit(&mut self, plan: Plan) -> bool;
    /// The index of these objects by the same function, beside this one. What cannot be compared is left out.
    fn anew(&self, objects: &Tree<ObjectKey, Arc<K>>) -> Box<dyn AnyIndex<K>>;
    /// Another index that shares everything with this one.
    fn fork(&self) -> Box<dyn AnyIndex<K>>;
    fn as_any(&self) -> &dyn Any;
}

type ValuesOf<K, V> = Arc<dyn Fn(&K) -> Vec<V> + Send + Sync>;
type Bucket<K> = Tree<ObjectKey, Arc<K>>;

/// The objects under each value. No bucket is empty.
pub(super) struct Table<K, V> {
    of: ValuesOf<K, V>,
    buckets: Tree<V, Bucket<K>>,
}

/// An object entering (or, without one, a key leaving) the bucket of a value.
type Move<K, V> = (V, ObjectKey, Option<Arc<K>>);

impl<K: Item, V: Ord + Clone + Send + Sync + 'static> Table<K, V> {
    pub(super) fn new(of: ValuesOf<K, V>) -> Self {
        Self { of, buckets: Tree::new() }
    }

    pub(super) fn fill(&mut self, objects: &Tree<ObjectKey, Arc<K>>) {
        for (key, object) in objects.iter() {
            let moves = self.values(object).into_iter();
            let moves = moves.map(|value| (value, key.clone(), Some(Arc::clone(object))));
            if !self.take(moves) {
                tracing::error!(object = %key, "a value of an index panicked; the object is left out");
            }
        }
    }

    /// Takes one step after the other, until one panics.
    fn take(&mut self, moves: impl IntoIterator<Item = Move<K, V>>) -> bool {
        let all = || moves.into_iter().for_each(|step| self.step(step));
        catch_unwind(AssertUnwindSafe(all)).is_ok()
    }

    /// What the edits do to this index.
    fn moves(&self, edits: &[Edit<K>]) -> Vec<Move<K, V>> {
        let mut moves: Vec<Move<K, V>> = Vec::new();
        for edit in edits {
            let now = edit.new.as_deref().map_or_else(Vec::new, |object| self.values(object));
            let before = edit.old.as_deref().map_or_else(Vec::new, |object| self.values(object));
            let left = before.into_iter().filter(|value| !now.contains(value));
            moves.extend(left.map(|value| (value, edit.key.clone(), None)));
            let entered = now.into_iter().map(|value| (value, edit.key.clone(), edit.new.clone()));
            moves.extend(entered);
        }
        moves
    }

    fn values(&self, object: &K) -> Vec<V> {
        catch_unwind(AssertUnwindSafe(|| (self.of)(object))).unwrap_or_else(|_| {
            tracing::error!(object = %object.item_key(), "an index function panicked; the object is left out");
            Vec::new()
        })
    }

    fn step(&mut self, (value, key, object): Move<K, V>) {
        match (self.buckets.get_mut(&value), object) {
            (Some(bucket), Some(object)) => drop(bucket.insert(key, object)),
            (Some(bucket), None) => {
                bucket.remove(&key);
                if bucket.is_empty() {
                    self.buckets.remove(&value);
                }
            }
            (None, Some(object)) => {
                let mut bucket = Tree::new();
                bucket.insert(key, object);
                self.buckets.insert(value, bucket);
            }
            (None, None) => {}
        }
    }
}

impl<K: Item, V: Ord + Clone + Send + Sync + 'static> AnyIndex<K> for Table<K, V> {
    fn plan(&self, edits: &[Edit<K>]) -> Plan {
        match catch_unwind(AssertUnwindSafe(|| self.moves(edits))) {
            Ok(moves) => Box::new(moves),
            // Nothing that can be done.
            Err(_) => Box::new(()),
        }
    }

    fn commit(&mut self, plan: Plan) -> bool {
        plan.downcast::<Vec<Move<K, V>>>().is_ok_and(|moves| self.take(*moves))
    }

    fn anew(&self, objects: &Tree<ObjectKey, Arc<K>>) -> Box<dyn AnyIndex<K>> {
        let mut table = Self::new(Arc::clone(&self.of));
        table.fill(objects);
        Box::new(table)
    }

    fn fork(&self) -> Box<dyn AnyIndex<K>> {
        Box::new(Self { of: Arc::clone(&self.of), buckets: self.buckets.clone() })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Finds the objects of a [`Store`] by a value that is computed from them.
///
/// A handle: clones share one index, which goes when the last of them is dropped. Reads are of one moment
/// and agree with the store's.
pub struct Index<K: Item, V> {
    slot: Arc<Slot<K>>,
    values: PhantomData<fn() -> V>,
}

/// The index's place in the store, given back on drop.
struct Slot<K: Item> {
    store: Store<K>,
    number: u64,
}

impl<K: Item, V: Ord + Clone + Send + Sync + 'static> Index<K, V> {
    pub(super) fn new(store: Store<K>, number: u64) -> Self {
        Self { slot: Arc::new(Slot { store, number }), values: PhantomData }
    }

    /// The objects under this value, in the order of their keys.
    #[must_use]
    pub fn get<Q: Ord + ?Sized>(&self, value: &Q) -> Vec<Arc<K>>
    where
        V: Borrow<Q>,
    {
        self.found(value).list()
    }

    /// The objects under this value as they are now. Costs nothing however many there are, and does not
    /// change any more.
    #[must_use]
    pub fn found<Q: Ord + ?Sized>(&self, value: &Q) -> Found<K>
    where
        V: Borrow<Q>,
    {
        Found { bucket: self.with(|table| table.buckets.get(value).cloned()) }
    }

    /// The keys of the objects under this value, in order.
    #[must_use]
    pub fn keys<Q: Ord + ?Sized>(&self, value: &Q) -> Vec<ObjectKey>
    where
        V: Borrow<Q>,
    {
        self.found(value).keys().cloned().collect()
    }

    /// Every value that some object has, in order.
    #[must_use]
    pub fn values(&self) -> Vec<V> {
        let buckets = self.with(|table| Some(table.buckets.clone()));
        buckets.map_or_else(Vec::new, |buckets| buckets.iter().map(|(v, _)| v.clone()).collect())
    }

    fn with<T>(&self, read: impl FnOnce(&Table<K, V>) -> Option<T>) -> Option<T> {
        let tables = self.slot.store.read();
        let table = tables.indices.get(&self.slot.number)?;
        table.as_any().downcast_ref::<Table<K, V>>().and_then(read)
    }
}

/// What an [`Index`] has under one value, as it was at one moment.
///
/// ```
/// use watchkeeper_api::core::v1::Pod;
/// use watchkeeper_cache::Store;
/// let pods = Store::<Pod>::new();
/// let by_node = pods.index(|pod| [pod.spec.node_name.clone()]);
/// for pod in by_node.found("node-1").iter() {
///     println!("{}", pod.metadata.name);
/// }
/// ```
pub struct Found<K> {
    bucket: Option<Bucket<K>>,
}

impl<K> Found<K> {
    /// How many objects there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bucket.as_ref().map_or(0, Tree::len)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bucket.is_none()
    }

    /// The objects, in the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<K>> {
        self.bucket.iter().flat_map(Tree::values)
    }

    /// Their keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &ObjectKey> {
        self.bucket.iter().flat_map(|bucket| bucket.iter().map(|(key, _)| key))
    }

    /// The objects, each with a count of its own.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<K>> {
        let mut list = Vec::with_capacity(self.len());
        count(self.iter(), &mut list);
        list
    }
}

impl<K> fmt::Debug for Found<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Found({} objects)", self.len())
    }
}

impl<K: Item> Drop for Slot<K> {
    fn drop(&mut self) {
        let table = {
            let _writer = self.store.writing();
            self.store.write(|tables| tables.indices.remove(&self.number))
        };
        // Not under the lock: the index function may hold another index of this store.
        drop(table);
    }
}

impl<K: Item, V> Clone for Index<K, V> {
    fn clone(&self) -> Self {
        Self { slot: Arc::clone(&self.slot), values: PhantomData }
    }
}

impl<K: Item, V> fmt::Debug for Index<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Index({} of {:?})", self.slot.number, self.slot.store)
    }
}
