//! The namespaces of one cluster, each as a cluster.

use std::fmt::Display;

use tokio::sync::mpsc;
use watchkeeper_api::core::v1::Namespace;
use watchkeeper_api::{Error, Object, Result};
use watchkeeper_cache::{Cache, Change};
use watchkeeper_client::access::Need;
use watchkeeper_client::{Client, Select};

use super::{Provider, Roster};

/// Each namespace of one cluster acts as a cluster of the namespace's name, from when it is there until it is gone.
///
/// The client of such a cluster is [kept](Client::namespaced) to the namespace, and so are its caches: what is in
/// other namespaces is not there, and a request about it fails before it is sent. Kinds of the cluster, such as
/// nodes, are reached as ever.
///
/// ```
/// # use watchkeeper_client::Client;
/// # use watchkeeper_manager::{Manager, clusters::Namespaces};
/// # fn f(manager: &Manager, client: &Client, greeter: fn(&Manager)) {
/// let tenants = Namespaces::of(client).labels("example.com/tenant");
/// manager.clusters("tenants", tenants, move |tenant| greeter(tenant));
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Namespaces {
    client: Client,
    select: Select<Namespace>,
}

impl Namespaces {
    /// Every namespace.
    #[must_use]
    pub fn of(client: &Client) -> Self {
        Self { client: client.clone(), select: Select::all() }
    }

    /// Only those whose labels match.
    #[must_use]
    pub fn labels(mut self, selector: impl Display) -> Self {
        self.select = self.select.labels(selector);
        self
    }

    fn tell(&self, roster: &Roster, change: &Told) {
        match change {
            Told::There { name, uid } => {
                let client = self.client.clone().namespaced(name).with_default_namespace(name);
                roster.engage(name, uid, &client);
            }
            Told::Gone { name } => _ = roster.disengage(name),
        }
    }
}

/// What happened to a namespace.
enum Told {
    There { name: String, uid: String },
    Gone { name: String },
}

impl Told {
    fn of(change: &Change<Namespace>) -> Self {
        let namespace = change.object();
        let name = namespace.name().to_owned();
        match change {
            Change::Deleted { .. } => Self::Gone { name },
            Change::Added { .. } | Change::Updated { .. } => {
                Self::There { name, uid: namespace.uid().to_owned() }
            }
        }
    }
}

impl Provider for Namespaces {
    async fn run(&self, roster: Roster) -> Result<()> {
        let cache = Cache::new(&self.client);
        let namespaces = cache.watch_only(self.select.clone());
        let (told, mut changes) = mpsc::unbounded_channel();
        let _subscription = namespaces.subscribe(move |change| {
            // Nobody listens any more when this ends.
            let _sent = told.send(Told::of(change));
        });
        let tell = async {
            while let Some(change) = changes.recv().await {
                self.tell(&roster, &change);
            }
        };
        tokio::select! {
            biased;
            () = tell => {}
            () = cache.run() => {}
        }
        Err(Error::other("the watch of the namespaces has ended"))
    }

    fn needs(&self) -> Vec<Need> {
        let reason = "each namespace acts as a cluster";
        Need::to_follow_only(&self.client, &self.select, reason).into_iter().collect()
    }
}
