//! The local copy: objects in the order of their keys, and their indices.
//!
//! - A reader sees the copy before a delta or after it, never between, however many objects a list replaces.
//! - A reader holds one lock, for one lookup or for taking a snapshot, never while it walks. Finding an object
//!   by its key takes the lock of a part of the copy, which the writer holds for a moment only.
//! - Values are shared: what a reader got stays as it was.
//! - A value whose uid and version did not change is kept over a list, so a list costs no second copy.
//!
//! [`state`] decides what a delta changes; this file and [`by_key`] put locks around it. How they go together,
//! and what it costs, is told in `docs/design/store.md`.

use std::fmt;
use std::sync::{Arc, PoisonError};

use watchkeeper_api::selector::Selector;
use watchkeeper_api::{Object, ObjectKey};

use crate::change::Change;
use crate::delta::{Delta, Replacement};
use crate::informer_metrics::Holding;
use crate::item::{Item, unchanged};
use crate::lock::lock;
use crate::sync::{Mutex, RwLock, RwLockReadGuard};
use crate::version::Version;

mod by_key;
mod index;
mod state;
mod tree;

use by_key::ByKey;
use index::Table;
pub use index::{Found, Index};
use state::{Edit, Tables};
use tree::{Iter, Tree, count};

/// The local copy of the objects of one kind. Clones are handles to the same store.
pub struct Store<K> {
    shared: Arc<Shared<K>>,
}

struct Shared<K> {
    tables: RwLock<Tables<K>>,
    by_key: ByKey<K>,
    /// Held by whoever changes the tables, over reading, planning and writing.
    writer: Mutex<()>,
}

impl<K: Item> Store<K> {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        let tables = RwLock::new(Tables::default());
        let shared = Shared { tables, by_key: ByKey::new(), writer: Mutex::new(()) };
        Self { shared: Arc::new(shared) }
    }

    /// The object of this key.
    #[must_use]
    pub fn get(&self, key: &ObjectKey) -> Option<Arc<K>> {
        self.shared.by_key.get(key)
    }

    /// How many objects there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.read().objects.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.read().objects.is_empty()
    }

    /// Every object, in the order of the keys.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<K>> {
        self.snapshot().list()
    }

    /// Every object of a namespace, in the order of the names.
    #[must_use]
    pub fn list_in(&self, namespace: &str) -> Vec<Arc<K>> {
        self.snapshot().list_in(namespace)
    }

    /// What it holds, and what that takes without what the objects point to.
    pub(crate) fn holding(&self) -> Holding {
        let objects = self.len();
        // The counts of an `Arc`, the object, and its place in the order. The texts of keys are the objects'.
        let each = 2 * size_of::<usize>() + size_of::<K>() + size_of::<(ObjectKey, Arc<K>)>();
        let own_bytes = objects * each + self.shared.by_key.size();
        Holding { objects, own_bytes, ..Holding::default() }
    }

    /// The copy as it is now. Costs nothing, and does not change any more.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot<K> {
        let tables = self.read();
        Snapshot { objects: tables.objects.clone(), version: tables.version.clone() }
    }

    /// The version the copy has reached: of the last event, bookmark or list that was applied. Empty before
    /// the first. Never ahead of what readers see (upstream: `LastStoreSyncResourceVersion`).
    #[must_use]
    pub fn version(&self) -> String {
        self.read().version.clone()
    }

    /// An index over the objects: `of` tells the values under which an object is found, none, one or many.
    /// Can be added at any time; dropping the last clone of it removes it.
    ///
    /// `of` must be pure. If it panics on an object, or a value of it does when it is compared, the object is
    /// left out of this index and the panic is reported; the store itself is not harmed.
    pub fn index<V, I>(&self, of: impl Fn(&K) -> I + Send + Sync + 'static) -> Index<K, V>
    where
        V: Ord + Clone + Send + Sync + 'static,
        I: IntoIterator<Item = V>,
    {
        let _writer = self.writing();
        let mut table = Table::new(Arc::new(move |object: &K| of(object).into_iter().collect()));
        table.fill(&self.snapshot().objects);
        let slot = self.shared.tables.write().unwrap_or_else(PoisonError::into_inner).add(table);
        Index::new(self.clone(), slot)
    }

    /// Applies a delta and tells what it changed.
    pub fn apply(&self, delta: Delta<K>) -> Vec<Change<K>> {
        match delta {
            Delta::Sync => Vec::new(),
            Delta::Bookmark(version) | Delta::Unreadable { version, .. } => {
                let _writer = self.writing();
                self.write(|tables| tables.come_to(version));
                Vec::new()
            }
            Delta::Added(new) | Delta::Updated(new) => self.upsert(new),
            Delta::Deleted(last) => self.delete(last),
            Delta::Vanished { key, version } => self.vanish(key, version),
            Delta::Replaced(list) => self.replace(list),
        }
    }

    fn upsert(&self, new: Arc<K>) -> Vec<Change<K>> {
        let _writer = self.writing();
        let key = new.item_key();
        let edit = Edit { old: self.get(&key), new: Some(new), key };
        let version = edit.version().to_owned();
        if edit.is_idle() {
            self.write(|tables| tables.advance(version));
            return Vec::new();
        }
        let changes = edit.changes(false);
        self.commit(edit, version);
        changes
    }

    fn delete(&self, last: Arc<K>) -> Vec<Change<K>> {
        let _writer = self.writing();
        let key = last.item_key();
        let edit = Edit { old: self.get(&key), new: None, key };
        self.commit(edit, last.item_version().to_owned());
        vec![Change::Deleted { last, final_state_unknown: false }]
    }

    /// Nobody is told of what was not there.
    fn vanish(&self, key: ObjectKey, version: String) -> Vec<Change<K>> {
        let _writer = self.writing();
        let edit = Edit { old: self.get(&key), new: None, key };
        let changes = edit.changes(false);
        self.commit(edit, version);
        changes
    }

    /// Does one edit, as one step.
    fn commit(&self, edit: Edit<K>, version: String) {
        let plan = self.read().plan(std::slice::from_ref(&edit));
        // Kept until readers may go on: it may be the last that has the object.
        let _old = edit.old.clone();
        let broken = self.write(|tables| {
            self.shared.by_key.put(&edit);
            let broken = tables.commit([edit], plan);
            tables.advance(version);
            broken
        });
        for slot in broken {
            let anew = self.read().anew(slot);
            let old = self.write(|tables| tables.indices.insert(slot, anew?));
            drop(old);
        }
    }

    /// Builds the new tables beside the old and swaps them, so that readers wait for the swap only.
    fn replace(&self, list: Replacement<K>) -> Vec<Change<K>> {
        let _writer = self.writing();
        let mut next = self.read().fork();
        let initial = !next.filled;
        let version = list.version.clone();
        let edits = next.replace(list, |key| self.get(key));
        let (plan, parts) = (next.plan(&edits), self.shared.by_key.prepare(&edits));
        let changes = edits.iter().flat_map(|edit| edit.changes(initial)).collect();
        for slot in next.commit(edits, plan) {
            let anew = next.anew(slot);
            next.indices.extend(anew.map(|index| (slot, index)));
        }
        next.filled = true;
        next.restart(version);
        let old =
            self.write(|tables| (self.shared.by_key.swap(parts), std::mem::replace(tables, next)));
        drop(old);
        changes
    }

    /// The value in the copy if it is the same version of the same object, or else `object`.
    pub(crate) fn share(&self, object: K) -> Arc<K> {
        match self.get(&object.item_key()) {
            Some(known) if unchanged(&*known, &object) => known,
            _ => Arc::new(object),
        }
    }

    /// The newest version that the copy is known to have reached; `None` while there is no order to tell.
    pub(crate) fn reached(&self) -> Option<Version> {
        self.read().reached
    }

    /// Whether a list was applied.
    pub(crate) fn is_filled(&self) -> bool {
        self.read().filled
    }

    /// A list was applied, object by object.
    pub(crate) fn fill(&self) {
        let _writer = self.writing();
        self.write(|tables| tables.filled = true);
    }

    /// From now on objects do not come in the order of the server: only bookmarks tell how far this is.
    pub(crate) fn pace(&self) {
        if !self.read().paced {
            let _writer = self.writing();
            self.write(|tables| tables.paced = true);
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Tables<K>> {
        self.shared.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write<T>(&self, change: impl FnOnce(&mut Tables<K>) -> T) -> T {
        change(&mut self.shared.tables.write().unwrap_or_else(PoisonError::into_inner))
    }

    fn writing(&self) -> impl Drop + '_ {
        lock(&self.shared.writer)
    }
}

impl<K: Item> Default for Store<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K> Clone for Store<K> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<K: Item> fmt::Debug for Store<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables = self.read();
        f.debug_struct("Store")
            .field("objects", &tables.objects.len())
            .field("version", &tables.version)
            .finish_non_exhaustive()
    }
}

/// The copy as it was at one moment.
pub struct Snapshot<K> {
    objects: Tree<ObjectKey, Arc<K>>,
    version: String,
}

impl<K> Snapshot<K> {
    /// The object of this key.
    #[must_use]
    pub fn get(&self, key: &ObjectKey) -> Option<&Arc<K>> {
        self.objects.get(key)
    }

    /// How many objects there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// The version the copy had reached.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Every object, in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<K>> {
        self.objects.values()
    }

    /// Every object of a namespace, in the order of the names.
    pub fn iter_in<'a>(&'a self, namespace: &'a str) -> impl Iterator<Item = &'a Arc<K>> + 'a {
        let found: Iter<'a, _, _> = self.objects.iter_from(|key| &*key.namespace < namespace);
        found.take_while(move |(key, _)| &*key.namespace == namespace).map(|(_, object)| object)
    }

    /// Every object, in the order of the keys, each with a count of its own.
    pub(crate) fn list(&self) -> Vec<Arc<K>> {
        let mut list = Vec::with_capacity(self.len());
        count(self.iter(), &mut list);
        list
    }

    /// The same of a namespace, in the order of the names.
    pub(crate) fn list_in(&self, namespace: &str) -> Vec<Arc<K>> {
        let mut list = Vec::new();
        count(self.iter_in(namespace), &mut list);
        list
    }
}

impl<K: Object> Snapshot<K> {
    /// The objects whose labels match, in the order of the keys; of one namespace, if one is given. A selector
    /// that asks for nothing looks at no labels.
    #[must_use]
    pub fn matching(&self, selector: &Selector, namespace: Option<&str>) -> Vec<Arc<K>> {
        if selector.is_empty() {
            return namespace.map_or_else(|| self.list(), |namespace| self.list_in(namespace));
        }
        let matches = |object: &&Arc<K>| selector.selects(&***object);
        match namespace {
            Some(namespace) => self.iter_in(namespace).filter(matches).cloned().collect(),
            None => self.iter().filter(matches).cloned().collect(),
        }
    }
}

impl<K> fmt::Debug for Snapshot<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Snapshot({} objects @{})", self.objects.len(), self.version)
    }
}

#[cfg(test)]
mod tests;
