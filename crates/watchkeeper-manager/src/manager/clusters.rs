//! A manager of several clusters, and those of each.

use std::future::Future;
use std::sync::Arc;

use watchkeeper_api::{Error, Result};
use watchkeeper_client::Client;

use super::{ClosedOnDrop, Manager};
use crate::clusters::{Cluster, Clusters, Fleet, Provider, erased};
use crate::runnable::{Group, Registry, Runnable};

impl Manager {
    /// Runs the clusters that `provider` tells of, as long as each is there: `setup` is called for each that is
    /// engaged, and makes its watches and controllers. `name` must not be taken by another runnable.
    ///
    /// A cluster begins by itself, whatever the others do; one that fails is begun again, and the manager goes on.
    /// All run where the lease is held, if there is an [election](Self::leader_election), and are written to only
    /// while it is. With [sharding](Self::sharding) and without an election, each replica engages every cluster, and
    /// reconciles there what is in the shards that it holds.
    ///
    /// To be called after all that says what the manager is like, [`limit_kind`](Self::limit_kind) included: what
    /// is limited is limited over all clusters.
    ///
    /// ```
    /// # use watchkeeper_api::core::v1::ConfigMap;
    /// # use watchkeeper_client::Client;
    /// # use watchkeeper_controller::Action;
    /// # use watchkeeper_manager::{Manager, clusters::Namespaces};
    /// # fn f(manager: &Manager, client: &Client) {
    /// let clusters = manager.clusters("tenants", Namespaces::of(client), |tenant| {
    ///     let maps = tenant.watch::<ConfigMap>();
    ///     tenant.controller("maps", &maps).reconcile(async |request, ctx| {
    ///         println!("{request} of {}", ctx.cluster());
    ///         Ok(Action::done())
    ///     });
    /// });
    /// # #[cfg(feature = "endpoints")]
    /// manager.ready_check("tenants", clusters.all_work());
    /// # }
    /// ```
    pub fn clusters(
        &self,
        name: &str,
        provider: impl Provider,
        setup: impl Fn(&Cluster) + Send + Sync + 'static,
    ) -> Clusters {
        self.registry.need(provider.needs());
        let clusters = Clusters::new();
        let fleet = Arc::new(Fleet {
            name: name.to_owned(),
            pattern: self.pattern(),
            clusters: clusters.clone(),
            provider: erased(provider),
            setup: Arc::new(setup),
        });
        let shares = self.elector.is_none() && self.sharer.is_some();
        let group = if shares { Group::Everywhere } else { Group::Leading };
        self.registry.add(Runnable::again(name, group, move |stop| Arc::clone(&fleet).run(stop)));
        clusters
    }

    /// This manager without what it runs: it holds none of it, so what it runs may hold this.
    fn pattern(&self) -> Self {
        Self { registry: Arc::new(Registry::limited_as(&self.registry)), ..self.clone() }
    }

    /// The manager of a cluster, like the pattern that this is.
    pub(crate) fn member(&self, name: &str, client: &Client) -> Self {
        let mut member = Self::new(client);
        if let Some(seed) = self.seed_for(&format!("cluster {name}")) {
            member = member.seed(seed);
        }
        if let Some(metrics) = self.metrics.clone() {
            let informers = format!("{}/{name}", metrics.name);
            member = member.metrics(metrics.name(informers));
        }
        if let Some(elector) = self.elector() {
            member.client = elector.fence().guard(&member.unfenced);
        }
        let sharer = self.sharer.clone().filter(|_| self.elector.is_none());
        Self {
            cluster: name.into(),
            registry: Arc::new(Registry::limited_as(&self.registry)),
            sharer,
            clock: self.clock.clone(),
            wrap: self.wrap.clone(),
            grace: self.grace,
            sync_timeout: self.sync_timeout,
            ..member
        }
    }

    /// Runs what a cluster has, without endpoints, and without a lease of its own.
    pub(crate) async fn run_member(self, shutdown: impl Future<Output = ()> + Send) -> Result<()> {
        if !self.registry.begin() {
            return Err(Error::other("a manager can be run once"));
        }
        let _closed = ClosedOnDrop(&self.registry);
        Box::pin(self.run_with(None, None, shutdown)).await
    }
}
