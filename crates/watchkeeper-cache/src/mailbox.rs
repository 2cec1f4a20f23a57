//! What a handler has not been told yet: its own buffer, bounded, with an explicit policy when it is full.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};

use watchkeeper_api::ObjectKey;

use crate::change::Change;
use crate::item::Item;

/// What happens to a handler that is slower than the changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overflow {
    /// Changes of one object are merged into one. The handler misses states in between, never the last one,
    /// and the buffer is bounded by the number of objects.
    #[default]
    Coalesce,
    /// The copy waits for the handler, and with it every other handler and every reader.
    Block,
    /// The subscription ends, and says so ([`Subscription::is_lagged`](crate::Subscription::is_lagged)).
    Disconnect,
}

/// What is handed to the handler's task.
#[derive(Debug)]
pub(crate) enum Letter<K> {
    Change(Change<K>),
    /// Everything that was there at the beginning has been told.
    Synced,
}

/// The letters of one handler, in order.
#[derive(Debug)]
pub(crate) struct Mailbox<K> {
    /// `None` where a letter was merged away.
    letters: VecDeque<Option<Letter<K>>>,
    /// The number of the first letter.
    first: u64,
    waiting: usize,
    capacity: usize,
    overflow: Overflow,
    /// The last letter of each key that has one; kept from when the mailbox is full until it is half empty,
    /// so that a handler that is just too slow does not have it made anew for every change.
    last_of: Option<BTreeMap<ObjectKey, u64>>,
    lagged: bool,
}

impl<K: Item> Mailbox<K> {
    pub(crate) const fn new(capacity: usize, overflow: Overflow) -> Self {
        Self {
            letters: VecDeque::new(),
            first: 0,
            waiting: 0,
            capacity,
            overflow,
            last_of: None,
            lagged: false,
        }
    }

    pub(crate) const fn len(&self) -> usize {
        self.waiting
    }

    /// Whether the copy must wait before it goes on.
    pub(crate) fn is_blocking(&self) -> bool {
        self.overflow == Overflow::Block && self.waiting >= self.capacity
    }

    pub(crate) const fn is_lagged(&self) -> bool {
        self.lagged
    }

    /// Tells the handler, sooner or later.
    pub(crate) fn push(&mut self, change: Change<K>) {
        if self.lagged {
            return;
        }
        if self.waiting < self.capacity {
            if self.waiting <= self.capacity / 2 {
                self.last_of = None;
            } else if let Some(last_of) = &mut self.last_of {
                last_of.insert(change.key(), self.first + self.letters.len() as u64);
            }
            return self.append(Letter::Change(change));
        }
        match self.overflow {
            Overflow::Block => self.append(Letter::Change(change)),
            Overflow::Coalesce => self.merge(change),
            Overflow::Disconnect => {
                self.lagged = true;
                self.letters.clear();
                self.waiting = 0;
            }
        }
    }

    /// Part of what is there as the handler comes. Nothing is full then: it was asked for.
    pub(crate) fn push_initial(&mut self, change: Change<K>) {
        self.append(Letter::Change(change));
    }

    pub(crate) fn push_synced(&mut self) {
        if !self.lagged {
            self.append(Letter::Synced);
        }
    }

    pub(crate) fn pop(&mut self) -> Option<Letter<K>> {
        while let Some(letter) = self.letters.pop_front() {
            self.first += 1;
            if let Some(letter) = letter {
                self.waiting -= 1;
                self.forget(&letter);
                self.give_room_back();
                return Some(letter);
            }
        }
        None
    }

    /// The letter before the first was handed out: nothing is merged into it any more.
    fn forget(&mut self, letter: &Letter<K>) {
        if let (Some(last_of), Letter::Change(change)) = (&mut self.last_of, letter)
            && let Entry::Occupied(last) = last_of.entry(change.key())
            && *last.get() < self.first
        {
            last.remove();
        }
    }

    /// A handler is told of everything once, of most of it never again: the room for that is not kept.
    fn give_room_back(&mut self) {
        let enough = self.capacity.max(GAPS).saturating_mul(2);
        if self.letters.is_empty() && self.letters.capacity() > enough {
            self.letters = VecDeque::new();
        }
    }

    fn append(&mut self, letter: Letter<K>) {
        self.letters.push_back(Some(letter));
        self.waiting += 1;
    }

    /// Objects that come and go while the handler sleeps must not make the mailbox grow.
    fn close_gaps(&mut self) {
        if self.letters.len() > 2 * self.waiting + GAPS {
            self.letters.retain(Option::is_some);
            self.last_of = None;
        }
    }

    fn merge(&mut self, change: Change<K>) {
        let key = change.key();
        let next = self.first + self.letters.len() as u64;
        let last_of = self.last_of.get_or_insert_with(|| last_letters(&self.letters, self.first));
        let slot = last_of
            .get(&key)
            .and_then(|number| number.checked_sub(self.first))
            .and_then(|at| self.letters.get_mut(usize::try_from(at).ok()?));
        let Some(slot) = slot else {
            last_of.insert(key, next);
            return self.append(Letter::Change(change));
        };
        match slot.take() {
            Some(Letter::Change(before)) => match join(before, change) {
                Joined::One(change) => *slot = Some(Letter::Change(change)),
                Joined::None => {
                    self.waiting -= 1;
                    last_of.remove(&key);
                    self.close_gaps();
                }
                Joined::Both(before, change) => {
                    *slot = Some(Letter::Change(before));
                    last_of.insert(key, next);
                    self.append(Letter::Change(change));
                }
            },
            other => {
                *slot = other;
                last_of.insert(key, next);
                self.append(Letter::Change(change));
            }
        }
    }
}

/// Gaps that are borne before they are closed, beside as many as there are letters.
const GAPS: usize = 64;

fn last_letters<K: Item>(
    letters: &VecDeque<Option<Letter<K>>>,
    first: u64,
) -> BTreeMap<ObjectKey, u64> {
    let numbered = (first..).zip(letters);
    let of_change = numbered.filter_map(|(number, letter)| match letter {
        Some(Letter::Change(change)) => Some((change.key(), number)),
        Some(Letter::Synced) | None => None,
    });
    of_change.collect()
}

enum Joined<K> {
    One(Change<K>),
    Both(Change<K>, Change<K>),
    None,
}

/// Two changes of one object that follow each other, told as one if that is no lie. A name that lived twice
/// is told as two lives.
fn join<K: Item>(before: Change<K>, after: Change<K>) -> Joined<K> {
    match (before, after) {
        (Change::Added { initial, .. }, Change::Updated { new, .. }) => {
            Joined::One(Change::Added { new, initial })
        }
        (Change::Updated { old, .. }, Change::Updated { new, .. }) => {
            Joined::One(Change::Updated { old, new })
        }
        (Change::Updated { .. }, deleted @ Change::Deleted { .. }) => Joined::One(deleted),
        // It came and went, and the handler never heard of it.
        (Change::Added { .. }, Change::Deleted { .. }) => Joined::None,
        // C-24: of two deletions, the one that saw more.
        (Change::Deleted { final_state_unknown: true, .. }, deleted @ Change::Deleted { .. }) => {
            Joined::One(deleted)
        }
        (deleted @ Change::Deleted { .. }, Change::Deleted { .. }) => Joined::One(deleted),
        (before, after) => Joined::Both(before, after),
    }
}

#[cfg(test)]
mod tests;
