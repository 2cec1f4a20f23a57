//! How a queue ends.

use std::hash::Hash;

use super::{Stage, State};

impl<K: Clone + Eq + Hash> State<K> {
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
            Stage::Draining => self.held == 0 && self.owed == 0,
            Stage::Closed => true,
        }
    }

    fn forget_delayed(&mut self) {
        for index in self.later.take_all() {
            self.slots[index].delayed = false;
            self.slots.clear(index);
        }
        self.shrink();
    }
}
