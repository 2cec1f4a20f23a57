//! What the toolkit logs, told beside the story in the story's style.
//!
//! Failed reconciles, lost connections and their end are told by default; `RUST_LOG` (such as
//! `debug`, or `watchkeeper_controller=debug,warn`) chooses otherwise. Asides go to standard error,
//! so that standard output is the story and nothing else, with `--output json` as well.

use std::fmt::{self, Write as _};

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use crate::controller::NAME;
use crate::problem::Problem;
use crate::run::Narrator;

#[cfg(test)]
mod tests;

/// Tells through `narrator` what is logged from now on, anywhere in the process.
///
/// # Errors
///
/// When `RUST_LOG` cannot be read.
pub fn install(narrator: &Narrator) -> Result<(), Problem> {
    let asides = Asides { narrator: narrator.clone() }.with_filter(filter()?);
    // Whoever installed another before us, in a test, wants that one.
    let _other = tracing_subscriber::registry().with(asides).try_init();
    Ok(())
}

/// `RUST_LOG`, or what is worth a user's eye.
fn filter() -> Result<Targets, Problem> {
    let Some(wanted) = std::env::var_os("RUST_LOG").filter(|wanted| !wanted.is_empty()) else {
        let quiet = Targets::new().with_default(LevelFilter::WARN);
        // It tells when a lost server is back.
        return Ok(quiet.with_target("watchkeeper_cache", LevelFilter::INFO));
    };
    let filter = wanted.to_str().and_then(|wanted| wanted.parse().ok());
    filter.ok_or_else(|| {
        Problem::new(format!(
            "RUST_LOG is {wanted:?}, which is no filter; write a level such as debug, or \
             target=level pairs such as watchkeeper_cache=debug,warn"
        ))
    })
}

/// Hears what is logged.
struct Asides {
    narrator: Narrator,
}

impl<S: Subscriber> Layer<S> for Asides {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut words = Words::default();
        event.record(&mut words);
        let subject = match *event.metadata().level() {
            Level::ERROR => "error",
            Level::WARN => "warning",
            Level::INFO => "info",
            Level::DEBUG => "debug",
            Level::TRACE => "trace",
        };
        let text = words.text();
        self.narrator.aside(subject, words.name, text);
    }
}

/// The parts of a line, gathered from an event's fields.
#[derive(Debug, Default, PartialEq)]
struct Words {
    /// What it is about.
    name: String,
    /// Who says so, if it is not our own controller: `node: `.
    who: String,
    /// What happened.
    message: String,
    /// Why, and all else.
    rest: String,
}

impl Words {
    fn text(&self) -> String {
        let Self { who, message, rest, .. } = self;
        format!("{who}{message}{rest}")
    }

    fn take(&mut self, field: &str, value: &str) {
        // A line is a line, whatever an error says.
        let value = value.replace('\n', " ");
        match field {
            "message" => self.message = value,
            "key" | "copy" => self.name = value,
            "controller" if value == NAME => {}
            "controller" => self.who = format!("{value}: "),
            "error" | "failure" => self.rest.insert_str(0, &format!(": {value}")),
            _ => {
                let _infallible = write!(self.rest, ", {field} {value}");
            }
        }
    }
}

impl Visit for Words {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.take(field.name(), value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.take(field.name(), &format!("{value:?}"));
    }
}
