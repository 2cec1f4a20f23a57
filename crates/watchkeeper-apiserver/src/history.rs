//! Every write since the start, and one number for all of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::clock::Now;
use crate::storage::{Change, Event};

/// What a request did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    /// POST, or an apply of something new.
    Create,
    /// PUT.
    Update,
    /// PATCH.
    Patch,
    /// DELETE, or the removal of the last finalizer.
    Delete,
}

impl Verb {
    /// The verb as RBAC spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Patch => "patch",
            Self::Delete => "delete",
        }
    }
}

/// One write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    /// The revision it took.
    pub revision: u64,
    /// When it was stored.
    pub at: Now,
    /// What was asked.
    pub verb: Verb,
    /// The part of the object that was addressed, e.g. `status`; empty for the object.
    pub subresource: Arc<str>,
    /// What it did to the object.
    pub change: Change,
    /// Who asked: the user agent up to `/`.
    pub actor: Arc<str>,
    /// The table, e.g. `deployments.apps`.
    pub table: Arc<str>,
    /// `namespace/name`.
    pub key: Arc<str>,
    /// The kind.
    pub kind: Arc<str>,
    /// The uid.
    pub uid: Arc<str>,
}

/// The list of writes and its running hash.
#[derive(Clone, Debug)]
pub struct History {
    entries: Vec<HistoryEntry>,
    count: u64,
    hash: u64,
    /// Texts that many entries have, so that they have them together.
    texts: BTreeSet<Arc<str>>,
}

impl Default for History {
    fn default() -> Self {
        Self { entries: Vec::new(), count: 0, hash: OFFSET, texts: BTreeSet::new() }
    }
}

/// How many texts are shared. Clients may have any names; the actors of a cluster are some tens.
const SHARED: usize = 256;

/// How many of the last writes are kept at least.
pub const KEPT: usize = 100_000;

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

impl History {
    /// The writes, oldest first. A server that runs for long keeps the last [`KEPT`], at least.
    #[must_use]
    pub fn entries(&self) -> &[HistoryEntry] {
        &self.entries
    }

    /// How many writes there were.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// A hash (FNV-1a) over who wrote what and when, in order, with every byte of every object. The same
    /// seed and the same inputs give the same number on every machine.
    #[must_use]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// The text as other entries have it.
    pub(crate) fn shared(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.texts.get(text) {
            return Arc::clone(known);
        }
        if self.texts.len() >= SHARED {
            self.texts.clear();
        }
        let text = Arc::<str>::from(text);
        self.texts.insert(Arc::clone(&text));
        text
    }

    pub(crate) fn record(&mut self, entry: HistoryEntry, event: &Event) {
        for part in [entry.verb.name(), &entry.subresource, &entry.actor, &entry.table, &entry.key]
        {
            self.mix(part.as_bytes());
        }
        self.mix(&entry.at.0.as_nanos().to_le_bytes());
        self.mix(&[event.change as u8]);
        self.mix(&event.object.tail);
        if self.entries.len() >= 2 * KEPT {
            self.entries.drain(..KEPT);
        }
        self.entries.push(entry);
        self.count += 1;
    }

    fn mix(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xff]) {
            self.hash = (self.hash ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
    }
}

#[cfg(test)]
mod tests;
