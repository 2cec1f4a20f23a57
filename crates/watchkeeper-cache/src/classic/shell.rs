//! A state behind a lock, and those who wait for it to change: the one wait of the queues in this folder.

use crate::lock::lock;
use crate::sync::{Mutex, Notify};

/// A state that is shared, and waited for.
#[derive(Debug, Default)]
pub(crate) struct Shell<S> {
    state: Mutex<S>,
    changed: Notify,
}

impl<S> Shell<S> {
    pub(crate) fn new(state: S) -> Self {
        Self { state: Mutex::new(state), changed: Notify::new() }
    }

    /// Before anybody else has it.
    pub(crate) fn map(self, change: impl FnOnce(&mut S)) -> Self {
        change(&mut lock(&self.state));
        self
    }

    pub(crate) fn look<T>(&self, look: impl FnOnce(&S) -> T) -> T {
        look(&lock(&self.state))
    }

    /// Changes the state and wakes everybody.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut S) -> T) -> T {
        let result = change(&mut lock(&self.state));
        self.changed.notify_waiters();
        result
    }

    /// Waits until `change` could be made, and wakes everybody.
    pub(crate) async fn when<T>(&self, mut change: impl FnMut(&mut S) -> Option<T>) -> T {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            // Counted as waiting from here on: what changes after the look is not missed.
            changed.as_mut().enable();
            let made = change(&mut lock(&self.state));
            if let Some(made) = made {
                self.changed.notify_waiters();
                return made;
            }
            changed.await;
        }
    }
}
