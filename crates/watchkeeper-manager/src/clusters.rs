//! Several clusters in one program, which come and go.
//!
//! [`Manager::clusters`](crate::Manager::clusters) takes a [`Provider`], which tells of clusters, and a function that
//! is called for each that is engaged. A [`Cluster`] is a [`Manager`](crate::Manager) of its own, so that what sets up
//! one cluster sets up many:
//!
//! ```
//! use watchkeeper_api::core::v1::ConfigMap;
//! use watchkeeper_api::{Object, object};
//! use watchkeeper_apiserver::ApiServer;
//! use watchkeeper_client::{Client, CreateOptions};
//! use watchkeeper_controller::Action;
//! use watchkeeper_manager::Manager;
//! use watchkeeper_manager::clusters::Static;
//!
//! fn greeter(manager: &Manager) {
//!     let maps = manager.watch::<ConfigMap>();
//!     manager.controller("greeter", &maps).with(maps).reconcile(async |maps, request, ctx| {
//!         let Some(map) = maps.get(&request).await? else { return Ok(Action::done()) };
//!         let greeting = format!("hello from {}", ctx.cluster());
//!         ctx.edit(&map, |map| drop(map.data.insert("greeting", greeting))).await?;
//!         Ok(Action::done())
//!     });
//! }
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> watchkeeper_api::Result<()> {
//! let [home, north, south] = [(); 3].map(|()| Client::new(ApiServer::new()));
//! let map = object!(ConfigMap { metadata: { name: "a", namespace: "default" } });
//! north.api_for(&map).create(&map, &CreateOptions::default()).await?;
//!
//! let manager = Manager::new(&home);
//! let both = Static::new([("north", north.clone()), ("south", south)]);
//! let clusters = manager.clusters("fleet", both, |cluster| greeter(cluster));
//!
//! manager
//!     .run(async {
//!         clusters.working("north").await;
//!         tokio::time::sleep(std::time::Duration::from_secs(1)).await;
//!         for cluster in clusters.status() {
//!             println!("{cluster}"); // north: works
//!         }
//!         clusters.roster().disengage("south");
//!         clusters.gone("south").await;
//!     })
//!     .await?;
//! let map = north.api_for(&map).get("a").await?;
//! assert_eq!(map.data.get("greeting").map(|text| &**text), Some("hello from north"));
//! # Ok(())
//! # }
//! ```
//!
//! - *Apart*: each cluster has its caches, queues and workers. One that cannot be reached, or whose setup panics, fails
//!   by itself, and is begun again, later each time; the others do not notice.
//! - *Nothing stays*: what runs of a cluster that leaves is ended as a manager ends, and dropped.
//! - *In order*: a cluster that is replaced by one of other credentials has ended before that one begins.
//! - *Led*: the clusters run where the [lease](crate::Manager::leader_election) is held, and what is written in them
//!   stops with it.
//!
//! A controller that looks at one cluster and writes to others is one of the manager, lent the [`Clusters`].
//! `docs/design/clusters.md` has the reasons. The counterpart of `sigs.k8s.io/multicluster-runtime`.

use std::fmt;
use std::future::{Ready, ready};
use std::sync::Arc;

use watchkeeper_api::{Error, Result};

mod cluster;
mod fleet;
#[cfg(feature = "kubeconfig")]
mod kubeconfigs;
mod namespaces;
mod provider;
mod roster;
mod state;
mod status;

pub use cluster::Cluster;
pub(crate) use fleet::{Fleet, erased};
#[cfg(feature = "kubeconfig")]
pub use kubeconfigs::Kubeconfigs;
pub use namespaces::Namespaces;
pub use provider::{Provider, Static};
pub use roster::Roster;
use roster::Shared;
pub use status::{ClusterPhase, ClusterStatus};

/// The clusters of a provider: to be asked how they are doing, to reach each, and to tell of others. Clones are of
/// the same clusters.
#[derive(Clone)]
pub struct Clusters {
    roster: Roster,
}

impl Clusters {
    pub(crate) fn new() -> Self {
        Self { roster: Roster { shared: Arc::new(Shared::default()) } }
    }

    /// The cluster of this name, if it runs: with its client and its cache (upstream: `GetCluster`).
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Cluster> {
        self.roster.shared.running().get(name).cloned()
    }

    /// Those that run, in the order of their names.
    #[must_use]
    pub fn all(&self) -> Vec<Cluster> {
        self.roster.shared.running().values().cloned().collect()
    }

    /// To tell of clusters beside the provider: for a controller of the objects that stand for them.
    ///
    /// ```
    /// # use watchkeeper_api::core::v1::Secret;
    /// # use watchkeeper_api::{Object, Result};
    /// # use watchkeeper_client::Client;
    /// # use watchkeeper_controller::Action;
    /// # use watchkeeper_manager::{Manager, clusters::Static};
    /// # fn client_of(secret: &Secret) -> Result<Client> { Ok(Client::unconnected()) }
    /// # fn f(manager: &Manager, greeter: fn(&Manager)) {
    /// let none = Static::default();
    /// let clusters = manager.clusters("fleet", none, move |cluster| greeter(cluster));
    /// let secrets = manager.watch::<Secret>();
    /// let state = (secrets.clone(), clusters.roster().clone());
    /// manager.controller("fleet-secrets", &secrets).with(state).reconcile(
    ///     async |(secrets, roster), request, _ctx| {
    ///         match secrets.get(&request).await? {
    ///             Some(secret) => {
    ///                 let version = secret.resource_version();
    ///                 roster.engage(request.name(), version, &client_of(&secret)?);
    ///             }
    ///             None => _ = roster.disengage(request.name()),
    ///         }
    ///         Ok(Action::done())
    ///     },
    /// );
    /// # }
    /// ```
    #[must_use]
    pub const fn roster(&self) -> &Roster {
        &self.roster
    }

    /// How each cluster is doing, in the order of their names.
    #[must_use]
    pub fn status(&self) -> Vec<ClusterStatus> {
        let shared = &self.roster.shared;
        let lives: Vec<_> = {
            let state = shared.state();
            let lives = state.lives();
            lives
                .map(|(name, life, why)| (name.to_owned(), life.clone(), why.map(str::to_owned)))
                .collect()
        };
        let status = lives.iter().map(|(name, life, why)| {
            ClusterStatus::of(name, life, why.as_deref(), self.get(name).as_ref())
        });
        status.collect()
    }

    /// A check of whether every cluster works, for `Manager::health_check` and `ready_check`: it names those that
    /// do not, and why. A program that does its work wherever it can is ready all the same, and asks it of nobody.
    pub fn all_work(&self) -> impl Fn() -> Ready<Result<()>> + Send + Sync + 'static {
        let clusters = self.clone();
        move || {
            let status = clusters.status();
            let others = status.iter().filter(|cluster| cluster.phase != ClusterPhase::Working);
            let others: Vec<_> = others.map(ToString::to_string).collect();
            ready(match others.is_empty() {
                true => Ok(()),
                false => Err(Error::other(others.join("; "))),
            })
        }
    }

    /// Waits until the cluster of this name works: it is engaged, its caches are full, its controllers work.
    ///
    /// # Cancel safety
    ///
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn working(&self, name: &str) {
        loop {
            // Made before the look, it hears of what changes after it.
            let changed = self.roster.shared.changed.notified();
            let Some(cluster) = self.get(name) else {
                changed.await;
                continue;
            };
            tokio::select! {
                biased;
                () = cluster.works() => return,
                () = changed => {}
            }
        }
    }

    /// Waits until there is no cluster of this name: what ran of it has ended.
    ///
    /// # Cancel safety
    ///
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn gone(&self, name: &str) {
        loop {
            let changed = self.roster.shared.changed.notified();
            if !self.roster.shared.state().lives().any(|(known, _, _)| known == name) {
                return;
            }
            changed.await;
        }
    }
}

impl fmt::Debug for Clusters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Clusters").field(&self.roster).finish()
    }
}
