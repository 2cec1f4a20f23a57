//! Listening to what a test tells, beside others that do not listen.

use std::sync::LazyLock;

use tracing::subscriber::{self, DefaultGuard};
use tracing::{Dispatch, Subscriber};

/// While there is but one listener, whether a place in the code tells anything is decided by the thread
/// that comes by first, for all of them: another test, to which nobody listens, would decide that it
/// does not. With a second one all are asked.
static SECOND: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(tracing_subscriber::registry()));

/// Hears what is told on this thread while the guard lives.
pub(crate) fn listen(subscriber: impl Subscriber + Send + Sync) -> DefaultGuard {
    LazyLock::force(&SECOND);
    subscriber::set_default(subscriber)
}
