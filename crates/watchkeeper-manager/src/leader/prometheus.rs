//! Whether this process leads, under client-go's names.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::exemplar::Exemplar;
use prometheus_client::registry::Registry;

use super::metrics::{Candidate, ElectionMetrics};

/// Tells a registry of `prometheus-client` of candidates for leases: `leader_election_master_status`, which is
/// 1 where this process leads, and `leader_election_slowpath_total`, the renewals that did not succeed at
/// once; `name` is that of the lease. Those of a candidate are gone with it.
#[derive(Default)]
pub(crate) struct PrometheusMetrics {
    candidates: Mutex<Vec<(String, Weak<dyn Candidate>)>>,
}

impl PrometheusMetrics {
    pub(crate) fn register(registry: &mut Registry) -> Arc<Self> {
        let metrics = Arc::new(Self::default());
        registry.register_collector(Box::new(Arc::clone(&metrics)));
        metrics
    }

    /// Of each lease: whether one leads, and the slow renewals.
    fn standings(&self) -> BTreeMap<String, (bool, u64)> {
        let mut candidates = self.candidates.lock().unwrap_or_else(PoisonError::into_inner);
        candidates.retain(|(_, candidate)| candidate.strong_count() > 0);
        let candidates = candidates.clone();
        let mut standings = BTreeMap::new();
        for (lease, candidate) in candidates {
            if let Some(candidate) = candidate.upgrade() {
                let (leads, slow) = standings.entry(lease).or_insert((false, 0));
                *leads |= candidate.leads();
                *slow += candidate.slow_renewals();
            }
        }
        standings
    }
}

impl ElectionMetrics for PrometheusMetrics {
    fn candidate_made(&self, lease: &str, candidate: Weak<dyn Candidate>) {
        let mut candidates = self.candidates.lock().unwrap_or_else(PoisonError::into_inner);
        candidates.retain(|(_, candidate)| candidate.strong_count() > 0);
        candidates.push((lease.to_owned(), candidate));
    }
}

impl Collector for PrometheusMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let standings = self.standings();
        if standings.is_empty() {
            return Ok(());
        }
        let mut gauge = encoder.encode_descriptor(
            "leader_election_master_status",
            "Whether this process leads",
            None,
            MetricType::Gauge,
        )?;
        for (lease, (leads, _)) in &standings {
            let labels = [("name", lease.as_str())];
            gauge.encode_family(&labels)?.encode_gauge(&i64::from(*leads))?;
        }
        let mut counter = encoder.encode_descriptor(
            "leader_election_slowpath",
            "Renewals of the lease that did not succeed at once",
            None,
            MetricType::Counter,
        )?;
        for (lease, (_, slow)) in &standings {
            let labels = [("name", lease.as_str())];
            let none: Option<&Exemplar<NoLabelSet, u64>> = None;
            counter.encode_family(&labels)?.encode_counter(slow, none)?;
        }
        Ok(())
    }
}

impl fmt::Debug for PrometheusMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrometheusMetrics").finish_non_exhaustive()
    }
}
