//! Tells what happened to objects, without ever holding up a controller.
//!
//! ```text
//!                       ┌─▶ bounded queue ──▶ Correlator ──▶ EventSink ──core/v1──────────▶ server
//! EventRecorder ──Occurrence─▶ bounded queue ──▶ Series ──────▶ SeriesSink ──events.k8s.io/v1─▶ server
//!                       └─▶ bounded queue ──▶ Occurrences: a log, a test
//! ```
//!
//! The recorder hands each [`Occurrence`] to every queue of its [`Broadcaster`], and drops it where it finds
//! one full. A sink of core/v1 counts repetitions, tells many messages as one and silences objects that have
//! too many, by the rules of client-go's `tools/record`; one of events.k8s.io/v1 tells what repeats as a
//! series, by those of `tools/events`. A controller has a recorder and one sink.

mod broadcaster;
mod occurrence;
mod series;
mod sink;
mod state;

use std::fmt;
use std::sync::Arc;

use watchkeeper_api::AsObject;
use watchkeeper_client::Client;

use crate::clock::Clock;

use self::broadcaster::Queues;
pub use self::broadcaster::{Broadcaster, Occurrences};
pub use self::occurrence::Occurrence;
pub use self::series::SeriesSink;
pub use self::sink::EventSink;

/// Whether an event tells of normal work or of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventType {
    /// Things go as they should.
    Normal,
    /// Somebody should have a look.
    Warning,
}

impl EventType {
    /// As the API spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "Normal",
            Self::Warning => "Warning",
        }
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The API that events are written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventApi {
    /// core/v1: what repeats is counted on the first event. What `kubectl describe` has always shown.
    #[default]
    Core,
    /// events.k8s.io/v1: what repeats is a series.
    Series,
}

/// Takes events in and returns at once. Cloning is cheap. Upstream's `EventRecorder`.
///
/// Controllers have one in their [`Context`](crate::Context); others make theirs with
/// [`recorder`], or with a [`Broadcaster`], and run its sinks.
#[derive(Clone)]
pub struct EventRecorder {
    queues: Arc<Queues>,
}

/// Where an [`EventRecorder`] draws the names of its events from, what it dates them by, and who it is.
#[derive(Clone, Debug, Default)]
pub struct RecorderOptions {
    /// Names are the same in every run with this seed; otherwise they are random.
    pub seed: Option<u64>,
    /// The clock that dates the events.
    pub clock: Clock,
    /// Which replica tells, in events of events.k8s.io/v1: upstream's is the controller and the name of its
    /// host. The controller alone unless it is said.
    pub instance: Option<String>,
}

/// A recorder for what `component` tells, and the sink that sends it with `client`.
#[must_use]
pub fn recorder(
    client: &Client,
    component: &str,
    options: RecorderOptions,
) -> (EventRecorder, EventSink) {
    let broadcaster = Broadcaster::new(component, options);
    (broadcaster.recorder(), broadcaster.sink(client))
}

impl EventRecorder {
    /// Tells what happened to an object. Returns at once; where a thousand wait, the event is dropped.
    pub fn event(
        &self,
        object: &impl AsObject,
        type_: EventType,
        reason: impl Into<String>,
        message: impl Into<String>,
    ) {
        self.record(Occurrence::of(object, type_, reason, message));
    }

    /// Tells what happened to an object, with all that may be said of it. Returns at once, as
    /// [`event`](Self::event) does.
    pub fn record(&self, occurrence: Occurrence) {
        self.queues.tell(occurrence);
    }
}

impl fmt::Debug for EventRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventRecorder").field("queues", &self.queues).finish()
    }
}
