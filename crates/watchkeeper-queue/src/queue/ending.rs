//! How a queue ends.

use std::hash::Hash;
use std::pin::pin;

use super::RateLimitingQueue;

impl<K: Clone + Eq + Hash> RateLimitingQueue<K> {
    /// Stops accepting keys and forgets the delayed ones. Keys already queued are still handed
    /// out; then every waiter gets `None`. Ends a drain at once.
    pub fn shut_down(&self) {
        self.lock().state.shut_down();
        self.shared.wake.notify_waiters();
        self.shared.drained.notify_waiters();
    }

    /// Stops accepting keys, and waits until every held key was given back.
    ///
    /// Keys that are queued and not held do not hold it up, except those that were added while
    /// they were held. A key taken with [`get`](Self::get) and never given back holds it up for
    /// ever; a [`Job`](crate::Job) cannot.
    ///
    /// # Cancel safety
    ///
    /// Dropping the returned future stops the wait; the queue stays shut.
    pub async fn shut_down_with_drain(&self) {
        self.lock().state.drain();
        self.shared.wake.notify_waiters();
        loop {
            let mut drained = pin!(self.shared.drained.notified());
            drained.as_mut().enable();
            if self.lock().state.is_drained() {
                return;
            }
            drained.await;
        }
    }

    /// Whether a shutdown has begun.
    #[must_use]
    pub fn shutting_down(&self) -> bool {
        self.lock().state.is_shutting_down()
    }
}
