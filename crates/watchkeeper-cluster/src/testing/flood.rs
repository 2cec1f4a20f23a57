//! Whether somebody writes for ever: two controllers that undo each other's work leave no time to pass, and so no
//! deadline ends the test.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;
use watchkeeper_apiserver::ApiServer;
use watchkeeper_apiserver::hooks::{Aftermath, Hook, Write};
use watchkeeper_apiserver::storage::Event;

const WINDOW: Duration = Duration::from_secs(1);

/// Told when there is a flood.
pub(super) struct Flood(Arc<Notify>);

impl Flood {
    /// Counts the writes of a server from now on: more than `most` within a second are a flood.
    pub(super) fn of(server: &ApiServer, most: u64) -> Self {
        let told = Arc::new(Notify::new());
        server.add_hook(Gauge { most, since: Instant::now(), writes: 0, told: Arc::clone(&told) });
        Self(told)
    }

    /// Waits until there is one.
    pub(super) async fn comes(&self) {
        self.0.notified().await;
    }
}

struct Gauge {
    most: u64,
    since: Instant,
    writes: u64,
    told: Arc<Notify>,
}

impl Hook for Gauge {
    fn after_commit(&mut self, _: &Write<'_>, _: &Event) -> Aftermath {
        if self.since.elapsed() > WINDOW {
            (self.since, self.writes) = (Instant::now(), 0);
        }
        self.writes += 1;
        if self.writes > self.most {
            self.told.notify_one();
        }
        Aftermath::Reply
    }
}
