//! Decides which shards a replica wants. Knows no clock and no server: what leases there are is handed in, with
//! the time.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use watchkeeper_api::coordination::v1::Lease;

use super::{SHARDING, SHARDS, Sharding};
use crate::leader::LeaderElection;
use crate::leader::lease;
use crate::leader::state::Seen;

/// One replica's view of who is there, and who holds what.
#[derive(Clone, Debug)]
pub(crate) struct State {
    names: Names,
    identity: String,
    shards: u32,
    lease_duration: Duration,
    /// The leases as they were seen last, by name.
    seen: BTreeMap<String, Seen>,
}

/// What is to be done now.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Plan {
    /// The shards to be held, or to be tried for.
    pub(crate) wanted: BTreeSet<u32>,
    /// Who takes part, this replica among them.
    pub(crate) members: BTreeSet<String>,
    /// Replicas that count other shards: nothing is taken while they are there.
    pub(crate) strangers: BTreeSet<String>,
    /// The lease of a replica that is gone, to be deleted.
    pub(crate) litter: Option<Lease>,
}

/// What the leases are called.
#[derive(Clone, Debug)]
pub(crate) struct Names(String);

impl Names {
    pub(crate) fn of(sharding: &Sharding) -> Self {
        Self(sharding.election.lease.clone())
    }

    pub(crate) fn shard(&self, shard: u32) -> String {
        format!("{}-shard-{shard}", self.0)
    }

    /// An identity may have letters that names have not.
    pub(crate) fn member(&self, identity: &str) -> String {
        let number = watchkeeper_controller::seed_for(0, identity);
        format!("{}-member-{number:016x}", self.0)
    }

    fn is_member(&self, name: &str) -> bool {
        name.strip_prefix(&self.0).is_some_and(|rest| rest.starts_with("-member-"))
    }

    /// What all of them have, to be asked for by.
    pub(crate) fn selector(&self) -> String {
        format!("{SHARDING}={}", self.0)
    }

    /// The election of one of them.
    pub(crate) fn election(&self, sharding: &Sharding, name: String) -> LeaderElection {
        let election = LeaderElection { lease: name, ..sharding.election.clone() };
        election.label(SHARDING, &*self.0).label(SHARDS, sharding.shards.to_string())
    }
}

impl State {
    pub(crate) fn new(sharding: &Sharding, identity: String) -> Self {
        Self {
            names: Names::of(sharding),
            identity,
            shards: sharding.shards,
            lease_duration: sharding.election.lease_duration,
            seen: BTreeMap::new(),
        }
    }

    /// Takes in all leases that there are at `now`.
    pub(crate) fn observe(&mut self, leases: Vec<Lease>, now: Duration) {
        let mut before = std::mem::take(&mut self.seen);
        for lease in leases {
            let name = lease.metadata.name.to_string();
            let seen = Seen::after(before.remove(&name).as_ref(), lease, now);
            self.seen.insert(name, seen);
        }
    }

    /// The lease of a shard as it was seen last: a candidate begins with that.
    pub(crate) fn seen(&self, shard: u32) -> Option<&Seen> {
        self.seen.get(&self.names.shard(shard))
    }

    /// What to do at `now` for a replica that has these shards, those included that it is giving up.
    pub(crate) fn plan(&self, held: &BTreeSet<u32>, now: Duration) -> Plan {
        let (members, strangers) = self.members(now);
        let rank = members.iter().take_while(|member| **member != self.identity).count();
        let quota = quota(self.shards, members.len(), rank);
        let mut wanted: BTreeSet<u32> = held.iter().copied().take(quota).collect();
        if strangers.is_empty() {
            let free = self.free(held, rank, members.len(), now);
            wanted.extend(free.take(quota.saturating_sub(held.len())));
        } else {
            wanted.clone_from(held);
        }
        let litter = (rank == 0).then(|| self.litter(now)).flatten();
        Plan { wanted, members, strangers, litter }
    }

    /// The replicas that count the same shards, and those that do not.
    fn members(&self, now: Duration) -> (BTreeSet<String>, BTreeSet<String>) {
        let (mut members, mut strangers) = (BTreeSet::new(), BTreeSet::new());
        members.insert(self.identity.clone());
        for (name, seen) in &self.seen {
            let holder = lease::holder(&seen.lease.spec);
            if !self.names.is_member(name) || holder.is_empty() || !seen.is_good(now) {
                continue;
            }
            let shards = seen.lease.metadata.labels.get(SHARDS);
            let same = shards.is_some_and(|shards| *shards == *self.shards.to_string());
            let among = if same || holder == self.identity { &mut members } else { &mut strangers };
            among.insert(holder.to_owned());
        }
        (members, strangers)
    }

    /// The shards that nobody else holds. Each replica begins at another one, so that two seldom try for the
    /// same.
    fn free(
        &self,
        held: &BTreeSet<u32>,
        rank: usize,
        members: usize,
        now: Duration,
    ) -> impl Iterator<Item = u32> {
        let all = u64::from(self.shards);
        let part = |number: usize| u64::try_from(number).unwrap_or(0);
        let first = all * part(rank) / part(members).max(1);
        let order = (0..all).map(move |number| (first + number) % all.max(1));
        let order = order.filter_map(|number| u32::try_from(number).ok());
        order.filter(move |shard| !held.contains(shard) && self.is_free(*shard, now))
    }

    fn is_free(&self, shard: u32, now: Duration) -> bool {
        let Some(seen) = self.seen(shard) else { return true };
        let holder = lease::holder(&seen.lease.spec);
        holder.is_empty() || holder == self.identity || !seen.is_good(now)
    }

    /// The lease of a replica that has left, or has been gone for as long again as its lease ran.
    fn litter(&self, now: Duration) -> Option<Lease> {
        let long_ago = now.checked_sub(self.lease_duration)?;
        let gone =
            |seen: &Seen| lease::holder(&seen.lease.spec).is_empty() || !seen.is_good(long_ago);
        let mut members = self.seen.iter().filter(|(name, _)| self.names.is_member(name));
        let litter = members.find(|(_, seen)| gone(seen))?;
        Some(litter.1.lease.clone())
    }
}

/// How many shards the replica of this rank shall have: all of them together have each, and none more than one
/// more than another. When one more comes, nobody else's grows; when one goes, nobody else's shrinks.
pub(crate) fn quota(shards: u32, members: usize, rank: usize) -> usize {
    let shards = usize::try_from(shards).unwrap_or(usize::MAX);
    let members = members.max(1);
    shards / members + usize::from(rank < shards % members)
}

#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;
