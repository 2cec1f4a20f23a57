//! Whether a controller shall run, and what it does.

use std::future::Future;
use std::sync::PoisonError;

use crate::sync::{Mutex, MutexGuard, Notify};

/// What a controller is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ControllerPhase {
    /// Nobody runs it.
    #[default]
    Idle,
    /// It was [stopped](crate::ControllerHandle::stop).
    Stopped,
    /// Not every source has told what there is.
    Waiting,
    /// It reconciles.
    Working,
    /// It finishes what is under way.
    Stopping,
}

/// Between the handles of a controller and who runs it.
#[derive(Debug)]
pub(crate) struct Switch {
    state: Mutex<State>,
    /// All who wait are woken in the order in which they came.
    changed: Notify,
}

#[derive(Clone, Copy, Debug)]
struct State {
    wanted: bool,
    phase: ControllerPhase,
    /// How often nothing ran any more: who waits for a stop may look only when the next run has begun.
    ended: u64,
}

impl State {
    const fn is_still(self) -> bool {
        matches!(self.phase, ControllerPhase::Idle | ControllerPhase::Stopped)
    }
}

impl Default for Switch {
    fn default() -> Self {
        let state = State { wanted: true, phase: ControllerPhase::default(), ended: 0 };
        Self { state: Mutex::new(state), changed: Notify::new() }
    }
}

impl Switch {
    pub(crate) fn on(&self) {
        self.lock().wanted = true;
        self.changed.notify_waiters();
    }

    /// Waits until it is wanted to run, or not to.
    pub(crate) async fn is_turned(&self, on: bool) {
        self.is(|state| state.wanted == on).await;
    }

    pub(crate) fn phase(&self) -> ControllerPhase {
        self.lock().phase
    }

    /// Tells the phase until what is returned is dropped with the run.
    pub(crate) const fn enter(&self) -> Running<'_> {
        Running(self)
    }

    /// Turns it off and waits until nothing ran since, or somebody has turned it on again: the run may never
    /// have seen it off then. Off when this returns, not when it is polled.
    pub(crate) fn off(&self) -> impl Future<Output = ()> + Send {
        let mut state = self.lock();
        state.wanted = false;
        let since = state.ended;
        drop(state);
        self.changed.notify_waiters();
        self.is(move |state| state.is_still() || state.ended != since || state.wanted)
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.lock().wanted
    }

    /// Waits for a phase.
    pub(crate) async fn reaches(&self, wanted: ControllerPhase) {
        self.is(|state| state.phase == wanted).await;
    }

    async fn is(&self, wanted: impl Fn(State) -> bool + Send) {
        loop {
            // Made before the look, it hears of a change that comes after it.
            let changed = self.changed.notified();
            let state = *self.lock();
            if wanted(state) {
                return;
            }
            changed.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A run under way: the controller is idle when it is dropped.
pub(crate) struct Running<'a>(&'a Switch);

impl Running<'_> {
    pub(crate) fn is(&self, phase: ControllerPhase) {
        let mut state = self.0.lock();
        state.phase = phase;
        if state.is_still() {
            state.ended += 1;
        }
        drop(state);
        self.0.changed.notify_waiters();
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.is(ControllerPhase::Idle);
    }
}

#[cfg(test)]
mod tests;
