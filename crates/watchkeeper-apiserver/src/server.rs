//! The server as a tower service: the state machine behind one lock, and futures that wait.
//!
//! There is no background task. Each request's own future, and each watch's own body, sleeps until
//! its wake-up time and then steps the core. The lock is never held across an await; a client that
//! leaves drops its future or body, and with it its ticket. What has come for a client is read
//! without the lock.

mod acting;
mod body;
mod builder;
mod call;
mod caller;
mod connect;
mod https;
mod keeper;
mod mailbox;
mod outbox;
mod ports;
mod proxy;
mod session;
mod spdy;
mod tunnel;
mod upgraded;

use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

use crate::admission::{AuditAnnotation, Review, Reviewed};
use crate::clock::{Clock, Now};
use crate::containers::Kubelet;
use crate::convert::webhook::{ConversionReview, ConversionReviewed};
use crate::history::History;
use crate::hooks::Hook;
use crate::rng::Rng;
use crate::snapshot::Picture;
use crate::step::{Core, Input, Output, Ticket};
use crate::user::User;
use caller::Callers;
use mailbox::{Mailboxes, Slow};
use outbox::Outbox;

pub use acting::ActingAs;
pub use body::Body;
pub use builder::Builder;
pub use keeper::Keeper;
pub use upgraded::{Upgrade, Upgraded};

/// How many frames a watcher may be behind before its watch is cut (V3.8).
pub const SLOW_WATCHER: usize = 1_000;

/// How many bytes a watcher may be behind before its watch is cut: as much as it takes to hold some twenty of the
/// largest objects.
pub const SLOW_WATCHER_BYTES: usize = 64 * 1024 * 1024;

/// The embedded API server. Clones are handles to the same server.
#[derive(Clone)]
pub struct ApiServer {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    clock: Clock,
    started: Instant,
    slow_watcher: Slow,
    callers: Callers,
    kubelet: Mutex<Option<Arc<dyn Kubelet>>>,
}

struct State {
    core: Core,
    rng: Rng,
    outbox: Outbox,
    mail: Mailboxes,
    next_ticket: u64,
}

impl fmt::Debug for ApiServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiServer").field("core", &self.lock().core).finish_non_exhaustive()
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
        Builder::new()
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
        self.shared.callers.insert(address.into(), move |review| {
            let answered = answer(Review::new(review));
            async move { answered.await.into_inner() }
        });
    }

    /// Answers the calls of conversion webhooks to this address in the process, as
    /// [`on_webhook`](Self::on_webhook) does those of admission.
    ///
    /// The example is that of [`convert::webhook`](crate::convert::webhook).
    pub fn on_conversion<A, F>(&self, address: impl Into<String>, answer: A)
    where
        A: Fn(ConversionReview) -> F + Send + Sync + 'static,
        F: Future<Output = ConversionReviewed> + Send + 'static,
    {
        self.shared.callers.insert(address.into(), move |review| {
            let answered = answer(ConversionReview::new(review));
            async move { answered.await.into_inner() }
        });
    }

    /// Lets this kubelet answer for the containers of pods, from now on. Without one there are neither logs
    /// nor programs nor ports.
    ///
    /// The example is that of [`Kubelet`].
    pub fn set_kubelet(&self, kubelet: impl Kubelet) {
        let mut known = self.shared.kubelet.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some(Arc::new(kubelet));
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

    /// All that the server holds, as YAML: a document for each object, as `kubectl get -o yaml` shows it in
    /// the version that is stored, with its uid, its revision and its managers. Definitions and namespaces
    /// come first. [`Builder::import`] makes a server of it. Secrets are in it.
    ///
    /// An object that nests deeper than YAML is read, or that YAML would say otherwise, is JSON on a line.
    ///
    /// ```
    /// use watchkeeper_apiserver::ApiServer;
    ///
    /// let yaml = ApiServer::new().export();
    /// assert!(yaml.contains("\n---\napiVersion: v1\nkind: Namespace\nmetadata:\n"), "{yaml}");
    /// ```
    #[must_use]
    pub fn export(&self) -> String {
        let picture = Picture::of(self.lock().core.store());
        picture.text()
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

    fn open(&self) -> (Ticket, mailbox::Shared) {
        let mut state = self.lock();
        let ticket = Ticket(state.next_ticket);
        state.next_ticket += 1;
        let mailbox = state.mail.open(ticket);
        (ticket, mailbox)
    }

    /// Gives an input to the core and puts what comes out into the mailboxes.
    fn step(&self, input: Input) {
        let now = self.now();
        let mut state = self.lock();
        let State { core, rng, outbox, .. } = &mut *state;
        let outputs = match outbox.is_cut() {
            false => outbox.put(core.step(input, now, rng)),
            true => vec![Output::Hangup(input.ticket())],
        };
        self.deliver(state, outputs, now);
    }

    /// Puts what may be told into the mailboxes, and wakes who waits for it.
    fn deliver(&self, mut state: MutexGuard<'_, State>, mut outputs: Vec<Output>, now: Now) {
        let State { core, rng, outbox, mail, .. } = &mut *state;
        while !outputs.is_empty() {
            let slow = mail.post(std::mem::take(&mut outputs), self.shared.slow_watcher);
            // A step may have something for others, whatever it is asked for.
            for ticket in slow {
                outputs.extend(outbox.put(core.step(Input::Gone(ticket), now, rng)));
            }
        }
        let mut wakers = mail.take_wakers();
        wakers.extend(outbox.keeper());
        drop(state);
        for waker in wakers {
            waker.wake();
        }
    }

    /// What was taken from the outbox is kept: tells what waited for it.
    fn let_out(&self) {
        let now = self.now();
        let mut state = self.lock();
        let outputs = state.outbox.kept();
        self.deliver(state, outputs, now);
    }

    /// Ends every request without an answer, those to come, too.
    fn cut(&self) {
        let now = self.now();
        let mut state = self.lock();
        state.outbox.cut();
        let outputs = state.mail.under_way().map(Output::Hangup).collect();
        self.deliver(state, outputs, now);
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
