//! The server and the actors, as one thing to start.

use std::future::Future;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::{Error, MicroTime, Result};
use watchkeeper_apiserver::snapshot::Snapshot;
use watchkeeper_apiserver::{ApiServer, Clock, Journal, Keeper, User};
use watchkeeper_client::{Client, NoWarnings};
use watchkeeper_manager::Manager;

use crate::actors::{Actor, FakeNode};
use crate::containers::Containers;
use crate::started::Started;
use crate::wired::Wired;

/// The certificate in each namespace's `kube-root-ca.crt` of a server that speaks plain HTTP: nothing
/// is verified with it; pods expect the config map to be there.
const ROOT_CA: &str = include_str!("root_ca.pem");

/// A cluster in the process: an API server and its actors.
///
/// The server answers as soon as this exists; the actors work while [`Cluster::run`] is polled.
///
/// ```
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> watchkeeper_api::Result<()> {
/// use watchkeeper_api::core::v1::Namespace;
/// use watchkeeper_cluster::Cluster;
///
/// let cluster = Cluster::builder().nodes(1).seed(7).build();
/// let client = cluster.client("me");
/// assert_eq!(client.api::<Namespace>().get("default").await?.status.phase, "Active");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Cluster {
    server: ApiServer,
    nodes: Vec<FakeNode>,
    actors: Vec<Actor>,
    root_ca: String,
    seed: u64,
    clock: Clock,
    containers: Containers,
}

/// What a [`Cluster`] is made of.
#[derive(Clone, Debug)]
pub struct Builder {
    nodes: u16,
    seed: Option<u64>,
    clock: Clock,
    rbac: bool,
    actors: Vec<Actor>,
    root_ca: String,
    control_plane_maps: bool,
    history_events: Option<usize>,
    history_for: Option<Duration>,
    snapshot: Option<Snapshot>,
}

impl Cluster {
    /// A cluster at work: [`Builder::start`] of [`Cluster::builder`]. It takes no port and little memory, so that
    /// each test may have one of its own, and a program thousands.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> watchkeeper_api::Result<()> {
    /// use watchkeeper_api::core::v1::Node;
    /// use watchkeeper_cluster::Cluster;
    ///
    /// let cluster = Cluster::start().await?;
    /// assert_eq!(cluster.client("me").api::<Node>().get("node-0").await?.status.phase, "");
    /// cluster.stop().await
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Builder::start`].
    ///
    /// # Cancel safety
    ///
    /// As [`Builder::start`].
    pub async fn start() -> Result<Started> {
        Self::builder().start().await
    }

    /// One node, the system's clock, a random seed.
    #[must_use]
    pub fn builder() -> Builder {
        Builder {
            nodes: 1,
            seed: None,
            clock: Clock::System,
            rbac: false,
            actors: Actor::ALL.to_vec(),
            root_ca: ROOT_CA.to_owned(),
            control_plane_maps: false,
            history_events: None,
            history_for: None,
            snapshot: None,
        }
    }

    /// The API server: a tower service, to be given to clients or put behind a listener.
    #[must_use]
    pub fn server(&self) -> &ApiServer {
        &self.server
    }

    /// The containers of its pods: what they print, run and listen to.
    #[must_use]
    pub const fn containers(&self) -> &Containers {
        &self.containers
    }

    /// The administrator's client, without a socket between it and the server. `name` is its user
    /// agent, by which the history of writes tells the actors apart.
    #[must_use]
    pub fn client(&self, name: &str) -> Client {
        self.client_as(&User::admin()).user_agent(name)
    }

    /// A client whose requests are one user's: with [`Builder::rbac`] it may do what roles and
    /// bindings let that user do.
    #[must_use]
    pub fn client_as(&self, user: &User) -> Client {
        Client::new(Wired(self.server.acting_as(user.clone()))).user_agent(&user.name)
    }

    /// A new bearer token of a user, for clients that come over a port.
    #[must_use]
    pub fn token_for(&self, user: &User) -> String {
        let token = format!("{:016x}{:016x}", random_seed(), random_seed());
        self.server.add_token(&token, user.clone());
        token
    }

    /// All that the cluster holds, as YAML: [`ApiServer::export`]. [`Builder::import`] makes a cluster of it, and so
    /// does `watchkeeper serve --import` for kubectl. Secrets are in it.
    #[must_use]
    pub fn export(&self) -> String {
        self.server.export()
    }

    /// Writes [`Cluster::export`] to a file that only its owner may read. Whoever looks sees what was there before,
    /// or all of it.
    ///
    /// # Errors
    ///
    /// When the file cannot be written; one that was there stays as it is.
    pub fn export_to(&self, path: &Path) -> Result<()> {
        crate::export::write(path, &self.export())
            .map_err(|error| Error::other(format!("{} cannot be written: {error}", path.display())))
    }

    /// What controllers on this cluster should date their writes by: the server's own clock.
    #[must_use]
    pub fn clock(&self) -> watchkeeper_controller::Clock {
        match self.clock {
            Clock::System => watchkeeper_controller::Clock::system(),
            Clock::Virtual(_) => {
                let micros = i64::try_from(self.server.now().0.as_micros()).unwrap_or(i64::MAX);
                watchkeeper_controller::Clock::starting_at(MicroTime::from_unix_micros(micros))
            }
        }
    }

    pub(crate) fn has(&self, actor: Actor) -> bool {
        self.actors.contains(&actor)
    }

    pub(crate) fn node_names(&self) -> impl Iterator<Item = String> + '_ {
        self.nodes.iter().map(FakeNode::name)
    }

    /// Runs the actors until `shutdown` completes, then stops them in order.
    ///
    /// # Errors
    ///
    /// Returns the first error that ended an actor; the others are stopped.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops every actor where it stands. The server keeps what was written.
    pub async fn run(&self, shutdown: impl Future<Output = ()> + Send) -> Result<()> {
        // Actors are there for kinds on their way out, too, as kube-controller-manager is, which hears of none.
        let client = self.client("watchkeeper-cluster").notices(Arc::new(NoWarnings));
        let manager = Manager::new(&client);
        let manager = manager.seed(self.seed).clock(self.clock());
        for actor in &self.actors {
            actor.add(&manager, &self.nodes, Some(&self.root_ca));
        }
        manager.run(shutdown).await
    }
}

impl Builder {
    /// A cluster whose actors work on a task of their own, as soon as its nodes are ready: see [`Started`].
    ///
    /// # Errors
    ///
    /// Returns what ended the actors before.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the actors where they stand.
    pub async fn start(self) -> Result<Started> {
        Started::new(self.build()).await
    }

    /// How many events the server remembers for watches and paged lists, at most.
    #[must_use]
    pub fn history_events(mut self, count: usize) -> Self {
        self.history_events = Some(count);
        self
    }

    /// For how long the server remembers events, at most
    /// ([`history_for`](watchkeeper_apiserver::server::Builder::history_for)).
    #[must_use]
    pub fn history_for(mut self, time: Duration) -> Self {
        self.history_for = Some(time);
        self
    }

    /// How many fake nodes there are (at most 3000).
    #[must_use]
    pub fn nodes(mut self, count: u16) -> Self {
        self.nodes = count;
        self
    }

    /// Which actors there are; all of them unless told. Without any it is an API server alone.
    #[must_use]
    pub fn actors(mut self, actors: impl IntoIterator<Item = Actor>) -> Self {
        self.actors = actors.into_iter().collect();
        self
    }

    /// The certificate (PEM) in each namespace's `kube-root-ca.crt`: that of the
    /// authority of an [`Endpoint`](crate::Endpoint) over TLS.
    #[must_use]
    pub fn root_ca(mut self, pem: impl Into<String>) -> Self {
        self.root_ca = pem.into();
        self
    }

    /// Where every random choice comes from: uids, generated names, jitter, the order of what is
    /// free. With one seed and paused time a run is the same every time.
    ///
    /// The key that tokens of service accounts are signed with follows from it, too: such tokens keep
    /// nobody out, as every uid gives the seed away. Without a seed the operating system draws the key.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Lets roles and bindings hold, so that a test shows whether those of a controller suffice:
    /// run it with [`Cluster::client_as`] the user of its service account. The actors and
    /// [`Cluster::client`] may do everything.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() {
    /// use watchkeeper_api::core::v1::Pod;
    /// use watchkeeper_client::ListOptions;
    /// use watchkeeper_cluster::{Cluster, User};
    ///
    /// let cluster = Cluster::builder().rbac().build();
    /// let controller = cluster.client_as(&User::service_account("default", "controller"));
    /// let refused = controller.api::<Pod>().list_all(&ListOptions::default()).await;
    /// let why = refused.expect_err("nothing is bound to it").to_string();
    /// assert!(why.contains("cannot list resource \"pods\" in API group \"\""), "{why}");
    /// # }
    /// ```
    #[must_use]
    pub fn rbac(mut self) -> Self {
        self.rbac = true;
        self
    }

    /// Lets the config maps be there that a kube-apiserver makes for itself
    /// ([`control_plane_maps`](watchkeeper_apiserver::server::Builder::control_plane_maps)), as programs look for them that
    /// are at home in a whole cluster.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() {
    /// use watchkeeper_api::core::v1::ConfigMap;
    /// use watchkeeper_cluster::Cluster;
    ///
    /// let cluster = Cluster::builder().control_plane_maps().build();
    /// let maps = cluster.client("me").api::<ConfigMap>().namespace("kube-system");
    /// let map = maps.get("kube-apiserver-legacy-service-account-token-tracking").await;
    /// assert!(map.expect("a map").data.contains_key("since"));
    /// # }
    /// ```
    #[must_use]
    pub fn control_plane_maps(mut self) -> Self {
        self.control_plane_maps = true;
        self
    }

    /// Lets the cluster begin with what another one held, as [`Cluster::export`] wrote it: the same objects under the
    /// same uids and revisions ([`import`](watchkeeper_apiserver::server::Builder::import) of the server).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> watchkeeper_api::Result<()> {
    /// use watchkeeper_api::core::v1::ConfigMap;
    /// use watchkeeper_api::object;
    /// use watchkeeper_cluster::Cluster;
    ///
    /// let cluster = Cluster::builder().seed(7).build();
    /// let map = object!(ConfigMap { metadata: { name: "a", namespace: "default" } });
    /// let made = cluster.client("me").api_for(&map).create(&map, &Default::default()).await?;
    ///
    /// let again = Cluster::builder().seed(7).import(&cluster.export())?.build();
    /// assert_eq!(again.client("me").api_for(&map).get("a").await?, made);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Which document of the text no cluster can have written, and why.
    pub fn import(mut self, yaml: &str) -> Result<Self> {
        let snapshot = yaml.parse();
        self.snapshot = Some(snapshot.map_err(|error| Error::other(format!("{error}")))?);
        Ok(self)
    }

    /// What the server takes for the time.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// The cluster, its server ready.
    #[must_use]
    pub fn build(self) -> Cluster {
        let seed = self.seed.unwrap_or_else(random_seed);
        let server = self.server(seed).build();
        self.around(server, seed)
    }

    /// The cluster that a journal has, or, of a new journal, one that begins. It answers while the
    /// [`Keeper`] runs, which is to be stopped after everything else: nobody hears of a write before the
    /// journal has it. What is read back and what is not:
    /// [`build_on`](watchkeeper_apiserver::server::Builder::build_on) of the server.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read, or what is in it is not what a server wrote; when there is a cluster in it
    /// and [`import`](Self::import) was asked for, too.
    pub fn build_on<J>(self, journal: J) -> Result<(Cluster, Keeper<J>)>
    where
        J: Journal + 'static,
    {
        let seed = self.seed.unwrap_or_else(random_seed);
        let opened = self.server(seed).build_on(journal);
        let (server, keeper) = opened.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Error::usage(error.to_string()),
            _ => Error::other(format!("the cluster that was kept cannot be had again: {error}")),
        })?;
        Ok((self.around(server, seed), keeper))
    }

    fn server(&self, seed: u64) -> watchkeeper_apiserver::server::Builder {
        let mut server = ApiServer::builder().clock(self.clock).seed(seed);
        if self.seed.is_none() {
            server = server.drawn_signing_key();
        }
        if let Some(count) = self.history_events {
            server = server.history_events(count);
        }
        if let Some(time) = self.history_for {
            server = server.history_for(time);
        }
        if self.control_plane_maps {
            // Whoever comes over its port has a token.
            server = server.control_plane_maps(Vec::new());
        }
        if let Some(snapshot) = &self.snapshot {
            server = server.snapshot(snapshot.clone());
        }
        if self.rbac { server.rbac() } else { server }
    }

    fn around(self, server: ApiServer, seed: u64) -> Cluster {
        let (nodes, clock) = (FakeNode::first(self.nodes), self.clock);
        let (containers, actors, root_ca) = (Containers::new(&server), self.actors, self.root_ca);
        Cluster { server, nodes, actors, root_ca, seed, clock, containers }
    }
}

/// A seed that nobody chose, from the standard library's per-process randomness.
fn random_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}
