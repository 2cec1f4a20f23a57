//! Places where a test can step in: before and after a commit, at each watch delivery, at reads.
//!
//! Hooks see what happens and answer what should; they decide synchronously, so a run with hooks
//! is as repeatable as one without.

use serde_json::Value;

use crate::error::ApiError;
use crate::history::Verb;
use crate::storage::Event;

/// A write that is about to happen.
#[derive(Clone, Copy, Debug)]
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
}

/// What a test may do at each place. Every method has a default that changes nothing.
pub trait Hook: Send {
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

    /// Before a get, a list or the start of a watch.
    fn on_read(&mut self, read: &Read<'_>) -> Verdict {
        let _ = read;
        Verdict::Proceed
    }
}
