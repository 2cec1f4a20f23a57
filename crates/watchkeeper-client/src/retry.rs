//! When a request is sent again (upstream: `rest/with_retry.go`).
//!
//! The server says so with `Retry-After` on a 429 or 5xx; or the connection broke under a read. At most ten
//! times. A wait that would outlast the call's deadline is not begun: the caller then gets the server's
//! answer rather than a timeout. Unlike upstream, a 5xx is believed for a request that may be repeated only: a create that was
//! stored and answered with an error is not sent twice.

use std::io;
use std::time::Duration;

use http::{HeaderMap, Method, StatusCode, header};
use tokio::time::Instant;
use watchkeeper_api::error::Earlier;

use crate::body::BoxError;
use crate::request::Call;

#[cfg(test)]
mod tests;

/// What became of one attempt.
#[derive(Debug)]
pub(crate) enum Attempt<'a> {
    /// An answer that is no success.
    Refused { status: StatusCode, headers: &'a HeaderMap },
    /// No answer.
    Broken(&'a BoxError),
}

/// The retries of one request.
#[derive(Debug)]
pub(crate) struct Retries {
    left: u32,
    /// When the call is given up.
    until: Option<Instant>,
    /// What attempts said that another one followed.
    pub(crate) earlier: Earlier,
    /// An attempt may have been carried out though it did not succeed.
    pub(crate) ambiguous: bool,
}

impl Retries {
    pub(crate) fn new(limit: u32) -> Self {
        Self { left: limit, until: None, earlier: Earlier::default(), ambiguous: false }
    }

    /// No wait is begun that would last longer than this.
    pub(crate) fn within(mut self, deadline: Option<Duration>) -> Self {
        self.until = deadline.and_then(|deadline| Instant::now().checked_add(deadline));
        self
    }

    /// How long to wait before the next attempt; `None` to give up.
    pub(crate) fn after(&mut self, call: &Call, attempt: &Attempt<'_>) -> Option<Duration> {
        self.ambiguous |= may_have_happened(attempt);
        let wait = match attempt {
            Attempt::Refused { status, headers } if may_repeat(call, *status) => {
                retry_after(headers)?
            }
            Attempt::Broken(error) if call.method == Method::GET && is_lost(error) => {
                Duration::from_secs(1)
            }
            Attempt::Refused { .. } | Attempt::Broken(_) => return None,
        };
        let end = Instant::now().checked_add(wait)?;
        if self.until.is_some_and(|until| end >= until) {
            return None;
        }
        self.left = self.left.checked_sub(1)?;
        Some(wait)
    }
}

/// 429 is answered before anything was done; 5xx at any time.
fn may_repeat(call: &Call, status: StatusCode) -> bool {
    status == StatusCode::TOO_MANY_REQUESTS || (status.is_server_error() && call.idempotent)
}

fn may_have_happened(attempt: &Attempt<'_>) -> bool {
    match attempt {
        Attempt::Refused { status, .. } => status.is_server_error(),
        Attempt::Broken(_) => true,
    }
}

/// Seconds; servers send no dates.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// Whether the connection broke, as far as the chain of causes tells. Connectors report it as [`io::Error`].
fn is_lost(error: &BoxError) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error.as_ref());
    while let Some(error) = cause {
        if error.downcast_ref::<io::Error>().is_some_and(|e| is_lost_io(e.kind())) {
            return true;
        }
        cause = error.source();
    }
    false
}

const fn is_lost_io(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::UnexpectedEof
    )
}
