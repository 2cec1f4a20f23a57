//! Whether a controller shall run, and what it does.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

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
}

impl Default for Switch {
    fn default() -> Self {
        let state = State { wanted: true, phase: ControllerPhase::default() };
        Self { state: Mutex::new(state), changed: Notify::new() }
    }
}

impl Switch {
    pub(crate) fn turn(&self, on: bool) {
        self.lock().wanted = on;
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

    /// Waits until nothing runs.
    pub(crate) async fn is_still(&self) {
        self.is(|state| matches!(state.phase, ControllerPhase::Idle | ControllerPhase::Stopped))
            .await;
    }

    /// Waits for a phase.
    pub(crate) async fn reaches(&self, wanted: ControllerPhase) {
        self.is(|state| state.phase == wanted).await;
    }

    async fn is(&self, wanted: impl Fn(State) -> bool) {
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
        self.0.lock().phase = phase;
        self.0.changed.notify_waiters();
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.is(ControllerPhase::Idle);
    }
}
