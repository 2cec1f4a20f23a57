//! Lives that are over, which the copy may show still.

use std::collections::{BTreeMap, BTreeSet};

use watchkeeper_api::ObjectKey;

use super::Seen;
use crate::version::Version;

/// Above this many pending deletes, those that no event will ever settle are looked for.
const SWEEP: usize = 1000;

/// Lives that are over: what the copy shows of them is not read.
#[derive(Debug, Default)]
pub(super) struct Ends {
    lives: BTreeMap<ObjectKey, BTreeMap<String, End>>,
    /// Those that the copy has lost as they left its selection, and may show again before they end.
    left: BTreeSet<(ObjectKey, String)>,
    /// Of how many names the last sweep left some.
    swept: usize,
}

/// The end of a life.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// Of the first write that was told of it.
    pub(super) ticket: u64,
    /// Whether the server named the life that it ended, or one that came after this. Otherwise it is only known
    /// that there was nothing, which an answer that shows the life refutes.
    pub(super) is_certain: bool,
    /// The moment at which it was told.
    pub(super) told: u64,
    /// A version from after it, once one is known.
    pub(super) until: Option<Version>,
}

impl End {
    pub(super) const fn new(ticket: u64, is_certain: bool, told: u64) -> Self {
        Self { ticket, is_certain, told, until: None }
    }
}

impl Ends {
    pub(super) fn end(&mut self, end: End, key: ObjectKey, lives: Vec<String>) {
        if lives.is_empty() {
            return;
        }
        let ended = self.lives.entry(key).or_default();
        for uid in lives {
            let known = ended.entry(uid).or_insert(end);
            known.ticket = known.ticket.min(end.ticket);
            known.is_certain |= end.is_certain;
        }
    }

    /// That of a life.
    pub(super) fn of(&self, key: &ObjectKey, uid: &str) -> Option<End> {
        self.lives.get(key)?.get(uid).copied()
    }

    /// A write was answered with this life, so it was there. An end that the server told is none the less one:
    /// the answers crossed.
    pub(super) fn revive(&mut self, key: &ObjectKey, uid: &str) {
        if self.of(key, uid).is_some_and(|end| !end.is_certain) {
            self.forget(key, uid);
        }
    }

    /// The copy has lost this life, which may come back if it only left what the copy selects.
    pub(super) fn lost(&mut self, key: &ObjectKey, uid: &str, may_return: bool) {
        if !may_return {
            self.forget(key, uid);
        } else if self.of(key, uid).is_some() {
            self.left.insert((key.clone(), uid.to_owned()));
        }
    }

    /// A write that began at that moment made this version: what ended before has ended by then.
    pub(super) fn later(&mut self, began: u64, version: Version) {
        for (key, uid) in &self.left {
            let end = self.lives.get_mut(key).and_then(|lives| lives.get_mut(uid));
            if let Some(end) = end.filter(|end| end.told <= began) {
                end.until.get_or_insert(version);
            }
        }
    }

    /// The copy has come to this version: what it lost and ended before does not come back.
    pub(super) fn reached(&mut self, version: Version) {
        let over = |of: &&(ObjectKey, String)| {
            let end = self.of(&of.0, &of.1);
            end.is_none_or(|end| end.until.is_some_and(|until| until <= version))
        };
        let over: Vec<_> = self.left.iter().filter(over).cloned().collect();
        over.iter().for_each(|(key, uid)| self.forget(key, uid));
    }

    /// Nobody has to wait for the end of this life any more.
    fn forget(&mut self, key: &ObjectKey, uid: &str) {
        if !self.left.is_empty() {
            self.left.remove(&(key.clone(), uid.to_owned()));
        }
        if let Some(lives) = self.lives.get_mut(key) {
            lives.remove(uid);
            if lives.is_empty() {
                self.lives.remove(key);
            }
        }
    }

    /// Drops those that no event will ever settle: `may_come` says of which the copy has the life, or may yet.
    pub(super) fn sweep(&mut self, may_come: impl Fn(&ObjectKey, &str) -> bool) {
        // Twice as many each time: what the copy has yet to lose is not looked at for every write.
        if self.lives.len() <= SWEEP.max(2 * self.swept) {
            return;
        }
        self.lives.retain(|key, lives| {
            lives.retain(|uid, _| may_come(key, uid));
            !lives.is_empty()
        });
        let lives = &self.lives;
        self.left.retain(|(key, uid)| lives.get(key).is_some_and(|lives| lives.contains_key(uid)));
        self.swept = self.lives.len();
    }

    pub(super) fn clear(&mut self) {
        self.left.clear();
        self.lives.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lives.is_empty()
    }

    /// Of how many names there are some.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.lives.len()
    }

    /// Whether what is seen of an object is over, by a write from before the seal.
    pub(super) fn hold(&self, key: &ObjectKey, seen: Option<Seen<'_>>, seal: u64) -> bool {
        seen.and_then(|seen| self.of(key, seen.uid)).is_some_and(|end| end.ticket < seal)
    }

    /// The names of which there are some.
    pub(super) fn keys(&self) -> impl Iterator<Item = &ObjectKey> {
        self.lives.keys()
    }
}

#[cfg(test)]
mod tests;
