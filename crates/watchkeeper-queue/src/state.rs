//! Decides which key runs when; knows no clock, no lock and no task.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::time::Duration;

use crate::order::{Order, Picker};

#[cfg(test)]
mod tests;
#[cfg(test)]
mod model;

/// The queue's whole state. Times are offsets from a moment the caller chose.
///
/// This is the part of [`RateLimitingQueue`](crate::RateLimitingQueue) that decides. It is public
/// for those who drive time themselves.
#[derive(Debug)]
pub struct State<K> {
    /// Keys to hand out, oldest first. Each is in `dirty` and not in `active`.
    ready: VecDeque<K>,
    /// Keys that need a run: every key of `ready`, and those of `active` to run again.
    dirty: HashSet<K>,
    /// Keys held by a worker.
    active: HashSet<K>,
    /// Keys to add later, soonest first; the number keeps equal times in the order they came.
    later: BTreeMap<(Duration, u64), K>,
    /// Where each key of `later` stands.
    due: HashMap<K, (Duration, u64)>,
    /// How many times a key was put into `later`.
    scheduled: u64,
    /// Keys that were given back dirty during a drain and not taken since.
    owed: HashSet<K>,
    stage: Stage,
    picker: Picker,
}

/// How far the shutdown has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Open,
    /// Nothing is accepted; somebody waits until no key is held.
    Draining,
    /// Nothing is accepted and nobody waits.
    Closed,
}

impl<K: Clone + Eq + Hash> Default for State<K> {
    fn default() -> Self {
        Self::new(Order::Fifo)
    }
}

impl<K: Clone + Eq + Hash> State<K> {
    /// An empty queue.
    #[must_use]
    pub fn new(order: Order) -> Self {
        Self {
            ready: VecDeque::new(),
            dirty: HashSet::new(),
            active: HashSet::new(),
            later: BTreeMap::new(),
            due: HashMap::new(),
            scheduled: 0,
            owed: HashSet::new(),
            stage: Stage::Open,
            picker: Picker::new(order),
        }
    }

    /// Marks `key` as needing a run now. True if it can be taken at once and could not before.
    ///
    /// A key that is already queued stays where it is. A key held by a worker runs once more when
    /// it is given back, however often it is added. After a shutdown nothing is accepted.
    pub fn add(&mut self, key: K) -> bool {
        if self.is_shutting_down() || !self.dirty.insert(key.clone()) {
            return false;
        }
        if self.active.contains(&key) {
            return false;
        }
        self.ready.push_back(key);
        true
    }

    /// Marks `key` as needing a run at `at`. True if this is now the soonest of all.
    ///
    /// Of several times for one key the earliest wins. The time stays set when the key is added
    /// and run meanwhile: it then runs again.
    pub fn add_at(&mut self, key: K, at: Duration) -> bool {
        if self.is_shutting_down() {
            return false;
        }
        if let Some(&slot) = self.due.get(&key) {
            if slot.0 <= at {
                return false;
            }
            self.later.remove(&slot);
        }
        self.scheduled += 1;
        let slot = (at, self.scheduled);
        self.due.insert(key.clone(), slot);
        self.later.insert(slot, key);
        self.wake_at() == Some(at)
    }

    /// Takes the next key that is due at `now`; it is held until [`done`](Self::done).
    pub fn next(&mut self, now: Duration) -> Option<K> {
        self.advance(now);
        if self.ready.is_empty() {
            return None;
        }
        let index = self.picker.pick(self.ready.len());
        let key = self.remove_ready(index)?;
        self.dirty.remove(&key);
        self.owed.remove(&key);
        self.active.insert(key.clone());
        Some(key)
    }

    /// Gives back a key; true if it can be taken again at once. A key that is not held is ignored.
    pub fn done(&mut self, key: &K) -> bool {
        if !self.active.remove(key) || !self.dirty.contains(key) {
            return false;
        }
        self.ready.push_back(key.clone());
        if self.stage == Stage::Draining {
            self.owed.insert(key.clone());
        }
        true
    }

    /// Moves the keys that are due at `now` to the ready ones.
    pub fn advance(&mut self, now: Duration) {
        while let Some(entry) = self.later.first_entry() {
            if entry.key().0 > now {
                return;
            }
            let key = entry.remove();
            self.due.remove(&key);
            self.add(key);
        }
    }

    /// When the next delayed key is due.
    #[must_use]
    pub fn wake_at(&self) -> Option<Duration> {
        self.later.first_key_value().map(|((at, _), _)| *at)
    }

    /// How many keys can be taken, without those held or delayed.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ready.len()
    }

    /// Whether no key can be taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ready.is_empty()
    }

    /// How many keys are held.
    #[must_use]
    pub fn held(&self) -> usize {
        self.active.len()
    }

    /// How many keys wait for their time.
    #[must_use]
    pub fn delayed(&self) -> usize {
        self.later.len()
    }

    /// Stops accepting keys and forgets the delayed ones; those already queued are still handed
    /// out. Ends a drain.
    pub fn shut_down(&mut self) {
        self.stage = Stage::Closed;
        self.forget_delayed();
    }

    /// Stops accepting keys as [`shut_down`](Self::shut_down) does, until [`is_drained`] says that
    /// every held key came back.
    ///
    /// [`is_drained`]: Self::is_drained
    pub fn drain(&mut self) {
        self.stage = Stage::Draining;
        self.forget_delayed();
    }

    /// Whether a shutdown has begun.
    #[must_use]
    pub fn is_shutting_down(&self) -> bool {
        self.stage != Stage::Open
    }

    /// Whether a drain need not wait any longer.
    ///
    /// Queued keys do not hold it up, except those that were added while they were held.
    #[must_use]
    pub fn is_drained(&self) -> bool {
        match self.stage {
            Stage::Open => false,
            Stage::Draining => self.active.is_empty() && self.owed.is_empty(),
            Stage::Closed => true,
        }
    }

    fn forget_delayed(&mut self) {
        self.later.clear();
        self.due.clear();
    }

    /// Removes by index; the oldest keeps the others in order, any other swaps with the last.
    fn remove_ready(&mut self, index: usize) -> Option<K> {
        match index {
            0 => self.ready.pop_front(),
            _ => self.ready.swap_remove_back(index),
        }
    }
}
