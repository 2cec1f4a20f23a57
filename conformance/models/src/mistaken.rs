//! Shells with mistakes.
//!
//! The one that comes to mind first looks at the state, then waits for a notice: what happens between the look
//! and the wait is lost, or all of it leaves a single permit. Another registers in time, but says too late that
//! it waits. And there is a copy whose readers see half of a change.

use std::pin::pin;
use std::sync::PoisonError;

use crate::sync::{Mutex, MutexGuard, Notify, RwLock};

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

    /// What `look` says of the state now.
    pub fn look<T>(&self, look: impl FnOnce(&S) -> T) -> T {
        look(&self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, S> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Something that is said once, which who hears it keeps to himself.
#[derive(Debug, Default)]
pub struct Unforwarded(Notify);

impl Unforwarded {
    /// Says it.
    pub fn say(&self) {
        self.0.notify_one();
    }

    /// Waits until it is said.
    pub async fn all(&self) {
        self.0.notified().await;
    }
}

/// A state with those who wait for it, who are woken only if they were counted; too late.
#[derive(Debug)]
pub struct LateCount<S> {
    state: Mutex<(S, usize)>,
    changed: Notify,
}

impl<S> LateCount<S> {
    /// Nobody waits yet.
    #[must_use]
    pub fn new(state: S) -> Self {
        Self { state: Mutex::new((state, 0)), changed: Notify::new() }
    }

    /// Waits until `look` finds something.
    pub async fn wait_for<T>(&self, look: impl Fn(&mut S) -> Option<T>) -> T {
        loop {
            let mut changed = pin!(self.changed.notified());
            changed.as_mut().enable();
            let found = look(&mut self.lock().0);
            if let Some(found) = found {
                return found;
            }
            self.lock().1 += 1;
            changed.await;
            self.lock().1 -= 1;
        }
    }

    /// Changes the state, and wakes one who waits if there is any.
    pub fn change(&self, change: impl FnOnce(&mut S)) {
        let mut state = self.lock();
        change(&mut state.0);
        let is_awaited = state.1 > 0;
        drop(state);
        if is_awaited {
            self.changed.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, (S, usize)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A copy in two parts, whose writer lets go of one before it takes the other.
#[derive(Debug)]
pub struct Piecemeal {
    parts: [RwLock<u8>; 2],
}

impl Piecemeal {
    /// Changes both parts, one by one.
    pub fn change(&self, to: u8) {
        for part in &self.parts {
            *part.write().unwrap_or_else(PoisonError::into_inner) = to;
        }
    }

    /// What a part has.
    #[must_use]
    pub fn get(&self, part: usize) -> u8 {
        *self.parts[part].read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Piecemeal {
    fn default() -> Self {
        Self { parts: [1, 1].map(RwLock::new) }
    }
}
