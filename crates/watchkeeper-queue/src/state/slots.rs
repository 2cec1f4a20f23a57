//! Where keys are kept while the queue has to do with them.

use std::hash::Hash;

use super::hash::HashKey;
use super::levels::{Node, Nodes};
use super::room;
use super::table::Table;

#[cfg(test)]
mod tests;

/// The place of a key in a [`State`](super::State), while it has one.
///
/// A key has a place from the moment it is added until it neither waits nor is held; or as long as
/// the place is kept by [`State::keep`](super::State::keep). The place of a key that has gone
/// names nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    index: u32,
    /// Which of the keys that had the place is meant.
    generation: u32,
}

/// Every key once, with all that is known of it; found by one hash, or by its index.
#[derive(Clone, Debug)]
pub(super) struct Slots<K> {
    entries: Vec<Entry<K>>,
    /// The first free place, if there is one.
    free: Option<u32>,
    /// How many places have a key.
    len: usize,
    table: Table,
    hash_key: HashKey,
    /// Counts the keys that got a place.
    generation: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Entry<K> {
    key: Place<K>,
    hash: u32,
    /// [`NOBODY`] at a free place.
    generation: u32,
    /// Where it stands in the line of its priority.
    node: Node,
    /// Of the run that the key waits for, if it waits for one.
    pub(super) priority: i32,
    /// How many keep the place; at the greatest number it is kept for good.
    keepers: u16,
    pub(super) run: Run,
    /// It waits for its time, too.
    pub(super) delayed: bool,
}

#[derive(Clone, Debug)]
enum Place<K> {
    Of(K),
    /// With the next one that is.
    Free(Option<u32>),
}

/// Whether a key runs, and is to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    Idle,
    Queued,
    /// Queued since it was given back dirty during a drain.
    Owed,
    Held,
    /// To be queued when it is given back.
    HeldAgain,
}

impl Run {
    /// Whether it is among the keys that are ready.
    #[inline]
    pub(super) fn is_queued(self) -> bool {
        matches!(self, Self::Queued | Self::Owed)
    }
}

/// The generation of no key.
const NOBODY: u32 = 0;

/// Places that an empty queue keeps for the next keys; those of a greater burst are given back.
const SPARE: usize = 1 << 16;

impl<K: Eq + Hash> Slots<K> {
    pub(super) fn new() -> Self {
        let hash_key = HashKey::draw();
        let table = Table::default();
        Self { entries: Vec::new(), free: None, len: 0, table, hash_key, generation: NOBODY }
    }

    /// The place of a key.
    pub(super) fn find(&self, key: &K) -> Option<u32> {
        let hash = self.hash_key.hash(key);
        self.table.find(hash, |index| self.entries[index as usize].key() == Some(key))
    }

    /// The place of a key, which gets one if it has none.
    pub(super) fn seat(&mut self, key: K) -> u32 {
        let hash = self.hash_key.hash(&key);
        let entries = &self.entries;
        let is = |index| entries[index as usize].key() == Some(&key);
        let room = match self.table.find_or_room(hash, is) {
            Ok(index) => return index,
            Err(room) => room,
        };
        let index = self.free.unwrap_or_else(|| self.grow());
        self.generation = self.generation.checked_add(1).unwrap_or(NOBODY + 1);
        self.len += 1;
        let entry = &mut self.entries[index as usize];
        if let Place::Free(next) = entry.key {
            self.free = next;
        }
        (entry.key, entry.hash, entry.generation) = (Place::Of(key), hash, self.generation);
        self.table.put(room, index);
        index
    }

    /// The key at a place that has one.
    pub(super) fn key(&self, index: u32) -> Option<&K> {
        self.entries[index as usize].key()
    }

    /// The place as others name it.
    #[inline]
    pub(super) fn slot(&self, index: u32) -> Slot {
        Slot { index, generation: self.entries[index as usize].generation }
    }

    /// Where a place is, unless its key has gone.
    #[inline]
    pub(super) fn index(&self, slot: Slot) -> Option<u32> {
        let entry = self.entries.get(slot.index as usize)?;
        (entry.generation == slot.generation).then_some(slot.index)
    }

    /// Keeps the place until it was let go as often, or for good if too many keep it to count.
    pub(super) fn keep(&mut self, index: u32) {
        let keepers = &mut self.entries[index as usize].keepers;
        *keepers = keepers.saturating_add(1);
    }

    /// Lets go of a place that is kept.
    pub(super) fn let_go(&mut self, index: u32) {
        let keepers = &mut self.entries[index as usize].keepers;
        if *keepers < u16::MAX {
            *keepers = keepers.saturating_sub(1);
        }
        self.clear(index);
    }

    /// Drops the key if nobody has to do with it any more.
    #[inline]
    pub(super) fn clear(&mut self, index: u32) {
        let entry = &self.entries[index as usize];
        if entry.run == Run::Idle && !entry.delayed && entry.keepers == 0 {
            self.remove(index);
        }
    }

    fn remove(&mut self, index: u32) {
        let entry = &mut self.entries[index as usize];
        entry.key = Place::Free(self.free.replace(index));
        entry.generation = NOBODY;
        self.len -= 1;
        self.table.remove(entry.hash, index);
    }

    /// Gives back the places of a great burst when the last key has gone; true if it did.
    #[inline]
    pub(super) fn shrink(&mut self) -> bool {
        let is_worth_it = self.len == 0 && self.entries.len() > SPARE;
        if is_worth_it {
            *self = Self { generation: self.generation, ..Self::new() };
        }
        is_worth_it
    }

    fn grow(&mut self) -> u32 {
        self.entries.reserve_exact(room::more(self.entries.len(), self.entries.capacity()));
        self.entries.push(Entry {
            key: Place::Free(None),
            hash: 0,
            generation: NOBODY,
            node: Node::default(),
            priority: 0,
            keepers: 0,
            run: Run::Idle,
            delayed: false,
        });
        // As many keys as that would take more memory than there is.
        u32::try_from(self.entries.len() - 1).unwrap_or(u32::MAX)
    }
}

impl<K> Entry<K> {
    fn key(&self) -> Option<&K> {
        match &self.key {
            Place::Of(key) => Some(key),
            Place::Free(_) => None,
        }
    }
}

impl<K> Nodes for Slots<K> {
    #[inline]
    fn node(&self, slot: u32) -> &Node {
        &self.entries[slot as usize].node
    }

    #[inline]
    fn node_mut(&mut self, slot: u32) -> &mut Node {
        &mut self.entries[slot as usize].node
    }
}

impl<K> std::ops::Index<u32> for Slots<K> {
    type Output = Entry<K>;

    fn index(&self, index: u32) -> &Entry<K> {
        &self.entries[index as usize]
    }
}

impl<K> std::ops::IndexMut<u32> for Slots<K> {
    fn index_mut(&mut self, index: u32) -> &mut Entry<K> {
        &mut self.entries[index as usize]
    }
}
