//! The recent past: the last events of all tables, oldest first.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{Stored, TableName};

/// What a write did to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// It is new.
    Added,
    /// It replaced an older state.
    Modified,
    /// It is gone.
    Deleted,
}

/// One write.
#[derive(Debug)]
pub struct Event {
    /// The revision the write took.
    pub revision: u64,
    /// The table it wrote to.
    pub table: TableName,
    /// What it did.
    pub change: Change,
    /// The state after the write; for a delete the last state under the delete's revision.
    pub object: Arc<Stored>,
    /// The state before the write.
    pub previous: Option<Arc<Stored>>,
}

/// A bounded list of events.
#[derive(Debug)]
pub struct Ring {
    events: VecDeque<Arc<Event>>,
    /// How many events there may be.
    capacity: usize,
    /// How long the JSON of their objects is in all.
    bytes: usize,
    /// How long it may be, but for the newest event, which is kept whatever its size.
    most_bytes: usize,
    /// The lowest revision that can be rebuilt: the one before the oldest event.
    floor: u64,
}

impl Ring {
    pub(super) const fn new(capacity: usize) -> Self {
        Self::beginning_at(capacity, 1)
    }

    /// A list that knows what happens after a revision.
    pub(super) const fn beginning_at(capacity: usize, floor: u64) -> Self {
        Self { events: VecDeque::new(), capacity, bytes: 0, most_bytes: usize::MAX, floor }
    }

    /// Keeps no more than so many bytes from now on.
    pub(super) fn bound(&mut self, most_bytes: usize) {
        self.most_bytes = most_bytes;
        self.trim();
    }

    pub(super) fn push(&mut self, event: Arc<Event>) {
        self.bytes += event.object.tail.len();
        self.events.push_back(event);
        self.trim();
    }

    fn trim(&mut self) {
        while self.events.len() > self.capacity
            || (self.bytes > self.most_bytes && self.events.len() > 1)
        {
            self.drop_oldest();
        }
    }

    pub(super) fn clear(&mut self) {
        self.events.clear();
        self.bytes = 0;
    }

    pub(super) fn compact(&mut self, revision: u64) {
        while self.events.front().is_some_and(|event| event.revision <= revision) {
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        if let Some(event) = self.events.pop_front() {
            self.bytes -= event.object.tail.len();
            self.floor = event.revision;
        }
    }

    /// The lowest revision from which everything later is known.
    #[must_use]
    pub const fn floor(&self) -> u64 {
        self.floor
    }

    /// Events from the newest to the oldest.
    pub fn newest_first(&self) -> impl Iterator<Item = &Arc<Event>> {
        self.events.iter().rev()
    }

    /// Events after `revision`, oldest first.
    pub fn after(&self, revision: u64) -> impl Iterator<Item = &Arc<Event>> {
        let from = self.events.partition_point(|event| event.revision <= revision);
        self.events.range(from..)
    }
}
