//! What the toolkit logs, on standard error: standard output belongs to the pods.

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use crate::Outcome;

/// Tells what fails, a line each, and that a lost server is back; `RUST_LOG`, such as `debug`,
/// chooses otherwise.
///
/// # Errors
///
/// When `RUST_LOG` cannot be read.
pub fn install() -> Outcome {
    let quiet = Targets::new().with_default(LevelFilter::WARN);
    let mut filter = quiet.with_target("watchkeeper_cache", LevelFilter::INFO);
    if let Some(wanted) = std::env::var_os("RUST_LOG").filter(|wanted| !wanted.is_empty()) {
        let read = wanted.to_str().and_then(|wanted| wanted.parse().ok());
        filter = read.ok_or_else(|| {
            format!(
                "RUST_LOG is {wanted:?}, which is no filter; write a level such as debug, or \
                 target=level pairs such as watchkeeper_cache=debug,warn"
            )
        })?;
    }
    // Said, since another package of the same build may switch colours on.
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .with_target(false)
        .with_writer(std::io::stderr);
    tracing_subscriber::registry()
        .with(lines.with_filter(filter))
        .try_init()
        .map_err(|error| format!("nothing can be logged: {error}"))
}
