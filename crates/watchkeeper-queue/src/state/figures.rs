//! What a queue tells of its work.

use std::hash::Hash;
use std::time::Duration;

use super::State;
use crate::metrics::Figures;

impl<K: Clone + Eq + Hash> State<K> {
    /// Counts from now on what [`figures`](Self::figures) tells; that costs some of the speed, and
    /// somebody has to [tell the time](Self::tell_time).
    pub fn measure(&mut self) {
        self.meter.get_or_insert_default();
    }

    /// Whether anything is counted.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        self.meter.is_some()
    }

    /// When that happens which is counted next.
    pub fn tell_time(&mut self, now: Duration) {
        if let Some(meter) = &mut self.meter {
            meter.now = now;
        }
    }

    /// Counts an add for later or by the rate limiter, unless nothing is accepted any more.
    pub fn count_retry(&mut self) {
        if self.is_shutting_down() {
            return;
        }
        if let Some(meter) = &mut self.meter {
            meter.retried();
        }
    }

    /// The figures at the time told, if they are counted.
    #[must_use]
    pub fn figures(&self) -> Option<Figures> {
        self.meter.as_ref().map(|meter| meter.figures())
    }
}
