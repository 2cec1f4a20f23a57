//! Looks at the leases, and holds those of the shards that are wanted.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, PoisonError, Weak};
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::Instant;
use watchkeeper_api::coordination::v1::Lease;
use watchkeeper_api::{Error, Result};
use watchkeeper_client::{Api, Client, DeleteOptions, ListOptions};
use watchkeeper_controller::{Clock, Share, Stop, seed_for};

use super::Sharding;
use super::state::{Names, Plan, State};
use crate::leader::{Candidate, Ended, LeaderElector, leases, own_identity};
use crate::sync::{Mutex, MutexGuard, Notify, sleep_until};

/// A replica that takes part in a sharding.
pub(crate) struct Sharer {
    sharding: Sharding,
    share: Share,
    leases: Api<Lease>,
    selector: String,
    /// Holds the lease that says that this replica is there; it has shards only within its term.
    member: LeaderElector,
    /// One for each shard.
    electors: Arc<[LeaderElector]>,
    state: Mutex<State>,
    plan: Mutex<Planned>,
    /// The plan is another one, or a shard was lost.
    changed: Notify,
    /// What times count from, here and in the electors.
    born: Instant,
    seed: u64,
}

#[derive(Default)]
struct Planned {
    wanted: BTreeSet<u32>,
    /// Whose leases this replica has, those included that it is giving up.
    held: BTreeSet<u32>,
    members: BTreeSet<String>,
    strangers: BTreeSet<String>,
}

impl Sharer {
    /// # Errors
    /// The sharding makes no sense.
    pub(crate) fn new(
        client: &Client,
        mut sharding: Sharding,
        clock: &Clock,
        seed: u64,
    ) -> Result<Self> {
        sharding.check()?;
        // One for all leases: it is by this that they are known to be one replica's.
        let identity = sharding.election.identity.clone().unwrap_or_else(own_identity);
        sharding.election.identity = Some(identity.clone());
        let (born, names) = (Instant::now(), Names::of(&sharding));
        let elector = |name: String| {
            let seed = seed_for(seed, &name);
            let election = names.election(&sharding, name);
            LeaderElector::born_at(client, election, clock.clone(), seed, born)
        };
        let member = elector(names.member(&identity))?;
        let electors = (0..sharding.shards).map(|shard| elector(names.shard(shard)));
        let electors: Arc<[LeaderElector]> = electors.collect::<Result<Vec<_>>>()?.into();
        let (among, shards) = (member.clone(), Arc::clone(&electors));
        // A write needs both: the shard's term, and that of the replica.
        let share = Share::new(sharding.shards, move |shard, client| {
            let client = among.fence().guard(client);
            let elector = usize::try_from(shard).ok().and_then(|shard| shards.get(shard));
            elector.map_or_else(|| client.clone(), |elector| elector.fence().guard(&client))
        });
        Ok(Self {
            leases: leases(client, &sharding.election),
            selector: names.selector(),
            state: Mutex::new(State::new(&sharding, identity)),
            plan: Mutex::default(),
            changed: Notify::new(),
            sharding,
            share,
            member,
            electors,
            born,
            seed,
        })
    }

    pub(crate) const fn share(&self) -> &Share {
        &self.share
    }

    /// The lease of each shard, with who can be asked whether it is held.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = (&str, Weak<dyn Candidate>)> {
        self.electors.iter().map(|elector| (&*elector.election().lease, elector.candidate()))
    }

    /// Whether the leases that this replica holds are renewed as they shall be.
    ///
    /// # Errors
    /// Names the first that was not renewed for its duration and `tolerance`.
    pub(crate) fn healthy(&self, tolerance: Duration) -> Result<()> {
        let mut all = std::iter::once(&self.member).chain(self.electors.iter());
        all.try_for_each(|elector| {
            let lease = &elector.election().lease;
            elector.healthy(tolerance).map_err(|error| Error::other(format!("{lease}: {error}")))
        })
    }

    /// Takes part until the stop; then gives up what nobody works on any more.
    pub(crate) async fn run(&self, stop: &Stop) {
        loop {
            let work = async || {
                self.take_part(stop).await;
                // What was not given up, as its work has not ended, is no other's before this has run out.
                ((), (0..self.share.count()).all(|shard| self.share.is_at_rest(shard)))
            };
            match Box::pin(self.member.lead_term(None, stop.requested(), work)).await {
                Ended::Finished(()) | Ended::Shutdown => return,
                Ended::Lost => {
                    tracing::warn!(sharding = self.sharding.election.lease, "all shards are lost");
                }
            }
            // No other term begins beside work that does not end.
            let shards = (0..self.share.count()).map(|shard| self.share.at_rest(shard));
            tokio::select! {
                biased;
                () = stop.requested() => return,
                _ = join_all(shards) => {}
            }
        }
    }

    /// While this replica is known to be there.
    async fn take_part(&self, stop: &Stop) {
        let _nothing_wanted_after = Leaving(self);
        let shards = (0_u32..).zip(self.electors.iter());
        let tending = join_all(shards.map(|(shard, elector)| self.tend(shard, elector, stop)));
        let looking = async {
            tokio::select! {
                biased;
                () = stop.requested() => {}
                () = self.look_on() => {}
            }
        };
        tokio::join!(biased; looking, tending);
    }

    /// Looks at the leases again and again.
    async fn look_on(&self) {
        let mut seed = self.seed;
        let period = self.sharding.election.retry_period;
        loop {
            self.look().await;
            seed = seed_for(seed, "sharding");
            // Up to a fifth later, so that not all look at once.
            let fifths = u32::try_from(seed >> 32).unwrap_or(u32::MAX);
            let later = period.mul_f64(0.2 * f64::from(fifths) / f64::from(u32::MAX));
            sleep_until(Instant::now() + period + later).await;
        }
    }

    async fn look(&self) {
        let options = ListOptions::default().labels(&self.selector);
        let leases = match self.leases.list_all(&options).await {
            Ok(leases) => leases.items.to_vec(),
            Err(error) => {
                tracing::warn!(%error, "the leases of the shards could not be looked at");
                return;
            }
        };
        let now = self.born.elapsed();
        let plan = {
            let mut state = lock(&self.state);
            state.observe(leases, now);
            state.plan(&self.planned().held, now)
        };
        let litter = plan.litter.clone();
        self.follow(plan);
        if let Some(litter) = litter {
            self.clear_away(&litter).await;
        }
    }

    fn follow(&self, plan: Plan) {
        let mut planned = self.planned();
        let name = &*self.sharding.election.lease;
        if planned.members != plan.members {
            let members: Vec<_> = plan.members.iter().map(String::as_str).collect();
            tracing::info!(
                sharding = name,
                members = members.join(", "),
                "other replicas are there"
            );
        }
        if planned.strangers != plan.strangers && !plan.strangers.is_empty() {
            let strangers: Vec<_> = plan.strangers.iter().map(String::as_str).collect();
            let strangers = strangers.join(", ");
            tracing::warn!(sharding = name, strangers, "takes no shard: others count other shards");
        }
        let Plan { wanted, members, strangers, litter: _ } = plan;
        (planned.wanted, planned.members, planned.strangers) = (wanted, members, strangers);
        drop(planned);
        self.changed.notify_waiters();
    }

    /// Whoever does not succeed will again, or another one does.
    async fn clear_away(&self, litter: &Lease) {
        let options = DeleteOptions {
            resource_version: Some(litter.metadata.resource_version.to_string()),
            ..DeleteOptions::default()
        };
        let name = &*litter.metadata.name;
        match self.leases.delete(name, &options).await {
            Ok(_) => tracing::debug!(lease = name, "deleted the lease of a replica that is gone"),
            Err(error) => tracing::debug!(lease = name, %error, "was not deleted"),
        }
    }

    /// Holds one shard whenever it is wanted.
    async fn tend(&self, shard: u32, elector: &LeaderElector, stop: &Stop) {
        loop {
            let wanted = tokio::select! {
                biased;
                () = stop.requested() => false,
                () = self.is_wanted(shard, true) => true,
            };
            if !wanted {
                return;
            }
            let seen = lock(&self.state).seen(shard).cloned();
            let unwanted = async {
                tokio::select! {
                    biased;
                    () = stop.requested() => {}
                    () = self.is_wanted(shard, false) => {}
                }
            };
            let hold = async || self.hold(shard, stop).await;
            let holding = Holding(self, shard);
            let ended = Box::pin(elector.lead_term(seen, unwanted, hold)).await;
            drop(holding);
            if ended == Ended::Lost {
                tracing::warn!(shard, "the shard is lost");
                // What blocks its thread has not ended: no other term begins beside it.
                tokio::select! {
                    biased;
                    () = stop.requested() => return,
                    () = self.share.at_rest(shard) => {}
                }
            }
        }
    }

    /// While the lease is held; whether it may be given up.
    async fn hold(&self, shard: u32, stop: &Stop) -> ((), bool) {
        self.planned().held.insert(shard);
        self.share.gain(shard);
        let at_rest = async {
            self.is_wanted(shard, false).await;
            self.share.leave(shard);
            self.share.at_rest(shard).await;
        };
        let handed_over = tokio::select! {
            biased;
            () = stop.requested() => false,
            () = at_rest => true,
        };
        // Controllers have stopped before; one that did not end in time keeps the lease.
        self.share.leave(shard);
        ((), handed_over || self.share.is_at_rest(shard))
    }

    /// Waits until a shard is wanted, or not.
    async fn is_wanted(&self, shard: u32, wanted: bool) {
        loop {
            // Made before the look, it hears of what changes after it.
            let changed = self.changed.notified();
            if self.planned().wanted.contains(&shard) == wanted {
                return;
            }
            changed.await;
        }
    }

    fn planned(&self) -> MutexGuard<'_, Planned> {
        lock(&self.plan)
    }
}

/// A candidate for a shard, or its holder: however that ends, the shard is not held any more.
struct Holding<'a>(&'a Sharer, u32);

impl Drop for Holding<'_> {
    fn drop(&mut self) {
        let Self(sharer, shard) = self;
        sharer.share.lose(*shard);
        sharer.planned().held.remove(shard);
    }
}

/// Of the next term nothing is known yet.
struct Leaving<'a>(&'a Sharer);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.planned().wanted.clear();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Sharer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sharer")
            .field("sharding", &self.sharding.election.lease)
            .field("share", &self.share)
            .finish_non_exhaustive()
    }
}
