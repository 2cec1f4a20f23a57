//! `cargo run --release -p minimal` connects as kubectl does (`KUBECONFIG`, `~/.kube/config`, or
//! the pod's service account) and counts until it is told to stop.

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use watchkeeper::prelude::*;

#[tokio::main(flavor = "current_thread")]
async fn main() -> watchkeeper::Result<()> {
    if std::env::args_os().len() > 1 {
        let how = "minimal takes no arguments; KUBECONFIG says which cluster it connects to";
        return Err(watchkeeper::Error::usage(how));
    }
    log()?;
    let client = watchkeeper::connect().await?.user_agent("minimal");
    let manager = Manager::new(&client);
    minimal::counter(&manager);
    manager.run(signals::shutdown()).await
}

/// Tells on standard error what fails, a line each, and that a lost server is back; `RUST_LOG`, such
/// as `debug`, chooses otherwise.
fn log() -> watchkeeper::Result<()> {
    let quiet = Targets::new().with_default(LevelFilter::WARN);
    let mut filter = quiet.with_target("watchkeeper_cache", LevelFilter::INFO);
    if let Some(wanted) = std::env::var_os("RUST_LOG").filter(|wanted| !wanted.is_empty()) {
        filter = wanted.to_str().and_then(|wanted| wanted.parse().ok()).ok_or_else(|| {
            watchkeeper::Error::other(format!("RUST_LOG is {wanted:?}; write a level, as in debug"))
        })?;
    }
    // Said, since another package of the same build may switch colours on.
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .with_target(false)
        .with_writer(std::io::stderr);
    tracing_subscriber::registry().with(lines.with_filter(filter)).init();
    Ok(())
}
