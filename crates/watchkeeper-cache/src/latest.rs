//! A value and those who wait for it, woken in the order in which they came.
//!
//! The channel of `tokio::sync::watch` spreads its waiters over shards drawn at random, so that with several
//! of them the same run differs from time to time. This one is fair, and so repeatable.

use crate::lock::lock;
use crate::sync::{Mutex, Notified, Notify};

/// The latest value.
#[derive(Debug, Default)]
pub(crate) struct Latest<T> {
    value: Mutex<T>,
    changed: Notify,
}

impl<T: Copy> Latest<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { value: Mutex::new(value), changed: Notify::new() }
    }

    pub(crate) fn get(&self) -> T {
        *lock(&self.value)
    }

    /// Changes the value and wakes everybody.
    pub(crate) fn change(&self, change: impl FnOnce(&mut T)) {
        change(&mut lock(&self.value));
        self.changed.notify_waiters();
    }

    /// Completes at the first change after this call, whether or not it was polled before that.
    pub(crate) fn changed(&self) -> Notified<'_> {
        self.changed.notified()
    }

    /// Waits until `good` says so.
    pub(crate) async fn wait_for(&self, good: impl Fn(T) -> bool) -> T {
        loop {
            let changed = self.changed();
            let value = self.get();
            if good(value) {
                return value;
            }
            changed.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::task::JoinSet;

    use super::*;

    #[tokio::test]
    async fn waiters_go_in_the_order_in_which_they_came() {
        let (latest, order) = (Arc::new(Latest::new(0)), Arc::new(Mutex::new(Vec::new())));
        let mut waiters = JoinSet::new();
        for waiter in 0..50 {
            let (latest, order) = (latest.clone(), order.clone());
            waiters.spawn(async move {
                latest.wait_for(|value| value == 1).await;
                lock(&order).push(waiter);
            });
        }
        tokio::task::yield_now().await;
        latest.change(|value| *value = 1);
        while waiters.join_next().await.is_some() {}
        assert_eq!(*lock(&order), (0..50).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn a_change_between_the_look_and_the_wait_is_not_missed() {
        let latest = Latest::new(0);
        let changed = latest.changed();
        latest.change(|value| *value = 1);
        changed.await;
        assert_eq!(latest.get(), 1);
    }
}
