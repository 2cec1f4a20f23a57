//! How webhooks are asked, and how they answer.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::hooks::Panicked;
use crate::sync::Mutex;

#[cfg(feature = "prometheus")]
mod prometheus;

#[cfg(feature = "prometheus")]
pub(crate) use prometheus::PrometheusMetrics;

/// The figures of a server of webhooks. They are gone with it.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    by_path: BTreeMap<String, Arc<PathFigures>>,
    pub(super) panics: AtomicU64,
    pub(super) conversion_panics: AtomicU64,
}

impl Figures {
    pub(super) fn new<'a>(paths: impl Iterator<Item = &'a str>) -> Self {
        let by_path = paths.map(|path| (path.to_owned(), Arc::default())).collect();
        Self { by_path, ..Self::default() }
    }

    pub(super) fn of(&self, path: &str) -> Option<&Arc<PathFigures>> {
        self.by_path.get(path)
    }

    pub(super) fn count_panic(&self, panicked: Panicked) {
        let panics = match panicked {
            Panicked::Admission => &self.panics,
            Panicked::Conversion => &self.conversion_panics,
        };
        panics.fetch_add(1, Ordering::Relaxed);
    }
}

/// The figures of one path.
#[derive(Debug)]
pub(crate) struct PathFigures {
    pub(super) in_flight: AtomicI64,
    told: Mutex<Told>,
}

/// What was answered, and how long it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) by_code: BTreeMap<u16, u64>,
    /// How many took longer than the bound before, and no longer than that of the same index; the last took longer
    /// than all.
    pub(super) counts: [u64; BOUNDS.len() + 1],
    pub(super) sum: Duration,
}

/// Controller-runtime's buckets, in seconds: from ten nanoseconds to a thousand seconds.
pub(super) const BOUNDS: [f64; 12] =
    [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0, 1000.0];

impl Default for PathFigures {
    fn default() -> Self {
        Self { in_flight: AtomicI64::new(0), told: Mutex::default() }
    }
}

impl Default for Told {
    /// The codes that are most likely are told before there was one, as upstream does.
    fn default() -> Self {
        let by_code = BTreeMap::from([(200, 0), (500, 0)]);
        Self { by_code, counts: [0; BOUNDS.len() + 1], sum: Duration::ZERO }
    }
}

impl Told {
    fn count(&mut self, code: u16, took: Duration) {
        *self.by_code.entry(code).or_default() += 1;
        let seconds = took.as_secs_f64();
        self.counts[BOUNDS.partition_point(|bound| *bound < seconds)] += 1;
        self.sum = self.sum.saturating_add(took);
    }

    /// Adds what another server at the same path tells.
    #[cfg(feature = "prometheus")]
    fn merge(&mut self, other: &Self) {
        for (code, count) in &other.by_code {
            *self.by_code.entry(*code).or_default() += count;
        }
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.sum = self.sum.saturating_add(other.sum);
    }
}

impl PathFigures {
    /// A request that has come: it is in flight until what this gives is dropped.
    pub(super) fn begin(self: &Arc<Self>) -> InFlight {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        InFlight { figures: Arc::clone(self), since: Instant::now() }
    }

    #[cfg(feature = "prometheus")]
    pub(super) fn told(&self) -> Told {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A request in flight. One whose connection goes is counted no more, and has no answer.
#[derive(Debug)]
pub(super) struct InFlight {
    figures: Arc<PathFigures>,
    since: Instant,
}

impl InFlight {
    pub(super) fn answered(self, code: u16) {
        let took = self.since.elapsed();
        let mut told = self.figures.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.count(code, took);
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.figures.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}
