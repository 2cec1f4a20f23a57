//! What is counted and measured of requests, under the names of upstream's `tools/metrics`, so that
//! dashboards and alerts made for client-go go on to work.
//!
//! | metric | kind | labels |
//! |---|---|---|
//! | `rest_client_requests_total` | counter | `code`, `method` |
//! | `rest_client_request_retries_total` | counter | `code`, `verb` |
//! | `rest_client_request_duration_seconds` | histogram | `verb` |
//! | `rest_client_request_size_bytes` | histogram | `verb` |
//! | `rest_client_response_size_bytes` | histogram | `verb` |
//! | `rest_client_rate_limiter_duration_seconds` | histogram | `verb` |
//!
//! Upstream's `host` label is left to the [`RequestMetrics`], who knows where the service leads.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use tokio::time::Instant;

use crate::request::Call;

/// Attempts, by answer: a code, or `<error>` where none came.
pub const REQUESTS_TOTAL: &str = "rest_client_requests_total";
/// Attempts that were made again, by the answer that they had.
pub const RETRIES_TOTAL: &str = "rest_client_request_retries_total";
/// How long calls took, retries and waits included; of streams up to their head.
pub const DURATION_SECONDS: &str = "rest_client_request_duration_seconds";
/// How large the bodies of requests were.
pub const REQUEST_BYTES: &str = "rest_client_request_size_bytes";
/// How large the bodies of answers were that were read whole.
pub const RESPONSE_BYTES: &str = "rest_client_response_size_bytes";
/// How long requests waited for the client's own limit.
pub const RATE_LIMITER_SECONDS: &str = "rest_client_rate_limiter_duration_seconds";

/// A label and its value.
pub type Label<'a> = (&'static str, &'a str);

/// Takes what is counted and measured. Called on the caller's task: it must not block.
pub trait RequestMetrics: Send + Sync {
    /// One more of this counter.
    fn count(&self, name: &'static str, labels: &[Label<'_>]);

    /// One more value of this histogram.
    fn observe(&self, name: &'static str, labels: &[Label<'_>], value: f64);
}

/// The metrics of a client, or none.
#[derive(Clone, Default)]
pub(crate) struct Meter(Option<Arc<dyn RequestMetrics>>);

impl Meter {
    pub(crate) const fn new(metrics: Arc<dyn RequestMetrics>) -> Self {
        Self(Some(metrics))
    }

    /// A call begins; dropping what this returns ends it.
    pub(crate) fn request<'a>(&'a self, call: &'a Call) -> Measured<'a> {
        self.observe(REQUEST_BYTES, call, call.body.len());
        Measured { meter: self, call, begun: Instant::now() }
    }

    pub(crate) fn attempt(&self, call: &Call, status: Option<StatusCode>) {
        self.count(REQUESTS_TOTAL, status, ("method", call.method.as_str()));
    }

    pub(crate) fn retry(&self, call: &Call, status: Option<StatusCode>) {
        self.count(RETRIES_TOTAL, status, ("verb", call.method.as_str()));
    }

    pub(crate) fn answer(&self, call: &Call, bytes: usize) {
        self.observe(RESPONSE_BYTES, call, bytes);
    }

    pub(crate) fn throttled(&self, call: &Call, waited: Duration) {
        self.seconds(RATE_LIMITER_SECONDS, call, waited);
    }

    fn count(&self, name: &'static str, status: Option<StatusCode>, what: Label<'_>) {
        if let Some(metrics) = &self.0 {
            let code = status.as_ref().map_or("<error>", StatusCode::as_str);
            metrics.count(name, &[("code", code), what]);
        }
    }

    fn observe(&self, name: &'static str, call: &Call, bytes: usize) {
        if let Some(metrics) = &self.0 {
            let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
            metrics.observe(name, &[("verb", call.method.as_str())], f64::from(bytes));
        }
    }

    fn seconds(&self, name: &'static str, call: &Call, time: Duration) {
        if let Some(metrics) = &self.0 {
            metrics.observe(name, &[("verb", call.method.as_str())], time.as_secs_f64());
        }
    }
}

impl fmt::Debug for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Meter(on)" } else { "Meter(off)" })
    }
}

/// A call under way, measured also where its caller goes away.
pub(crate) struct Measured<'a> {
    meter: &'a Meter,
    call: &'a Call,
    begun: Instant,
}

impl Drop for Measured<'_> {
    fn drop(&mut self) {
        self.meter.seconds(DURATION_SECONDS, self.call, self.begun.elapsed());
    }
}
