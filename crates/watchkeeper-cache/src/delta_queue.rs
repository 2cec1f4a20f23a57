//! Between reflector and store: deltas leave in the order in which they came (upstream: `RealFIFO`, atomic).
//!
//! A list is one delta, so it replaces the copy as one step (C-33). The queue is bounded: a reflector that
//! is faster than the store waits, and with it the connection.

use std::collections::VecDeque;
use std::fmt;

use crate::delta::Delta;
use crate::lock::lock;
use crate::sync::{Mutex, Notify};

/// Deltas on their way, in order.
pub struct DeltaQueue<K> {
    state: Mutex<State<K>>,
    changed: Notify,
    capacity: usize,
}

struct State<K> {
    deltas: VecDeque<Delta<K>>,
    closed: bool,
    first_list: FirstList,
}

/// How far the first list has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FirstList {
    Ahead,
    /// Popped, and not yet known to be applied.
    InHand,
    Applied,
}

impl<K> DeltaQueue<K> {
    /// A queue that holds at most `capacity` deltas; at least one.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        let state = State { deltas: VecDeque::new(), closed: false, first_list: FirstList::Ahead };
        Self { state: Mutex::new(state), changed: Notify::new(), capacity: capacity.max(1) }
    }

    /// Adds a delta, when there is room. Gives it back if the queue is closed.
    ///
    /// # Errors
    /// The delta, if the queue is closed.
    ///
    /// # Cancel safety
    /// Dropping the future before it completes adds nothing; the delta is dropped with it.
    pub async fn push(&self, delta: Delta<K>) -> Result<(), Delta<K>> {
        let mut delta = Some(delta);
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            // Counted as waiting from here on: what changes after the look is not missed.
            changed.as_mut().enable();
            let done = self.try_push(&mut delta);
            match (done, delta.take()) {
                (_, None) => return Ok(()),
                (true, Some(refused)) => return Err(refused),
                (false, waiting) => delta = waiting,
            }
            changed.await;
        }
    }

    /// Whether there is nothing to wait for. Takes the delta if there is room.
    fn try_push(&self, delta: &mut Option<Delta<K>>) -> bool {
        let mut state = lock(&self.state);
        if state.closed {
            return true;
        }
        if state.deltas.len() >= self.capacity {
            return false;
        }
        state.deltas.extend(delta.take());
        drop(state);
        self.changed.notify_waiters();
        true
    }

    /// The oldest delta, when there is one; `None` once the queue is closed and empty. Asking for the next
    /// says that the one before was applied.
    ///
    /// # Cancel safety
    /// Dropping the future before it completes takes nothing.
    pub async fn pop(&self) -> Option<Delta<K>> {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            {
                let mut state = lock(&self.state);
                if let Some(delta) = state.pop() {
                    drop(state);
                    self.changed.notify_waiters();
                    return Some(delta);
                }
                if state.closed {
                    return None;
                }
            }
            changed.await;
        }
    }

    /// Takes no more deltas. What is in the queue can still be popped (C-38).
    pub fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_waiters();
    }

    /// Whether the first list has been popped and applied (C-31).
    #[must_use]
    pub fn has_synced(&self) -> bool {
        lock(&self.state).first_list == FirstList::Applied
    }

    /// How many deltas wait.
    #[must_use]
    pub fn len(&self) -> usize {
        lock(&self.state).deltas.len()
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<K> State<K> {
    fn pop(&mut self) -> Option<Delta<K>> {
        if self.first_list == FirstList::InHand {
            self.first_list = FirstList::Applied;
        }
        let delta = self.deltas.pop_front()?;
        if self.first_list == FirstList::Ahead && matches!(delta, Delta::Replaced(_)) {
            self.first_list = FirstList::InHand;
        }
        Some(delta)
    }
}

impl<K> fmt::Debug for DeltaQueue<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeltaQueue({} of {})", self.len(), self.capacity)
    }
}

#[cfg(test)]
mod tests;
