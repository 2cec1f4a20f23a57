//! What the sources wait with: loom's lock, and after tokio's documentation a [`Notify`] made of it.

mod join_set;
mod notify;

use std::convert::Infallible;
use std::future::Future;
use std::time::Duration;

pub use loom::sync::{Mutex, MutexGuard};
use tokio::time::Instant;

pub use self::join_set::{Crash, JoinSet};
pub use self::notify::{Notified, Notify};

/// No time passes in a model: what is to happen later does not.
pub async fn sleep_until(_: Instant) {
    std::future::pending::<()>().await;
}

/// No time passes in a model: what waits with a deadline waits.
///
/// # Errors
/// None.
pub async fn timeout<F: Future>(_: Duration, future: F) -> Result<F::Output, Infallible> {
    Ok(future.await)
}
