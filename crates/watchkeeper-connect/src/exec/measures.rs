//! What is counted and measured of plugins (upstream: `plugin/pkg/client/auth/exec/metrics.go`).

use std::io;
use std::process::Output;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use watchkeeper_client::RequestMetrics;
use watchkeeper_client::metrics::{EXEC_PLUGIN_CALLS, EXEC_PLUGIN_ROTATION_AGE, EXEC_PLUGIN_TTL};

use super::now;
use crate::tls::{Identity, Validity};

/// Who is told, if anybody is.
#[derive(Default)]
pub(super) struct Measures(Mutex<Option<Arc<dyn RequestMetrics>>>);

impl Measures {
    /// Tells this one from now on.
    pub(super) fn tell(&self, metrics: Arc<dyn RequestMetrics>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(metrics);
    }

    fn told(&self) -> Option<Arc<dyn RequestMetrics>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The program ended so, or could not be started.
    pub(super) fn call(&self, ended: &io::Result<Output>) {
        let Some(metrics) = self.told() else { return };
        // Upstream: 1 where there is no exit code.
        let (code, status) = match ended {
            Ok(output) if output.status.success() => (0, "no_error"),
            Ok(output) => (output.status.code().unwrap_or(1), "plugin_execution_error"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (1, "plugin_not_found_error"),
            Err(_) => (1, "client_internal_error"),
        };
        let labels = [("call_status", status), ("code", &*code.to_string())];
        metrics.count(EXEC_PLUGIN_CALLS, &labels);
    }

    /// Credentials were asked for; those at hand have this certificate.
    pub(super) fn good_until(&self, identity: Option<&Identity>) {
        let Some(metrics) = self.told() else { return };
        let validity = identity.and_then(Identity::validity);
        let left = validity.map_or(f64::INFINITY, |Validity { until, .. }| seconds_to(until));
        metrics.set(EXEC_PLUGIN_TTL, &[], left);
    }

    /// One certificate took the place of another.
    pub(super) fn rotated(&self, before: Option<&Identity>, now: Option<&Identity>) {
        let (Some(metrics), Some(before)) = (self.told(), before) else { return };
        if now.is_some_and(|now| now.is_same(before)) {
            return;
        }
        if let Some(Validity { from, .. }) = before.validity() {
            metrics.observe(EXEC_PLUGIN_ROTATION_AGE, &[], -seconds_to(from));
        }
    }
}

/// How long it is until then; negative where it is over.
fn seconds_to(unix: i64) -> f64 {
    let now = now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
    let seconds = unix.saturating_sub(now);
    // Whole seconds of some centuries: nothing is lost.
    i32::try_from(seconds).map_or(seconds as f64, f64::from)
}
