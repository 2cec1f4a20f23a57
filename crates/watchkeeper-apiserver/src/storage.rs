//! The store: one table per resource, one revision for all of them, and a bounded memory of what
//! happened.
//!
//! - Every write of any object takes the next revision (KEP-5504): revisions compare across kinds.
//! - The last events are kept in a ring. It feeds watches that start in the past and rebuilds past
//!   snapshots by undoing; what fell out of it is answered with 410 Expired.
//! - Values are shared and never changed in place, so a snapshot costs pointers.

mod chain;
mod derived;
mod form;
pub mod ring;
pub mod selector;
mod text;
pub mod token;
mod tree;
pub(crate) mod window;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use form::Form;
use serde_json::Value;
use tree::Place;

use crate::deep;

pub use derived::{Derived, Version};
pub use form::{VersionSchemas, shape};
pub use ring::{Change, Event, Ring};
pub use text::tail;
pub use tree::Tree;

/// The name of a table, `plural.group` or `plural` for core.
pub type TableName = Arc<str>;

/// `namespace/name`, or `name` in the cluster: the order of lists is the order of these texts, as
/// in etcd.
pub type Key = Arc<str>;

/// The objects of one resource.
pub type Table = BTreeMap<Key, Arc<Stored>>;

/// An object at one revision.
#[derive(Clone)]
pub struct Stored {
    /// Where it is stored.
    pub key: Key,
    /// The revision that wrote it.
    pub revision: u64,
    /// Its JSON up to there, which most objects of a table share: `{"apiVersion":"v1","kind":"Pod"`.
    head: Arc<str>,
    /// Its JSON after `kind` and `apiVersion`, made once: `,"metadata":{…}}`.
    pub tail: Bytes,
    /// The whole object in its storage version, while it is recent.
    tree: Place,
    /// What was made of it when somebody first wanted it.
    pub derived: Derived,
    /// The object as it was written, where a newer schema has changed it since. The next write
    /// stores what is shown, even one without a change of its own.
    pub written: Option<Arc<Self>>,
}

/// Tells which object it is, never what is in it: it may be a secret.
impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (key, revision) = (&self.key, &self.revision);
        f.debug_struct("Stored")
            .field("key", key)
            .field("revision", revision)
            .finish_non_exhaustive()
    }
}

impl Stored {
    /// An object written at `revision`, which is put into its metadata.
    #[must_use]
    pub fn new(key: Key, revision: u64, value: Value) -> Self {
        Self::at(key, revision, value, None)
    }

    /// As [`new`](Self::new), of an object that may share a head.
    fn at(key: Key, revision: u64, mut value: Value, head: Option<&Arc<str>>) -> Self {
        set_revision(&mut value, revision);
        Self::of(key, revision, value, head)
    }

    /// The same object with another value, as dry runs show it.
    #[must_use]
    pub fn with(&self, value: Value) -> Self {
        let written = self.written.clone();
        Self { written, ..Self::of(self.key.clone(), self.revision, value, Some(&self.head)) }
    }

    /// The same object at the same revision as it is in another version.
    #[must_use]
    pub(crate) fn in_version(&self, value: Value) -> Self {
        Self::of(self.key.clone(), self.revision, value, None)
    }

    /// An object that is not stored, under a key.
    #[must_use]
    pub(crate) fn unstored(key: Key, value: Value) -> Self {
        let (head, tail) = (text::head(&value).into(), tail(&value));
        let tree = Place::of_its_own(Tree::new(value));
        Self { key, revision: 0, head, tail, tree, derived: Derived::default(), written: None }
    }

    /// An object that is told once at `revision`, which is put into its metadata, and is not stored.
    #[must_use]
    pub(crate) fn told(key: Key, revision: u64, mut value: Value) -> Self {
        set_revision(&mut value, revision);
        Self { revision, ..Self::unstored(key, value) }
    }

    /// An object as it is; `head` is one that it may share.
    fn of(key: Key, revision: u64, value: Value, head: Option<&Arc<str>>) -> Self {
        let own = text::head(&value);
        let head = head.filter(|head| ***head == *own).map_or_else(|| own.into(), Arc::clone);
        let tail = tail(&value);
        let is_deep = deep::is(&value);
        let tree = Place::new(Tree::new(value), tail.len(), is_deep);
        Self { key, revision, head, tail, tree, derived: Derived::default(), written: None }
    }

    /// The whole object in its storage version. Its tree is made when it is not there, and kept for as
    /// long as it is among those that were wanted last.
    #[must_use]
    pub fn value(&self) -> Tree {
        self.tree.get_or_read(&self.head, &self.tail)
    }

    /// As [`value`](Self::value), for those who look at many objects: a tree that is not there is made for
    /// them alone.
    #[must_use]
    pub fn peek(&self) -> Tree {
        let read = || Tree::new(text::read(&self.head, &self.tail));
        self.tree.at_hand().unwrap_or_else(read)
    }

    /// A tree with what the object has at these paths, names with dots between, `kind` and `apiVersion` not
    /// among them; it may have more.
    #[must_use]
    pub fn glimpse(&self, paths: &[&str]) -> Tree {
        let read = || text::parts(&self.tail, paths).map(Tree::new);
        self.tree.at_hand().or_else(read).unwrap_or_else(|| self.peek())
    }

    /// The protobuf message of that model, kept with the tree; `make` makes it of the object.
    pub(crate) fn message(&self, model: &str, make: impl FnOnce(&Value) -> Bytes) -> Bytes {
        self.peek().message(model, make)
    }

    /// Its version, `v1` or `apps/v1`.
    #[must_use]
    pub(crate) fn api_version(&self) -> String {
        text::api_version(&self.head)
    }

    /// Whether another object is the same, but for its place.
    #[must_use]
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.head == other.head && self.tail == other.tail
    }

    /// Whether only a large stack can hold its tree.
    pub(crate) fn is_deep(&self) -> bool {
        self.tree.is_here()
    }

    /// Its JSON up to its [`tail`](Self::tail): version and kind.
    #[must_use]
    pub(crate) const fn head(&self) -> &Arc<str> {
        &self.head
    }

    /// The namespace, empty for cluster objects.
    #[must_use]
    pub fn namespace(&self) -> &str {
        self.key.split_once('/').map_or("", |(namespace, _)| namespace)
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.key.rsplit('/').next().unwrap_or_default()
    }
}

fn set_revision(value: &mut Value, revision: u64) {
    if let Some(metadata) = value.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.insert("resourceVersion".to_owned(), revision.to_string().into());
    }
}

/// The key of an object.
#[must_use]
pub fn key(namespace: &str, name: &str) -> Key {
    if namespace.is_empty() { Key::from(name) } else { Key::from(format!("{namespace}/{name}")) }
}

/// All objects, the revision, and the recent past.
#[derive(Debug)]
pub struct Store {
    revision: u64,
    tables: BTreeMap<TableName, Table>,
    ring: Ring,
    forms: BTreeMap<TableName, Form>,
    deep: bool,
}

/// A deep value is dropped by code that calls itself as well, and so is the schema of one.
impl Drop for Store {
    fn drop(&mut self) {
        if self.deep {
            let Self { tables, ring, forms, .. } = self;
            let _ = deep::run(|| {
                tables.clear();
                ring.clear();
                forms.clear();
            });
        }
    }
}

impl Store {
    /// An empty store that remembers `history` events.
    #[must_use]
    pub fn new(history: usize) -> Self {
        Self {
            revision: 1,
            tables: BTreeMap::new(),
            ring: Ring::new(history),
            forms: BTreeMap::new(),
            deep: false,
        }
    }

    /// The same store, which remembers no more than so many bytes of JSON beside its newest event.
    #[must_use]
    pub(crate) fn bounded(mut self, bytes: usize) -> Self {
        self.ring.bound(bytes);
        self
    }

    /// The store as it was at `revision`, which knows of nothing older.
    pub(crate) fn restored(
        history: usize,
        revision: u64,
        objects: impl IntoIterator<Item = (TableName, Arc<Stored>)>,
    ) -> Self {
        let mut store = Self::new(history);
        store.revision = revision;
        store.ring = Ring::beginning_at(history, revision);
        for (table, object) in objects {
            store.deep = store.deep || object.is_deep();
            store.seed(&table, &object);
        }
        store
    }

    /// The revision of the last write.
    #[must_use]
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether a value was ever stored that only a large stack can hold.
    #[must_use]
    pub(crate) const fn is_deep(&self) -> bool {
        self.deep
    }

    /// A value will be held that only a large stack can.
    pub(crate) const fn note_depth(&mut self) {
        self.deep = true;
    }

    /// The recent past.
    #[must_use]
    pub const fn ring(&self) -> &Ring {
        &self.ring
    }

    /// Forgets all events up to `revision`, as a compaction of etcd does.
    pub fn compact(&mut self, revision: u64) {
        self.ring.compact(revision.min(self.revision));
    }

    /// The table of that name as it is now.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.get(name)
    }

    /// The names of the tables that were ever written.
    pub fn tables(&self) -> impl Iterator<Item = &TableName> {
        self.tables.keys()
    }

    /// An object as it is now.
    #[must_use]
    pub fn get(&self, table: &str, key: &str) -> Option<&Arc<Stored>> {
        self.tables.get(table)?.get(key)
    }

    /// The table as it was at `revision`; `None` when that is no longer known.
    #[must_use]
    pub fn at(&self, name: &str, revision: u64) -> Option<Table> {
        if revision < self.ring.floor() {
            return None;
        }
        let mut table = self.tables.get(name).cloned().unwrap_or_default();
        for event in self.ring.newest_first().take_while(|event| event.revision > revision) {
            if &*event.table == name {
                undo(&mut table, &self.shown(event));
            }
        }
        Some(table)
    }

    /// An event of the past as it is shown now.
    #[must_use]
    pub fn shown(&self, event: &Arc<Event>) -> Arc<Event> {
        match self.forms.get(&event.table) {
            Some(form) => form.of_event(event),
            None => Arc::clone(event),
        }
    }

    /// Lets the objects of a table have these schemas from now on; those that were written before
    /// are shown as the schemas want them, under the revisions that they have.
    pub fn reshape(&mut self, table: &TableName, schemas: VersionSchemas) {
        if self.forms.get(table).is_some_and(|form| form.schemas == schemas) {
            return;
        }
        let form = Form { since: self.revision, schemas };
        for stored in self.tables.get_mut(table).into_iter().flat_map(BTreeMap::values_mut) {
            if let Some(shown) = form.of(stored) {
                *stored = shown;
            }
        }
        self.forms.insert(table.clone(), form);
    }

    /// Lets an object be there from the beginning, under the revision that it has.
    pub fn seed(&mut self, table: &TableName, object: &Arc<Stored>) {
        self.tables.entry(table.clone()).or_default().insert(object.key.clone(), object.clone());
    }

    /// Stores `value` under the next revision.
    pub fn put(&mut self, table: &TableName, key: &Key, value: Value) -> Arc<Event> {
        self.revision += 1;
        let objects = self.tables.entry(table.clone()).or_default();
        let before = objects.get_key_value(key);
        let key = before.map_or(key, |(own, _)| own).clone();
        let like = before.or_else(|| objects.first_key_value()).map(|(_, stored)| &stored.head);
        let stored = Stored::at(key.clone(), self.revision, value, like);
        self.deep = self.deep || stored.is_deep();
        let stored = Arc::new(stored);
        let previous = objects.insert(key, stored.clone());
        let change = if previous.is_some() { Change::Modified } else { Change::Added };
        self.record(table, change, stored, previous)
    }

    /// Removes an object under the next revision. `last` is its final state as watchers see it.
    pub fn remove(&mut self, table: &TableName, key: &Key, last: Value) -> Option<Arc<Event>> {
        let previous = self.tables.get_mut(table)?.remove(key)?;
        self.revision += 1;
        let (key, head) = (previous.key.clone(), Some(&previous.head));
        let stored = Arc::new(Stored::at(key, self.revision, last, head));
        Some(self.record(table, Change::Deleted, stored, Some(previous)))
    }

    fn record(
        &mut self,
        table: &TableName,
        change: Change,
        object: Arc<Stored>,
        previous: Option<Arc<Stored>>,
    ) -> Arc<Event> {
        let event = Arc::new(Event {
            revision: self.revision,
            table: table.clone(),
            change,
            object,
            previous,
        });
        self.ring.push(event.clone());
        event
    }
}

fn undo(table: &mut Table, event: &Event) {
    match &event.previous {
        Some(previous) => table.insert(previous.key.clone(), previous.clone()),
        None => table.remove(&event.object.key),
    };
}

#[cfg(test)]
mod tests;
