//! The tasks of one run of a controller: its workers, and what sends its events.

use std::future::Future;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::timeout;
use watchkeeper_api::{Error, Result};

use crate::controller::Sending;
use crate::stop::{Stop, Stopper};
use crate::worker::Worker;

/// How long events that are still queued may take when the controller stops.
const LAST_EVENTS: Duration = Duration::from_secs(5);

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Of all.
    Shutdown,
    /// Of this controller alone.
    Stopped,
}

/// The tasks of a running controller; dropping it stops them all.
pub(crate) struct Crew {
    workers: JoinSet<()>,
    events: JoinSet<()>,
    stop: Stopper,
    stop_events: Stopper,
}

impl Crew {
    pub(crate) fn start(
        worker: Worker,
        count: NonZeroUsize,
        send: impl FnOnce(Stop) -> Sending,
    ) -> Self {
        let (stop, stopped) = Stop::channel();
        let (stop_events, events_stopped) = Stop::channel();
        let mut events = JoinSet::new();
        events.spawn(send(events_stopped));
        let worker = Arc::new(worker);
        let mut workers = JoinSet::new();
        for _ in 0..count.get() {
            workers.spawn(Arc::clone(&worker).work(said(stopped.clone())));
        }
        Self { workers, events, stop, stop_events }
    }

    /// Works until `shutdown` completes, and returns what that says; then waits for what is under way.
    pub(crate) async fn work_until(
        mut self,
        shutdown: impl Future<Output = Result<Ended>>,
    ) -> Result<Ended> {
        let mut result = tokio::select! {
            biased;
            ended = shutdown => ended,
            Some(ended) = self.workers.join_next() => finished(ended).map(|()| Ended::Shutdown),
        };
        self.stop.stop();
        while let Some(ended) = self.workers.join_next().await {
            if let Err(error) = finished(ended) {
                result = result.and(Err(error));
            }
        }
        self.stop_events.stop();
        if timeout(LAST_EVENTS, self.events.join_next()).await.is_err() {
            tracing::warn!("the last events could not be recorded in time");
        }
        result
    }
}

/// Completes when the other side says stop, or is gone.
pub(crate) async fn said(stop: Stop) {
    stop.requested().await;
}

/// A worker ends only when told so, or by a defect of this crate.
fn finished(ended: Result<(), tokio::task::JoinError>) -> Result<()> {
    ended.map_err(|error| Error::other(format!("a worker broke down: {error}")))
}
