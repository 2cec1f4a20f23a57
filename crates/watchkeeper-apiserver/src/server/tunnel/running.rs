//! How many connections there are, for who waits until there is none.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

#[derive(Debug, Default)]
pub(super) struct Running {
    count: AtomicUsize,
    none: Notify,
}

impl Running {
    pub(super) fn begin(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn end(&self) {
        if self.count.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.none.notify_waiters();
        }
    }

    /// Waits until there is none.
    pub(super) async fn ended(&self) {
        loop {
            // Before the look, so that an end in between is heard.
            let none = self.none.notified();
            if self.count.load(Ordering::Relaxed) == 0 {
                return;
            }
            none.await;
        }
    }
}
