//! Tells what happened to objects, without ever holding up a controller.
//!
//! ```text
//! Context::event ──Occurrence──▶ bounded queue ──▶ Correlator ──Telling──▶ Sink ──Event──▶ server
//! ```
//!
//! The recorder drops what finds a full queue; the correlator counts repetitions, tells many
//! messages as one and silences objects that have too many; the sink writes. The rules are those of
//! client-go's `tools/record`.

mod state;
mod sink;

use std::fmt;

use tokio::sync::mpsc;
use watchkeeper_api::{AsObject, registry};
use watchkeeper_client::Client;

use crate::clock::Clock;
use crate::rng::{Rng, random_seed};

pub use self::sink::EventSink;
use self::state::{About, Occurrence, Subject};

/// So many events wait at most.
const QUEUED: usize = 1000;

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

/// Takes events in and returns at once. Cloning is cheap. Upstream's `EventRecorder`.
///
/// Controllers have one in their [`Context`](crate::Context); others make theirs with
/// [`recorder`] and run its sink.
#[derive(Clone)]
pub struct EventRecorder {
    queue: mpsc::Sender<Occurrence>,
}

/// Where an [`EventRecorder`] draws the names of its events from, and what it dates them by.
#[derive(Clone, Debug, Default)]
pub struct RecorderOptions {
    /// Names are the same in every run with this seed; otherwise they are random.
    pub seed: Option<u64>,
    /// The clock that dates the events.
    pub clock: Clock,
}

/// A recorder for what `component` tells, and the sink that sends it with `client`.
#[must_use]
pub fn recorder(
    client: &Client,
    component: &str,
    options: RecorderOptions,
) -> (EventRecorder, EventSink) {
    let (queue, taken) = mpsc::channel(QUEUED);
    let rng = Rng::named(options.seed.unwrap_or_else(random_seed), component);
    (EventRecorder { queue }, EventSink::new(client.clone(), component, taken, rng, options.clock))
}

impl EventRecorder {
    /// Tells what happened to an object. Returns at once; the event is dropped if a thousand wait.
    pub fn event(
        &self,
        object: &impl AsObject,
        type_: EventType,
        reason: impl Into<String>,
        message: impl Into<String>,
    ) {
        let about = About { object: Subject(registry::reference(object.as_object())), type_ };
        let occurrence = Occurrence { about, reason: reason.into(), message: message.into() };
        if let Err(error) = self.queue.try_send(occurrence) {
            let Occurrence { about, reason, message } = error.into_inner();
            let About { object, type_ } = about;
            tracing::warn!(%object, %type_, reason, message, "dropped an event");
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(object) = self;
        match object.namespace.as_str() {
            "" => write!(f, "{} {}", object.kind, object.name),
            namespace => write!(f, "{} {namespace}/{}", object.kind, object.name),
        }
    }
}

impl fmt::Debug for EventRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventRecorder").field("free", &self.queue.capacity()).finish()
    }
}
