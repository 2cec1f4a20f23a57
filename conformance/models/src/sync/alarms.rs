//! Alarms of a model in which no time passes: that one is set can be waited for, and it rings when it is told to.

use std::cell::RefCell;
use std::sync::{Arc, Weak};

use tokio::time::Instant;

use super::Notify;
use crate::latest::Latest;

std::thread_local! {
    static ALARMS: RefCell<Weak<Alarms>> = const { RefCell::new(Weak::new()) };
}

/// What was slept until, one after the other.
#[derive(Debug)]
pub struct Alarms {
    last: Latest<Option<Instant>>,
    rung: Notify,
}

impl Alarms {
    /// Every sleep of this run from now on.
    #[must_use]
    pub fn of_this_run() -> Arc<Self> {
        let alarms = Arc::new(Self { last: Latest::new(None), rung: Notify::new() });
        // All threads of a model run on one.
        ALARMS.set(Arc::downgrade(&alarms));
        alarms
    }

    /// Waits until the last one that was set is before `time`.
    pub async fn set_before(&self, time: Instant) {
        self.last.wait_for(|last| last.is_some_and(|last| last < time)).await;
    }

    /// Lets the one that is set ring, or the next.
    pub fn ring(&self) {
        self.rung.notify_one();
    }

    async fn sleep_until(&self, time: Instant) {
        self.last.change(|last| *last = Some(time));
        self.rung.notified().await;
    }
}

/// Sleeps until the alarm rings; where a model has none, for ever.
pub async fn sleep_until(time: Instant) {
    let alarms = ALARMS.with_borrow(Weak::upgrade);
    match alarms {
        Some(alarms) => alarms.sleep_until(time).await,
        None => std::future::pending().await,
    }
}
