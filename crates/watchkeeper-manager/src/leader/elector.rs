//! Asks the server for the lease, waits, and lets the work be done while it is held.

use std::fmt;
use std::future::Future;
use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until, timeout};
use tracing::{Instrument, Span};
use watchkeeper_api::coordination::v1::Lease;
use watchkeeper_api::{Error, Result};
use watchkeeper_client::{Api, Client, CreateOptions, RateLimit};
use watchkeeper_controller::Clock;

use super::LeaderElection;
use super::fence::{Fence, Until};
use super::identity::own_identity;
use super::metrics::Candidate;
use super::state::{Input, Next, Release, Seen, State, Step};

/// A candidate for a lease (upstream: `LeaderElector`). Clones are the same candidate.
///
/// A manager has one ([`Manager::leader_election`](crate::Manager::leader_election)); alone it looks like
/// this:
///
/// ```no_run
/// # use watchkeeper_client::Client;
/// # use watchkeeper_manager::{Ended, LeaderElection, LeaderElector, signals};
/// # async fn f(client: Client) -> watchkeeper_api::Result<()> {
/// let elector = LeaderElector::new(&client, LeaderElection::new("my-operator").namespace("shop"))?;
/// let client = elector.fence().guard(&client); // sends no write without the lease
/// let ended = elector.lead(signals::shutdown(), async || {
///     // the work of the leader, with `client`; dropped when the lease is lost
/// });
/// match ended.await {
///     Ended::Lost => println!("another one leads now"),
///     Ended::Finished(()) | Ended::Shutdown => {}
/// }
/// # drop(client);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct LeaderElector {
    shared: Arc<Shared>,
}

struct Shared {
    leases: Api<Lease>,
    election: LeaderElection,
    identity: String,
    fence: Fence,
    clock: Clock,
    seed: u64,
    /// What times count from.
    born: Instant,
    standing: Mutex<Standing>,
    /// Somebody else leads than before.
    changed: Notify,
    /// Held by the candidacy under way: two at once would renew one lease and work side by side.
    turn: tokio::sync::Mutex<()>,
}

/// What an election has come to.
#[derive(Clone, Debug, Default)]
struct Standing {
    leader: String,
    /// When the lease was last renewed by this replica, if it holds it.
    renewed: Option<Instant>,
    slow_renewals: u64,
}

/// How a candidacy ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended<T> {
    /// The work is done. The lease was given up, if the election says so.
    Finished(T),
    /// The lease was lost; the work was dropped.
    Lost,
    /// There was a shutdown before this replica was elected.
    Shutdown,
}

impl LeaderElector {
    /// A candidate that asks with `client`. It does nothing before it is to [`lead`](Self::lead).
    ///
    /// # Errors
    /// The [times](LeaderElection::check) do not make sense together, or the namespace of the lease is not known.
    pub fn new(client: &Client, election: LeaderElection) -> Result<Self> {
        Self::with_clock(client, election, Clock::system(), RandomState::new().hash_one(0_u8))
    }

    /// The same with the clock that dates the lease, and a seed for when a candidate looks again: for tests
    /// that repeat a run. The [identity](LeaderElection::identity) must be given for that, too, as one that
    /// is not is drawn anew.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_clock(
        client: &Client,
        election: LeaderElection,
        clock: Clock,
        seed: u64,
    ) -> Result<Self> {
        Self::born_at(client, election, clock, seed, Instant::now())
    }

    /// The same with the moment that its times count from.
    pub(crate) fn born_at(
        client: &Client,
        election: LeaderElection,
        clock: Clock,
        seed: u64,
        born: Instant,
    ) -> Result<Self> {
        election.check()?;
        let said = election.namespace.as_deref();
        let Some(namespace) = said.or_else(|| client.known_namespace()) else {
            return Err(nowhere(&election.lease));
        };
        let name = format!("{namespace}/{}", election.lease);
        let shared = Shared {
            leases: leases(client, &election),
            identity: election.identity.clone().unwrap_or_else(own_identity),
            fence: Fence::new(name, clock.clone()),
            clock,
            seed,
            born,
            standing: Mutex::default(),
            changed: Notify::new(),
            turn: tokio::sync::Mutex::default(),
            election,
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Who this replica is, as the lease names it.
    #[must_use]
    pub fn identity(&self) -> &str {
        &self.shared.identity
    }

    /// Who holds the lease, as far as this replica has seen; `None` when nobody does.
    #[must_use]
    pub fn leader(&self) -> Option<String> {
        Some(self.standing().leader.clone()).filter(|leader| !leader.is_empty())
    }

    /// Whether this replica holds the lease.
    #[must_use]
    pub fn is_leader(&self) -> bool {
        self.standing().renewed.is_some()
    }

    /// How many renewals did not succeed at once (upstream: `leader_election_slowpath_total`).
    #[must_use]
    pub fn slow_renewals(&self) -> u64 {
        self.standing().slow_renewals
    }

    /// What stands between the leader and its writes.
    #[must_use]
    pub fn fence(&self) -> &Fence {
        &self.shared.fence
    }

    /// Whether the lease is renewed as it shall be: for a health check that has a hung process ended (L-13).
    ///
    /// # Errors
    /// This replica leads, and has not renewed the lease for its duration and `tolerance`.
    pub fn healthy(&self, tolerance: Duration) -> Result<()> {
        let Some(renewed) = self.standing().renewed else { return Ok(()) };
        let limit = self.shared.election.lease_duration.saturating_add(tolerance);
        if renewed.elapsed() <= limit {
            return Ok(());
        }
        let ago = renewed.elapsed();
        Err(Error::other(format!(
            "the lease was renewed {ago:.0?} ago, which is more than {limit:?}"
        )))
    }

    /// Waits to be elected, then does `work` while the lease is held.
    ///
    /// `work` runs on the caller's task, which also renews the lease: it must not block. When the lease is
    /// lost, `work` is dropped where it is. A shutdown counts until `work` begins; from then on it is the
    /// business of `work`, whose end is that of the leader's time.
    ///
    /// The lease is given up when no write of the [guarded](Fence::guard) client is on its way, and none can
    /// be stored any more: at once if all were answered, otherwise a
    /// [margin](LeaderElection::fence_margin) after the last that was not. One that is not ended meanwhile,
    /// by the task that made it, leaves the lease to run out.
    ///
    /// One candidate leads once at a time: a second call waits for the end of the first, or its shutdown.
    ///
    /// # Cancel safety
    /// Dropping the future drops `work` and closes the fence; the lease is not given up, but runs out.
    pub async fn lead<T>(
        &self,
        shutdown: impl Future<Output = ()>,
        work: impl AsyncFnOnce() -> T,
    ) -> Ended<T> {
        self.lead_term(None, shutdown, async || (work().await, true)).await
    }

    /// As [`lead`](Self::lead), of a candidate that may have seen the lease before, and of work that says at
    /// its end whether the lease may be given up.
    pub(crate) async fn lead_term<T>(
        &self,
        seen: Option<Seen>,
        shutdown: impl Future<Output = ()>,
        work: impl AsyncFnOnce() -> (T, bool),
    ) -> Ended<T> {
        let shared = &self.shared;
        let mut shutdown = pin!(shutdown);
        let _turn = tokio::select! {
            biased;
            () = &mut shutdown => return Ended::Shutdown,
            turn = shared.turn.lock() => turn,
        };
        let closing = Closing(self);
        let state = State::new(&shared.election, shared.identity.clone(), shared.seed);
        let state = state.having(seen);
        let mut race = Race { state, next: Next::Sleep(Duration::ZERO) };
        tokio::select! {
            biased;
            () = shutdown => return Ended::Shutdown,
            () = self.campaign(&mut race) => {}
        }
        tracing::info!(identity = shared.identity, lease = shared.election.lease, "elected");
        let ended = {
            let mut work = pin!(work());
            tokio::select! {
                biased;
                () = self.hold(&mut race) => None,
                done = &mut work => Some(done),
            }
        };
        drop(closing);
        let Some((done, free)) = ended else {
            tracing::warn!(lease = shared.election.lease, "the lease is lost");
            return Ended::Lost;
        };
        if free && shared.election.release {
            self.release().await;
        }
        Ended::Finished(done)
    }

    pub(crate) fn election(&self) -> &LeaderElection {
        &self.shared.election
    }

    /// Completes when this replica holds the lease.
    ///
    /// # Cancel safety
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn elected(&self) {
        loop {
            // Made before the look, it hears of what changes after it.
            let changed = self.shared.changed.notified();
            if self.is_leader() {
                return;
            }
            changed.await;
        }
    }

    /// Until this replica holds the lease.
    async fn campaign(&self, race: &mut Race) {
        while race.state.term().is_none() {
            self.turn(race).await;
        }
    }

    /// Until it does not any more.
    async fn hold(&self, race: &mut Race) {
        while !self.turn(race).await {}
    }

    /// Does what is next; whether the lease was lost with it.
    async fn turn(&self, race: &mut Race) -> bool {
        let input = self.carry_out(&race.next, race.state.deadline()).await;
        let (now, date) = (self.shared.born.elapsed(), self.shared.clock.micro_now());
        let Step { next, lost, leader, slow } = race.state.step(input, now, date);
        race.next = next;
        self.set_fence(&race.state);
        let mut standing = self.standing();
        standing.slow_renewals += u64::from(slow);
        standing.renewed = race.state.term().map(|term| self.at(term.renewed));
        if let Some(leader) = leader {
            self.tell_of(&leader);
            standing.leader = leader;
        }
        drop(standing);
        self.shared.changed.notify_waiters();
        lost
    }

    /// Who holds the lease now; that it is this one is told when it is elected.
    fn tell_of(&self, leader: &str) {
        let Shared { identity, election, .. } = &*self.shared;
        if leader.is_empty() {
            tracing::info!(lease = election.lease, "nobody holds the lease");
        } else if leader != identity {
            tracing::info!(leader, lease = election.lease, "the lease has another holder");
        }
    }

    /// Opens the fence as far as the lease reaches, or closes it.
    fn set_fence(&self, state: &State) {
        let LeaderElection { lease_duration, fence_margin, .. } = self.shared.election;
        let reach = lease_duration.saturating_sub(fence_margin);
        let until = state.term().map(|term| {
            let micros = i64::try_from(reach.as_micros()).unwrap_or(i64::MAX);
            let date = term.date.unix_micros().saturating_add(micros);
            let at = self.at(term.renewed) + reach;
            Until { at, date: watchkeeper_api::MicroTime::from_unix_micros(date) }
        });
        match until {
            Some(until) => self.shared.fence.open(until),
            None => self.shared.fence.close(),
        }
    }

    async fn carry_out(&self, next: &Next, deadline: Option<Duration>) -> Input {
        let over = async {
            match deadline {
                Some(deadline) => sleep_until(self.at(deadline)).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            input = self.ask(next) => input,
            () = over => Input::Failed,
        }
    }

    /// Waits, or asks the server within a span of that.
    async fn ask(&self, next: &Next) -> Input {
        let Shared { election, identity, .. } = &*self.shared;
        let span = match next {
            Next::Sleep(_) => Span::none(),
            _ => tracing::debug_span!("election", lease = election.lease, identity),
        };
        self.ask_plainly(next).instrument(span).await
    }

    async fn ask_plainly(&self, next: &Next) -> Input {
        let leases = &self.shared.leases;
        let failed = |error: Error| {
            tracing::warn!(%error, "the lease could not be had");
            Input::Failed
        };
        match next {
            Next::Sleep(until) => {
                sleep_until(self.at(*until)).await;
                Input::Woken
            }
            Next::Get => match leases.get(&self.shared.election.lease).await {
                Ok(lease) => Input::Found(lease),
                Err(error) if error.is_not_found() => Input::Missing,
                Err(error) => failed(error),
            },
            Next::Create(lease) => {
                let made = leases.create(lease, &CreateOptions::default()).await;
                made.map_or_else(failed, Input::Stored)
            }
            Next::Update(lease) => match leases.update(lease).await {
                Ok(lease) => Input::Stored(lease),
                Err(error) if error.is_conflict() => Input::Conflict,
                Err(error) => failed(error),
            },
        }
    }

    /// Gives the lease up, so that another one need not wait (L-08); not before what was written is settled.
    async fn release(&self) {
        let Shared { election, identity, fence, born, .. } = &*self.shared;
        // The fence is closed: whoever carries a write on is told now, and gives it up.
        let Ok(doubt) = timeout(election.fence_margin, fence.at_rest()).await else {
            tracing::warn!(lease = election.lease, "not given up: a write is still on its way");
            return;
        };
        let settled = doubt.map_or(Duration::ZERO, |doubt| {
            doubt.saturating_duration_since(*born).saturating_add(election.fence_margin)
        });
        let release = Release::new(election, identity.clone(), settled);
        sleep_until(self.at(settled)).await;
        match timeout(election.renew_deadline, self.carry_out_release(&release)).await {
            Ok(true) => tracing::info!(lease = election.lease, "gave up the lease"),
            Ok(false) => tracing::warn!(lease = election.lease, "the lease could not be given up"),
            Err(_) => tracing::warn!(lease = election.lease, "the lease was not given up in time"),
        }
    }

    /// Whether this replica has the lease no more.
    async fn carry_out_release(&self, release: &Release) -> bool {
        let mut input = Input::Woken;
        loop {
            let (now, date) = (self.shared.born.elapsed(), self.shared.clock.micro_now());
            match release.step(&input, now, date) {
                ControlFlow::Continue(next) => input = self.ask(&next).await,
                ControlFlow::Break(free) => return free,
            }
        }
    }

    fn at(&self, time: Duration) -> Instant {
        let born = self.shared.born;
        born.checked_add(time).unwrap_or_else(|| born + super::LONGEST)
    }

    fn standing(&self) -> MutexGuard<'_, Standing> {
        self.shared.standing()
    }

    /// Who can be asked whether it leads, without being held.
    pub(crate) fn candidate(&self) -> Weak<dyn Candidate> {
        let shared: Weak<Shared> = Arc::downgrade(&self.shared);
        shared
    }
}

impl Shared {
    fn standing(&self) -> MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Candidate for Shared {
    fn leads(&self) -> bool {
        self.standing().renewed.is_some()
    }

    fn slow_renewals(&self) -> u64 {
        self.standing().slow_renewals
    }
}

/// A candidacy under way.
struct Race {
    state: State,
    next: Next,
}

/// Closes the fence, however a candidacy ends; who leads now is not known before the next look.
struct Closing<'a>(&'a LeaderElector);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.shared.fence.close();
        let mut standing = self.0.standing();
        standing.renewed = None;
        if standing.leader == self.0.identity() {
            standing.leader.clear();
        }
    }
}

/// The leases of an election: one try a call, in half of the time there is (L-10), and whatever else the program
/// has to send.
pub(crate) fn leases(client: &Client, election: &LeaderElection) -> Api<Lease> {
    let limit = Duration::from_secs(1).max(election.renew_deadline / 2);
    let asking = client.clone().deadline(limit).retries(0).rate_limit(RateLimit::unlimited());
    let namespace = election.namespace.as_deref().unwrap_or_else(|| client.default_namespace());
    asking.api::<Lease>().namespace(namespace)
}

/// A lease in one namespace, and another in that of a second replica, would let both of them lead.
fn nowhere(lease: &str) -> Error {
    Error::usage(format!(
        "leader election: in which namespace the lease {lease} is to be is not known, as the service account of this pod \
         has no file `namespace`: say it with `LeaderElection::namespace`, or the flag --leader-elect-resource-namespace"
    ))
}

impl fmt::Debug for LeaderElector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LeaderElector")
            .field("lease", &self.shared.election.lease)
            .field("identity", &self.shared.identity)
            .field("leads", &self.is_leader())
            .finish_non_exhaustive()
    }
}
