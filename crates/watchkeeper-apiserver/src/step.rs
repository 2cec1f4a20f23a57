//! The state machine: inputs with a moment and dice, outputs to be carried out.
//!
//! [`Core::step`] never waits. A request that must wait is parked under its ticket with a wake-up
//! time; a watch lives under its ticket until it ends. Whoever drives the core sends
//! [`Input::Alarm`] when a wake-up time has come and [`Input::Gone`] when a client has left.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::mem::take;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::request::Parts;
use http::{HeaderValue, Request, Response, header};

use crate::access;
use crate::access::login::{self, Credentials, Who};
use crate::admission::{self, Asking, AuditLog, Expressions, Known, Session};
use crate::answers::{Answers, Judged};
use crate::clock::Now;
use crate::config::Config;
use crate::deep;
use crate::error::ApiError;
use crate::flow::Flows;
use crate::handlers;
use crate::history::History;
use crate::hooks::{Admission, Arrival, Hook};
use crate::journal::Record;
use crate::metrics::Metrics;
use crate::pretty;
use crate::registry::Registry;
use crate::registry::allocate::addresses::Held;
use crate::reply;
use crate::request::accept::{self, Codec};
use crate::request::body::LIMIT;
use crate::rng::Rng;
use crate::storage::window::Window;
use crate::storage::{Key, Store};
use crate::turn::{Outcome, Turn};
use crate::under_way::{Due, Stage, UnderWay};
use crate::user::User;
use crate::watch::{Sending, Watches};

mod depth;
mod messages;
mod seed;

pub use crate::present::Pieces;
pub use messages::{BodyError, Input, Output, Ticket};

/// How long a read waits for a revision that is still ahead (cacher's `blockTimeout`).
pub const FUTURE_REVISION_WAIT: Duration = Duration::from_secs(3);

/// The whole server as plain state.
pub struct Core {
    pub(crate) config: Config,
    pub(crate) store: Store,
    pub(crate) registry: Arc<Registry>,
    pub(crate) watches: Watches,
    pub(crate) history: History,
    pub(crate) hooks: Vec<Box<dyn Hook>>,
    /// When each Event object is forgotten, soonest first, with the revision it had.
    pub(crate) expiries: VecDeque<(Now, Key, u64)>,
    /// The writes of this step, of a server that is kept.
    pub(crate) commits: Option<Vec<Record>>,
    pub(crate) credentials: Credentials,
    pub(crate) expressions: Expressions,
    /// Cluster roles that are made of others may lack rules of these: a hook refused the write.
    pub(crate) gathering_is_due: bool,
    /// Namespaces whose quotas could not be told what is used.
    pub(crate) quotas_due: BTreeSet<String>,
    /// Addresses of Services that are not as they should be: a hook refused the write, or an older server never made it.
    pub(crate) addresses_due: BTreeSet<Held>,
    /// Whether a definition names a conversion webhook.
    pub(crate) converts: bool,
    audit: AuditLog,
    window: Window,
    pub(crate) under_way: UnderWay,
    pub(crate) metrics: Metrics,
    pub(crate) answers: Answers,
    flows: Flows,
}

/// A schema that is as deep as values may be is dropped by code that calls itself as well.
impl Drop for Core {
    fn drop(&mut self) {
        if self.store.is_deep() {
            let Self { registry, watches, under_way, .. } = self;
            let held = (take(registry), take(watches), take(under_way));
            let _ = deep::run(|| drop(held));
        }
    }
}

impl fmt::Debug for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (revision, watches) = (self.store.revision(), self.watches.len());
        f.debug_struct("Core")
            .field("revision", &revision)
            .field("watches", &watches)
            .finish_non_exhaustive()
    }
}

impl Core {
    /// A server with the built-in kinds and the namespaces that every cluster has.
    #[must_use]
    pub fn new(config: Config, now: Now, rng: &mut Rng) -> Self {
        let mut core = Self::empty(config, rng);
        core.seed(now);
        handlers::bootstrap::run(&mut Turn::new(&mut core, now, rng, Ticket(0)));
        core
    }

    /// A server with the built-in kinds and no objects.
    pub(crate) fn empty(config: Config, rng: &Rng) -> Self {
        Self {
            store: Store::new(config.history_events).bounded(config.history_bytes),
            registry: Registry::shared(),
            watches: Watches::default(),
            history: History::default(),
            hooks: Vec::new(),
            expiries: VecDeque::new(),
            commits: None,
            under_way: UnderWay::default(),
            flows: Flows::default(),
            metrics: Metrics::default(),
            answers: Answers::default(),
            credentials: Credentials::new(&config, rng),
            expressions: Expressions::default(),
            audit: AuditLog::default(),
            window: Window::default(),
            converts: false,
            gathering_is_due: false,
            quotas_due: BTreeSet::new(),
            addresses_due: BTreeSet::new(),
            config,
        }
    }

    /// Lets requests with this bearer token be this user's.
    pub fn add_token(&mut self, token: impl Into<String>, user: User) {
        self.credentials.add(token.into(), user);
    }

    /// Adds a hook; hooks are asked in the order in which they were added.
    pub fn add_hook(&mut self, hook: Box<dyn Hook>) {
        self.hooks.push(hook);
    }

    /// What was written since the start.
    #[must_use]
    pub const fn history(&self) -> &History {
        &self.history
    }

    /// What webhooks and policies added to the audit of the last writes, oldest first.
    #[must_use]
    pub fn audit_annotations(&self) -> Vec<admission::AuditAnnotation> {
        self.audit.all()
    }

    /// The objects.
    #[must_use]
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// Forgets events up to `revision`: older watches and lists get 410.
    pub fn compact(&mut self, revision: u64) {
        let store = &mut self.store;
        if store.is_deep() {
            let _ = deep::run(|| store.compact(revision));
        } else {
            store.compact(revision);
        }
    }

    /// Takes one input and says what is to be done for it, in order.
    #[must_use]
    pub fn step(&mut self, input: Input, now: Now, rng: &mut Rng) -> Vec<Output> {
        self.forget(now);
        let mut outputs = self.step_anywhere(input, now, rng);
        self.flows.tell(&mut outputs);
        self.metrics.note(&outputs, now);
        self.answers.tell(&outputs, &mut self.hooks, now);
        if let Some(commits) = self.commits.as_mut().filter(|commits| !commits.is_empty()) {
            outputs.insert(0, Output::Commit(take(commits)));
        }
        outputs
    }

    /// Forgets events that are older than they are to get.
    fn forget(&mut self, now: Now) {
        let Some(time) = self.config.history_for else { return };
        if let Some(revision) = self.window.pass(now, self.store.revision(), time) {
            self.compact(revision);
        }
    }

    fn step_anywhere(&mut self, input: Input, now: Now, rng: &mut Rng) -> Vec<Output> {
        self.note_depth(&input);
        let brings_depth = self.may_bring_depth(&input);
        if !brings_depth && !self.store.is_deep() {
            return self.step_here(input, now, rng);
        }
        let ticket = input.ticket();
        deep::run(|| self.step_here(input, now, rng)).unwrap_or_else(|| {
            self.under_way.remove(ticket);
            let error = ApiError::internal("no memory for a value that is nested this deep");
            vec![Output::Reply(ticket, reply::error(Codec::Json, &error))]
        })
    }

    fn step_here(&mut self, input: Input, now: Now, rng: &mut Rng) -> Vec<Output> {
        let mut out = Vec::new();
        if self.expiries.front().is_some_and(|(at, ..)| *at <= now) {
            let mut turn = Turn::new(self, now, rng, Ticket(0));
            handlers::bootstrap::expire_events(&mut turn);
            out = turn.finish(&mut Vec::new());
        }
        match input {
            Input::Request(ticket, request) => {
                let (mut head, body) = request.into_parts();
                if self.admit(ticket, &mut head, now, &mut out) {
                    self.arrive(ticket, Request::from_parts(head, body), now, rng, &mut out);
                }
            }
            Input::Head(ticket, mut head) => {
                if self.admit(ticket, &mut head, now, &mut out) {
                    self.wait(ticket, Stage::Body(head), &mut out);
                }
            }
            Input::Body(ticket, body) => self.body(ticket, body, now, rng, &mut out),
            Input::Called(ticket, id, answer) if self.watches.has(ticket) => {
                let mut sending = Sending::new(now, &mut self.hooks, rng, &mut out);
                self.watches.told(ticket, id, answer, &mut sending);
            }
            Input::Called(ticket, id, answer) => {
                if let Some((request, session)) = self.under_way.told(ticket, id, answer) {
                    self.attempt(ticket, *request, session, now, rng, &mut out);
                }
            }
            Input::Alarm(ticket) => self.alarm(ticket, now, rng, &mut out),
            Input::Gone(ticket) => {
                self.under_way.remove(ticket);
                self.flows.forget(ticket);
                self.metrics.forget(ticket);
                self.answers.forget(ticket);
                self.watches.remove(ticket);
            }
        }
        self.unpark(now, rng, &mut out);
        out
    }

    /// Whether a request may go on; if not, it is answered.
    fn admit(&mut self, ticket: Ticket, head: &mut Parts, now: Now, out: &mut Vec<Output>) -> bool {
        match self.let_in(ticket, head, now) {
            Ok(user) => {
                head.extensions.insert(Who(user));
                true
            }
            Err(error) => {
                self.under_way.remove(ticket);
                out.push(Output::Reply(ticket, refusal(head, &error)));
                false
            }
        }
    }

    /// Who makes a request, and that they may: in the order of upstream's filters.
    fn let_in(
        &mut self,
        ticket: Ticket,
        head: &mut Parts,
        now: Now,
    ) -> Result<Arc<User>, ApiError> {
        let (store, config) = (&self.store, &self.config);
        let (path, query) = (head.uri.path(), head.uri.query().unwrap_or_default());
        let asked = access::Attributes::of(&head.method, path, query);
        let login = login::login(store, config, &self.credentials, head, now);
        let admitted = self.under_way.admit(ticket, head, config, login, now);
        if admitted.as_ref().is_err_and(|error| error.code == 429) {
            self.metrics.dropped(&self.registry, head, &asked);
        }
        let user = admitted?;
        let acting = access::acting(store, config, user.clone(), head, &asked)?;
        self.flows.note(ticket, store, &acting, &asked);
        let decision = access::judge(store, config, &acting, &asked);
        let heeded = access::heed(&decision, &acting, &asked);
        if !self.hooks.is_empty() {
            let judged = Judged { user, acting: acting.clone(), decision };
            self.answers.open(ticket, head, asked.clone(), judged, now);
        }
        heeded?;
        // As upstream, who may not is not counted.
        self.metrics.open(ticket, &self.registry, head, &asked, now);
        Ok(acting)
    }

    fn body(
        &mut self,
        ticket: Ticket,
        body: Result<Bytes, BodyError>,
        now: Now,
        rng: &mut Rng,
        out: &mut Vec<Output>,
    ) {
        let Some(head) = self.under_way.take_head(ticket) else { return };
        let codec = accept::codec(&head.headers).unwrap_or_default();
        let error = match body {
            Ok(body) => {
                return self.arrive(ticket, Request::from_parts(head, body), now, rng, out);
            }
            Err(BodyError::TooLarge) => ApiError::too_large(LIMIT),
            Err(BodyError::Broken(why)) => {
                ApiError::bad_request(format!("the body ended early: {why}"))
            }
        };
        self.refuse(ticket, codec, &error, out);
    }

    /// A whole request is there: hooks have their say, then it is answered.
    fn arrive(
        &mut self,
        ticket: Ticket,
        request: Request<Bytes>,
        now: Now,
        rng: &mut Rng,
        out: &mut Vec<Output>,
    ) {
        let codec = accept::codec(request.headers()).unwrap_or_default();
        if let Some(error) = self.under_way.overdue(ticket, now) {
            return self.refuse(ticket, codec, &error, out);
        }
        let actor = crate::request::actor(request.headers());
        let (method, path) = (request.method().as_str(), request.uri().path());
        let arrival = Arrival { actor: &actor, method, path };
        let mut delay = Duration::ZERO;
        for hook in &mut self.hooks {
            match hook.on_arrival(&arrival) {
                Admission::Proceed => {}
                Admission::Delay(more) => delay = delay.saturating_add(more),
                Admission::Refuse(error) => return self.refuse(ticket, codec, &error, out),
                Admission::Hangup => {
                    self.under_way.remove(ticket);
                    return out.push(Output::Hangup(ticket));
                }
            }
        }
        if delay.is_zero() {
            self.request(ticket, request, now, rng, out);
        } else {
            self.wait(ticket, Stage::Delay(Box::new(request), now.plus(delay)), out);
        }
    }

    fn wait(&mut self, ticket: Ticket, stage: Stage, out: &mut Vec<Output>) {
        if let Some(until) = self.under_way.wait(ticket, stage) {
            out.push(Output::Wake(ticket, until));
        }
    }

    fn refuse(&mut self, ticket: Ticket, codec: Codec, error: &ApiError, out: &mut Vec<Output>) {
        self.under_way.remove(ticket);
        out.push(Output::Reply(ticket, reply::error(codec, error)));
    }

    fn request(
        &mut self,
        ticket: Ticket,
        request: Request<Bytes>,
        now: Now,
        rng: &mut Rng,
        out: &mut Vec<Output>,
    ) {
        // A write that may be tried several times throws dice of its own, alike at each try.
        let asks = request.method() != http::Method::GET
            && (self.converts || admission::is_configured(&self.store));
        let dice = asks.then(|| Rng::new(rng.next_u64()));
        let session = Session { began: now, rng: dice, known: Known::default() };
        self.attempt(ticket, request, session, now, rng, out);
    }

    /// Tries a request; one that must ask others first is tried anew when they have answered.
    fn attempt(
        &mut self,
        ticket: Ticket,
        request: Request<Bytes>,
        session: Session,
        now: Now,
        rng: &mut Rng,
        out: &mut Vec<Output>,
    ) {
        let Session { began, rng: dice, known } = session;
        let mut own = dice.clone();
        let mut turn = Turn::new(self, now, own.as_mut().unwrap_or(rng), ticket);
        (turn.began, turn.known) = (began, known);
        let outcome = handlers::handle(&mut turn, &request);
        let mut known = take(&mut turn.known);
        let annotations = take(&mut turn.annotations);
        let late = turn.finish(out);
        if !matches!(outcome, Outcome::Ask(_)) {
            for annotation in annotations {
                self.answers.annotate(ticket, &annotation);
                self.audit.push(annotation);
            }
        }
        match outcome {
            Outcome::Reply(response) => {
                self.under_way.remove(ticket);
                out.push(Output::Reply(ticket, response));
            }
            Outcome::List(response) => {
                self.under_way.remove(ticket);
                out.push(Output::List(ticket, response));
            }
            Outcome::Streaming => self.under_way.remove(ticket),
            Outcome::Connect(connect) => {
                self.under_way.remove(ticket);
                out.push(Output::Connect(ticket, connect));
            }
            Outcome::Hangup => {
                self.under_way.remove(ticket);
                out.push(Output::Hangup(ticket));
            }
            Outcome::Ask(questions) => {
                if request.method() == http::Method::GET {
                    known.pinned = known.pinned.or(Some(self.store.revision()));
                }
                let session = Session { began, rng: dice, known };
                let (asking, calls) = Asking::new(session, questions, now);
                out.extend(calls.into_iter().map(|call| Output::Call(ticket, call)));
                let asking = Box::new(asking);
                self.wait(ticket, Stage::Asking(Box::new(request), asking), out);
            }
            Outcome::Park(revision) => {
                let until = now.plus(FUTURE_REVISION_WAIT);
                self.wait(ticket, Stage::Revision(Box::new(request), revision, until), out);
            }
        }
        out.extend(late);
    }

    fn alarm(&mut self, ticket: Ticket, now: Now, rng: &mut Rng, out: &mut Vec<Output>) {
        let waiting = self.under_way.waiting(ticket).map(Request::headers);
        let headers = waiting.or_else(|| self.under_way.headers(ticket));
        let codec = headers.and_then(accept::codec).unwrap_or_default();
        match self.under_way.alarm(ticket, now) {
            Some(Due::Later(at)) => out.push(Output::Wake(ticket, at)),
            Some(Due::Timeout(error)) => self.refuse(ticket, codec, &error, out),
            Some(Due::Go(request)) => self.request(ticket, *request, now, rng, out),
            Some(Due::Told(request, session)) => {
                self.attempt(ticket, *request, session, now, rng, out);
            }
            Some(Due::Absent { asked, is_watch }) => {
                let error = ApiError::too_large_resource_version(asked, self.store.revision());
                if is_watch {
                    self.under_way.remove(ticket);
                    out.extend(handlers::watch::refused(ticket, codec, &error));
                } else {
                    self.refuse(ticket, codec, &error, out);
                }
            }
            None => {
                let revision = self.store.revision();
                let mut sending = Sending::new(now, &mut self.hooks, rng, out);
                self.watches.alarm(ticket, revision, &mut sending);
            }
        }
    }

    /// Takes up the requests whose revision has come.
    fn unpark(&mut self, now: Now, rng: &mut Rng, out: &mut Vec<Output>) {
        while let Some((ticket, request)) = self.under_way.ready(self.store.revision()) {
            self.request(ticket, *request, now, rng, out);
        }
    }
}

/// The answer to who does not come in: who may not is told so in the form asked for, who is one too many in JSON. What may
/// hold somebody's words is not for a browser to make something of (`responsewriters.RespondWithError`).
fn refusal(head: &Parts, error: &ApiError) -> Response<Bytes> {
    let codec = accept::codec(&head.headers).filter(|_| matches!(error.code, 401 | 403));
    let mut response = reply::error(codec.unwrap_or_default(), error);
    if error.code == 403 {
        let as_told = HeaderValue::from_static("nosniff");
        response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, as_told);
    }
    pretty::answer(&head.uri, &head.headers, response)
}

#[cfg(test)]
mod tests;
