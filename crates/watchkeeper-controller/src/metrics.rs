//! What controllers tell of their reconciles, and to whom.
//!
//! Nothing is pushed: who collects asks, so no task is needed, and what a controller told is gone with it.

use std::fmt;
use std::sync::Weak;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::figures::Figures;
use crate::handle::Shared;

/// Who collects the figures of controllers: a registry's collector, say. The feature `prometheus` has one for
/// `prometheus-client`.
pub trait ReconcileMetrics: fmt::Debug + Send + Sync {
    /// A controller was made. It can be asked as long as it, or a [handle](crate::ControllerHandle) of it, is
    /// there.
    fn controller_made(&self, name: &str, controller: Weak<dyn Measured>);
}

/// What can be asked how its reconciles went.
pub trait Measured: Send + Sync {
    /// The figures of now.
    fn measures(&self) -> Measures;
}

/// How the reconciles of a controller went so far, and how long they took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// How they went.
    pub figures: Figures,
    /// How many objects are reconciled at once at most.
    pub workers: usize,
    /// How long they took.
    pub times: ReconcileTimes,
}

/// How long reconciles took: how many of them so long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReconcileTimes {
    /// How many are above the bound before and not above that of the same index; the last are above all.
    pub counts: [u64; Self::BOUNDS.len() + 1],
    /// All of them together.
    pub sum: Duration,
}

impl ReconcileTimes {
    /// The bounds, as controller-runtime's: from five milliseconds to a minute.
    pub const BOUNDS: [Duration; 40] = {
        const MILLIS: [u64; 40] = [
            5, 10, 25, 50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 600, 700, 800, 900, 1000,
            1250, 1500, 1750, 2000, 2500, 3000, 3500, 4000, 4500, 5000, 6000, 7000, 8000, 9000,
            10_000, 15_000, 20_000, 25_000, 30_000, 40_000, 50_000, 60_000,
        ];
        let mut bounds = [Duration::ZERO; 40];
        let mut at = 0;
        while at < bounds.len() {
            bounds[at] = Duration::from_millis(MILLIS[at]);
            at += 1;
        }
        bounds
    };

    /// How many there were.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }
}

impl Default for ReconcileTimes {
    fn default() -> Self {
        Self { counts: [0; Self::BOUNDS.len() + 1], sum: Duration::ZERO }
    }
}

impl Measures {
    /// Adds those of another controller, as where two managers of a process have one of the same name.
    pub fn merge(&mut self, other: &Self) {
        self.figures.merge(&other.figures);
        self.workers += other.workers;
        for (count, others) in self.times.counts.iter_mut().zip(&other.times.counts) {
            *count += others;
        }
        self.times.sum = self.times.sum.saturating_add(other.times.sum);
    }
}

/// The same, while it happens.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    counts: [AtomicU64; ReconcileTimes::BOUNDS.len() + 1],
    nanos: AtomicU64,
}

impl Default for Stopwatch {
    fn default() -> Self {
        Self {
            counts: [const { AtomicU64::new(0) }; ReconcileTimes::BOUNDS.len() + 1],
            nanos: AtomicU64::new(0),
        }
    }
}

impl Stopwatch {
    pub(crate) fn observe(&self, took: Duration) {
        let at = ReconcileTimes::BOUNDS.partition_point(|bound| *bound < took);
        self.counts[at].fetch_add(1, Ordering::Relaxed);
        let nanos = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.nanos.fetch_add(nanos, Ordering::Relaxed);
    }

    fn times(&self) -> ReconcileTimes {
        let mut times = ReconcileTimes::default();
        for (told, count) in times.counts.iter_mut().zip(&self.counts) {
            *told = count.load(Ordering::Relaxed);
        }
        times.sum = Duration::from_nanos(self.nanos.load(Ordering::Relaxed));
        times
    }
}

impl Measured for Shared {
    fn measures(&self) -> Measures {
        Measures {
            figures: self.counters.figures(),
            workers: self.workers,
            times: self.stopwatch.as_ref().map(Stopwatch::times).unwrap_or_default(),
        }
    }
}
