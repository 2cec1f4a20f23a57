//! One step in progress: the core with the moment, the dice and the outputs collected so far.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;

use crate::admission::{AuditAnnotation, Known, Question};
use crate::clock::Now;
use crate::containers::Connect;
use crate::deep::Extent;
use crate::error::ApiError;
use crate::history::{HistoryEntry, Verb};
use crate::hooks::{Aftermath, Read, Verdict, Write};
use crate::journal::Record;
use crate::present::Pieces;
use crate::rng::Rng;
use crate::step::{Core, Output, Ticket};
use crate::storage::{Change, Event, Key, TableName, Version};
use crate::watch::Sending;

/// The table of Events.
pub(crate) const EVENTS: &str = "events";
/// How long Events are kept (kube-apiserver's `--event-ttl`).
pub(crate) const EVENT_LIFE: Duration = Duration::from_secs(3600);

/// How a request ends for now.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// With an answer.
    Reply(http::Response<Bytes>),
    /// With a list that is written while it is sent.
    List(Box<http::Response<Pieces>>),
    /// As a watch that has been registered.
    Streaming,
    /// With what the kubelet has to say.
    Connect(Box<Connect>),
    /// Not yet: the store has not reached this revision.
    Park(u64),
    /// Not yet: others must be asked first.
    Ask(Vec<Question>),
    /// Without an answer.
    Hangup,
}

/// What stops a request.
#[derive(Debug)]
pub(crate) enum Halt {
    /// An error for the client.
    Error(Box<ApiError>),
    /// The store has not reached this revision.
    Park(u64),
    /// Others must be asked before the request goes on; it is then tried anew.
    Ask(Vec<Question>),
    /// A hook cut the connection.
    Hangup,
}

impl From<ApiError> for Halt {
    fn from(error: ApiError) -> Self {
        Self::Error(Box::new(error))
    }
}

/// One write, as it is given to [`Turn::commit`]. Not to be printed: it may be a secret.
pub(crate) struct Commit<'a> {
    pub verb: Verb,
    pub subresource: &'a str,
    pub actor: &'a str,
    pub table: &'a TableName,
    pub key: &'a Key,
    /// The new state, or the last state of what is removed.
    pub value: Value,
    pub remove: bool,
    /// The new state as the client sees it, where a webhook has converted it.
    pub shown: Option<Shown>,
}

/// An object in a version that a webhook converted it to.
pub(crate) struct Shown {
    pub version: Version,
    pub value: Value,
}

/// The step in progress.
pub(crate) struct Turn<'a> {
    pub core: &'a mut Core,
    pub now: Now,
    /// When the request was first tried: what it writes has this time at each try.
    pub began: Now,
    pub rng: &'a mut Rng,
    pub ticket: Ticket,
    /// Warnings for the client of this request.
    pub warnings: Vec<String>,
    /// Frames for other clients; they follow the reply.
    pub later: Vec<Output>,
    /// Frames of the watch that this request starts.
    pub out: Vec<Output>,
    /// A hook lost the reply to a write of this request.
    pub lose_reply: bool,
    /// What the server writes by itself; admission is not asked about that.
    pub by_itself: bool,
    /// What others have answered at earlier tries.
    pub known: Known,
    /// What ends this try whatever else is found out: an object that somebody wants to see in another
    /// version must be converted first, or cannot be.
    pub owed: Option<Halt>,
    /// What admission adds to the audit of this request.
    pub annotations: Vec<AuditAnnotation>,
}

/// The largest object that is stored, in bytes of JSON, about: patches could add to one without end, and each
/// read would bring it. Upstream's etcd takes half as much as a body may have.
const LARGEST: usize = 8 << 20;

impl<'a> Turn<'a> {
    pub(crate) fn new(core: &'a mut Core, now: Now, rng: &'a mut Rng, ticket: Ticket) -> Self {
        Self {
            core,
            now,
            began: now,
            rng,
            ticket,
            warnings: Vec::new(),
            later: Vec::new(),
            out: Vec::new(),
            lose_reply: false,
            by_itself: false,
            known: Known::default(),
            owed: None,
            annotations: Vec::new(),
        }
    }

    /// Gives the outputs of this request's own stream to `out` and returns those for others.
    pub(crate) fn finish(self, out: &mut Vec<Output>) -> Vec<Output> {
        out.extend(self.out);
        self.later
    }

    /// Stores or removes an object, tells hooks, history and watchers.
    ///
    /// # Errors
    ///
    /// What a hook answers instead.
    pub(crate) fn commit(&mut self, commit: Commit<'_>) -> Result<Arc<Event>, Halt> {
        self.ask_before(&commit)?;
        let Commit { verb, subresource, actor, table, key, value, remove, shown } = commit;
        if !remove && Extent::of(&value).bytes > LARGEST {
            return Err(ApiError::new(500, "", "etcdserver: request is too large").into());
        }
        let event = if remove {
            let removed = self.core.store.remove(table, key, value);
            removed.ok_or_else(|| ApiError::internal(format!("{table} {key} is already gone")))?
        } else {
            self.core.store.put(table, key, value)
        };
        keep_shown(&event, shown);
        let object = event.object.peek();
        let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or("");
        let history = &mut self.core.history;
        let entry = HistoryEntry {
            revision: event.revision,
            at: self.now,
            verb,
            subresource: history.shared(subresource),
            change: event.change,
            actor: history.shared(actor),
            table: event.table.clone(),
            key: event.object.key.clone(),
            kind: history.shared(text("/kind")),
            uid: text("/metadata/uid").into(),
        };
        self.core.history.record(entry, &event);
        if let Some(commits) = &mut self.core.commits {
            commits.push(Record::of_event(&event, self.now));
        }
        if &**table == EVENTS && event.change != Change::Deleted {
            let expiry = (self.now.plus(EVENT_LIFE), key.clone(), event.revision);
            self.core.expiries.push_back(expiry);
        }
        self.core.answers.wrote(self.ticket, &event);
        self.deliver(&event);
        self.ask_after(verb, actor, &event);
        Ok(event)
    }

    fn ask_before(&mut self, commit: &Commit<'_>) -> Result<(), Halt> {
        let ordinal = self.core.history.count();
        let write = Write {
            verb: commit.verb,
            actor: commit.actor,
            table: commit.table,
            key: commit.key,
            ordinal,
            object: (!commit.remove).then_some(&commit.value),
        };
        for hook in &mut self.core.hooks {
            obey(hook.before_commit(&write))?;
        }
        Ok(())
    }

    fn ask_after(&mut self, verb: Verb, actor: &str, event: &Event) {
        if self.core.hooks.is_empty() {
            return;
        }
        let object = event.object.peek();
        let write = Write {
            verb,
            actor,
            table: &event.table,
            key: &event.object.key,
            ordinal: self.core.history.count() - 1,
            object: Some(&object),
        };
        for hook in &mut self.core.hooks {
            if hook.after_commit(&write, event) == Aftermath::LoseReply {
                self.lose_reply = true;
            }
        }
    }

    /// Lets hooks have their say before a read: the revision of the past that it is to see, if it takes any.
    ///
    /// # Errors
    ///
    /// What a hook answers instead.
    pub(crate) fn ask_read(
        &mut self,
        actor: &str,
        verb: &str,
        table: &str,
        key: &str,
    ) -> Result<Option<u64>, Halt> {
        let (revision, floor) = (self.core.store.revision(), self.core.store.ring().floor());
        let read = Read { actor, verb, table, key, revision };
        let mut seen = revision;
        for hook in &mut self.core.hooks {
            match hook.on_read(&read) {
                Verdict::At(past) => seen = seen.min(past.max(floor)),
                verdict => obey(verdict)?,
            }
        }
        Ok((seen < revision).then_some(seen))
    }

    fn deliver(&mut self, event: &Arc<Event>) {
        let core = &mut *self.core;
        let mut sending = Sending::new(self.now, &mut core.hooks, self.rng, &mut self.later);
        core.watches.deliver(event, &mut sending);
    }

    /// Notes something the client should know, once; not more than its answer could ever hold.
    pub(crate) fn warn(&mut self, text: impl Into<String>) {
        const MOST: usize = 1000;
        let text = text.into();
        if self.warnings.len() < MOST && !self.warnings.contains(&text) {
            self.warnings.push(text);
        }
    }
}

/// What is known of the new state in other versions, before anybody is told of it.
fn keep_shown(event: &Event, shown: Option<Shown>) {
    if let Some(Shown { version, value }) = shown {
        let state = event.object.seen_as(&value);
        event.object.derived.keep_state(version, state);
    }
    if let Some(previous) = &event.previous {
        event.object.inherit(previous);
    }
}

fn obey(verdict: Verdict) -> Result<(), Halt> {
    match verdict {
        Verdict::Proceed | Verdict::At(_) => Ok(()),
        Verdict::Refuse(error) => Err(Halt::Error(error)),
        Verdict::Hangup => Err(Halt::Hangup),
    }
}

#[cfg(test)]
mod tests;
