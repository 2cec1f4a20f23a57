//! How those who run are told to stop.
//!
//! All are woken in the order in which they asked, so that two runs of one seed end alike; the
//! channel of `tokio::sync::watch` wakes its receivers in a random order.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::sync::{AtomicBool, Notify};

/// Tells a runnable to stop. Clones hear of the same stop.
#[derive(Clone)]
pub struct Stop(Arc<Shared>);

/// The other end of a [`Stop`]; dropping it requests the stop, too.
#[derive(Debug)]
pub struct Stopper(Stop);

#[derive(Default)]
struct Shared {
    requested: AtomicBool,
    said: Notify,
}

impl Stop {
    /// A stop that was not requested, and who can request it.
    #[must_use]
    pub fn channel() -> (Stopper, Self) {
        let stop = Self(Arc::default());
        (Stopper(stop.clone()), stop)
    }

    /// Completes when the runnable shall finish what it is doing and return.
    ///
    /// # Cancel safety
    ///
    /// May be dropped and asked again at any time.
    pub async fn requested(&self) {
        // Made before the look, it hears of a request that comes after it.
        let said = self.0.said.notified();
        if !self.is_requested() {
            said.await;
        }
    }

    /// Whether the runnable shall stop.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.0.requested.load(Ordering::Acquire)
    }
}

impl Stopper {
    /// Requests the stop; once is enough.
    pub fn stop(&self) {
        let Stop(shared) = &self.0;
        shared.requested.store(true, Ordering::Release);
        shared.said.notify_waiters();
    }
}

impl Drop for Stopper {
    fn drop(&mut self) {
        self.stop();
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stop").field(&self.is_requested()).finish()
    }
}

#[cfg(test)]
mod tests;
