//! One recorder, several who hear of it.

use std::fmt;
use std::sync::{Arc, PoisonError};

use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use watchkeeper_client::Client;

use super::series::SeriesSink;
use super::{EventRecorder, EventSink, Occurrence, RecorderOptions};
use crate::rng::{Rng, random_seed};
use crate::sync::Mutex;

#[cfg(test)]
mod tests;

/// So many events wait at most, for each who hears of them.
const QUEUED: usize = 1000;

/// Tells what one component records to several sinks, none of which holds up another one (upstream:
/// `EventBroadcaster`).
///
/// ```
/// use std::future::ready;
/// use watchkeeper_api::core::v1::{Event, Pod};
/// use watchkeeper_api::object;
/// use watchkeeper_apiserver::ApiServer;
/// use watchkeeper_client::{Client, CreateOptions};
/// use watchkeeper_controller::Warning;
/// use watchkeeper_controller::events::{Broadcaster, RecorderOptions};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> watchkeeper_api::Result<()> {
/// let client = Client::new(ApiServer::new());
/// let broadcaster = Broadcaster::new("my-program", RecorderOptions::default());
/// let (sink, mut log) = (broadcaster.sink(&client), broadcaster.occurrences());
/// let recorder = broadcaster.recorder();
///
/// let pod = object!(Pod { metadata: { name: "web", namespace: "default" } });
/// recorder.event(&pod, Warning, "Tired", "it needs sleep");
/// drop((broadcaster, recorder));
/// sink.run(std::future::pending()).await; // until no recorder is left
///
/// let happened = log.next().await.expect("what was told");
/// println!("{happened}"); // Warning Tired it needs sleep
/// let events = client.api::<Event>().namespace("default").list(&Default::default()).await?;
/// assert_eq!(events.items[0].message, "it needs sleep");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Broadcaster {
    component: Arc<str>,
    options: RecorderOptions,
    queues: Arc<Queues>,
}

impl Broadcaster {
    /// Tells what `component` records, to nobody yet.
    #[must_use]
    pub fn new(component: &str, options: RecorderOptions) -> Self {
        Self { component: component.into(), options, queues: Arc::default() }
    }

    /// Takes events in; also for sinks that are made later.
    #[must_use]
    pub fn recorder(&self) -> EventRecorder {
        EventRecorder { queues: Arc::clone(&self.queues) }
    }

    /// Sends them with `client` as events of core/v1, from now on.
    pub fn sink(&self, client: &Client) -> EventSink {
        let rng = Rng::named(self.options.seed.unwrap_or_else(random_seed), &self.component);
        EventSink::new(client.clone(), &self.component, self.queues.hear(), rng, &self.options)
    }

    /// Sends them with `client` as events of events.k8s.io/v1, from now on.
    pub fn series_sink(&self, client: &Client) -> SeriesSink {
        let name = format!("{} series", self.component);
        let rng = Rng::named(self.options.seed.unwrap_or_else(random_seed), &name);
        SeriesSink::new(client, &self.component, self.queues.hear(), rng, &self.options)
    }

    /// Hands them out as they are, from now on: to a log, or to a test (upstream: `StartEventWatcher`,
    /// `FakeRecorder`).
    #[must_use]
    pub fn occurrences(&self) -> Occurrences {
        Occurrences(self.queues.hear())
    }
}

/// What a [`Broadcaster`] is told; up to a thousand wait here, and others are dropped.
#[derive(Debug)]
pub struct Occurrences(mpsc::Receiver<Occurrence>);

impl Occurrences {
    /// What happened next; `None` when nobody is left who could tell.
    ///
    /// # Cancel safety
    ///
    /// Nothing is lost when the future is dropped.
    pub async fn next(&mut self) -> Option<Occurrence> {
        self.0.recv().await
    }

    /// All that waits.
    pub fn take(&mut self) -> Vec<Occurrence> {
        std::iter::from_fn(|| self.0.try_recv().ok()).collect()
    }
}

/// The queues of all who hear.
#[derive(Default)]
pub(super) struct Queues(Mutex<Vec<mpsc::Sender<Occurrence>>>);

impl Queues {
    fn hear(&self) -> mpsc::Receiver<Occurrence> {
        let (queue, taken) = mpsc::channel(QUEUED);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(queue);
        taken
    }

    /// Hands it to all; where a queue is full it is dropped. Who hears no more is forgotten.
    pub(super) fn tell(&self, occurrence: Occurrence) {
        let mut queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut left, mut whole, mut lost) = (queues.len(), Some(occurrence), None);
        queues.retain(|queue| {
            left -= 1;
            // The last one need not leave it to others.
            let told = if left == 0 { whole.take() } else { whole.clone() };
            let Some(told) = told else { return true };
            match queue.try_send(told) {
                Ok(()) => true,
                Err(TrySendError::Full(dropped)) => {
                    lost = Some(dropped);
                    true
                }
                Err(TrySendError::Closed(dropped)) => {
                    lost = Some(dropped);
                    false
                }
            }
        });
        drop(queues);
        if let Some(Occurrence { about, reason, message, .. }) = lost.or(whole) {
            let (object, type_) = (about.object, about.type_);
            tracing::warn!(%object, %type_, reason, message, "dropped an event");
        }
    }
}

impl fmt::Debug for Queues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_list().entries(queues.iter().map(mpsc::Sender::capacity)).finish()
    }
}
