//! A server that fails once.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::faults::{modified, verdict};
use super::{Aftermath, Fault, Hook, Verdict, Write};
use crate::history::Verb;
use crate::storage::Event;

impl Fault {
    /// Those that one write can meet by itself.
    pub const OF_A_WRITE: [Self; 6] = [
        Self::Hangup,
        Self::LostReply,
        Self::Conflict,
        Self::TooManyRequests,
        Self::InternalError,
        Self::Unavailable,
    ];

    const fn can_strike(self, verb: Verb) -> bool {
        match self {
            Self::Expired | Self::EndedWatch | Self::Late => false,
            Self::Conflict => matches!(verb, Verb::Update | Verb::Patch),
            _ => true,
        }
    }
}

/// One fault, of the n-th write that it can strike, and of no other: a program that is run for each n has been
/// interrupted wherever it writes. It is a hook and a handle on it.
///
/// ```
/// use watchkeeper_apiserver::ApiServer;
/// use watchkeeper_apiserver::hooks::{Fault, NthWrite};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// /// Makes two config maps, and tells how many of the answers were good.
/// async fn story(server: ApiServer) -> usize {
///     let mut good = 0;
///     for name in ["a", "b"] {
///         let write = http::Request::post("/api/v1/namespaces/default/configmaps");
///         let body = format!(r#"{{"metadata": {{"name": "{name}"}}}}"#);
///         good += usize::from(server.answer(write.body(body.into()).unwrap()).await.is_ok());
///     }
///     good
/// }
///
/// let mut runs = 0;
/// for n in 1.. {
///     let (server, fault) = (ApiServer::new(), NthWrite::new(n, Fault::Hangup));
///     server.add_hook(fault.clone());
///     let good = story(server).await;
///     let Some(struck) = fault.struck() else { break };
///     assert!(struck.starts_with("create configmaps default/"), "{struck}");
///     assert_eq!(good, 1);
///     runs += 1;
/// }
/// assert_eq!(runs, 2);
/// # }
/// ```
#[derive(Clone)]
pub struct NthWrite {
    n: usize,
    fault: Fault,
    spared: Vec<String>,
    shared: Arc<Mutex<Counted>>,
}

#[derive(Debug, Default)]
struct Counted {
    writes: usize,
    /// What was struck.
    struck: Option<String>,
    /// The write that was let through is to have no answer.
    loses_reply: bool,
}

impl NthWrite {
    /// Strikes the `n`-th write, counted from one.
    #[must_use]
    pub fn new(n: usize, fault: Fault) -> Self {
        Self { n, fault, spared: Vec::new(), shared: Arc::default() }
    }

    /// Leaves one alone and does not count it: an actor, by the user agent up to `/`, or a table, as
    /// `leases.coordination.k8s.io`, whose heartbeats never end.
    #[must_use]
    pub fn spare(mut self, actor_or_table: impl Into<String>) -> Self {
        self.spared.push(actor_or_table.into());
        self
    }

    /// What was struck, as `verb table key of actor`; `None` if there was no such write.
    #[must_use]
    pub fn struck(&self) -> Option<String> {
        self.lock().struck.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Counted> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn strikes(&self, write: &Write<'_>) -> bool {
        let is_spared = self.spared.iter().any(|it| it == write.actor || it == write.table);
        if is_spared || !self.fault.can_strike(write.verb) {
            return false;
        }
        let mut counted = self.lock();
        counted.writes += 1;
        if counted.writes != self.n {
            return false;
        }
        let Write { verb, table, key, actor, .. } = write;
        counted.struck = Some(format!("{} {table} {key} of {actor}", verb.name()));
        counted.loses_reply = self.fault == Fault::LostReply;
        true
    }
}

impl Hook for NthWrite {
    fn before_commit(&mut self, write: &Write<'_>) -> Verdict {
        if !self.strikes(write) {
            return Verdict::Proceed;
        }
        match self.fault {
            Fault::LostReply => Verdict::Proceed,
            Fault::Conflict => Verdict::Refuse(Box::new(modified(write))),
            fault => verdict(fault),
        }
    }

    fn after_commit(&mut self, _write: &Write<'_>, _event: &Event) -> Aftermath {
        if std::mem::take(&mut self.lock().loses_reply) {
            Aftermath::LoseReply
        } else {
            Aftermath::Reply
        }
    }
}

impl fmt::Debug for NthWrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { n, fault, spared, .. } = self;
        let mut out = f.debug_struct("NthWrite");
        out.field("n", n).field("fault", fault).field("spared", spared);
        out.field("struck", &self.struck()).finish_non_exhaustive()
    }
}
