//! Who tells of clusters.

use std::future::Future;

use watchkeeper_api::Result;
use watchkeeper_client::Client;
use watchkeeper_client::access::Need;

use super::Roster;

/// Tells of clusters that come and go (upstream: `multicluster.Provider`).
///
/// ```
/// use tokio::time::{Duration, interval};
/// use watchkeeper_api::Result;
/// use watchkeeper_client::Client;
/// use watchkeeper_manager::clusters::{Provider, Roster};
///
/// /// Asks somebody each minute.
/// struct Inventory;
///
/// impl Provider for Inventory {
///     async fn run(&self, roster: Roster) -> Result<()> {
///         let mut minute = interval(Duration::from_secs(60));
///         loop {
///             minute.tick().await;
///             for (name, version, client) in asked().await? {
///                 roster.engage(&name, &version, &client);
///             }
///         }
///     }
/// }
/// # async fn asked() -> Result<Vec<(String, String, Client)>> { Ok(Vec::new()) }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` tells of no clusters",
    note = "pass `Static`, `Namespaces`, `Kubeconfigs`, or a type of your own that implements `Provider`"
)]
pub trait Provider: Send + Sync + 'static {
    /// Tells `roster` of the clusters. It is dropped when the manager stops, or does not lead any more, and run
    /// again if it leads anew: all clusters have been forgotten then. It may return when there is no more to tell;
    /// what it told stays.
    ///
    /// # Errors
    /// What it fails with ends the manager.
    fn run(&self, roster: Roster) -> impl Future<Output = Result<()>> + Send;

    /// Which permissions it needs; it changes nothing but what [`Manager::needs`](crate::Manager::needs) tells.
    fn needs(&self) -> Vec<Need> {
        Vec::new()
    }
}

/// Clusters that are known from the start, and stay.
///
/// ```
/// # use watchkeeper_client::Client;
/// # use watchkeeper_manager::{Manager, clusters::Static};
/// # fn f(manager: &Manager, north: Client, south: Client, greeter: fn(&Manager)) {
/// let both = Static::new([("north", north), ("south", south)]);
/// manager.clusters("fleet", both, move |cluster| greeter(cluster));
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Static {
    clusters: Vec<(String, Client)>,
}

impl Static {
    /// These, by their names. Of two of one name the first counts.
    pub fn new<N: Into<String>>(clusters: impl IntoIterator<Item = (N, Client)>) -> Self {
        let clusters = clusters.into_iter().map(|(name, client)| (name.into(), client));
        Self { clusters: clusters.collect() }
    }
}

impl Provider for Static {
    async fn run(&self, roster: Roster) -> Result<()> {
        for (name, client) in &self.clusters {
            roster.engage(name, "", client);
        }
        Ok(())
    }
}
