//! Places where a test can step in: before and after a commit, at each watch delivery, at reads; and look: at
//! each answer.
//!
//! Hooks see what happens and answer what should; they decide synchronously, so a run with hooks
//! is as repeatable as one without.
//!
//! # A server that forgets, and one that is not ready
//!
//! A watch from a version that is too old usually ends with an ERROR event, which
//! [`ApiServer::compact`](crate::ApiServer::compact) brings about. A server may also answer with 410
//! outright, or with 429 while its cache fills; [`on_read`] with [`Read::expired`] and
//! [`Read::not_ready`] does that.
//!
//! ```
//! use watchkeeper_apiserver::hooks::{self, Verdict};
//! use watchkeeper_apiserver::ApiServer;
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() {
//! let server = ApiServer::new();
//! let mut watches = 0;
//! server.add_hook(hooks::on_read(move |read| {
//!     watches += u32::from(read.verb == "watch");
//!     match (read.verb, watches) {
//!         ("watch", 1) => read.not_ready(), // 429, come back in a second
//!         ("watch", 2) => read.expired(),   // 410
//!         _ => Verdict::Proceed,
//!     }
//! }));
//!
//! let codes = [429, 410, 200];
//! for code in codes {
//!     let watch = http::Request::get("/api/v1/pods?watch=true&resourceVersion=1");
//!     let answer = server.answer(watch.body(bytes::Bytes::new()).unwrap()).await.unwrap();
//!     assert_eq!(answer.status(), code);
//! }
//! # }
//! ```

use std::fmt;
use std::time::Duration;

use serde_json::Value;

use crate::access::{Decision, Target};
use crate::clock::Now;
use crate::error::ApiError;
use crate::history::Verb;
use crate::storage::Event;
use crate::user::User;

mod audit;
mod audit_lines;
mod faults;
mod nth_write;

pub use audit::{Audit, AuditEntry};
pub use audit_lines::AuditLines;
pub use faults::{Fault, Faults};
pub use nth_write::NthWrite;

/// A write that is about to happen.
#[derive(Clone, Copy)]
pub struct Write<'a> {
    /// What is done.
    pub verb: Verb,
    /// Who does it: the user agent up to `/`.
    pub actor: &'a str,
    /// The table, e.g. `deployments.apps`.
    pub table: &'a str,
    /// `namespace/name`.
    pub key: &'a str,
    /// How many writes were committed before.
    pub ordinal: u64,
    /// The new state; none for a delete.
    pub object: Option<&'a Value>,
}

/// Without the object, which may be a secret.
impl fmt::Debug for Write<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { verb, actor, table, key, ordinal, object: _ } = self;
        write!(f, "Write({actor} {verb:?} {table} {key}, {ordinal} before)")
    }
}

/// A read that is about to happen.
#[derive(Clone, Copy, Debug)]
pub struct Read<'a> {
    /// Who reads.
    pub actor: &'a str,
    /// `get`, `list` or `watch`.
    pub verb: &'a str,
    /// The table.
    pub table: &'a str,
    /// `namespace/name`, `namespace/`, or nothing.
    pub key: &'a str,
    /// The revision of the store.
    pub revision: u64,
}

impl Read<'_> {
    /// The answer of a server that no longer has the version: 410 Expired as the answer itself
    /// (etcd3's `errors.go`), where the watch cache would start a stream and end it with an ERROR
    /// event (V3.6).
    #[must_use]
    pub fn expired(&self) -> Verdict {
        let what = if self.verb == "watch" { "watch" } else { "list" };
        let why = format!("The resourceVersion for the provided {what} is too old.");
        Verdict::Refuse(Box::new(ApiError::expired(why)))
    }

    /// The answer of a server whose cache is not filled yet: 429 TooManyRequests, to come back in
    /// a second (KEP-4568).
    #[must_use]
    pub fn not_ready(&self) -> Verdict {
        let error = ApiError::too_many_requests("storage is (re)initializing", 1);
        Verdict::Refuse(Box::new(error))
    }
}

/// A request that has arrived and is about to be looked at.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// Who calls: the user agent up to `/`.
    pub actor: &'a str,
    /// The HTTP method.
    pub method: &'a str,
    /// The path.
    pub path: &'a str,
}

/// A request of somebody who is known, and what the server answered. Of a watch it is told when it begins.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    /// Who asked: the user agent up to `/`.
    pub actor: &'a str,
    /// The verb as RBAC spells it; of a path that leads to no objects the method in lower case.
    pub verb: &'a str,
    /// The table, e.g. `deployments.apps`; empty of a path that leads to no objects.
    pub table: &'a str,
    /// The part of the object that was addressed, e.g. `status`.
    pub subresource: &'a str,
    /// `namespace/name`, `namespace/`, nothing, or a path that leads to no objects.
    pub key: &'a str,
    /// The answer; `None` where the connection was cut.
    pub code: Option<u16>,
    /// What else is known of it.
    pub particulars: &'a Particulars<'a>,
}

/// What upstream's audit log tells of a request besides.
#[derive(Clone, Copy, Debug)]
pub struct Particulars<'a> {
    /// What the answer is known by (`Audit-ID`).
    pub audit_id: &'a str,
    /// The path with the query.
    pub uri: &'a str,
    /// The whole user agent.
    pub user_agent: &'a str,
    /// Who asked.
    pub user: &'a User,
    /// As whom, if that is somebody else.
    pub acting: Option<&'a User>,
    /// What was asked for.
    pub target: &'a Target,
    /// Whether that was allowed, and why.
    pub decision: &'a Decision,
    /// What admission has to say, by name.
    pub annotations: &'a [(String, String)],
    /// What was written of the object that it is about.
    pub written: Option<&'a Written>,
    /// The Status, if it was refused.
    pub failure: Option<&'a Value>,
    /// Whether this is only the beginning: of a watch, a log, or a connection to a container.
    pub goes_on: bool,
    /// When it came.
    pub received: Now,
    /// When it was answered.
    pub answered: Now,
}

/// The object that a request wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its name.
    pub name: String,
    /// Its uid.
    pub uid: String,
    /// The version that it has since.
    pub resource_version: u64,
}

/// A watch event on its way to one watcher.
#[derive(Clone, Copy, Debug)]
pub struct Delivery<'a> {
    /// Who watches.
    pub actor: &'a str,
    /// What happened.
    pub event: &'a Event,
}

/// The answer before a commit or a read.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Verdict {
    /// Go on.
    #[default]
    Proceed,
    /// Answer with this error; nothing is stored or read.
    Refuse(Box<ApiError>),
    /// Drop the connection; nothing is stored or read.
    Hangup,
    /// Read what was there at this revision, as out of the cache of an API server that lags behind: where any state
    /// will do (`resourceVersion=0`), or one that is not newer. A consistent read, a page of a list and one of an
    /// exact revision are what they are, and a write goes on. What the server has forgotten is not read: the
    /// oldest state that it knows is. Of several hooks the oldest revision counts.
    At(u64),
}

/// The answer to an arrival.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Admission {
    /// Go on.
    #[default]
    Proceed,
    /// Go on after a while. The request stays under way meanwhile: it counts against the limits,
    /// and is given up with 504 at its deadline (V1.5). Delays of several hooks add up.
    Delay(Duration),
    /// Answer with this error.
    Refuse(Box<ApiError>),
    /// Drop the connection.
    Hangup,
}

/// The answer after a commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aftermath {
    /// Send the reply.
    #[default]
    Reply,
    /// The write is stored, its reply is lost: drop the connection.
    LoseReply,
}

/// The answer at a delivery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passage {
    /// Deliver it.
    #[default]
    Deliver,
    /// This watcher never sees it.
    Skip,
    /// End the watch before it.
    End,
    /// Deliver it after a while, and everything after it not before it: the watch lags behind. Delays of several hooks
    /// do not add up; the longest counts.
    Delay(Duration),
    /// Deliver it after a while, and let those after it overtake it: no API server does so within a watch, and who
    /// compares versions does not mind.
    Late(Duration),
}

/// A hook that only decides about reads.
#[must_use]
pub fn on_read(decide: impl FnMut(&Read<'_>) -> Verdict + Send + 'static) -> impl Hook + 'static {
    OnRead(decide)
}

struct OnRead<F>(F);

impl<F: FnMut(&Read<'_>) -> Verdict + Send> Hook for OnRead<F> {
    fn on_read(&mut self, read: &Read<'_>) -> Verdict {
        (self.0)(read)
    }
}

/// What a test may do at each place. Every method has a default that changes nothing.
pub trait Hook: Send {
    /// When a whole request is there, before anything is done for it.
    fn on_arrival(&mut self, arrival: &Arrival<'_>) -> Admission {
        let _ = arrival;
        Admission::Proceed
    }

    /// Before a write is stored.
    fn before_commit(&mut self, write: &Write<'_>) -> Verdict {
        let _ = write;
        Verdict::Proceed
    }

    /// After a write was stored and before its reply.
    fn after_commit(&mut self, write: &Write<'_>, event: &Event) -> Aftermath {
        let _ = (write, event);
        Aftermath::Reply
    }

    /// Before an event goes to one watcher.
    fn on_delivery(&mut self, delivery: &Delivery<'_>) -> Passage {
        let _ = delivery;
        Passage::Deliver
    }

    /// When a request is answered, or its connection is cut. One that its client gave up is not told.
    fn on_answer(&mut self, answered: &Answered<'_>) {
        let _ = answered;
    }

    /// Before a get, a list or the start of a watch.
    fn on_read(&mut self, read: &Read<'_>) -> Verdict {
        let _ = read;
        Verdict::Proceed
    }
}
