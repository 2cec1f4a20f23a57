//! The classic queue without its waiting.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use watchkeeper_api::ObjectKey;

use crate::classic::deltas::{DeletedObject, Deltas, ObjectDelta};
use crate::classic::queue::{KnownObjects, Popped, Refused};
use crate::delta::{Delta, Replacement};
use crate::item::Item;

type Known<'a, K> = Option<&'a dyn KnownObjects<K>>;

/// What waits, and how far the consumer has come.
pub(super) struct State<K> {
    /// Each key once, in the order of its first delta.
    queue: VecDeque<ObjectKey>,
    items: BTreeMap<ObjectKey, Entry<K>>,
    /// Deltas that wait.
    deltas: usize,
    /// Something has come.
    populated: bool,
    /// Objects of the first list that were not popped yet.
    initial: usize,
    /// What was popped and may not be applied yet: neither known nor queued, and yet there.
    in_hand: Option<(ObjectKey, ObjectDelta<K>)>,
    /// The version of what came last.
    pushed: String,
    /// What the consumer was told of how far it is.
    told: Reach,
    pub(super) lists_as_syncs: bool,
    closed: bool,
}

/// The deltas of one object.
struct Entry<K> {
    list: Vec<ObjectDelta<K>>,
    /// The version that had come when the first of them did.
    before: String,
}

/// How far the store is once everything popped is applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Reach {
    version: String,
    synced: bool,
}

impl<K: Item> State<K> {
    pub(super) fn new() -> Self {
        Self {
            queue: VecDeque::new(),
            items: BTreeMap::new(),
            deltas: 0,
            populated: false,
            initial: 0,
            in_hand: None,
            pushed: String::new(),
            told: Reach::default(),
            lists_as_syncs: false,
            closed: false,
        }
    }

    // ---- in ----------------------------------------------------------------------------------------

    pub(super) fn push(&mut self, delta: Delta<K>, known: Known<'_, K>) {
        match delta {
            Delta::Added(object) => self.upsert(ObjectDelta::Added, object),
            Delta::Updated(object) => self.upsert(ObjectDelta::Updated, object),
            Delta::Deleted(last) => self.delete(DeletedObject::Seen(last), known),
            Delta::Vanished { key, version } => {
                let last = self.last_known(&key, known);
                self.delete(DeletedObject::FinalStateUnknown { key, last }, known);
                self.come_to(&version);
            }
            Delta::Replaced(list) => self.replace(list, known),
            // Nobody can say when the store has come there: a bookmark between two objects tells.
            Delta::Bookmark(version) | Delta::Unreadable { version, .. } => self.come_to(&version),
            Delta::Sync => self.resync(known),
        }
    }

    fn upsert(&mut self, kind: fn(Arc<K>) -> ObjectDelta<K>, object: Arc<K>) {
        self.populated = true;
        let (key, version) = (object.item_key(), object.item_version().to_owned());
        self.enqueue(key, kind(object));
        self.come_to(&version);
    }

    /// C-26: what nobody knows need not be told to be gone.
    pub(super) fn delete(&mut self, deleted: DeletedObject<K>, known: Known<'_, K>) {
        self.populated = true;
        let key = deleted.key();
        let seen = match &deleted {
            DeletedObject::Seen(last) => last.item_version().to_owned(),
            DeletedObject::FinalStateUnknown { .. } => String::new(),
        };
        if self.items.contains_key(&key) || self.is_known(&key, known) {
            self.enqueue(key, ObjectDelta::Deleted(deleted));
        }
        self.come_to(&seen);
    }

    /// C-27: the list first, then what is missing from it, whether queued or known.
    fn replace(&mut self, list: Replacement<K>, known: Known<'_, K>) {
        let mut present: BTreeSet<ObjectKey> = BTreeSet::new();
        for object in list.items {
            let key = object.item_key();
            present.insert(key.clone());
            let delta = if self.lists_as_syncs {
                ObjectDelta::Sync(object)
            } else {
                ObjectDelta::Replaced(object)
            };
            self.enqueue(key, delta);
        }
        let listed = present.len();
        // What could not be read is there all the same.
        present.extend(list.unreadable);
        // One whose key is not known may be any of them.
        let vanished = if list.nameless { Vec::new() } else { self.missing_from(&present, known) };
        if !self.populated {
            self.populated = true;
            self.initial = listed + vanished.len();
        }
        for (key, last) in vanished {
            let deleted = DeletedObject::FinalStateUnknown { key: key.clone(), last };
            self.enqueue(key, ObjectDelta::Deleted(deleted));
        }
        self.come_to(&list.version);
    }

    /// What is queued, in hand or known, in this order, and not in a list.
    fn missing_from(
        &self,
        present: &BTreeSet<ObjectKey>,
        known: Known<'_, K>,
    ) -> Vec<(ObjectKey, Option<Arc<K>>)> {
        let queued = self.queue.iter().filter(|key| !present.contains(key));
        let last = |key: &ObjectKey| {
            self.items.get(key)?.list.last().and_then(ObjectDelta::object).cloned()
        };
        let mut missing: Vec<_> = queued.map(|key| (key.clone(), last(key))).collect();
        let mut other: BTreeSet<ObjectKey> =
            known.map(KnownObjects::list_keys).into_iter().flatten().collect();
        other.extend(self.in_hand.iter().map(|(key, _)| key.clone()));
        for key in other {
            let elsewhere = present.contains(&key) || self.items.contains_key(&key);
            if !elsewhere && self.is_known(&key, known) {
                let last = self.last_known(&key, known);
                missing.push((key, last));
            }
        }
        missing
    }

    /// C-29: what has deltas is told anyway; of what is in hand, an older state is known.
    fn resync(&mut self, known: Known<'_, K>) {
        let Some(known) = known else { return };
        for key in known.list_keys() {
            let in_hand = self.in_hand.as_ref().is_some_and(|(held, _)| *held == key);
            if in_hand || self.items.contains_key(&key) {
                continue;
            }
            if let Some(object) = known.get_by_key(&key) {
                self.enqueue(key, ObjectDelta::Sync(object));
            }
        }
    }

    /// C-25.
    fn enqueue(&mut self, key: ObjectKey, delta: ObjectDelta<K>) {
        let entry = self.items.entry(key).or_insert_with_key(|key| {
            self.queue.push_back(key.clone());
            Entry { list: Vec::new(), before: self.pushed.clone() }
        });
        match entry.list.pop() {
            None => entry.list.push(delta),
            Some(before) => {
                self.deltas -= 1;
                match joined(before, delta) {
                    Joined::One(one) => entry.list.push(one),
                    Joined::Both(before, delta) => {
                        entry.list.extend([before, delta]);
                        self.deltas += 1;
                    }
                }
            }
        }
        self.deltas += 1;
    }

    fn come_to(&mut self, version: &str) {
        if !version.is_empty() {
            version.clone_into(&mut self.pushed);
        }
    }

    fn is_known(&self, key: &ObjectKey, known: Known<'_, K>) -> bool {
        match &self.in_hand {
            Some((held, newest)) if held == key => !newest.is_deleted(),
            _ => known.is_some_and(|known| known.get_by_key(key).is_some()),
        }
    }

    fn last_known(&self, key: &ObjectKey, known: Known<'_, K>) -> Option<Arc<K>> {
        let queued = self.items.get(key).and_then(|entry| entry.list.last());
        let held = self.in_hand.as_ref().filter(|(held, _)| held == key).map(|(_, newest)| newest);
        match queued.or(held) {
            Some(newest) => newest.object().cloned(),
            None => known.and_then(|known| known.get_by_key(key)),
        }
    }

    // ---- out ---------------------------------------------------------------------------------------

    /// What happened to the first object. What was popped before is applied.
    pub(super) fn pop(&mut self) -> Option<Deltas<K>> {
        self.in_hand = None;
        let is_in_initial_list = !self.has_synced();
        let key = self.queue.pop_front()?;
        let Entry { list, .. } = self.items.remove(&key)?;
        self.deltas -= list.len();
        self.initial = self.initial.saturating_sub(1);
        self.in_hand = list.last().map(|newest| (key.clone(), newest.clone()));
        Some(Deltas { key, list, is_in_initial_list })
    }

    /// As [`pop`](Self::pop), and in between how far the store is.
    pub(super) fn next(&mut self) -> Option<Popped<K>> {
        self.in_hand = None;
        let reach = self.reach();
        if reach != self.told {
            self.told = reach.clone();
            let delta = Delta::Bookmark(reach.version);
            return Some(Popped::Delta { delta, is_in_initial_list: false });
        }
        self.pop().map(Popped::Deltas)
    }

    /// Everything that came before the first delta of the first key was popped: keys wait in the order of
    /// their first deltas.
    fn reach(&self) -> Reach {
        let first = self.queue.front().and_then(|key| self.items.get(key));
        let version = first.map_or(&self.pushed, |entry| &entry.before).clone();
        Reach { version, synced: self.has_synced() }
    }

    pub(super) const fn has_synced(&self) -> bool {
        self.populated && self.initial == 0
    }

    pub(super) const fn len(&self) -> usize {
        self.deltas
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &ObjectKey> {
        self.queue.iter()
    }

    pub(super) const fn close(&mut self) {
        self.closed = true;
    }

    pub(super) const fn is_closed(&self) -> bool {
        self.closed
    }

    pub(super) const fn open(&self) -> Result<(), Refused> {
        if self.closed { Err(Refused::CLOSED) } else { Ok(()) }
    }
}

enum Joined<K> {
    One(ObjectDelta<K>),
    Both(ObjectDelta<K>, ObjectDelta<K>),
}

/// C-24: of two deletions, the one that saw more, or else the older.
fn joined<K>(before: ObjectDelta<K>, after: ObjectDelta<K>) -> Joined<K> {
    use DeletedObject::{FinalStateUnknown, Seen};
    match (before, after) {
        (ObjectDelta::Deleted(FinalStateUnknown { .. }), after @ ObjectDelta::Deleted(_)) => {
            Joined::One(after)
        }
        (before @ ObjectDelta::Deleted(Seen(_)), ObjectDelta::Deleted(_)) => Joined::One(before),
        (before, after) => Joined::Both(before, after),
    }
}

#[cfg(test)]
mod tests;
