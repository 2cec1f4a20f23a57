//! How a program logs.

use std::io;

use clap::{ArgAction, ValueEnum};
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use watchkeeper_api::{Error, Result};

use crate::logs::{Logs, TimeEncoding};

/// The flags of controller-runtime's `pkg/log/zap`, beside [`Flags`](super::Flags), for `#[command(flatten)]`. Each
/// may be told by the environment, too: `--zap-log-level` by `ZAP_LOG_LEVEL`.
///
/// ```no_run
/// use clap::Parser;
/// use watchkeeper_manager::{Flags, LogFlags};
///
/// #[derive(Parser)]
/// struct Args {
///     #[command(flatten)]
///     flags: Flags,
///     #[command(flatten)]
///     logs: LogFlags,
/// }
///
/// # fn f() -> watchkeeper_api::Result<()> {
/// let Args { flags, logs } = Args::parse();
/// logs.begin()?; // {"ts":…,"level":"info",…} on standard error, unless the flags say otherwise
/// # let _ = flags;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, clap::Args)]
#[command(next_help_heading = "Logs")]
pub struct LogFlags {
    /// For people who develop: lines to be read by them, from debug on, unless the flags beside it say otherwise
    #[arg(long, env, value_name = "BOOL", default_value_t = false, default_missing_value = "true")]
    #[arg(num_args = 0..=1, require_equals = true, action = ArgAction::Set)]
    pub zap_devel: bool,
    /// How lines are written; json unless it is said
    #[arg(long, env, value_name = "ENCODER")]
    pub zap_encoder: Option<LogEncoder>,
    /// What is told: a level, such as debug, a number (1 is debug, 2 is all), or levels by the place in the program,
    /// as in info,my_operator=debug; RUST_LOG unless it is said, or info
    #[arg(long, env, value_name = "LEVEL", value_parser = level)]
    pub zap_log_level: Option<Targets>,
    /// How the time is written; rfc3339nano unless it is said
    #[arg(long, env, value_name = "ENCODING")]
    pub zap_time_encoding: Option<TimeEncoding>,
}

/// How the lines of a log are written: `--zap-encoder`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum LogEncoder {
    /// An object of JSON a line.
    Json,
    /// `key=value`.
    Logfmt,
    /// For people.
    Console,
}

impl ValueEnum for TimeEncoding {
    fn value_variants<'a>() -> &'a [Self] {
        use TimeEncoding::{Epoch, Iso8601, Millis, Nano, Rfc3339, Rfc3339Nano};
        &[Epoch, Millis, Nano, Iso8601, Rfc3339, Rfc3339Nano]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(match self {
            Self::Epoch => "epoch",
            Self::Millis => "millis",
            Self::Nano => "nano",
            Self::Iso8601 => "iso8601",
            Self::Rfc3339 => "rfc3339",
            Self::Rfc3339Nano => "rfc3339nano",
        }))
    }
}

/// Who would drown the rest in what they say of each frame.
const LOUD: [&str; 5] = ["h2", "hyper", "hyper_util", "rustls", "tower"];

impl LogFlags {
    /// Logs to standard error from now on, as the flags say, for the whole program.
    ///
    /// # Errors
    /// The program has a listener of `tracing` already, or `RUST_LOG` says nothing that can be understood.
    pub fn begin(&self) -> Result<()> {
        let logs = tracing_subscriber::registry().with(self.layer()?);
        tracing::subscriber::set_global_default(logs)
            .map_err(|_| Error::usage("the program has begun to log elsewhere; begin once"))
    }

    /// What writes the lines, with its filter, to be [added](tracing_subscriber::prelude) to a registry beside
    /// other layers, such as that of `Telemetry`.
    ///
    /// # Errors
    /// `RUST_LOG` says nothing that can be understood.
    pub fn layer<S>(&self) -> Result<Box<dyn Layer<S> + Send + Sync>>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        let wanted = self.wanted(rust_log())?;
        let time = self.zap_time_encoding.unwrap_or_default();
        Ok(match self.encoder() {
            LogEncoder::Json => Logs::json().time(time).with_filter(wanted).boxed(),
            LogEncoder::Logfmt => Logs::logfmt().time(time).with_filter(wanted).boxed(),
            LogEncoder::Console => tracing_subscriber::fmt::layer()
                .with_ansi(false)
                .with_writer(io::stderr)
                .with_filter(wanted)
                .boxed(),
        })
    }

    pub(super) fn encoder(&self) -> LogEncoder {
        let usual = if self.zap_devel { LogEncoder::Console } else { LogEncoder::Json };
        self.zap_encoder.unwrap_or(usual)
    }

    /// What is told, where the environment wants `rust_log`.
    pub(super) fn wanted(&self, rust_log: Option<String>) -> Result<Targets> {
        if let Some(wanted) = &self.zap_log_level {
            return Ok(wanted.clone());
        }
        match rust_log.filter(|wanted| !wanted.is_empty()) {
            Some(wanted) => level(&wanted)
                .map_err(|error| Error::usage(format!("RUST_LOG is {wanted:?}: {error}"))),
            None if self.zap_devel => Ok(from(LevelFilter::DEBUG)),
            None => Ok(from(LevelFilter::INFO)),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "flags are the edge that reads the environment")]
fn rust_log() -> Option<String> {
    std::env::var("RUST_LOG").ok()
}

/// Everything from a level on, but what the transport says of each frame.
fn from(level: LevelFilter) -> Targets {
    let quieter = level.min(LevelFilter::INFO);
    Targets::new().with_default(level).with_targets(LOUD.map(|loud| (loud, quieter)))
}

/// Upstream's words and numbers, and those of `RUST_LOG`.
fn level(text: &str) -> Result<Targets, String> {
    match text {
        "panic" | "dpanic" | "fatal" => return Ok(from(LevelFilter::ERROR)),
        "0" => return Ok(from(LevelFilter::INFO)),
        "1" => return Ok(from(LevelFilter::DEBUG)),
        _ => {}
    }
    if text.parse::<u8>().is_ok() {
        return Ok(from(LevelFilter::TRACE));
    }
    let wrong = "write error, warn, info, debug, trace, a number, or levels by the place in the \
                 program, as in info,my_operator=debug";
    match text.parse::<LevelFilter>() {
        Ok(level) if !text.is_empty() => Ok(from(level)),
        // A word alone would be the name of a place in the program, all of which is told.
        _ if !text.contains('=') => Err(wrong.to_owned()),
        _ => text.parse().map_err(|_| wrong.to_owned()),
    }
}
