//! What is counted and measured of requests, under the names of upstream's `tools/metrics`, so that
//! dashboards and alerts made for client-go go on to work.
//!
//! | metric | kind | labels |
//! |---|---|---|
//! | `rest_client_requests_total` | counter | `code`, `host`, `method` |
//! | `rest_client_request_retries_total` | counter | `code`, `host`, `verb` |
//! | `rest_client_request_duration_seconds` | histogram | `host`, `verb` |
//! | `rest_client_request_size_bytes` | histogram | `host`, `verb` |
//! | `rest_client_response_size_bytes` | histogram | `host`, `verb` |
//! | `rest_client_rate_limiter_duration_seconds` | histogram | `host`, `verb` |
//! | `rest_client_exec_plugin_call_total` | counter | `call_status`, `code` |
//! | `rest_client_exec_plugin_certificate_rotation_age` | histogram | |
//! | `rest_client_exec_plugin_ttl_seconds` | gauge | |
//!
//! `host` is what [`Client::host`](crate::Client::host) was told: `watchkeeper-connect` tells the server's
//! host and port. The last three are of credential plugins, which that crate runs.
//!
//! With the feature `prometheus`, a `PrometheusMetrics` tells them to a registry of `prometheus-client`.

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

/// Runs of a credential plugin: by exit code, and by `no_error`, `plugin_execution_error`,
/// `plugin_not_found_error` or `client_internal_error`.
pub const EXEC_PLUGIN_CALLS: &str = "rest_client_exec_plugin_call_total";
/// How long a plugin's client certificate had been valid when another one took its place.
pub const EXEC_PLUGIN_ROTATION_AGE: &str = "rest_client_exec_plugin_certificate_rotation_age";
/// How long the plugin's client certificate is still valid; negative when it is not, and infinite where it
/// has none. Set with each request that asks for the plugin's credentials.
pub const EXEC_PLUGIN_TTL: &str = "rest_client_exec_plugin_ttl_seconds";

/// A label and its value.
pub type Label<'a> = (&'static str, &'a str);

/// Takes what is counted and measured. Called on the caller's task: it must not block. A registry of
/// `prometheus-client` takes it through `PrometheusMetrics`, with the feature `prometheus`.
///
/// ```
/// use std::sync::Arc;
/// use watchkeeper_client::metrics::{Label, REQUESTS_TOTAL};
/// use watchkeeper_client::{Client, RequestMetrics};
///
/// struct Printed;
///
/// impl RequestMetrics for Printed {
///     fn count(&self, name: &'static str, labels: &[Label<'_>]) {
///         if name == REQUESTS_TOTAL {
///             println!("{labels:?}"); // the code, the host, the method
///         }
///     }
///
///     fn observe(&self, _: &'static str, _: &[Label<'_>], _: f64) {}
/// }
///
/// fn measured(client: Client) -> Client {
///     client.metrics(Arc::new(Printed))
/// }
/// ```
pub trait RequestMetrics: Send + Sync {
    /// One more of this counter.
    fn count(&self, name: &'static str, labels: &[Label<'_>]);

    /// One more value of this histogram.
    fn observe(&self, name: &'static str, labels: &[Label<'_>], value: f64);

    /// The value of this gauge from now on. Does nothing by itself.
    fn set(&self, name: &'static str, labels: &[Label<'_>], value: f64) {
        let _ = (name, labels, value);
    }
}

/// The metrics of a client, or none, and where its service leads.
#[derive(Clone, Default)]
pub(crate) struct Meter {
    pub(crate) metrics: Option<Arc<dyn RequestMetrics>>,
    pub(crate) host: Arc<str>,
}

impl Meter {
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
        if let Some(metrics) = &self.metrics {
            let code = status.as_ref().map_or("<error>", StatusCode::as_str);
            metrics.count(name, &[("code", code), ("host", &self.host), what]);
        }
    }

    fn observe(&self, name: &'static str, call: &Call, bytes: usize) {
        self.measure(name, call, f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)));
    }

    fn seconds(&self, name: &'static str, call: &Call, time: Duration) {
        self.measure(name, call, time.as_secs_f64());
    }

    fn measure(&self, name: &'static str, call: &Call, value: f64) {
        if let Some(metrics) = &self.metrics {
            let labels = [("host", &*self.host), ("verb", call.method.as_str())];
            metrics.observe(name, &labels, value);
        }
    }
}

impl fmt::Debug for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.metrics.is_some() { "Meter(on)" } else { "Meter(off)" })
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
