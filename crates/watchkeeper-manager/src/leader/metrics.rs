//! What candidates for a lease tell, and to whom.

use std::fmt;
use std::sync::Weak;

/// Who collects whether candidates lead: a registry's collector, say. `Metrics::register` names one for
/// `prometheus-client`, with the feature `prometheus`.
pub trait ElectionMetrics: fmt::Debug + Send + Sync {
    /// A candidate for this lease was made. It can be asked as long as somebody holds its
    /// [`LeaderElector`](crate::LeaderElector), as its manager does.
    fn candidate_made(&self, lease: &str, candidate: Weak<dyn Candidate>);
}

/// Who can be asked whether it leads.
pub trait Candidate: Send + Sync {
    /// Whether it holds the lease.
    fn leads(&self) -> bool;

    /// How many renewals did not succeed at once.
    fn slow_renewals(&self) -> u64;
}
