//! A map that forgets what was not used for long.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

#[cfg(test)]
mod tests;

/// At most `capacity` entries; the one used longest ago goes first.
#[derive(Debug)]
pub(crate) struct Lru<K, V> {
    capacity: usize,
    entries: HashMap<K, (u64, V)>,
    /// When each entry was used last, in numbers that only grow.
    used: BTreeMap<u64, K>,
    clock: u64,
}

impl<K: Clone + Eq + Hash, V> Lru<K, V> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { capacity, entries: HashMap::new(), used: BTreeMap::new(), clock: 0 }
    }

    /// The entry of `key`, made if it is missing, and now the one used last.
    pub(crate) fn entry(&mut self, key: &K, make: impl FnOnce() -> V) -> &mut V {
        self.clock += 1;
        let now = self.clock;
        if let Some((used, _)) = self.entries.get(key) {
            self.used.remove(used);
        } else if self.entries.len() >= self.capacity {
            self.forget_oldest();
        }
        self.used.insert(now, key.clone());
        let entry = self.entries.entry(key.clone()).or_insert_with(|| (now, make()));
        entry.0 = now;
        &mut entry.1
    }

    /// The entry of `key`, which does not count as a use.
    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.entries.get_mut(key).map(|(_, value)| value)
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// All entries, which does not count as a use: those used longest ago first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.used.values().filter_map(|key| Some((key, &self.entries.get(key)?.1)))
    }

    /// Takes an entry out, if it is there.
    pub(crate) fn remove(&mut self, key: &K) {
        if let Some((used, _)) = self.entries.remove(key) {
            self.used.remove(&used);
        }
    }

    fn forget_oldest(&mut self) {
        if let Some((_, key)) = self.used.pop_first() {
            self.entries.remove(&key);
        }
    }
}
