//! Logs in lines that programs read.

mod fields;
mod line;
#[cfg(test)]
mod tests;
mod time;

pub use time::TimeEncoding;

use std::fmt;
use std::io::{self, Write as _};
use std::time::SystemTime;

use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use fields::Fields;
use line::Head;

/// Writes what `tracing` is told as lines for programs that collect logs: logfmt, or an object of JSON a line,
/// with the keys of controller-runtime's logs, so that what searches those finds these.
///
/// | key | what |
/// |---|---|
/// | `ts` | when, as [`TimeEncoding`] says |
/// | `level` | `error`, `warn`, `info`, `debug`, `trace` |
/// | `logger` | where in the program: the target of the event |
/// | `msg` | the message |
/// | `controller`, `controllerKind`, `namespace`, `name`, `reconcileID` | within a reconcile, of what |
///
/// Behind them come the fields of the spans around the event, from the outside in, and its own. A name that comes
/// twice is told once, as the innermost has it; one of the first four keys gets a `_` behind. What is no number
/// or boolean is text.
///
/// ```
/// use tracing_subscriber::filter::LevelFilter;
/// use tracing_subscriber::prelude::*;
/// use watchkeeper_manager::Logs;
///
/// # fn f() {
/// tracing_subscriber::registry().with(Logs::json().with_filter(LevelFilter::INFO)).init();
/// tracing::info!(widgets = 3, "counted");
/// // {"ts":"2026-03-01T12:00:00.5Z","level":"info","logger":"my_operator","msg":"counted","widgets":3}
/// # }
/// ```
///
/// The counterpart of controller-runtime's `pkg/log/zap`. `LogFlags` chooses by flags.
pub struct Logs<W = fn() -> io::Stderr> {
    format: Format,
    time: TimeEncoding,
    clock: fn() -> SystemTime,
    writer: W,
}

/// How a line is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Json,
    Logfmt,
}

impl Logs {
    /// An object of JSON a line, on standard error.
    #[must_use]
    pub fn json() -> Self {
        Self::in_format(Format::Json)
    }

    /// `key=value`, with spaces between, on standard error. A value is quoted where it has to be.
    #[must_use]
    pub fn logfmt() -> Self {
        Self::in_format(Format::Logfmt)
    }

    fn in_format(format: Format) -> Self {
        let time = TimeEncoding::default();
        Self { format, time, clock: now, writer: io::stderr }
    }
}

#[expect(clippy::disallowed_methods, reason = "a log tells the time of the day")]
fn now() -> SystemTime {
    SystemTime::now()
}

impl<W> Logs<W> {
    /// As `time` says when it was.
    #[must_use]
    pub fn time(self, time: TimeEncoding) -> Self {
        Self { time, ..self }
    }

    /// To another place than standard error. Each line is one write.
    #[must_use]
    pub fn writer<V: for<'a> MakeWriter<'a>>(self, writer: V) -> Logs<V> {
        let Self { format, time, clock, .. } = self;
        Logs { format, time, clock, writer }
    }
}

impl<W> fmt::Debug for Logs<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { format, time, .. } = self;
        f.debug_struct("Logs").field("format", format).field("time", time).finish_non_exhaustive()
    }
}

impl<S, W> Layer<S> for Logs<W>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'a> MakeWriter<'a> + 'static,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = Fields::of_span(span.name());
        attributes.record(&mut fields);
        // Another layer of these may have come before.
        span.extensions_mut().replace(fields);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(fields) = span.extensions_mut().get_mut::<Fields>() {
            values.record(fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields::default();
        for span in context.event_scope(event).into_iter().flat_map(|scope| scope.from_root()) {
            if let Some(outer) = span.extensions().get::<Fields>() {
                fields.extend(outer);
            }
        }
        event.record(&mut fields);
        let metadata = event.metadata();
        let (message, logger) = (fields.take_message(), fields.take_logger());
        let head = Head {
            time: self.time.of((self.clock)()),
            level: *metadata.level(),
            logger: logger.as_deref().unwrap_or_else(|| metadata.target()),
            message: &message,
        };
        let line = match self.format {
            Format::Json => line::json(&head, &fields),
            Format::Logfmt => line::logfmt(&head, &fields),
        };
        // Nobody is left who could be told that a log cannot be written.
        let _ = self.writer.make_writer_for(metadata).write_all(line.as_bytes());
    }
}
