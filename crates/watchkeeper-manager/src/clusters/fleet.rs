//! Begins and ends clusters as they come and go.

use std::collections::BTreeMap;
use std::future::{Future, pending};
use std::pin::{Pin, pin};
use std::sync::Arc;

use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, sleep_until};
use watchkeeper_api::{Error, Result};
use watchkeeper_client::Client;
use watchkeeper_controller::{Stop, Stopper};

use super::roster::Shared;
use super::state::Step;
use super::{Cluster, Clusters, Provider, Roster};
use crate::Manager;
use crate::panics::caught;
use crate::runnable::Running;

/// What runs the clusters of a provider.
pub(crate) struct Fleet {
    pub(crate) name: String,
    /// What the managers of the clusters are like.
    pub(crate) pattern: Manager,
    pub(crate) clusters: Clusters,
    pub(crate) provider: Box<dyn Fn(Roster) -> Running + Send + Sync>,
    pub(crate) setup: Arc<dyn Fn(&Cluster) + Send + Sync>,
}

/// A provider whatever its type.
pub(crate) fn erased(provider: impl Provider) -> Box<dyn Fn(Roster) -> Running + Send + Sync> {
    let provider = Arc::new(provider);
    Box::new(move |roster| {
        let provider = Arc::clone(&provider);
        Box::pin(async move { provider.run(roster).await })
    })
}

impl Fleet {
    /// Runs the clusters until the stop, then lets them finish.
    pub(crate) async fn run(self: Arc<Self>, stop: Stop) -> Result<()> {
        let roster = self.clusters.roster();
        let shared = &roster.shared;
        let _forgotten = ClearOnDrop(shared);
        let mut members = Members { fleet: &self, tasks: JoinSet::new(), stops: BTreeMap::new() };
        let result = tokio::select! {
            biased;
            () = stop.requested() => Ok(()),
            error = self.told((self.provider)(roster.clone())) => Err(error),
            never = members.tend(shared) => never,
        };
        members.finish(shared).await;
        result
    }

    /// Completes when the provider fails.
    async fn told(&self, provider: Pin<Box<dyn Future<Output = Result<()>> + Send>>) -> Error {
        match provider.await {
            Ok(()) => pending().await,
            Err(error) => Error::other(format!("the clusters of {}: {error}", self.name)),
        }
    }
}

/// The clusters that run; dropping it ends them where they are.
struct Members<'a> {
    fleet: &'a Fleet,
    tasks: JoinSet<(String, Result<(), String>)>,
    stops: BTreeMap<String, Stopper>,
}

impl Members<'_> {
    /// Does what is to be done, for ever.
    async fn tend(&mut self, shared: &Arc<Shared>) -> Result<()> {
        loop {
            while let Some(step) = shared.next(Instant::now()) {
                self.step(step);
            }
            let wake = shared.state().wake();
            tokio::select! {
                biased;
                Some(ended) = self.tasks.join_next() => self.ended(shared, ended),
                () = shared.told.notified() => {}
                () = moment(wake) => {}
            }
        }
    }

    fn step(&mut self, step: Step<Client>) {
        let fleet = &self.fleet.name;
        match step {
            Step::Stop(name) => {
                tracing::info!(fleet, cluster = name, "leaves");
                // Dropping it requests the stop.
                drop(self.stops.remove(&name));
            }
            Step::Start(name, client) => {
                tracing::info!(fleet, cluster = name, "is engaged");
                let (stopper, stop) = Stop::channel();
                self.stops.insert(name.clone(), stopper);
                let Fleet { pattern, clusters, setup, .. } = self.fleet;
                let manager = pattern.member(&name, &client);
                let cluster = Cluster::new(&name, manager, clusters.clone());
                let living = live(cluster, Arc::clone(setup), stop);
                self.tasks.spawn(async move {
                    let ended = caught(living).await;
                    (name, ended.unwrap_or_else(|said| Err(format!("panic: {said}"))))
                });
            }
        }
    }

    fn ended(&mut self, shared: &Shared, ended: Result<(String, Result<(), String>), JoinError>) {
        // Panics are caught, and nobody aborts one alone.
        let Ok((name, result)) = ended else { return };
        let fleet = &self.fleet.name;
        match &result {
            Ok(()) => tracing::info!(fleet, cluster = name, "has ended"),
            Err(error) => tracing::error!(fleet, cluster = name, error, "failed"),
        }
        self.stops.remove(&name);
        shared.ended(&name, result, Instant::now());
    }

    /// Lets all of them finish; each has its time of grace.
    async fn finish(&mut self, shared: &Shared) {
        self.stops.clear();
        while let Some(ended) = self.tasks.join_next().await {
            self.ended(shared, ended);
        }
    }
}

/// A cluster from its setup to its end.
async fn live(
    cluster: Cluster,
    setup: Arc<dyn Fn(&Cluster) + Send + Sync>,
    stop: Stop,
) -> Result<(), String> {
    setup(&cluster);
    let manager = Manager::clone(&cluster);
    let _shown = cluster.others().roster().shared.show(cluster.clone());
    let running = pin!(manager.run_member(stop.requested()));
    running.await.map_err(|error| error.to_string())
}

async fn moment(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => pending().await,
    }
}

/// However a run ends, nothing of it runs any more.
struct ClearOnDrop<'a>(&'a Shared);

impl Drop for ClearOnDrop<'_> {
    fn drop(&mut self) {
        self.0.clear();
    }
}
