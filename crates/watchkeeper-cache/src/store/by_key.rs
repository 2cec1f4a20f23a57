//! Finding one object by its key: a hash table beside the tree, in parts, each behind a lock of its own.
//!
//! The tree has the objects in order and can be kept as it is, but finding one in it compares a dozen texts.
//! Here a look is one hash, one lock of a part and one place in memory.
//!
//! A reader holds one lock at a time: that of a part, or that of the tables. The writer changes a part only
//! while it holds the tables, too, and lets go of nothing before all is changed. So whoever has seen a change
//! in one place sees it in every other from then on, although the two are not under one lock.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use watchkeeper_api::ObjectKey;

use super::state::Edit;
use crate::sync::{HashKey, RwLock, RwLockWriteGuard};

/// Enough that a reader and the writer rarely meet, few enough to be small when empty.
const PARTS: usize = 16;
/// A table that has room for so many is not made smaller.
const SMALL: usize = 64;

type Table<K> = HashTable<(ObjectKey, Arc<K>)>;

/// The objects by their keys.
pub(super) struct ByKey<K> {
    hash: HashKey,
    parts: [Part<K>; PARTS],
}

/// On cache lines of its own.
#[repr(align(64))]
struct Part<K>(RwLock<Table<K>>);

impl<K> ByKey<K> {
    pub(super) fn new() -> Self {
        let part = |_| Part(RwLock::new(Table::new()));
        Self { hash: HashKey::draw(), parts: std::array::from_fn(part) }
    }

    pub(super) fn get(&self, key: &ObjectKey) -> Option<Arc<K>> {
        let hash = self.hash.hash_of(key);
        let table = self.part(hash).0.read().unwrap_or_else(PoisonError::into_inner);
        let found = table.find(hash, |(known, object)| {
            // The count comes from memory while the texts are compared, not after that.
            std::hint::black_box(Arc::strong_count(object));
            known == key
        });
        found.map(|(_, object)| Arc::clone(object))
    }

    /// How many bytes the table takes.
    pub(super) fn size(&self) -> usize {
        let of = |part: &Part<K>| {
            part.0.read().unwrap_or_else(PoisonError::into_inner).allocation_size()
        };
        self.parts.iter().map(of).sum()
    }

    /// Does one edit. The caller holds the tables.
    pub(super) fn put(&self, edit: &Edit<K>) {
        let hash = self.hash.hash_of(&edit.key);
        put(&mut self.part(hash).write(), self.hash, hash, edit);
    }

    /// The parts that the edits change, changed, beside those that readers see.
    pub(super) fn prepare(&self, edits: &[Edit<K>]) -> Prepared<K> {
        let mut tables: [Option<Table<K>>; PARTS] = std::array::from_fn(|_| None);
        for edit in edits {
            let hash = self.hash.hash_of(&edit.key);
            let (at, part) = (part_of(hash), self.part(hash));
            let table = tables[at].get_or_insert_with(|| {
                part.0.read().unwrap_or_else(PoisonError::into_inner).clone()
            });
            put(table, self.hash, hash, edit);
        }
        Prepared(tables)
    }

    /// Puts the parts in their places, all as one, and gives back what was there. The caller holds the
    /// tables.
    pub(super) fn swap(&self, mut prepared: Prepared<K>) -> Prepared<K> {
        let places = self.parts.iter().zip(&mut prepared.0);
        let changed = places.filter_map(|(part, next)| Some((part, next.as_mut()?)));
        // All are locked before the first is changed.
        let mut held: Vec<_> = changed.map(|(part, next)| (part.write(), next)).collect();
        for (table, next) in &mut held {
            std::mem::swap(&mut **table, *next);
        }
        drop(held);
        prepared
    }

    fn part(&self, hash: u64) -> &Part<K> {
        &self.parts[part_of(hash)]
    }
}

/// Tables of some parts, not under a lock.
#[must_use]
pub(super) struct Prepared<K>([Option<Table<K>>; PARTS]);

impl<K> Part<K> {
    fn write(&self) -> RwLockWriteGuard<'_, Table<K>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The table takes the lowest bits for the place and the highest for the tag: these are between.
const fn part_of(hash: u64) -> usize {
    (hash >> 48) as usize % PARTS
}

fn put<K>(table: &mut Table<K>, key: HashKey, hash: u64, edit: &Edit<K>) {
    let known = |(known, _): &(ObjectKey, Arc<K>)| *known == edit.key;
    match (table.entry(hash, known, |(known, _)| key.hash_of(known)), &edit.new) {
        // With the key, whose texts are those of the object that goes.
        (Entry::Occupied(mut entry), Some(new)) => {
            *entry.get_mut() = (edit.key.clone(), Arc::clone(new));
        }
        (Entry::Vacant(entry), Some(new)) => {
            entry.insert((edit.key.clone(), Arc::clone(new)));
        }
        (Entry::Occupied(entry), None) => {
            entry.remove();
            if table.capacity() > SMALL && table.len() < table.capacity() / 8 {
                table.shrink_to(table.len() * 2, |(known, _)| key.hash_of(known));
            }
        }
        (Entry::Vacant(_), None) => {}
    }
}

/// What a list has: which keys, and whether an object is the last one of its key.
pub(super) struct Listed<'a, K> {
    edits: &'a [Edit<K>],
    hash: HashKey,
    last: HashTable<usize>,
    superseded: BTreeSet<usize>,
}

impl<'a, K> Listed<'a, K> {
    pub(super) fn new(edits: &'a [Edit<K>]) -> Self {
        let hash = HashKey::draw();
        let mut last = HashTable::with_capacity(edits.len());
        let mut superseded = BTreeSet::new();
        for (at, edit) in edits.iter().enumerate() {
            let same = |other: &usize| edits[*other].key == edit.key;
            let hash_at = |other: &usize| hash.hash_of(&edits[*other].key);
            match last.entry(hash.hash_of(&edit.key), same, hash_at) {
                Entry::Occupied(mut entry) => {
                    superseded.insert(std::mem::replace(entry.get_mut(), at));
                }
                Entry::Vacant(entry) => drop(entry.insert(at)),
            }
        }
        Self { edits, hash, last, superseded }
    }

    pub(super) fn has(&self, key: &ObjectKey) -> bool {
        self.last.find(self.hash.hash_of(key), |at| self.edits[*at].key == *key).is_some()
    }

    /// Where in the list are objects that another one of the same key follows.
    pub(super) fn superseded(self) -> BTreeSet<usize> {
        self.superseded
    }
}

#[cfg(test)]
mod tests;
