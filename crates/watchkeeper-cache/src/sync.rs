//! What this crate waits with, in one place: the models (`conformance/models`) put their own here.

use std::sync::atomic::{AtomicBool, Ordering};
pub(crate) use std::sync::{Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard};

pub(crate) use tokio::sync::Notify;
pub(crate) use tokio::sync::futures::Notified;
pub(crate) use tokio::task::{JoinError, JoinSet};
pub(crate) use tokio::time::{sleep_until, timeout};
/// Decides which lock an object is behind: a model must find it behind the same one in every run.
pub(crate) use watchkeeper_api::hash::HashKey;

/// A flag whose uses, and those of all others, have one order that every thread sees: of two threads that each
/// set one and then look at the other's, one sees it set.
#[derive(Debug)]
pub(crate) struct Flag(AtomicBool);

impl Flag {
    pub(crate) const fn new(value: bool) -> Self {
        Self(AtomicBool::new(value))
    }

    pub(crate) fn set(&self, value: bool) {
        self.0.store(value, Ordering::SeqCst);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
