//! Sends what the correlator decided to tell.

use std::fmt;
use std::future::Future;
use std::pin::{Pin, pin};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::Fuse;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::sleep;
use watchkeeper_api::core::v1::{Event, EventSource};
use watchkeeper_api::{Result, Time};
use watchkeeper_client::{Api, Client, CreateOptions, Patch, PatchOptions};

use super::occurrence::Subject;
use super::state::{Correlator, Telling};
use super::{Occurrence, RecorderOptions};
use crate::clock::Clock;
use crate::rng::Rng;

#[cfg(test)]
mod tests;

/// How often one event is tried …
const TRIES: u32 = 12;
/// … and how long apart; the first time a random part of it, so that not all come back at once.
const BETWEEN_TRIES: Duration = Duration::from_secs(10);

/// Sends the events of one [`EventRecorder`](super::EventRecorder); somebody has to run it.
pub struct EventSink {
    client: Client,
    component: String,
    taken: mpsc::Receiver<Occurrence>,
    correlator: Correlator,
    jitter: Rng,
    clock: Clock,
}

/// Completes when the sink shall stop; may be asked again.
type Stop<'a, F> = Pin<&'a mut Fuse<F>>;

impl EventSink {
    pub(super) fn new(
        client: Client,
        component: &str,
        taken: mpsc::Receiver<Occurrence>,
        mut rng: Rng,
        options: &RecorderOptions,
    ) -> Self {
        let clock = options.clock.clone();
        let jitter = Rng::named(rng.next(), "jitter");
        let client = client.user_agent(component).field_manager(component);
        let component = component.to_owned();
        Self { client, component, taken, correlator: Correlator::new(rng), jitter, clock }
    }

    /// Sends events until `stop` completes or no recorder is left; then tries once to send those
    /// that wait.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future drops the events that wait.
    pub async fn run(mut self, stop: impl Future<Output = ()> + Send) {
        let mut stop = pin!(stop.fuse());
        loop {
            let occurrence = tokio::select! {
                biased;
                () = &mut stop => break,
                occurrence = self.taken.recv() => occurrence,
            };
            let Some(occurrence) = occurrence else { return };
            if self.tell(occurrence, stop.as_mut()).await == Told::Stopped {
                break;
            }
        }
        self.taken.close();
        while let Some(occurrence) = self.taken.recv().await {
            self.tell(occurrence, pin!(std::future::ready(()).fuse())).await;
        }
    }

    async fn tell(
        &mut self,
        occurrence: Occurrence,
        mut stop: Stop<'_, impl Future<Output = ()>>,
    ) -> Told {
        let now = self.clock.since_1970();
        let Some(telling) = self.correlator.observe(occurrence, now) else { return Told::Done };
        for attempt in 0..TRIES {
            let Err(error) = self.send(&telling).await else { return Told::Done };
            // What the server refuses it will refuse again; an answer that was lost may come.
            if error.status().is_some() {
                tracing::warn!(event = telling.name, %error, "the server refused an event");
                return Told::Done;
            }
            tracing::debug!(event = telling.name, attempt, %error, "an event was not sent");
            let pause = self.pause(attempt);
            tokio::select! {
                biased;
                () = &mut stop => return Told::Stopped,
                () = sleep(pause) => {}
            }
        }
        tracing::warn!(event = telling.name, "gave an event up after {TRIES} tries");
        Told::Done
    }

    fn pause(&mut self, attempt: u32) -> Duration {
        let part = if attempt == 0 { self.jitter.next() % 1000 } else { 1000 };
        BETWEEN_TRIES.mul_f64(f64::from(u32::try_from(part).unwrap_or(1000)) / 1000.0)
    }

    async fn send(&self, telling: &Telling) -> Result<()> {
        let api = self.client.api::<Event>().namespace(telling.occurrence.about.object.home());
        if telling.count > 1 {
            match self.count(&api, telling).await {
                Err(error) if error.is_not_found() => {}
                counted => return counted,
            }
        }
        match api.create(&self.event(telling), &CreateOptions::default()).await {
            // The answer to an earlier try was lost.
            Err(error) if !error.is_already_exists() => Err(error),
            _ => Ok(()),
        }
    }

    /// One more of an event that is stored already.
    async fn count(&self, api: &Api<Event>, telling: &Telling) -> Result<()> {
        let patch = Patch::merge(&json!({
            "count": telling.count,
            "lastTimestamp": time(telling.last).to_string(),
            "message": telling.occurrence.message,
        }));
        api.patch(&telling.name, &patch, &PatchOptions::default()).await.map(drop)
    }

    fn event(&self, telling: &Telling) -> Event {
        let Occurrence { about, reason, message, action, related, .. } = &telling.occurrence;
        Event {
            metadata: telling.occurrence.metadata(&telling.name),
            involved_object: about.object.0.clone(),
            reason: reason.as_str().into(),
            message: message.as_str().into(),
            source: EventSource {
                component: self.component.as_str().into(),
                ..EventSource::default()
            },
            first_timestamp: Some(time(telling.first)),
            last_timestamp: Some(time(telling.last)),
            count: telling.count,
            type_: about.type_.as_str().into(),
            action: action.as_str().into(),
            related: related.as_ref().map(|Subject(related)| Box::new(related.clone())),
            reporting_component: self.component.as_str().into(),
            ..Event::default()
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Done,
    Stopped,
}

fn time(since_1970: Duration) -> Time {
    Time::from_unix(i64::try_from(since_1970.as_secs()).unwrap_or(i64::MAX))
}

impl fmt::Debug for EventSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventSink").field("component", &self.component).finish_non_exhaustive()
    }
}
