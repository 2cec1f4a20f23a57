//! Which deltas leave together, and whether the first list has been applied: the queue without its waiting.

use std::collections::{BTreeSet, VecDeque};

use crate::delta::Delta;
use crate::item::Item;

/// Deltas of a batch at most (C-36).
const BATCH: usize = 1000;

pub(super) struct State<K> {
    deltas: VecDeque<Delta<K>>,
    closed: bool,
    first_list: FirstList,
    /// A list has come.
    has_list: bool,
}

/// How far the first list has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FirstList {
    Ahead,
    /// Popped, and not yet known to be applied.
    InHand,
    Applied,
}

impl<K> State<K> {
    pub(super) const fn new() -> Self {
        Self {
            deltas: VecDeque::new(),
            closed: false,
            first_list: FirstList::Ahead,
            has_list: false,
        }
    }

    pub(super) const fn close(&mut self) {
        self.closed = true;
    }

    pub(super) const fn is_closed(&self) -> bool {
        self.closed
    }

    pub(super) fn has_synced(&self) -> bool {
        self.first_list == FirstList::Applied
    }

    pub(super) fn len(&self) -> usize {
        self.deltas.len()
    }

    pub(super) fn push(&mut self, delta: Delta<K>) {
        // Somebody fills the queue without a list: there is none to wait for.
        if delta.is_of_one() && self.first_list == FirstList::Ahead && !self.has_list {
            self.first_list = FirstList::Applied;
        }
        self.has_list |= matches!(delta, Delta::Replaced(_));
        self.deltas.push_back(delta);
    }

    /// What was popped before is applied by now.
    pub(super) fn applied(&mut self) {
        if self.first_list == FirstList::InHand {
            self.first_list = FirstList::Applied;
        }
    }

    pub(super) fn pop(&mut self) -> Option<Delta<K>> {
        self.applied();
        let delta = self.deltas.pop_front()?;
        if self.first_list == FirstList::Ahead && matches!(delta, Delta::Replaced(_)) {
            self.first_list = FirstList::InHand;
        }
        Some(delta)
    }
}

impl<K: Item> State<K> {
    /// As many as can be applied as one step.
    pub(super) fn pop_batch(&mut self) -> Option<Vec<Delta<K>>> {
        let first = self.pop()?;
        let Some(key) = first.key() else { return Some(vec![first]) };
        let (mut keys, mut batch) = (BTreeSet::from([key]), vec![first]);
        while batch.len() < BATCH
            && let Some(key) = self.deltas.front().and_then(Delta::key)
            && keys.insert(key)
        {
            batch.extend(self.deltas.pop_front());
        }
        Some(batch)
    }
}

#[cfg(test)]
mod tests;
