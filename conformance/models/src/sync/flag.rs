//! The flags of listeners: loom's where the model is about them, and else ones that loom does not see.
//!
//! loom takes `SeqCst` for acquire and release, with which of two threads that each set a flag and then look at
//! the other's neither may see it set. So what is looked at is written back: what that finds is the newest value,
//! in one order for all. Written without a release it hands nothing on to who looks later.

use std::sync::atomic::{self, Ordering};

use loom::sync::atomic::AtomicBool;

use super::sight::is_in_sight;

/// The cache's `Flag`.
#[derive(Debug)]
pub enum Flag {
    /// Each use is a point where another thread may go on.
    Seen(AtomicBool),
    /// No use is.
    Unseen(atomic::AtomicBool),
}

impl Flag {
    /// A flag of this value.
    #[must_use]
    pub fn new(value: bool) -> Self {
        if is_in_sight() {
            Self::Seen(AtomicBool::new(value))
        } else {
            Self::Unseen(atomic::AtomicBool::new(value))
        }
    }

    /// Gives it this value.
    pub fn set(&self, value: bool) {
        match self {
            Self::Seen(flag) => drop(flag.swap(value, Ordering::Release)),
            Self::Unseen(flag) => flag.store(value, Ordering::SeqCst),
        }
    }

    /// Its value.
    pub fn is_set(&self) -> bool {
        match self {
            Self::Seen(flag) => flag.fetch_or(false, Ordering::Acquire),
            Self::Unseen(flag) => flag.load(Ordering::SeqCst),
        }
    }
}
