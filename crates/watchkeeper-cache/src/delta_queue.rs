//! Between reflector and store: deltas leave in the order in which they came (upstream: `RealFIFO`, atomic).
//!
//! A list is one delta, so it replaces the copy as one step (C-33). The queue is bounded: a reflector that
//! is faster than the store waits, and with it the connection.

use std::fmt;
use std::sync::Arc;

use crate::classic::{
    BoxError, Popped, Queue, ReflectorStore, Refused, Transform,
    queue::{transformed, transformed_list},
};
use crate::delta::{Delta, Replacement};
use crate::item::Item;
use crate::lock::lock;
use crate::store::Store;
use crate::sync::{Mutex, Notify};

mod state;

use state::State;

/// Deltas on their way, in order.
///
/// One consumer takes deltas out: asking for the next says that the ones before were applied.
pub struct DeltaQueue<K> {
    state: Mutex<State<K>>,
    changed: Notify,
    capacity: usize,
    transform: Option<Transform<K>>,
}

impl<K> DeltaQueue<K> {
    /// A queue that holds at most `capacity` deltas; at least one.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        let (state, changed) = (Mutex::new(State::new()), Notify::new());
        Self { state, changed, capacity: capacity.max(1), transform: None }
    }

    /// Changes every object as it enters (C-34). What fails of a list is set aside, as what cannot be read
    /// is.
    ///
    /// What comes out is a `K` like any other, of which the type does not say that something is missing: written
    /// back with a PUT, it takes from the server what the transform dropped. `Cache::transformed` hands
    /// out what cannot be written.
    #[must_use]
    pub fn transform(
        mut self,
        transform: impl Fn(Arc<K>) -> Result<Arc<K>, BoxError> + Send + Sync + 'static,
    ) -> Self {
        self.transform = Some(Arc::new(transform));
        self
    }

    /// The oldest delta, when there is one; `None` once the queue is closed and empty. Asking for the next
    /// says that the one before was applied.
    ///
    /// # Cancel safety
    /// Dropping the future before it completes takes nothing.
    pub async fn pop(&self) -> Option<Delta<K>> {
        self.take(State::pop).await
    }

    /// Waits until `take` finds something, or the queue is closed.
    async fn take<T>(&self, mut take: impl FnMut(&mut State<K>) -> Option<T>) -> Option<T> {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            {
                let mut state = lock(&self.state);
                if let Some(taken) = take(&mut state) {
                    drop(state);
                    self.changed.notify_waiters();
                    return Some(taken);
                }
                if state.is_closed() {
                    return None;
                }
            }
            changed.await;
        }
    }

    /// Takes no more deltas. What is in the queue can still be popped (C-38).
    pub fn close(&self) {
        lock(&self.state).close();
        self.changed.notify_waiters();
    }

    /// Whether it takes no more (upstream: `IsClosed`).
    #[must_use]
    pub fn is_closed(&self) -> bool {
        lock(&self.state).is_closed()
    }

    /// Whether the first list has been popped and applied, or an object came before any list (C-31).
    #[must_use]
    pub fn has_synced(&self) -> bool {
        lock(&self.state).has_synced()
    }

    /// How many deltas wait.
    #[must_use]
    pub fn len(&self) -> usize {
        lock(&self.state).len()
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<K: Item> DeltaQueue<K> {
    /// Adds a delta, when there is room.
    ///
    /// # Errors
    /// [`Refused`], when the queue is closed or the transform failed.
    ///
    /// # Cancel safety
    /// Dropping the future before it completes adds nothing; the delta is dropped with it.
    pub async fn push(&self, delta: Delta<K>) -> Result<(), Refused> {
        self.add(transformed(self.transform.as_ref(), delta)?).await
    }

    /// Adds what was transformed.
    async fn add(&self, delta: Delta<K>) -> Result<(), Refused> {
        let mut delta = Some(delta);
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            // Counted as waiting from here on: what changes after the look is not missed.
            changed.as_mut().enable();
            if let Some(ended) = self.try_push(&mut delta) {
                return ended;
            }
            changed.await;
        }
    }

    /// Takes the delta if there is room. `None`: there is none yet.
    fn try_push(&self, delta: &mut Option<Delta<K>>) -> Option<Result<(), Refused>> {
        let mut state = lock(&self.state);
        if state.is_closed() {
            return Some(Err(Refused::CLOSED));
        }
        if state.len() >= self.capacity {
            return None;
        }
        if let Some(delta) = delta.take() {
            state.push(delta);
        }
        drop(state);
        self.changed.notify_waiters();
        Some(Ok(()))
    }

    /// As many deltas as can be applied as one step, when there are any: at most a thousand, each of another
    /// object; a list, a bookmark and a resync come alone (C-36). `None` once the queue is closed and empty.
    ///
    /// # Cancel safety
    /// Dropping the future before it completes takes nothing.
    pub async fn pop_batch(&self) -> Option<Vec<Delta<K>>> {
        self.take(State::pop_batch).await
    }
}

impl<K: Item> ReflectorStore<K> for DeltaQueue<K> {
    async fn push(&self, delta: Delta<K>) -> Result<(), Refused> {
        self.push(delta).await
    }

    async fn closed(&self) {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            if lock(&self.state).is_closed() {
                return;
            }
            changed.await;
        }
    }

    fn transforms(&self) -> bool {
        self.transform.is_some()
    }

    async fn push_list(&self, list: Replacement<K>, kept: &Store<K>) -> Result<(), Refused> {
        let list = transformed_list(self.transform.as_ref(), list, Some(kept));
        self.add(Delta::Replaced(list)).await
    }
}

impl<K: Item> Queue<K> for DeltaQueue<K> {
    const IN_ORDER: bool = true;

    async fn next(&self) -> Option<Popped<K>> {
        let next = self.take(|state| {
            state.applied();
            let is_in_initial_list = !state.has_synced();
            state.pop().map(|delta| Popped::Delta { delta, is_in_initial_list })
        });
        next.await
    }

    fn close(&self) {
        self.close();
    }

    fn has_synced(&self) -> bool {
        self.has_synced()
    }

    fn len(&self) -> usize {
        self.len()
    }
}

impl<K> fmt::Debug for DeltaQueue<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeltaQueue({} of {})", self.len(), self.capacity)
    }
}

#[cfg(test)]
mod tests;
