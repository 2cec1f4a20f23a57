//! Sends events of events.k8s.io/v1: what repeats as a series.

use std::fmt;
use std::future::Future;
use std::pin::{Pin, pin};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::{Instant, Interval, interval_at, sleep};
use watchkeeper_api::events::v1::{Event, EventSeries};
use watchkeeper_api::{Error, MicroTime, Result};
use watchkeeper_client::{Client, CreateOptions, Patch, PatchOptions};

use super::occurrence::Subject;
use super::{Occurrence, RecorderOptions};
use crate::clock::Clock;
use crate::rng::Rng;
use crate::stop::Stop;

mod state;
#[cfg(test)]
mod tests;

use self::state::{Series, Telling};

/// How often one event is tried …
const TRIES: u32 = 12;
/// … and how long apart, and up to a quarter more, so that not all come back at once.
const BETWEEN_TRIES: Duration = Duration::from_secs(10);
/// So many are on their way at once.
const AT_ONCE: usize = 8;
/// How often the counts of series are told.
const REFRESH_EVERY: Duration = Duration::from_mins(30);
/// How often it is looked which series are over.
const FINISH_EVERY: Duration = Duration::from_mins(6);

/// What the server takes of a note, in bytes.
const LONGEST_NOTE: usize = 1024;
/// What it takes of the words beside it, in characters.
const LONGEST_WORD: usize = 128;

/// Sends the events of one [`EventRecorder`](super::EventRecorder) to events.k8s.io/v1; somebody has to run it.
///
/// The second event about the same thing, with the same reason and action, makes a series of the first, and
/// those after it are counted: the count is told each half an hour, and when nothing was heard for six
/// minutes. Eight events at most are on their way at once.
pub struct SeriesSink {
    sender: Sender,
    taken: mpsc::Receiver<Occurrence>,
    series: Series,
    jitter: Rng,
}

impl SeriesSink {
    pub(super) fn new(
        client: &Client,
        component: &str,
        taken: mpsc::Receiver<Occurrence>,
        mut rng: Rng,
        options: &RecorderOptions,
    ) -> Self {
        let jitter = Rng::named(rng.next(), "jitter");
        let client = client.clone().user_agent(component).field_manager(component);
        let instance = options.instance.as_deref().unwrap_or(component);
        let sender = Sender {
            client,
            controller: component.to_owned(),
            instance: shortened(instance),
            clock: options.clock.clone(),
        };
        Self { sender, taken, series: Series::new(rng), jitter }
    }

    /// Sends events until `stop` completes or no recorder is left; then tries once to send those that wait, and
    /// the counts that were not told yet.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future drops the events that wait.
    pub async fn run(mut self, stop: impl Future<Output = ()> + Send) {
        let mut stop = pin!(stop);
        let (stopper, stopped) = Stop::channel();
        let sender = self.sender.clone();
        let mut under_way =
            Sending { sender: &sender, stop: stopped, all: FuturesUnordered::new() };
        if self.work(&mut under_way, stop.as_mut()).await == Ended::NobodyTells {
            tokio::select! {
                biased;
                () = stop => {}
                () = under_way.settled() => {}
            }
        }
        // From now on each is tried once more at most.
        stopper.stop();
        self.taken.close();
        while let Some(occurrence) = self.taken.recv().await {
            if let Some(telling) = self.observe(occurrence) {
                under_way.send(telling, &mut self.jitter);
            }
            while under_way.all.len() >= AT_ONCE {
                under_way.all.next().await;
            }
        }
        under_way.settled().await;
        for telling in self.series.refresh() {
            under_way.send(telling, &mut self.jitter);
        }
        under_way.settled().await;
    }

    async fn work(
        &mut self,
        under_way: &mut Sending<'_>,
        mut stop: Pin<&mut (impl Future<Output = ()> + Send)>,
    ) -> Ended {
        let (mut refresh, mut finish) = (each(REFRESH_EVERY), each(FINISH_EVERY));
        loop {
            let tellings: Vec<_> = tokio::select! {
                biased;
                () = &mut stop => return Ended::Stopped,
                Some(()) = under_way.all.next() => continue,
                _ = refresh.tick() => self.series.refresh(),
                _ = finish.tick() => self.series.finish(self.sender.clock.since_1970()),
                taken = self.taken.recv(), if under_way.all.len() < AT_ONCE => match taken {
                    Some(occurrence) => self.observe(occurrence).into_iter().collect(),
                    None => return Ended::NobodyTells,
                },
            };
            for telling in tellings {
                under_way.send(telling, &mut self.jitter);
            }
        }
    }

    fn observe(&mut self, occurrence: Occurrence) -> Option<Telling> {
        self.series.observe(occurrence, self.sender.clock.since_1970())
    }
}

fn each(period: Duration) -> Interval {
    interval_at(Instant::now() + period, period)
}

/// Why no more is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    Stopped,
    /// No recorder is left.
    NobodyTells,
}

/// What is on its way to the server.
struct Sending<'a> {
    sender: &'a Sender,
    stop: Stop,
    all: FuturesUnordered<Pin<Box<dyn Future<Output = ()> + Send + 'a>>>,
}

impl Sending<'_> {
    fn send(&mut self, telling: Telling, jitter: &mut Rng) {
        let (sender, stop) = (self.sender, self.stop.clone());
        let jitter = Rng::named(jitter.next(), "tries");
        self.all.push(Box::pin(sender.tell(telling, stop, jitter)));
    }

    /// Waits until nothing is on its way.
    async fn settled(&mut self) {
        while self.all.next().await.is_some() {}
    }
}

/// Who writes events.
#[derive(Clone)]
struct Sender {
    client: Client,
    controller: String,
    instance: String,
    clock: Clock,
}

impl Sender {
    async fn tell(&self, telling: Telling, stop: Stop, mut jitter: Rng) {
        for attempt in 0..TRIES {
            let Err(error) = self.send(&telling).await else { return };
            // A series whose event came meanwhile is told by another patch.
            let comes_again = telling.series.is_some() && error.is_already_exists();
            if error.status().is_some() && !comes_again {
                tracing::warn!(event = telling.name, %error, "the server refused an event");
                return;
            }
            tracing::debug!(event = telling.name, attempt, %error, "an event was not sent");
            let pause = BETWEEN_TRIES.mul_f64(1.0 + part(&mut jitter) / 4.0);
            tokio::select! {
                biased;
                () = stop.requested() => return,
                () = sleep(pause) => {}
            }
        }
        tracing::warn!(event = telling.name, "gave an event up after {TRIES} tries");
    }

    async fn send(&self, telling: &Telling) -> Result<()> {
        let api = self.client.api::<Event>().namespace(telling.occurrence.about.object.home());
        if let Some(series) = &telling.series {
            let series = json!({
                "count": series.count,
                "lastObservedTime": micro_time(series.last).to_string(),
            });
            let patch = Patch::merge(&json!({ "series": series }));
            let patched = api.patch(&telling.name, &patch, &PatchOptions::default()).await;
            match patched {
                Err(error) if error.is_not_found() => {}
                patched => return patched.map(drop),
            }
        }
        match api.create(&self.event(telling), &CreateOptions::default()).await {
            // The answer to an earlier try was lost.
            Err(error) if is_there(&error, telling) => Ok(()),
            made => made.map(drop),
        }
    }

    fn event(&self, telling: &Telling) -> Event {
        let Occurrence { about, reason, message, action, related, .. } = &telling.occurrence;
        // The server wants one.
        let action = if action.is_empty() { reason } else { action };
        let series = telling.series.as_ref().map(|series| EventSeries {
            count: series.count,
            last_observed_time: Some(micro_time(series.last)),
        });
        Event {
            metadata: telling.occurrence.metadata(&telling.name),
            event_time: Some(micro_time(telling.first)),
            series: series.map(Box::new),
            reporting_controller: self.controller.as_str().into(),
            reporting_instance: self.instance.as_str().into(),
            action: shortened(action).into(),
            reason: shortened(reason).into(),
            regarding: about.object.0.clone(),
            related: related.as_ref().map(|Subject(related)| Box::new(related.clone())),
            note: cut(message, LONGEST_NOTE).into(),
            type_: about.type_.as_str().into(),
            ..Event::default()
        }
    }
}

fn is_there(error: &Error, telling: &Telling) -> bool {
    error.is_already_exists() && telling.series.is_none()
}

fn micro_time(since_1970: Duration) -> MicroTime {
    MicroTime::from_unix_micros(i64::try_from(since_1970.as_micros()).unwrap_or(i64::MAX))
}

/// From zero to one.
fn part(jitter: &mut Rng) -> f64 {
    let thousandths = u32::try_from(jitter.next() % 1000).unwrap_or_default();
    f64::from(thousandths) / 1000.0
}

fn shortened(word: &str) -> String {
    word.chars().take(LONGEST_WORD).collect()
}

/// The beginning of a text, no longer than so many bytes.
fn cut(text: &str, longest: usize) -> &str {
    let end =
        text.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= longest);
    &text[..end.last().unwrap_or(0)]
}

impl fmt::Debug for SeriesSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SeriesSink")
            .field("controller", &self.sender.controller)
            .finish_non_exhaustive()
    }
}
