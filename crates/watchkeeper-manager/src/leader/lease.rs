//! The lease as an election writes it.

use std::collections::BTreeMap;
use std::time::Duration;

use watchkeeper_api::coordination::v1::{Lease, LeaseSpec};
use watchkeeper_api::{MicroTime, object};

use super::LeaderElection;

/// What every version of the lease has in common.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) name: String,
    pub(crate) identity: String,
    pub(crate) seconds: i32,
    pub(crate) labels: BTreeMap<String, String>,
}

impl Form {
    pub(crate) fn new(election: &LeaderElection, identity: String) -> Self {
        let seconds = i32::try_from(election.lease_duration.as_secs()).unwrap_or(i32::MAX);
        let (name, labels) = (election.lease.clone(), election.labels.clone());
        Self { name, identity, seconds, labels }
    }

    /// The first version.
    pub(crate) fn made(&self, now: MicroTime) -> Lease {
        let mut lease = object!(Lease { metadata: { name: &*self.name } });
        lease.spec = self.held(&LeaseSpec::default(), now);
        lease.spec.lease_transitions = Some(0);
        self.labelled(lease)
    }

    /// `lease` in the hands of this replica: taken over, or renewed if it was so before (L-07).
    pub(crate) fn taken(&self, lease: &Lease, now: MicroTime) -> Lease {
        self.labelled(Lease { spec: self.held(&lease.spec, now), ..lease.clone() })
    }

    fn labelled(&self, mut lease: Lease) -> Lease {
        for (key, value) in &self.labels {
            lease.metadata.labels.insert(key.as_str(), value.as_str());
        }
        lease
    }

    /// `lease` given up: free for anybody at once (L-08).
    pub(crate) fn released(&self, lease: &Lease, now: MicroTime) -> Lease {
        let mut lease = lease.clone();
        lease.spec.holder_identity = Some("".into());
        lease.spec.lease_duration_seconds = Some(1);
        lease.spec.acquire_time = Some(now);
        lease.spec.renew_time = Some(now);
        lease
    }

    fn held(&self, before: &LeaseSpec, now: MicroTime) -> LeaseSpec {
        let mine = self.holds(before);
        let transitions = before.lease_transitions.unwrap_or(0);
        LeaseSpec {
            holder_identity: Some((&*self.identity).into()),
            lease_duration_seconds: Some(self.seconds),
            acquire_time: if mine { before.acquire_time.or(Some(now)) } else { Some(now) },
            renew_time: Some(now),
            lease_transitions: Some(if mine { transitions } else { transitions.saturating_add(1) }),
            ..before.clone()
        }
    }

    /// Whether the record names this replica.
    pub(crate) fn holds(&self, spec: &LeaseSpec) -> bool {
        holder(spec) == self.identity
    }
}

/// Who holds the lease; empty when nobody does.
pub(crate) fn holder(spec: &LeaseSpec) -> &str {
    spec.holder_identity.as_deref().unwrap_or_default()
}

/// How long the record is good from when it was seen to change.
pub(crate) fn duration(spec: &LeaseSpec) -> Duration {
    let seconds = spec.lease_duration_seconds.unwrap_or(0);
    Duration::from_secs(u64::try_from(seconds).unwrap_or(0))
}
