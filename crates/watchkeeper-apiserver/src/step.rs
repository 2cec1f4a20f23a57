//! The state machine: inputs with a moment and dice, outputs to be carried out.
//!
//! [`Core::step`] never waits. A request that must wait is parked under its ticket with a wake-up
//! time; a watch lives under its ticket until it ends. Whoever drives the core sends
//! [`Input::Alarm`] when a wake-up time has come and [`Input::Gone`] when a client has left.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::clock::Now;
use crate::config::Config;
use crate::handlers;
use crate::history::History;
use crate::hooks::Hook;
use crate::registry::Registry;
use crate::rng::Rng;
use crate::storage::{Key, Store};
use crate::turn::{Outcome, Turn};
use crate::watch::Watches;

/// How long a read waits for a revision that is still ahead (cacher's `blockTimeout`).
pub const FUTURE_REVISION_WAIT: Duration = Duration::from_secs(3);

/// Names a request from its start to the end of its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u64);

/// What happens to the server.
#[derive(Debug)]
pub enum Input {
    /// A request with its whole body.
    Request(Ticket, Box<http::Request<Bytes>>),
    /// The wake-up time of this ticket has come.
    Alarm(Ticket),
    /// The client of this ticket has left.
    Gone(Ticket),
}

/// What the server wants done.
#[derive(Debug)]
pub enum Output {
    /// Answer the request; the ticket is done.
    Reply(Ticket, http::Response<Bytes>),
    /// Start a streamed answer.
    Start(Ticket, http::Response<()>),
    /// Send a part of a streamed answer.
    Frame(Ticket, Bytes),
    /// End a streamed answer; the ticket is done.
    End(Ticket),
    /// Drop the connection without an answer; the ticket is done.
    Hangup(Ticket),
    /// Send [`Input::Alarm`] at this moment. A later wake-up of a ticket replaces the earlier.
    Wake(Ticket, Now),
}

/// A request that waits for a revision.
#[derive(Debug)]
struct Parked {
    request: http::Request<Bytes>,
    revision: u64,
    deadline: Now,
}

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
    parked: BTreeMap<Ticket, Parked>,
}

impl std::fmt::Debug for Core {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
        let mut core = Self {
            store: Store::new(config.history_events),
            registry: Arc::new(Registry::builtin()),
            watches: Watches::default(),
            history: History::default(),
            hooks: Vec::new(),
            expiries: VecDeque::new(),
            parked: BTreeMap::new(),
            config,
        };
        handlers::bootstrap::run(&mut Turn::new(&mut core, now, rng, Ticket(0)));
        core
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

    /// The objects.
    #[must_use]
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// Forgets events up to `revision`: older watches and lists get 410.
    pub fn compact(&mut self, revision: u64) {
        self.store.compact(revision);
    }

    /// Takes one input and says what is to be done for it, in order.
    #[must_use]
    pub fn step(&mut self, input: Input, now: Now, rng: &mut Rng) -> Vec<Output> {
        let mut out = Vec::new();
        if self.expiries.front().is_some_and(|(at, ..)| *at <= now) {
            let mut turn = Turn::new(self, now, rng, Ticket(0));
            handlers::bootstrap::expire_events(&mut turn);
            out = turn.finish(&mut Vec::new());
        }
        match input {
            Input::Request(ticket, request) => self.request(ticket, *request, now, rng, &mut out),
            Input::Alarm(ticket) => self.alarm(ticket, now, &mut out),
            Input::Gone(ticket) => {
                self.parked.remove(&ticket);
                self.watches.remove(ticket);
            }
        }
        self.unpark(now, rng, &mut out);
        out
    }

    fn request(
        &mut self,
        ticket: Ticket,
        request: http::Request<Bytes>,
        now: Now,
        rng: &mut Rng,
        out: &mut Vec<Output>,
    ) {
        let mut turn = Turn::new(self, now, rng, ticket);
        let outcome = handlers::handle(&mut turn, &request);
        let late = turn.finish(out);
        match outcome {
            Outcome::Reply(response) => out.push(Output::Reply(ticket, response)),
            Outcome::Streaming => {}
            Outcome::Hangup => out.push(Output::Hangup(ticket)),
            Outcome::Park(revision) => {
                let deadline = now.plus(FUTURE_REVISION_WAIT);
                self.parked.insert(ticket, Parked { request, revision, deadline });
                out.push(Output::Wake(ticket, deadline));
            }
        }
        out.extend(late);
    }

    fn alarm(&mut self, ticket: Ticket, now: Now, out: &mut Vec<Output>) {
        if let Some(parked) = self.parked.remove(&ticket) {
            if parked.deadline > now {
                out.push(Output::Wake(ticket, parked.deadline));
                self.parked.insert(ticket, parked);
                return;
            }
            let response = handlers::too_large(parked.revision, self.store.revision());
            out.push(Output::Reply(ticket, response));
            return;
        }
        let revision = self.store.revision();
        self.watches.alarm(ticket, revision, now, out);
    }

    /// Takes up the requests whose revision has come.
    fn unpark(&mut self, now: Now, rng: &mut Rng, out: &mut Vec<Output>) {
        let revision = self.store.revision();
        let ready: Vec<Ticket> = self
            .parked
            .iter()
            .filter(|(_, parked)| parked.revision <= revision)
            .map(|(ticket, _)| *ticket)
            .collect();
        for ticket in ready {
            if let Some(parked) = self.parked.remove(&ticket) {
                self.request(ticket, parked.request, now, rng, out);
            }
        }
    }
}
