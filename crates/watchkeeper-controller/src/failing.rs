//! Which objects are not as they should be, as far as a controller knows: their last reconcile failed.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::lru::Lru;
use crate::request::Request;

#[cfg(test)]
mod tests;

/// So many are known; the one that failed longest ago is forgotten first.
const OBJECTS: usize = 1024;

/// An object whose last reconcile failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failing {
    /// The object.
    pub request: Request,
    /// How many reconciles of it have failed since the last that did not.
    pub failures: u64,
    /// What the last one failed with.
    pub error: String,
    /// How long ago that was.
    pub age: Duration,
}

struct Failed {
    failures: u64,
    error: String,
    at: Instant,
}

/// Bounded, and nothing depends on it.
pub(crate) struct Failures {
    failed: Mutex<Lru<Request, Failed>>,
    /// How many there are, so that a reconcile that goes well has no lock to take where none fails.
    count: AtomicUsize,
}

impl Default for Failures {
    fn default() -> Self {
        Self { failed: Mutex::new(Lru::new(OBJECTS)), count: AtomicUsize::new(0) }
    }
}

impl Failures {
    /// A reconcile of `request` has failed.
    pub(crate) fn note(&self, request: &Request, error: String) {
        let at = Instant::now();
        let mut lru = self.lock();
        let failed = lru.entry(request, || Failed { failures: 0, error: String::new(), at });
        *failed = Failed { failures: failed.failures + 1, error, at };
        self.count.store(lru.len(), Ordering::Relaxed);
    }

    /// A reconcile of `request` has gone well.
    pub(crate) fn forget(&self, request: &Request) {
        // No object is reconciled twice at once, so who asks sees what was noted of it before.
        if self.count.load(Ordering::Relaxed) > 0 {
            let mut lru = self.lock();
            lru.remove(request);
            self.count.store(lru.len(), Ordering::Relaxed);
        }
    }

    /// Everything is looked at anew.
    pub(crate) fn clear(&self) {
        let mut lru = self.lock();
        *lru = Lru::new(OBJECTS);
        self.count.store(0, Ordering::Relaxed);
    }

    /// Those that fail now, in the order of their names.
    pub(crate) fn list(&self) -> Vec<Failing> {
        let now = Instant::now();
        let lru = self.lock();
        let mut failing: Vec<Failing> = lru
            .iter()
            .map(|(request, failed)| Failing {
                request: request.clone(),
                failures: failed.failures,
                error: failed.error.clone(),
                age: now.saturating_duration_since(failed.at),
            })
            .collect();
        failing.sort_by(|a, b| a.request.cmp(&b.request));
        failing
    }

    fn lock(&self) -> MutexGuard<'_, Lru<Request, Failed>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `shop/a failed 3 times: the price list is empty`.
impl fmt::Display for Failing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { request, failures, error, .. } = self;
        let times = if *failures == 1 { "once".to_owned() } else { format!("{failures} times") };
        write!(f, "{} failed {times}: {error}", request.key)
    }
}

impl fmt::Debug for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Failures")
    }
}
