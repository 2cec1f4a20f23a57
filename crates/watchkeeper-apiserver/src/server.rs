//! The server as a tower service: the state machine behind one lock, and futures that wait.
//!
//! There is no background task. Each request's own future, and each watch's own body, sleeps until
//! its wake-up time and then steps the core. The lock is never held across an await; a client that
//! leaves drops its future or body, and with it its ticket.

mod acting;
mod body;
mod call;
mod caller;
mod https;
mod mailbox;

use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

use crate::access::Authorization;
use crate::admission::{AuditAnnotation, Review, Reviewed};
use crate::clock::{Clock, Now};
use crate::config::Config;
use crate::history::History;
use crate::hooks::Hook;
use crate::rng::Rng;
use crate::step::{Core, Input, Ticket};
use crate::user::User;
use caller::Callers;
use mailbox::Mailboxes;

pub use acting::ActingAs;
pub use body::Body;

/// How many frames a watcher may be behind before its watch is cut (V3.8).
pub const SLOW_WATCHER: usize = 1_000;

/// The embedded API server. Clones are handles to the same server.
#[derive(Clone)]
pub struct ApiServer {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    clock: Clock,
    started: Instant,
    slow_watcher: usize,
    callers: Callers,
}

struct State {
    core: Core,
    rng: Rng,
    mail: Mailboxes,
    next_ticket: u64,
}

impl fmt::Debug for ApiServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiServer").field("core", &self.lock().core).finish_non_exhaustive()
    }
}

/// Settings on the way to an [`ApiServer`].
#[derive(Clone, Debug)]
#[must_use = "call `build`"]
pub struct Builder {
    seed: Option<u64>,
    clock: Clock,
    config: Config,
    slow_watcher: usize,
}

impl Builder {
    /// What names, uids and every free order are made from; 0 unless told.
    ///
    /// From a seed that is given here follows also what tokens of service accounts are signed with,
    /// unless [`Builder::signing_key`] or [`Builder::drawn_signing_key`] is asked for: one seed, the
    /// same tokens. They keep nobody out, as whoever sees one uid of the server can find the seed.
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// What tokens of service accounts are signed with: another server with this key takes them, for
    /// accounts that it has. Whoever knows the key can make tokens.
    ///
    /// Without it the key is drawn from the operating system, or follows from a seed that was given.
    pub const fn signing_key(mut self, key: [u8; 32]) -> Self {
        self.config.signing_key = Some(key);
        self
    }

    /// Draws the key of tokens from the operating system although there is a seed. Without a seed
    /// that is done anyhow.
    ///
    /// # Panics
    ///
    /// When the operating system has no random numbers.
    pub fn drawn_signing_key(self) -> Self {
        let key = ring::rand::generate(&ring::rand::SystemRandom::new());
        self.signing_key(key.expect("random numbers of the operating system").expose())
    }

    /// Where the time comes from.
    pub const fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// The administrator's bearer token. From now on requests must carry one.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.config.token = Some(token.into());
        self
    }

    /// A user and its bearer token. From now on requests must carry one.
    pub fn user(mut self, token: impl Into<String>, user: User) -> Self {
        self.config.users.push((token.into(), user));
        self
    }

    /// Lets roles and bindings hold, as `--authorization-mode=RBAC` does: requests say who makes
    /// them, by a token or by [`ApiServer::acting_as`], and what is not allowed gets 403.
    pub const fn rbac(mut self) -> Self {
        self.config.authorization = Authorization::Rbac;
        self
    }

    /// Lets in who does not say who they are, as `system:anonymous`; without this they are answered
    /// about health and version only.
    pub const fn anonymous(mut self) -> Self {
        self.config.anonymous = true;
        self
    }

    /// Gives pods their service account and its token, and refuses them while it is not there, as the
    /// admission plugin `ServiceAccount` does; off otherwise, as in envtest.
    pub const fn service_accounts(mut self) -> Self {
        self.config.service_accounts = true;
        self
    }

    /// How many events are remembered for watches and paged lists.
    pub const fn history_events(mut self, count: usize) -> Self {
        self.config.history_events = count;
        self
    }

    /// How many reads may be under way at once (400 unless told); 0 for any number. More are
    /// answered with 429 and `Retry-After`. Watches do not count (V1.5).
    pub const fn max_requests_in_flight(mut self, count: usize) -> Self {
        self.config.max_requests_in_flight = count;
        self
    }

    /// How many writes may be under way at once (200 unless told); 0 for any number.
    pub const fn max_mutating_requests_in_flight(mut self, count: usize) -> Self {
        self.config.max_mutating_requests_in_flight = count;
        self
    }

    /// How many frames a watcher may be behind before its watch is cut.
    pub const fn slow_watcher(mut self, frames: usize) -> Self {
        self.slow_watcher = frames;
        self
    }

    /// The server, ready.
    ///
    /// # Panics
    ///
    /// When the operating system has no random numbers for a key ([`Builder::drawn_signing_key`]).
    pub fn build(mut self) -> ApiServer {
        if self.seed.is_none() && self.config.signing_key.is_none() {
            self = self.drawn_signing_key();
        }
        let mut rng = Rng::new(self.seed.unwrap_or_default());
        let started = Instant::now();
        let now = read(self.clock, started);
        let core = Core::new(self.config, now, &mut rng);
        let state = State { core, rng, mail: Mailboxes::default(), next_ticket: 1 };
        let (clock, slow_watcher) = (self.clock, self.slow_watcher);
        let callers = Callers::default();
        let shared = Shared { state: Mutex::new(state), clock, started, slow_watcher, callers };
        ApiServer { shared: Arc::new(shared) }
    }
}

impl Default for ApiServer {
    fn default() -> Self {
        Self::new()
    }
}

impl ApiServer {
    /// A server with defaults: seed 0, virtual clock, a key for tokens that nobody knows.
    #[must_use]
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// Starts the settings of a server.
    pub fn builder() -> Builder {
        Builder {
            seed: None,
            clock: Clock::default(),
            config: Config::default(),
            slow_watcher: SLOW_WATCHER,
        }
    }

    /// This server, as one user sees it: its requests need no token.
    #[must_use]
    pub fn acting_as(&self, user: User) -> ActingAs {
        ActingAs::new(self.clone(), user)
    }

    /// Lets requests with this bearer token be this user's, from now on.
    pub fn add_token(&self, token: impl Into<String>, user: User) {
        self.lock().core.add_token(token, user);
    }

    /// Adds a hook.
    pub fn add_hook(&self, hook: impl Hook + 'static) {
        self.lock().core.add_hook(Box::new(hook));
    }

    /// Answers the calls to this address in the process, without a socket: the address of a
    /// webhook's `clientConfig.url`, or `https://NAME.NAMESPACE.svc:PORT/PATH` for one that names a
    /// service. The last one to be told of an address answers for it; what nobody answers for is called
    /// over HTTPS.
    ///
    /// It is asked while the server answers others, may ask the server itself, and has the time that
    /// `timeoutSeconds` gives it.
    pub fn on_webhook<A, F>(&self, address: impl Into<String>, answer: A)
    where
        A: Fn(Review) -> F + Send + Sync + 'static,
        F: Future<Output = Reviewed> + Send + 'static,
    {
        self.shared.callers.insert(address.into(), answer);
    }

    /// Tells where services are: the address of a service by namespace, name and port. Webhooks that
    /// name a service are called there, over TLS, by the name `NAME.NAMESPACE.svc`; without a
    /// resolver, or where it knows none, the service is not found.
    pub fn resolve_services<R>(&self, resolver: R)
    where
        R: Fn(&str, &str, u16) -> Option<SocketAddr> + Send + Sync + 'static,
    {
        self.shared.callers.resolve(resolver);
    }

    /// What webhooks and policies added to the audit of the last thousand writes that had any,
    /// oldest first.
    #[must_use]
    pub fn audit_annotations(&self) -> Vec<AuditAnnotation> {
        self.lock().core.audit_annotations()
    }

    /// What was written since the start.
    #[must_use]
    pub fn history(&self) -> History {
        self.lock().core.history().clone()
    }

    /// The hash of what was written since the start.
    #[must_use]
    pub fn history_hash(&self) -> u64 {
        self.lock().core.history().hash()
    }

    /// The revision of the last write.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.lock().core.store().revision()
    }

    /// Forgets events up to `revision`: older watches and lists get 410.
    pub fn compact(&self, revision: u64) {
        self.lock().core.compact(revision);
    }

    /// How many requests and watches are under way.
    #[must_use]
    pub fn open_requests(&self) -> usize {
        self.lock().mail.len()
    }

    /// The moment as this server counts it.
    #[must_use]
    pub fn now(&self) -> Now {
        read(self.shared.clock, self.shared.started)
    }

    /// Answers a request whose body has been read.
    ///
    /// # Errors
    ///
    /// A [`Hangup`] when a hook cut the connection.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future before it is first polled does nothing; afterwards the request may have
    /// been carried out.
    pub fn answer(
        &self,
        request: http::Request<Bytes>,
    ) -> impl Future<Output = Result<http::Response<Body>, Hangup>> + Send + use<> {
        call::Answer::new(self.clone(), request)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tokio moment of a server moment; one that lies further ahead than tokio can count is a
    /// year from now, when the core is asked again.
    fn instant(&self, at: Now) -> Instant {
        const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);
        Instant::now() + at.since(self.now()).min(YEAR)
    }

    fn open(&self) -> Ticket {
        let mut state = self.lock();
        let ticket = Ticket(state.next_ticket);
        state.next_ticket += 1;
        state.mail.open(ticket);
        ticket
    }

    /// Gives an input to the core and puts what comes out into the mailboxes.
    fn step(&self, input: Input) {
        let now = self.now();
        let wakers = {
            let mut state = self.lock();
            let State { core, rng, mail, .. } = &mut *state;
            let mut outputs = core.step(input, now, rng);
            while !outputs.is_empty() {
                let slow = mail.post(std::mem::take(&mut outputs), self.shared.slow_watcher);
                // A step may have something for others, whatever it is asked for.
                for ticket in slow {
                    outputs.extend(core.step(Input::Gone(ticket), now, rng));
                }
            }
            mail.take_wakers()
        };
        for waker in wakers {
            waker.wake();
        }
    }

    fn close(&self, ticket: Ticket) {
        if self.lock().mail.close(ticket) {
            self.step(Input::Gone(ticket));
        }
    }
}

/// The only place that reads a clock.
fn read(clock: Clock, started: Instant) -> Now {
    match clock {
        Clock::Virtual(epoch) => epoch.plus(started.elapsed()),
        Clock::System => system_now(),
    }
}

#[expect(clippy::disallowed_methods, reason = "the named edge that reads the machine's clock")]
fn system_now() -> Now {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Now(since.unwrap_or(Duration::ZERO))
}

/// The connection was cut without an answer, as a hook wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hangup;

impl fmt::Display for Hangup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the server closed the connection without an answer")
    }
}

impl std::error::Error for Hangup {}

impl<B> tower_service::Service<http::Request<B>> for ApiServer
where
    B: http_body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = http::Response<Body>;
    type Error = Hangup;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Hangup>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Hangup>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        Box::pin(call::read_and_answer(self.clone(), request))
    }
}
