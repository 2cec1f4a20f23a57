//! How a controller's reconciles went, in numbers.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// How the reconciles of a controller went so far, over all its runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Went well: there was nothing more to do until something changes.
    pub succeeded: u64,
    /// Went well, and asked to be done again later.
    pub asked_again: u64,
    /// Failed, in whatever way.
    pub failed: u64,
    /// Failed with [`Failure::terminal`](crate::Failure::terminal).
    pub terminal: u64,
    /// Failed because the object had changed meanwhile.
    pub conflicts: u64,
    /// Failed because a copy had not caught up with the controller's own writes.
    pub behind: u64,
    /// Panicked.
    pub panics: u64,
    /// Took longer than the controller's [timeout](crate::ControllerBuilder::timeout).
    pub timeouts: u64,
    /// Were not done, as the object is [paused](crate::ControllerBuilder::paused_by).
    pub paused: u64,
    /// Run now.
    pub active: usize,
}

impl Figures {
    /// Adds those of another controller.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.succeeded += other.succeeded;
        self.asked_again += other.asked_again;
        self.failed += other.failed;
        self.terminal += other.terminal;
        self.conflicts += other.conflicts;
        self.behind += other.behind;
        self.panics += other.panics;
        self.timeouts += other.timeouts;
        self.paused += other.paused;
        self.active += other.active;
    }
}

/// The same, while it happens.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) succeeded: Count,
    pub(crate) asked_again: Count,
    pub(crate) failed: Count,
    pub(crate) terminal: Count,
    pub(crate) conflicts: Count,
    pub(crate) behind: Count,
    pub(crate) panics: Count,
    pub(crate) timeouts: Count,
    pub(crate) paused: Count,
    active: AtomicUsize,
}

#[derive(Debug, Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Counters {
    /// Counts as running until it is dropped, also when that is in the middle.
    pub(crate) fn begin(&self) -> Active<'_> {
        self.active.fetch_add(1, Ordering::Relaxed);
        Active(&self.active)
    }

    pub(crate) fn figures(&self) -> Figures {
        Figures {
            succeeded: self.succeeded.get(),
            asked_again: self.asked_again.get(),
            failed: self.failed.get(),
            terminal: self.terminal.get(),
            conflicts: self.conflicts.get(),
            behind: self.behind.get(),
            panics: self.panics.get(),
            timeouts: self.timeouts.get(),
            paused: self.paused.get(),
            active: self.active.load(Ordering::Relaxed),
        }
    }
}

pub(crate) struct Active<'a>(&'a AtomicUsize);

impl Drop for Active<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
