//! Who of several replicas works: the one that holds a `Lease`.
//!
//! [`state`] decides, given the time and what the server answered; [`LeaderElector`] asks the server
//! and waits; a [`Fence`] stands between the leader and its writes.
//!
//! The record is that of client-go's `tools/leaderelection`, so Go programs and programs of this toolkit
//! exclude each other on one lease. Every replica judges a lease by its own clock, from the moment it
//! saw the record change: clocks may differ, as long as they run about equally fast.
//!
//! Kubernetes does not ask a writer for its lease, so a leader that was asleep could write after another
//! one took over. The fence keeps it from that: a write is not sent later than
//! [`fence_margin`](LeaderElection::fence_margin) before the lease can run out for others.

use std::collections::BTreeMap;
use std::time::Duration;

use watchkeeper_api::{Error, Result};

mod elector;
mod fence;
mod identity;
pub(crate) mod lease;
mod metrics;
#[cfg(feature = "prometheus")]
mod prometheus;
pub(crate) mod state;

pub(crate) use elector::leases;
pub use elector::{Ended, LeaderElector};
pub use fence::Fence;
pub(crate) use identity::{host, own_identity};
pub use metrics::{Candidate, ElectionMetrics};
#[cfg(feature = "prometheus")]
pub(crate) use prometheus::PrometheusMetrics;

/// How replicas choose the one that works (upstream: `LeaderElectionConfig`).
///
/// The times are upstream's conventional ones: 15, 10 and 2 seconds (L-02).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaderElection {
    /// The name of the lease: one for all replicas, and for nobody else.
    pub lease: String,
    /// Where the lease is; that of the client unless it is said.
    pub namespace: Option<String>,
    /// Labels that the lease has as long as a replica of this election writes it (upstream:
    /// `LeaderElectionLabels`).
    pub labels: BTreeMap<String, String>,
    /// Who this replica is; a name of its own in every process unless it is said.
    pub identity: Option<String>,
    /// How long others wait for a leader that does not renew. Whole seconds.
    pub lease_duration: Duration,
    /// How long a leader tries to renew before it gives up.
    pub renew_deadline: Duration,
    /// How often a leader renews, and others look. At least a second on a lease that Go programs share: to
    /// client-go, renewals within one second are one (upstream: `LeaderElectionRecord`).
    pub retry_period: Duration,
    /// How long before its lease can run out for others a leader sends no more writes: what a request may
    /// take from the process to the server's store, and what two clocks may differ in one lease. So long after
    /// its last write whose fate is not known it gives the lease up, and not earlier.
    pub fence_margin: Duration,
    /// Gives the lease up when the work has ended in order, so that nobody waits for it to run out
    /// (upstream: `ReleaseOnCancel`).
    pub release: bool,
    /// Goes back to being a candidate when the lease is lost, instead of ending the process.
    pub step_down: bool,
}

impl LeaderElection {
    /// An election by the lease of this name.
    #[must_use]
    pub fn new(lease: impl Into<String>) -> Self {
        Self {
            lease: lease.into(),
            namespace: None,
            labels: BTreeMap::new(),
            identity: None,
            lease_duration: Duration::from_secs(15),
            renew_deadline: Duration::from_secs(10),
            retry_period: Duration::from_secs(2),
            fence_margin: Duration::from_secs(3),
            release: true,
            step_down: false,
        }
    }

    /// With the lease in this namespace.
    #[must_use]
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }

    /// With this label on the lease.
    #[must_use]
    pub fn label(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.labels.insert(key.into(), value.into());
        self
    }

    /// With this replica under a name of the caller's. No other replica may have it.
    #[must_use]
    pub fn identity(mut self, identity: impl Into<String>) -> Self {
        self.identity = Some(identity.into());
        self
    }

    /// With the lease's own time, the time to renew it and the time between two tries; and with the margin
    /// that fits: two seconds for a request and a fifteenth of the lease for the clocks, but at most a fifth of
    /// it, and no more than there is between the deadline and the end of the lease.
    #[must_use]
    pub fn times(mut self, lease: Duration, renew: Duration, retry: Duration) -> Self {
        (self.lease_duration, self.renew_deadline, self.retry_period) = (lease, renew, retry);
        let margin = Duration::from_secs(2).saturating_add(lease / 15).min(lease / 5);
        self.fence_margin = margin.min(lease.saturating_sub(renew));
        self
    }

    /// As a candidate again when the lease is lost.
    #[must_use]
    pub fn step_down(mut self) -> Self {
        self.step_down = true;
        self
    }

    /// Whether the times make sense together (L-01).
    ///
    /// # Errors
    /// Says which do not, and how they must stand to each other.
    pub fn check(&self) -> Result<()> {
        let wrong = |what: String| Err(Error::usage(format!("leader election: {what}")));
        let (lease, renew, retry) = (self.lease_duration, self.renew_deadline, self.retry_period);
        if self.lease.is_empty() {
            return wrong("the lease needs a name".to_owned());
        }
        if self.identity.as_deref() == Some("") {
            return wrong("the identity is empty: leave it out to get one".to_owned());
        }
        if lease < Duration::from_secs(1) || lease.subsec_nanos() != 0 || lease > LONGEST {
            return wrong(format!(
                "lease_duration is {lease:?}, and must be whole seconds, at least one, at most a day"
            ));
        }
        if retry.is_zero() || renew.is_zero() {
            return wrong("renew_deadline and retry_period must not be zero".to_owned());
        }
        if lease <= renew {
            return wrong(format!(
                "lease_duration ({lease:?}) must be longer than renew_deadline ({renew:?})"
            ));
        }
        if renew.as_secs_f64() <= retry.as_secs_f64() * JITTER {
            return wrong(format!(
                "renew_deadline ({renew:?}) must be longer than {JITTER} times retry_period ({retry:?})"
            ));
        }
        if self.fence_margin.is_zero() {
            return wrong("fence_margin must not be zero: no request is stored at once".to_owned());
        }
        if self.fence_margin > lease.saturating_sub(renew) {
            return wrong(format!(
                "fence_margin ({:?}) must not be longer than lease_duration less renew_deadline ({:?})",
                self.fence_margin,
                lease.saturating_sub(renew)
            ));
        }
        Ok(())
    }
}

/// A lease of a name, with all else as usual.
impl From<&str> for LeaderElection {
    fn from(lease: &str) -> Self {
        Self::new(lease)
    }
}

impl From<String> for LeaderElection {
    fn from(lease: String) -> Self {
        Self::new(lease)
    }
}

/// Candidates wait up to so many retry periods more, so that they do not all ask at once (L-03).
const JITTER: f64 = 1.2;
/// Beyond it a mistake is likelier than a wish.
const LONGEST: Duration = Duration::from_hours(24);

#[cfg(test)]
mod tests;
