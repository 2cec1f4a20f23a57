//! What a handler has not been told yet: its own buffer, bounded, with an explicit policy when it is full.
//!
//! The bound is of changes that come one by one, with which a handler can keep up or not. What comes at one
//! stroke, such as a list, is let in beside it, once: until all of that is told, more of it counts.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use watchkeeper_api::ObjectKey;

use crate::change::Change;
use crate::item::Item;

/// What happens to a handler that is slower than the changes, once so many of them wait as
/// [its buffer](crate::HandlerOptions::buffer) holds.
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
    /// The numbers of the letters that came at one stroke last.
    stroke: Range<u64>,
    /// How many of those that wait do not count against the capacity.
    beside: usize,
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
            stroke: 0..0,
            beside: 0,
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
        self.overflow == Overflow::Block && self.is_full()
    }

    const fn counted(&self) -> usize {
        self.waiting - self.beside
    }

    const fn is_full(&self) -> bool {
        self.counted() >= self.capacity
    }

    /// Whether something waits of what came at one stroke last.
    pub(crate) fn has_stroke(&self) -> bool {
        self.stroke.start.max(self.first) < self.stroke.end
    }

    pub(crate) const fn is_lagged(&self) -> bool {
        self.lagged
    }

    /// Tells the handler, sooner or later.
    pub(crate) fn push(&mut self, change: Change<K>) {
        if self.lagged {
            return;
        }
        if change.is_initial() {
            // Of a first list that comes object by object.
            return self.append(Letter::Change(change));
        }
        if !self.is_full() {
            if self.counted() <= self.capacity / 2 {
                self.last_of = None;
            }
            return self.append(Letter::Change(change));
        }
        match self.overflow {
            Overflow::Block => self.append(Letter::Change(change)),
            Overflow::Coalesce => self.merge(change),
            Overflow::Disconnect => {
                self.lagged = true;
                self.letters.clear();
                (self.waiting, self.beside) = (0, 0);
            }
        }
    }

    /// Tells the handler of many changes that come before it could be told of any: what there is as it comes, a
    /// list, a resync.
    pub(crate) fn push_at_one_stroke(&mut self, changes: impl Iterator<Item = Change<K>>) {
        if self.lagged {
            return;
        }
        let merges = self.overflow == Overflow::Coalesce;
        if self.has_stroke() || merges && self.is_full() {
            changes.for_each(|change| if merges { self.merge(change) } else { self.push(change) });
        } else {
            self.stroke = self.next()..u64::MAX;
            changes.for_each(|change| self.append(Letter::Change(change)));
            self.stroke.end = self.next();
        }
    }

    pub(crate) fn push_synced(&mut self) {
        if !self.lagged {
            self.append(Letter::Synced);
        }
    }

    pub(crate) fn pop(&mut self) -> Option<Letter<K>> {
        while let Some(letter) = self.letters.pop_front() {
            let number = self.first;
            self.first += 1;
            if let Some(letter) = letter {
                self.waiting -= 1;
                self.beside -= usize::from(self.is_beside(number, &letter));
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

    /// The number of the letter that comes next.
    fn next(&self) -> u64 {
        self.first + self.letters.len() as u64
    }

    /// Whether a letter does not count against the capacity.
    fn is_beside(&self, number: u64, letter: &Letter<K>) -> bool {
        match letter {
            Letter::Synced => true,
            Letter::Change(change) => change.is_initial() || self.stroke.contains(&number),
        }
    }

    fn append(&mut self, letter: Letter<K>) {
        let number = self.next();
        if let (Some(last_of), Letter::Change(change)) = (&mut self.last_of, &letter) {
            last_of.insert(change.key(), number);
        }
        self.waiting += 1;
        self.beside += usize::from(self.is_beside(number, &letter));
        self.letters.push_back(Some(letter));
    }

    /// Objects that come and go while the handler sleeps must not make the mailbox grow.
    fn close_gaps(&mut self) {
        if self.letters.len() > 2 * self.waiting + GAPS {
            let number_then = |number: u64| {
                let before = (self.first..number).zip(&self.letters);
                self.first + before.filter(|(_, letter)| letter.is_some()).count() as u64
            };
            self.stroke = number_then(self.stroke.start)..number_then(self.stroke.end);
            self.letters.retain(Option::is_some);
            self.last_of = None;
        }
    }

    fn merge(&mut self, change: Change<K>) {
        let key = change.key();
        let last_of = self.last_of.get_or_insert_with(|| last_letters(&self.letters, self.first));
        let Some(number) = last_of.get(&key).copied().filter(|number| *number >= self.first) else {
            return self.append(Letter::Change(change));
        };
        let slot = usize::try_from(number - self.first).ok();
        let Some(slot) = slot.and_then(|at| self.letters.get_mut(at)) else {
            return self.append(Letter::Change(change));
        };
        match slot.take() {
            Some(Letter::Change(before)) => {
                let was_beside = before.is_initial() || self.stroke.contains(&number);
                match join(before, change) {
                    Joined::One(change) => *slot = Some(Letter::Change(change)),
                    Joined::None => {
                        self.waiting -= 1;
                        self.beside -= usize::from(was_beside);
                        last_of.remove(&key);
                        self.close_gaps();
                    }
                    Joined::Both(before, change) => {
                        *slot = Some(Letter::Change(before));
                        self.append(Letter::Change(change));
                    }
                }
            }
            other => {
                *slot = other;
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
