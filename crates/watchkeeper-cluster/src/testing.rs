//! A cluster for one test: what [`#[watchkeeper::test]`](../../watchkeeper/attr.test.html) gives a test, and what
//! tells of it when the test fails.
//!
//! Time stands still while anybody works and jumps to the next moment at which somebody has something to do,
//! so an hour costs milliseconds, and the same test is the same run each time: one thread, one seed.
//!
//! ```
//! use watchkeeper_api::{core::v1::Service, object};
//! use watchkeeper_cluster::testing::{self, Options, TestCluster};
//! use watchkeeper_controller::{Action, Failure};
//! use watchkeeper_manager::Manager;
//!
//! /// Gives every service a mark.
//! fn marker(manager: &Manager) {
//!     let services = manager.watch::<Service>();
//!     manager.controller("marker", &services).with(services).reconcile(async |services, request, ctx| {
//!         let Some(service) = services.get(&request).await? else { return Ok(Action::done()) };
//!         ctx.edit(&service, |service| _ = service.metadata.labels.insert("mark", "1")).await?;
//!         Ok::<_, Failure>(Action::done())
//!     });
//! }
//!
//! testing::run(Options::default(), async |test: TestCluster| {
//!     test.start("marker", marker);
//!     let services = test.client().api::<Service>().namespace("default");
//!     let a = object!(Service { metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } });
//!     services.create(&a, &Default::default()).await.unwrap();
//!     test.settled().await;
//!     assert!(services.get("a").await.unwrap().metadata.labels.contains_key("mark"));
//! });
//! ```

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::sleep;
use watchkeeper_api::Result;
use watchkeeper_apiserver::{Clock, HistoryEntry};
use watchkeeper_client::Client;
use watchkeeper_manager::Manager;

use crate::cluster::Cluster;

mod end;
mod flood;
mod leader_loss;
mod left;
mod programs;
mod story;

pub use end::{Way, end_state};
use flood::Flood;
pub use leader_loss::{LeaderLoss, NotHandedOver, Replica};
pub use programs::Program;
use programs::{Controllers, OfProgram, Programs, Shutdown, Started};

/// After this long without a write a cluster has settled.
const QUIET: Duration = Duration::from_secs(5);

/// What a test asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many fake nodes there are (at most 3000).
    pub nodes: u16,
    /// Where every random choice comes from: another seed is another run.
    pub seed: u64,
    /// Whether roles and bindings hold: see [`Builder::rbac`](crate::Builder::rbac).
    pub rbac: bool,
    /// A test that takes longer than this, of its own time, has failed.
    pub deadline: Duration,
    /// More writes than this within a second of its own time are a failure, too: of two programs that undo each
    /// other's work, say, which leave no time to pass.
    pub most_writes: u64,
}

impl Default for Options {
    /// One node, seed 1, everybody may do everything, an hour, 20,000 writes a second.
    fn default() -> Self {
        let deadline = Duration::from_secs(3600);
        Self { nodes: 1, seed: 1, rbac: false, deadline, most_writes: 20_000 }
    }
}

/// What a test may end with: nothing, or a `Result`, whose error is a failure.
pub trait Outcome {
    /// Whether the test has failed.
    fn has_failed(&self) -> bool;
}

impl Outcome for () {
    fn has_failed(&self) -> bool {
        false
    }
}

impl<E> Outcome for std::result::Result<(), E> {
    fn has_failed(&self) -> bool {
        self.is_err()
    }
}

/// A cluster that runs beside a test, and the programs that the test starts on it.
#[derive(Debug)]
pub struct TestCluster {
    cluster: Cluster,
    client: Client,
    seed: u64,
    start: mpsc::UnboundedSender<Started>,
    controllers: Controllers,
}

impl TestCluster {
    /// The test's own client, called `test`.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// The cluster: other clients, users, its server with hooks and history.
    #[must_use]
    pub const fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// Starts a program as its `main` would: `set_up` gets a manager with a client of that name, which runs until
    /// the test is over or stops it.
    ///
    /// If the program ends before, the test has failed, with the program's error.
    pub fn start(&self, name: &str, set_up: impl FnOnce(&Manager)) -> Program {
        self.start_as(name, &self.cluster.client(name), set_up)
    }

    /// The same with another client, such as that of a user who may not do everything
    /// ([`Cluster::client_as`]).
    pub fn start_as(&self, name: &str, client: &Client, set_up: impl FnOnce(&Manager)) -> Program {
        self.launch(name, self.like_all(Manager::new(client)), set_up, Manager::run)
    }

    /// A manager with the seed and the clock of the test.
    fn like_all(&self, manager: Manager) -> Manager {
        manager.seed(self.seed).clock(self.cluster.clock())
    }

    fn launch<F>(
        &self,
        name: &str,
        manager: Manager,
        set_up: impl FnOnce(&Manager),
        run: impl FnOnce(Manager, Shutdown) -> F,
    ) -> Program
    where
        F: Future<Output = Result<()>> + Send + 'static,
    {
        set_up(&manager);
        let controllers = manager.controllers();
        let (program, started) = programs::program(name, |shutdown| run(manager, shutdown));
        let (name, is_stopped) = (name.to_owned(), Arc::clone(&program.is_stopped));
        programs::lock(&self.controllers).push(OfProgram { name, controllers, is_stopped });
        // Nobody listens once the test is over, and what is started then would not run.
        let _ = self.start.send(started);
        program
    }

    /// Starts two replicas of a program that elect their leader by a lease of that name; the first one leads, until
    /// it loses the lease as `loss` says. Each is set up with a manager of its own, and steps down when it loses
    /// its lease, to be a candidate again.
    ///
    /// The other one waits some 15 seconds for the lease, in which a cluster may look as if it
    /// [had settled](Self::settled).
    pub fn start_replicas(
        &self,
        name: &str,
        loss: &LeaderLoss,
        set_up: impl Fn(&Manager),
    ) -> [Program; 2] {
        Replica::BOTH.map(|replica| {
            let program = format!("{name}-{}", replica.name());
            let client = self.cluster.client(&program);
            let manager = loss.manager(replica, name, &client, |manager| self.like_all(manager));
            self.launch(&program, manager, &set_up, |manager, shutdown| {
                replica.run(manager, shutdown)
            })
        })
    }

    /// Waits until nobody has written anything but heartbeats for five seconds.
    ///
    /// The test fails when that takes as long as the test may take, or when somebody writes for ever.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the waiting; the programs go on.
    pub async fn settled(&self) {
        loop {
            let before = self.writes().len();
            sleep(QUIET).await;
            if self.writes().len() == before {
                return;
            }
        }
    }

    /// Every write but the heartbeats, oldest first: who did what to which object, and when.
    #[must_use]
    pub fn writes(&self) -> Vec<HistoryEntry> {
        story::writes(self.cluster.server())
    }
}

/// Runs a test beside a cluster of its own, with every program that it starts.
///
/// When the test fails (it panics, its result is an error, a program of it ends, it takes longer than it may, or
/// programs write for ever without any time passing, as two that undo each other's work do), what was written is told on
/// standard error, with who wrote it, and what could not be reconciled at the end, with the error. What the cluster
/// held then is written to a file, with the command that serves it to kubectl; the next failure of the same test
/// replaces it.
///
/// # Panics
///
/// Panics as the test does, or as its failure says; within another runtime, too.
pub fn run<T: Outcome>(options: Options, test: impl AsyncFnOnce(TestCluster) -> T) -> T {
    let cluster = Cluster::builder().nodes(options.nodes).seed(options.seed);
    let cluster = if options.rbac { cluster.rbac() } else { cluster };
    let cluster = cluster.clock(Clock::default());
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().start_paused(true).build();
    let runtime = runtime.expect("a runtime of one thread needs no more than a thread has");
    let server = runtime.block_on(async { cluster.build() });
    let (told, controllers) = (server.clone(), Controllers::default());
    let test = until_the_end(&options, server, &controllers, test);
    let ended = catch_unwind(AssertUnwindSafe(|| runtime.block_on(test)));
    if ended.as_ref().map_or(true, Outcome::has_failed) {
        // In the test's own time.
        let _entered = runtime.enter();
        tell(&told, &programs::lock(&controllers));
    }
    ended.unwrap_or_else(|panic| resume_unwind(panic))
}

/// The test, the cluster and the programs, until the test is over.
async fn until_the_end<T>(
    options: &Options,
    cluster: Cluster,
    controllers: &Controllers,
    test: impl AsyncFnOnce(TestCluster) -> T,
) -> T {
    let (start, started) = mpsc::unbounded_channel();
    let mut programs = Programs::new(started);
    let flood = Flood::of(cluster.server(), options.most_writes);
    let beside = cluster.clone();
    let (_cluster, runs) =
        programs::program("the cluster", |shutdown| async move { beside.run(shutdown).await });
    programs.add(runs);
    let client = cluster.client("test").field_manager("test");
    let controllers = Arc::clone(controllers);
    let given = TestCluster { cluster, client, seed: options.seed, start, controllers };
    tokio::select! {
        biased;
        outcome = test(given) => outcome,
        (name, ended) = programs.ended() => panic!("{}", early(&name, ended)),
        () = flood.comes() => panic!("more than {} writes within a second: somebody writes for ever", options.most_writes),
        () = sleep(options.deadline) => {
            panic!("the test is not over after {:?} of its own time", options.deadline)
        }
    }
}

fn early(name: &str, ended: Result<()>) -> String {
    match ended {
        Ok(()) => format!("{name} ended before the test, and without an error"),
        Err(error) => format!("{name} ended before the test: {error}"),
    }
}

#[expect(clippy::print_stderr, reason = "a test that fails tells why")]
fn tell(cluster: &Cluster, programs: &[OfProgram]) {
    eprintln!("{}", story::story(&story::writes(cluster.server())));
    eprint!("{}", story::failing(programs));
    eprintln!("{}", left::left(cluster));
}

#[cfg(test)]
mod tests;
