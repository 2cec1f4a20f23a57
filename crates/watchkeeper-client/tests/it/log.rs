//! What is told to the log, for tests.

use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::DefaultGuard;
use tracing::{Dispatch, Event, Metadata, Subscriber};

/// The lines told on this thread while it lives.
pub(crate) struct Log {
    lines: Arc<Mutex<Vec<String>>>,
    _guard: DefaultGuard,
    /// While there is but one listener, what other threads register is not for it.
    _second: Dispatch,
}

impl Log {
    pub(crate) fn new() -> Self {
        let lines = Arc::default();
        let listener = Listener(Arc::clone(&lines));
        let second = Dispatch::new(Listener(Arc::default()));
        Self { lines, _guard: tracing::subscriber::set_default(listener), _second: second }
    }

    /// The lines with this text in them.
    pub(crate) fn with(&self, text: &str) -> Vec<String> {
        let lines = self.lines.lock().expect("no panic");
        lines.iter().filter(|line| line.contains(text)).cloned().collect()
    }
}

struct Listener(Arc<Mutex<Vec<String>>>);

impl Subscriber for Listener {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(event.metadata().level().to_string());
        event.record(&mut line);
        self.0.lock().expect("no panic").push(line.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to a text cannot fail.
        let _ = write!(self.0, " {field}={value:?}");
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let _ = write!(self.0, " {field}={value}");
    }
}
