//! The queue of objects without its waiting.

use std::collections::BTreeMap;
use std::sync::Arc;

use watchkeeper_api::ObjectKey;

use crate::item::Item;

/// What waits, by key and by place.
pub(super) struct State<K> {
    places: BTreeMap<u64, ObjectKey>,
    items: BTreeMap<ObjectKey, (u64, Arc<K>)>,
    next: u64,
    /// Something has come.
    populated: bool,
    /// The places before this are those of the first list.
    initial: u64,
    pub(super) closed: bool,
}

impl<K: Item> State<K> {
    pub(super) const fn new() -> Self {
        Self {
            places: BTreeMap::new(),
            items: BTreeMap::new(),
            next: 0,
            populated: false,
            initial: 0,
            closed: false,
        }
    }

    pub(super) fn add(&mut self, object: Arc<K>) {
        self.populated = true;
        self.put(object);
    }

    pub(super) fn add_if_not_present(&mut self, object: Arc<K>) {
        self.populated = true;
        if !self.items.contains_key(&object.item_key()) {
            self.put(object);
        }
    }

    pub(super) fn delete(&mut self, key: &ObjectKey) {
        self.populated = true;
        if let Some((place, _)) = self.items.remove(key) {
            self.places.remove(&place);
        }
    }

    pub(super) fn replace(&mut self, objects: Vec<Arc<K>>) {
        let before = std::mem::take(&mut self.items);
        self.places.clear();
        for object in objects {
            let key = object.item_key();
            let kept = before.get(&key).map(|(place, _)| *place);
            match kept.filter(|_| !self.items.contains_key(&key)) {
                Some(place) => {
                    self.places.insert(place, key.clone());
                    self.items.insert(key, (place, object));
                }
                None => self.put(object),
            }
        }
        if !self.populated {
            self.populated = true;
            self.initial = self.next;
        }
    }

    fn put(&mut self, object: Arc<K>) {
        let key = object.item_key();
        if let Some((_, waiting)) = self.items.get_mut(&key) {
            *waiting = object;
            return;
        }
        self.places.insert(self.next, key.clone());
        self.items.insert(key, (self.next, object));
        self.next += 1;
    }

    pub(super) fn pop(&mut self) -> Option<Arc<K>> {
        let (_, key) = self.places.pop_first()?;
        self.items.remove(&key).map(|(_, object)| object)
    }

    pub(super) fn has_synced(&self) -> bool {
        let first = self.places.first_key_value();
        self.populated && first.is_none_or(|(place, _)| *place >= self.initial)
    }

    pub(super) fn get(&self, key: &ObjectKey) -> Option<&Arc<K>> {
        self.items.get(key).map(|(_, object)| object)
    }

    pub(super) fn list(&self) -> Vec<Arc<K>> {
        self.places.values().filter_map(|key| self.get(key)).cloned().collect()
    }

    pub(super) fn list_keys(&self) -> Vec<ObjectKey> {
        self.places.values().cloned().collect()
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }
}

#[cfg(test)]
mod tests;
