//! A leader that loses its lease at a moment of one's choice, and the replica that takes over.

use std::error::Error as StdError;
use std::fmt;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

use http::{Method, Request, Response};
use tokio::task::yield_now;
use tokio::time::{Instant, sleep};
use watchkeeper_client::{Body, Client, Next};
use watchkeeper_controller::{Context, Outcome, Reconciler, Reconciling};
use watchkeeper_manager::{LeaderElection, Manager};

#[cfg(test)]
mod tests;

/// How long a leader is kept from its lease: longer than another one waits for it.
const CUT: Duration = Duration::from_secs(40);

/// How long the second replica waits before it begins, so that the first one is first.
const SECOND: Duration = Duration::from_secs(1);

/// Two replicas of a program, of which the one that leads loses its lease.
///
/// The first one is kept from its lease for 40 seconds, from a moment of one's choice on: while a reconcile of it
/// waits at the n-th point at which one waits ([`at_await`](Self::at_await)), or while it waits for the answer to its
/// n-th request ([`at_request`](Self::at_request)). There it waits until the lease is lost, which is when it is dropped:
/// some ten seconds later, so a reconcile that may take less is given up before. A test tries one n after the other,
/// until the story is over before the moment comes:
///
/// ```
/// # use watchkeeper_api::{core::v1::Service, object};
/// # use watchkeeper_controller::{Action, Failure};
/// # use watchkeeper_manager::Manager;
/// use std::time::Duration;
/// use watchkeeper_cluster::testing::{self, LeaderLoss, Options, TestCluster};
///
/// # fn marker(manager: &Manager) {
/// #     let services = manager.watch::<Service>();
/// #     manager.controller("marker", &services).with(services).reconcile(async |services, request, ctx| {
/// #         let Some(service) = services.get(&request).await? else { return Ok(Action::done()) };
/// #         ctx.edit(&service, |service| _ = service.metadata.labels.insert("mark", "1")).await?;
/// #         Ok::<_, Failure>(Action::done())
/// #     });
/// # }
/// for n in 1.. {
///     let loss = LeaderLoss::at_await(n);
///     testing::run(Options::default(), async |test: TestCluster| {
///         test.start_replicas("marker", &loss, marker);
///         let services = test.client().api::<Service>().namespace("default");
///         let a = object!(Service { metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } });
///         services.create(&a, &Default::default()).await.unwrap();
///         // Longer than a lease is waited for.
///         tokio::time::sleep(Duration::from_secs(60)).await;
///         assert!(services.get("a").await.unwrap().metadata.labels.contains_key("mark"));
///     });
///     loss.handed_over_once().unwrap();
///     assert_eq!(loss.is_taken_over(), loss.place().is_some());
///     if loss.place().is_none() {
///         assert!(n > 1);
///         break;
///     }
/// }
/// ```
///
/// Clones are handles of the same one.
#[derive(Clone, Debug)]
pub struct LeaderLoss {
    shared: Arc<Mutex<State>>,
    awaits: bool,
}

#[derive(Debug)]
struct State {
    /// At which of what is counted the lease is lost.
    at: usize,
    seen: usize,
    begun: Option<(Instant, String)>,
    /// Who has written, in the order in which the server did it: it stores and answers in one step.
    writes: Vec<Replica>,
    /// How much had been written when the second one took the lease.
    taken: Option<usize>,
}

/// One of the two replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replica {
    /// The one that leads first.
    First,
    /// The one that takes over.
    Second,
}

impl LeaderLoss {
    /// The lease is lost while a reconcile of the first replica waits for the `n`-th time, counted from one over all
    /// reconciles of the controllers that were made with its [manager](Self::manager): for an answer of the server,
    /// before it is stored and after it; for a copy; for a lock; for time to pass.
    #[must_use]
    pub fn at_await(n: usize) -> Self {
        Self::new(n, true)
    }

    /// The lease is lost while the first replica waits for the answer to its `n`-th request, counted from one: of a
    /// reconcile, of its copies, of its lease, or of its events.
    #[must_use]
    pub fn at_request(n: usize) -> Self {
        Self::new(n, false)
    }

    /// It is never lost.
    #[must_use]
    pub fn never() -> Self {
        Self::new(usize::MAX, true)
    }

    fn new(at: usize, awaits: bool) -> Self {
        let at = at.max(1);
        let state = State { at, seen: 0, begun: None, writes: Vec::new(), taken: None };
        Self { shared: Arc::new(Mutex::new(state)), awaits }
    }

    /// The manager of a replica with this client, which takes part in the election by `lease`, and is a candidate again
    /// when it has lost it. What else the manager is like, `with` says, as in `|manager| manager.seed(1)`; controllers
    /// are made with what is returned. None of them may run on every replica, as those write also without the lease.
    #[must_use]
    pub fn manager(
        &self,
        replica: Replica,
        lease: &str,
        client: &Client,
        with: impl FnOnce(Manager) -> Manager,
    ) -> Manager {
        let (loss, name) = (self.clone(), lease.to_owned());
        let client = client.clone().intercept(move |request, next| {
            let (loss, about) = (loss.clone(), About::of(&request, &name));
            async move {
                match replica {
                    Replica::First => loss.first(about, request, next).await,
                    Replica::Second => loss.second(&about, request, next).await,
                }
            }
        });
        let election = LeaderElection::new(lease).identity(replica.name()).step_down();
        let manager = with(Manager::new(&client)).leader_election(election);
        if replica == Replica::Second || !self.awaits {
            return manager;
        }
        let loss = self.clone();
        manager.wrap(move |name, inner| {
            Arc::new(Held { loss: loss.clone(), name: name.to_owned(), inner })
        })
    }

    /// Where the first replica was when it was cut off from its lease; none if it never was.
    #[must_use]
    pub fn place(&self) -> Option<String> {
        self.state().begun.as_ref().map(|(_, place)| place.clone())
    }

    /// Whether the second replica has taken the lease.
    #[must_use]
    pub fn is_taken_over(&self) -> bool {
        self.state().taken.is_some()
    }

    /// Whose writes were taken, in turn, and how many each time; those of leases are left out.
    #[must_use]
    pub fn turns(&self) -> Vec<(Replica, usize)> {
        let state = self.state();
        state.writes.chunk_by(|one, other| one == other).map(|turn| (turn[0], turn.len())).collect()
    }

    /// Whether the replicas wrote one after the other: the first one until the second one took the lease, and the second
    /// one from then on. Ask also whether it [did](Self::is_taken_over), which takes some 15 seconds.
    ///
    /// # Errors
    ///
    /// Tells who wrote in turn, if a replica wrote beside the other, or the first one after the lease was another's.
    pub fn handed_over_once(&self) -> Result<(), NotHandedOver> {
        let turns = self.turns();
        let state = self.state();
        let before = state.taken.unwrap_or(state.writes.len());
        let (before, after) = state.writes.split_at(before);
        let is_right = before.iter().all(|of| *of == Replica::First)
            && after.iter().all(|of| *of == Replica::Second)
            && (state.taken.is_none() || state.begun.is_some());
        let place = state.begun.as_ref().map(|(_, place)| place.clone());
        if is_right { Ok(()) } else { Err(NotHandedOver { place, late: after.len(), turns }) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a place where the first replica waits; whether this is where it loses its lease.
    fn is_here(&self, place: impl FnOnce() -> String) -> bool {
        let mut state = self.state();
        state.seen += 1;
        let is_here = state.seen == state.at;
        if is_here {
            state.begun = Some((Instant::now(), place()));
        }
        is_here
    }

    /// Whether the first replica is kept from its lease now.
    fn is_cut(&self) -> bool {
        self.state().begun.as_ref().is_some_and(|(begun, _)| begun.elapsed() < CUT)
    }

    async fn first(self, about: About, request: Request<Body>, next: Next) -> Answer {
        let place = || format!("{} {}", request.method(), request.uri().path());
        let is_here = !self.awaits && self.is_here(place);
        // The one that is waited for is stored.
        if about.is_lease && !is_here && self.is_cut() {
            return Err(io::Error::from(io::ErrorKind::ConnectionReset).into());
        }
        if self.awaits {
            yield_now().await;
        }
        let answer = next.send(request).await;
        if about.is_deed && is_taken(&answer) {
            self.state().writes.push(Replica::First);
        }
        if is_here {
            sleep(CUT).await;
        } else if self.awaits {
            yield_now().await;
        }
        answer
    }

    async fn second(self, about: &About, request: Request<Body>, next: Next) -> Answer {
        let answer = next.send(request).await;
        if is_taken(&answer) {
            let mut state = self.state();
            if about.is_deed {
                state.writes.push(Replica::Second);
            }
            if about.is_lease && about.is_write && state.taken.is_none() {
                state.taken = Some(state.writes.len());
            }
        }
        answer
    }
}

type Answer = Result<Response<Body>, Box<dyn StdError + Send + Sync>>;

fn is_taken(answer: &Answer) -> bool {
    answer.as_ref().is_ok_and(|answer| answer.status().is_success())
}

/// What a request is about.
struct About {
    /// The lease of the election.
    is_lease: bool,
    is_write: bool,
    /// A write that only the leader may send.
    is_deed: bool,
}

impl About {
    fn of(request: &Request<Body>, lease: &str) -> Self {
        let (path, method) = (request.uri().path(), request.method());
        let is_write = ![Method::GET, Method::HEAD, Method::OPTIONS].contains(method);
        let of_leases = path.strip_prefix("/apis/coordination.k8s.io/v1/namespaces/");
        let of_leases = of_leases.and_then(|path| path.split_once("/leases"));
        // Nodes have theirs in a namespace of their own.
        let is_lease = of_leases.is_some_and(|(namespace, name)| match name.strip_prefix('/') {
            Some(name) => name == lease,
            None => is_write && namespace != "kube-node-lease",
        });
        Self { is_lease, is_write, is_deed: is_write && of_leases.is_none() }
    }
}

impl Replica {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// What it is called in the lease.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }

    /// Runs its manager until `shutdown` completes; the second one begins a second after it is called, so that the first
    /// one leads.
    ///
    /// # Errors
    ///
    /// As [`Manager::run`].
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the replica where it stands, and it keeps its lease.
    pub async fn run(
        self,
        manager: Manager,
        shutdown: impl Future<Output = ()> + Send,
    ) -> watchkeeper_api::Result<()> {
        if self == Self::Second {
            sleep(SECOND).await;
        }
        manager.run(shutdown).await
    }
}

/// A reconcile function that is held where it waits when the lease is to be lost there.
struct Held {
    loss: LeaderLoss,
    /// Of the controller.
    name: String,
    inner: Arc<dyn Reconciler>,
}

impl Reconciler for Held {
    fn reconcile(
        &self,
        request: watchkeeper_controller::Request,
        context: Context,
    ) -> Reconciling<'_> {
        Box::pin(async move {
            let place = format!("{} {request}", self.name);
            let mut inner = pin!(self.inner.reconcile(request, context));
            let outcome: Option<Outcome> = poll_fn(|task| match inner.as_mut().poll(task) {
                Poll::Ready(outcome) => Poll::Ready(Some(outcome)),
                Poll::Pending if self.loss.is_here(|| place.clone()) => Poll::Ready(None),
                Poll::Pending => Poll::Pending,
            })
            .await;
            if let Some(outcome) = outcome {
                return outcome;
            }
            sleep(CUT).await;
            inner.await
        })
    }
}

/// Replicas did not write one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotHandedOver {
    place: Option<String>,
    /// How much was written after the second one took the lease.
    late: usize,
    turns: Vec<(Replica, usize)>,
}

impl fmt::Display for NotHandedOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "the leader was cut off from its lease at {place:?}")?,
            None => f.write_str("the leader was not cut off from its lease")?,
        }
        f.write_str(", and wrote in turn:")?;
        if self.turns.is_empty() {
            f.write_str(" nobody")?;
        }
        for (replica, writes) in &self.turns {
            write!(f, " {} {writes}", replica.name())?;
        }
        write!(f, "; the last {} after the second one took the lease", self.late)
    }
}

impl StdError for NotHandedOver {}
