//! The store: one table per resource, one revision for all of them, and a bounded memory of what
//! happened.
//!
//! - Every write of any object takes the next revision (KEP-5504): revisions compare across kinds.
//! - The last events are kept in a ring. It feeds watches that start in the past and rebuilds past
//!   snapshots by undoing; what fell out of it is answered with 410 Expired.
//! - Values are shared and never changed in place, so a snapshot costs pointers.

mod derived;
mod form;
pub mod ring;
pub mod selector;
pub mod token;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use form::Form;
use serde_json::Value;

use crate::deep;

pub use derived::{Derived, Version};
pub use form::{VersionSchemas, shape};
pub use ring::{Change, Event, Ring};

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
    /// The whole object in its storage version.
    pub value: Value,
    /// Its JSON after `kind` and `apiVersion`, made once: `,"metadata":{…}}`.
    pub tail: Bytes,
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
    pub fn new(key: Key, revision: u64, mut value: Value) -> Self {
        if let Some(metadata) = value.get_mut("metadata").and_then(Value::as_object_mut) {
            metadata.insert("resourceVersion".to_owned(), revision.to_string().into());
        }
        let tail = tail(&value);
        Self { key, revision, value, tail, derived: Derived::default(), written: None }
    }

    /// The same object with another value, as dry runs show it.
    #[must_use]
    pub fn with(&self, value: Value) -> Self {
        let written = self.written.clone();
        let (key, tail) = (self.key.clone(), tail(&value));
        Self { key, revision: self.revision, value, tail, derived: Derived::default(), written }
    }

    /// An object that is not stored, under a key.
    #[must_use]
    pub(crate) fn unstored(key: Key, value: Value) -> Self {
        let (tail, derived) = (tail(&value), Derived::default());
        Self { key, revision: 0, value, tail, derived, written: None }
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

/// The members after `kind` and `apiVersion`, as JSON with a comma in front of each.
#[must_use]
pub fn tail(value: &Value) -> Bytes {
    let mut text = Vec::with_capacity(512);
    if let Some(object) = value.as_object() {
        for (name, member) in object.iter().filter(|(name, _)| !is_type_meta(name)) {
            text.push(b',');
            write_json(&mut text, name);
            text.push(b':');
            write_json(&mut text, member);
        }
    }
    text.push(b'}');
    Bytes::from(text)
}

fn write_json(text: &mut Vec<u8>, value: &impl serde::Serialize) {
    // Neither a text nor a value has anything that JSON has not, and a list takes all.
    let _written = serde_json::to_writer(text, value);
}

fn is_type_meta(name: &str) -> bool {
    matches!(name, "kind" | "apiVersion")
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
            store.deep = store.deep || deep::is(&object.value);
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
        self.deep = self.deep || deep::is(&value);
        let stored = Arc::new(Stored::new(key.clone(), self.revision, value));
        let previous =
            self.tables.entry(table.clone()).or_default().insert(key.clone(), stored.clone());
        let change = if previous.is_some() { Change::Modified } else { Change::Added };
        self.record(table, change, stored, previous)
    }

    /// Removes an object under the next revision. `last` is its final state as watchers see it.
    pub fn remove(&mut self, table: &TableName, key: &Key, last: Value) -> Option<Arc<Event>> {
        let previous = self.tables.get_mut(table)?.remove(key)?;
        self.revision += 1;
        let stored = Arc::new(Stored::new(key.clone(), self.revision, last));
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
