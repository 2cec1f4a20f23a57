//! What fails is told on standard error, a line each.

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::Outcome;

/// Tells warnings and errors; `RUST_LOG`, such as `debug`, chooses otherwise.
///
/// # Errors
/// `RUST_LOG` says nothing that can be understood.
pub(crate) fn begin() -> Outcome {
    let mut filter = Targets::new().with_default(LevelFilter::WARN);
    if let Some(wanted) = std::env::var_os("RUST_LOG").filter(|wanted| !wanted.is_empty()) {
        filter = wanted
            .to_str()
            .and_then(|wanted| wanted.parse().ok())
            .ok_or_else(|| format!("RUST_LOG is {wanted:?}; write a level, as in debug"))?;
    }
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .with_target(false)
        .with_writer(std::io::stderr);
    tracing_subscriber::registry().with(lines.with_filter(filter)).init();
    Ok(())
}
