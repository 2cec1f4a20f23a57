//! Which of all reconciles this one is.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::rng::Rng;

/// Tells one reconcile from all others, in logs, traces and whatever the reconcile function writes
/// ([`Context::id`](crate::Context::id)). Controller-runtime's `reconcileID`.
///
/// It has the form of a random UUID; with a [seed](crate::ControllerBuilder::seed) it is the same in every run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReconcileId(u128);

impl ReconcileId {
    /// Outside of a controller.
    pub(crate) const NONE: Self = Self(0);

    fn of(random: u128) -> Self {
        // Version 4, variant 1: as a random UUID is marked.
        let version = (random & !(0xf << 76)) | (0x4 << 76);
        Self((version & !(0x3 << 62)) | (0x2 << 62))
    }
}

impl fmt::Display for ReconcileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(id) = self;
        write!(
            f,
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            id >> 96,
            (id >> 80) & 0xffff,
            (id >> 64) & 0xffff,
            (id >> 48) & 0xffff,
            id & 0xffff_ffff_ffff
        )
    }
}

impl fmt::Debug for ReconcileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Draws ids that differ, without a lock.
#[derive(Debug)]
pub(crate) struct Ids {
    seed: u64,
    drawn: AtomicU64,
}

impl Ids {
    pub(crate) const fn new(seed: u64) -> Self {
        Self { seed, drawn: AtomicU64::new(0) }
    }

    pub(crate) fn next(&self) -> ReconcileId {
        let number = self.drawn.fetch_add(1, Ordering::Relaxed);
        let mut rng = Rng::nth(self.seed, number);
        ReconcileId::of((u128::from(rng.next()) << 64) | u128::from(rng.next()))
    }
}

#[cfg(test)]
mod tests;
