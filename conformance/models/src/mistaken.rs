//! The shell that comes to mind first: look at the state, then wait for a notice.
//!
//! What happens between the look and the wait is lost, or all of it leaves a single permit.

use crate::sync::{Mutex, MutexGuard, Notify};

/// A state with those who wait for it, the careless way.
#[derive(Debug)]
pub struct Careless<S> {
    state: Mutex<S>,
    changed: Notify,
}

/// Who is woken by a change.
#[derive(Clone, Copy, Debug)]
pub enum Wake {
    /// One waiter, or the next to come.
    One,
    /// Those who wait now.
    All,
}

impl<S> Careless<S> {
    /// Nobody waits yet.
    #[must_use]
    pub fn new(state: S) -> Self {
        Self { state: Mutex::new(state), changed: Notify::new() }
    }

    /// Waits until `look` finds something.
    pub async fn wait_for<T>(&self, look: impl Fn(&mut S) -> Option<T>) -> T {
        loop {
            let found = look(&mut self.lock());
            if let Some(found) = found {
                return found;
            }
            self.changed.notified().await;
        }
    }

    /// Changes the state and says so.
    pub fn change(&self, wake: Wake, change: impl FnOnce(&mut S)) {
        change(&mut self.lock());
        match wake {
            Wake::One => self.changed.notify_one(),
            Wake::All => self.changed.notify_waiters(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, S> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
