//! Which of several replicas works, and on what.

use std::future::{Ready, ready};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::Result;
use watchkeeper_client::access::Need;
use watchkeeper_controller::Share;

use super::Manager;
use crate::leader::{LeaderElection, LeaderElector};
use crate::sharding::{Sharding, Sharer};

impl Manager {
    /// Lets one of several replicas work: the one that holds the lease. The others have their caches full
    /// and wait. To be called after [`seed`](Self::seed) and [`clock`](Self::clock), and before controllers
    /// are made.
    ///
    /// The [client](Self::client) then sends writes only while the lease is surely held. When it is lost,
    /// what runs is ended where it is, and [`run`](Self::run) fails with `leader election lost`, for the
    /// process to end; with [`step_down`](LeaderElection::step_down) this replica waits for its turn again.
    /// What [runs everywhere](Self::add_everywhere) knows of no lease.
    ///
    /// ```no_run
    /// # use watchkeeper_manager::{LeaderElection, Manager, signals};
    /// # async fn f(client: watchkeeper_client::Client) -> watchkeeper_api::Result<()> {
    /// let manager = Manager::new(&client).leader_election("my-operator");
    /// // … the controllers
    /// manager.run(signals::shutdown()).await
    /// # }
    /// ```
    #[must_use]
    pub fn leader_election(mut self, election: impl Into<LeaderElection>) -> Self {
        let election = election.into();
        self.registry.need(Need::to_lead(self.namespace_of(&election), &election.lease));
        let seed = self.dice_of("leader election");
        let clock = self.clock.clone();
        let elector = LeaderElector::with_clock(&self.unfenced, election, clock, seed);
        if let Ok(elector) = &elector {
            if let Some(metrics) = &self.election_metrics {
                metrics.candidate_made(&elector.election().lease, elector.candidate());
            }
            self.client = elector.fence().guard(&self.unfenced);
        }
        self.elector = Some(Arc::new(elector));
        self
    }

    /// Lets replicas share the objects: each controller that is made from now on reconciles only those in the
    /// shards that this replica holds, by a lease for each. To be called after [`seed`](Self::seed),
    /// [`clock`](Self::clock) and [`metrics`](Self::metrics).
    ///
    /// A shard moves to another replica when that has joined, once the reconciles of its objects have ended;
    /// or when its holder has not renewed it in time, which ends what that one still does with its objects.
    /// Who gains a shard looks at all of its objects. What a reconcile function writes with its
    /// [context](watchkeeper_controller::Context) is sent only while the shard is surely held; what it writes
    /// with [`client`](Self::client) is not asked for a shard. Watches stay whole: every replica has every
    /// object in its cache.
    ///
    /// A controller that is not to share says so: [`whole`](watchkeeper_controller::ControllerBuilder::whole) or
    /// [`everywhere`](watchkeeper_controller::ControllerBuilder::everywhere). With an [election](Self::leader_election) besides, what is
    /// [added](Self::add), and controllers that are whole, run where its lease is held; without one, on every
    /// replica.
    ///
    /// ```no_run
    /// # use watchkeeper_api::core::v1::ConfigMap;
    /// # use watchkeeper_controller::Action;
    /// # use watchkeeper_manager::{Manager, Sharding, signals};
    /// # async fn f(client: watchkeeper_client::Client) -> watchkeeper_api::Result<()> {
    /// let manager = Manager::new(&client).sharding(Sharding::new("my-operator", 16));
    /// let maps = manager.watch::<ConfigMap>();
    /// manager.controller("maps", &maps).with(maps).reconcile(async |maps, request, _ctx| {
    ///     let _mine = maps.get(&request).await?;
    ///     Ok(Action::done())
    /// });
    /// manager.run(signals::shutdown()).await
    /// # }
    /// ```
    #[must_use]
    pub fn sharding(mut self, sharding: Sharding) -> Self {
        self.registry.need(sharding.needs(self.namespace_of(&sharding.election)));
        let seed = self.dice_of("sharding");
        let sharer = Sharer::new(&self.unfenced, sharding, &self.clock, seed);
        if let (Ok(sharer), Some(metrics)) = (&sharer, &self.election_metrics) {
            for (lease, candidate) in sharer.candidates() {
                metrics.candidate_made(lease, candidate);
            }
        }
        self.sharer = Some(Arc::new(sharer));
        self
    }

    /// Which shards this replica holds; none without a valid [sharding](Self::sharding).
    #[must_use]
    pub fn share(&self) -> Option<&Share> {
        let sharer = self.sharer.as_ref()?.as_ref().as_ref().ok()?;
        Some(sharer.share())
    }

    /// A check, for `Manager::health_check`, of whether the leases that this replica holds for its
    /// [sharding](Self::sharding) are renewed as they shall be: a process that hangs is ended by its kubelet then,
    /// and others have its shards. It fails when one was not renewed for its duration and `tolerance`, and names
    /// it. Without a sharding there is nothing to renew. The counterpart of [`LeaderElector::healthy`] (L-13).
    ///
    /// ```
    /// # #[cfg(feature = "endpoints")]
    /// # fn f(client: &watchkeeper_client::Client) {
    /// # use std::time::Duration;
    /// # use watchkeeper_manager::{Manager, Sharding};
    /// let manager = Manager::new(client).sharding(Sharding::new("my-operator", 16));
    /// manager.health_check("sharding", manager.sharding_renewed(Duration::from_secs(20)));
    /// # }
    /// ```
    pub fn sharding_renewed(
        &self,
        tolerance: Duration,
    ) -> impl Fn() -> Ready<Result<()>> + Send + Sync + 'static {
        let sharer = self.sharer.clone();
        move || {
            let sharer = sharer.as_ref().and_then(|sharer| sharer.as_ref().as_ref().ok());
            ready(sharer.map_or(Ok(()), |sharer| sharer.healthy(tolerance)))
        }
    }

    /// The candidate for the lease, to be asked who leads; none without a valid
    /// [election](Self::leader_election).
    #[must_use]
    pub fn elector(&self) -> Option<&LeaderElector> {
        self.elector.as_ref().and_then(|elector| elector.as_ref().as_ref().ok())
    }

    /// Completes when this replica leads, or at once without an election (M-07).
    ///
    /// # Cancel safety
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn elected(&self) {
        if let Some(elector) = self.elector() {
            elector.elected().await;
        }
    }

    fn namespace_of<'a>(&'a self, election: &'a LeaderElection) -> &'a str {
        let namespace = election.namespace.as_deref();
        namespace.unwrap_or_else(|| self.unfenced.default_namespace())
    }

    /// The seed of what is called so; another one in every process unless the manager has one.
    fn dice_of(&self, name: &str) -> u64 {
        self.seed_for(name).unwrap_or_else(|| RandomState::new().hash_one(0_u8))
    }
}
