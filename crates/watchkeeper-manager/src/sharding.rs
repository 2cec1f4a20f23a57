//! Which of several replicas works on which objects: each holds some of a fixed number of shards, by a `Lease`
//! each.
//!
//! [`state`] decides, given what leases there are, which shards a replica wants; [`Sharer`] looks at the leases
//! and holds those that are wanted. Each lease is taken, renewed and given up as a leader's is, by the same
//! state, and has its own fence: `docs/design/sharding.md` tells what follows from that.

use std::time::Duration;

use watchkeeper_api::coordination::v1::Lease;
use watchkeeper_api::{Error, Result};
use watchkeeper_client::Verb;
use watchkeeper_client::access::Need;

use crate::leader::LeaderElection;

mod sharer;
mod state;

pub(crate) use sharer::Sharer;

/// How replicas share the objects that their controllers reconcile.
///
/// Each object is in one of a fixed number of shards, by its namespace and name
/// ([`Share::shard_of`](watchkeeper_controller::Share::shard_of)). A replica holds about as many shards as any
/// other. It gives shards up when another replica comes, once the reconciles of their objects have ended, and
/// takes those that were given up, or whose holder has not renewed them for the time of a lease.
///
/// The times are those of a [`LeaderElection`], for each lease: 15, 10 and 2 seconds.
///
/// ```
/// # use watchkeeper_manager::Sharding;
/// let sharding = Sharding::new("my-operator", 16).namespace("shop");
/// assert!(sharding.check().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sharding {
    /// How many shards there are: more than there will ever be replicas, 16 or 32 say, as each costs its
    /// holder a request every two seconds. All replicas must say the same; while they do not, shards stay with
    /// who has them, and who says otherwise gets none.
    pub shards: u32,
    /// What the leases are like. Its [`lease`](LeaderElection::lease) is what their names begin with; to
    /// [step down](LeaderElection::step_down) means nothing here, as a replica that loses a shard always
    /// goes on.
    pub election: LeaderElection,
}

impl Sharding {
    /// So many shards, with leases whose names begin with `name`: one for all replicas, and for nobody else.
    #[must_use]
    pub fn new(name: impl Into<String>, shards: u32) -> Self {
        Self { shards, election: LeaderElection::new(name) }
    }

    /// With the leases in this namespace; that of the client unless it is said.
    #[must_use]
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.election = self.election.namespace(namespace);
        self
    }

    /// With this replica under a name of the caller's. No other replica may have it.
    #[must_use]
    pub fn identity(mut self, identity: impl Into<String>) -> Self {
        self.election = self.election.identity(identity);
        self
    }

    /// With other times of the leases, as [`LeaderElection::times`].
    #[must_use]
    pub fn times(mut self, lease: Duration, renew: Duration, retry: Duration) -> Self {
        self.election = self.election.times(lease, renew, retry);
        self
    }

    /// What a replica needs for the leases in this namespace. They are listed, and those of shards and of
    /// replicas are made, written and deleted, by names of which not all are known before.
    pub(crate) fn needs(&self, namespace: &str) -> Vec<Need> {
        let reason = format!("replicas share {namespace}/{}", self.election.lease);
        let verbs = [Verb::Create, Verb::Delete, Verb::Get, Verb::List, Verb::Update];
        let needs = Need::all(&Lease::KIND, verbs, &reason);
        needs.into_iter().map(|need| need.within(Some(namespace))).collect()
    }

    /// Whether this makes sense together.
    ///
    /// # Errors
    /// Says what does not: a number of shards that is zero or beyond a thousand, or the
    /// [times](LeaderElection::check).
    pub fn check(&self) -> Result<()> {
        if !(1..=MOST).contains(&self.shards) {
            return Err(Error::usage(format!(
                "sharding: there are {} shards, and must be at least 1 and at most {MOST}",
                self.shards
            )));
        }
        if self.election.lease.len() > LONGEST {
            return Err(Error::usage(format!(
                "sharding: the name is longer than {LONGEST} characters: it is a label of the leases"
            )));
        }
        self.election.check()
    }
}

/// Beyond it a mistake is likelier than a wish: each is a lease to be renewed every two seconds.
const MOST: u32 = 1000;

/// Of a label's value.
const LONGEST: usize = 63;

/// Of all leases of one sharding: its name.
const SHARDING: &str = "watchkeeper.io/sharding";

/// Of the leases of replicas: how many shards they count.
const SHARDS: &str = "watchkeeper.io/shards";

#[cfg(test)]
mod tests;
