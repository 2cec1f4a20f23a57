//! Objects that the copy cannot read, and the own writes that it came to and could not take in.
//!
//! The copy keeps what it had of such an object, and goes on. Whoever wrote what came would read an older state,
//! or none, and could not know; others read what the copy has. Only writes by name count: what else the server
//! told of a namespace ([`Survey`](super::Survey)) may have been unreadable long before.

use std::collections::{BTreeMap, BTreeSet};

use watchkeeper_api::ObjectKey;

use super::{Copied, Ended, Floor, Question, Seen, Survey, VERSIONS};
use crate::selection::Selected;
use crate::version::Version;

#[derive(Debug, Default)]
pub(super) struct Unread {
    /// The objects whose newest state could not be read.
    keys: BTreeSet<ObjectKey>,
    /// Those of them that this process wrote.
    missed: BTreeMap<ObjectKey, Missed>,
}

/// The own writes that the copy came to, and that it may not have.
#[derive(Debug)]
struct Missed {
    /// What they made, in the order in which that was told.
    made: Vec<(u64, Version)>,
    /// Of the newest.
    version: Version,
    uid: String,
    /// The moment by which all of it was made.
    moment: u64,
    over: Option<Over>,
}

/// The own write since which there is nothing to be read: the object went, or is not selected any more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Over {
    pub(super) ticket: u64,
    pub(super) at: Option<Version>,
}

impl Missed {
    fn of(made: &Floor, over: Option<Over>) -> Self {
        let &Floor { ticket, version, ref uid, made: moment, .. } = made;
        Self { made: vec![(ticket, version)], version, uid: uid.clone(), moment, over }
    }

    /// Whether one from before the seal is newer than what is seen.
    fn holds(&self, seen: Option<Seen<'_>>, seal: u64) -> bool {
        if self.over.is_some_and(|over| seal > over.ticket) {
            return false;
        }
        let shown = match seen {
            None => None,
            Some(seen) => match Version::parse(seen.version) {
                None => return false,
                shown => shown,
            },
        };
        self.made.iter().any(|(ticket, version)| *ticket < seal && Some(*version) > shown)
    }

    fn is_life(&self, uid: &str) -> bool {
        !uid.is_empty() && self.uid == uid
    }

    /// Whether this was over before it was told of.
    fn is_over(&self, made: &Floor) -> bool {
        self.over.is_some_and(|over| match over.at {
            Some(at) => made.version < at,
            None => made.version <= self.version || self.is_life(&made.uid),
        })
    }

    fn take_in(&mut self, made: &Floor, over: Option<Over>) {
        if self.made.len() == VERSIONS {
            // Who waits for the oldest waits for the next one instead.
            let (ticket, _) = self.made.remove(0);
            self.made[0].0 = self.made[0].0.min(ticket);
        }
        self.made.push((made.ticket, made.version));
        self.moment = self.moment.max(made.made);
        if made.version >= self.version {
            self.version = made.version;
            self.uid.clone_from(&made.uid);
        }
        self.over = over;
    }
}

impl Unread {
    /// The newest state of an object could not be read.
    pub(super) fn set_aside(&mut self, key: ObjectKey) {
        self.keys.insert(key);
    }

    /// These are all whose newest state could not be read.
    pub(super) fn listed(&mut self, keys: &[ObjectKey]) {
        self.keys = keys.iter().cloned().collect();
        self.missed.retain(|key, _| self.keys.contains(key));
    }

    /// A later state of an object could be read, or it is gone.
    pub(super) fn told(&mut self, key: &ObjectKey) {
        if self.keys.remove(key) {
            self.missed.remove(key);
        }
    }

    /// The copy came to what an own write made, and of which one tells since when it is over.
    pub(super) fn came_to(&mut self, key: &ObjectKey, made: &Floor, over: Option<Over>) {
        if made.selected == Selected::No || !self.keys.contains(key) {
            return;
        }
        match self.missed.get_mut(key) {
            Some(missed) if missed.is_over(made) => {}
            // An answer that came late, of what was over before the newest was made.
            Some(missed) if over.is_some() && made.version < missed.version => {}
            Some(missed) => missed.take_in(made, over),
            None => drop(self.missed.insert(key.clone(), Missed::of(made, over))),
        }
    }

    /// An own write ended a life, or any that was known of.
    pub(super) fn ended(&mut self, key: &ObjectKey, ended: Ended, uid: &str) {
        if let Some(missed) = self.missed.get_mut(key)
            && (ended.began >= missed.moment || missed.is_life(uid))
        {
            missed.over = Some(Over { ticket: ended.ticket, at: None });
        }
    }

    /// At that version there is nothing that is selected.
    pub(super) fn left(&mut self, key: &ObjectKey, ticket: u64, at: Version) {
        if let Some(missed) = self.missed.get_mut(key)
            && at > missed.version
        {
            missed.over = Some(Over { ticket, at: Some(at) });
        }
    }

    /// The server was asked for these, and this is what it has.
    pub(super) fn found(&mut self, question: &Question, survey: &Survey) {
        let gone = |key: &&ObjectKey| question.is_of(key) && !survey.found.contains_key(*key);
        let gone: Vec<ObjectKey> = self.missed.keys().filter(gone).cloned().collect();
        gone.iter().for_each(|key| self.left(key, 0, survey.version));
    }

    pub(super) fn clear(&mut self) {
        self.missed.clear();
    }

    /// Whether no object is unreadable.
    pub(super) fn is_nothing(&self) -> bool {
        self.keys.is_empty()
    }

    /// Whether no own write is missed.
    pub(super) fn is_empty(&self) -> bool {
        self.missed.is_empty()
    }

    /// Whether the copy lacks an own write from before the seal.
    pub(super) fn hold(&self, key: &ObjectKey, seen: Option<Seen<'_>>, seal: u64) -> bool {
        self.missed.get(key).is_some_and(|missed| missed.holds(seen, seal))
    }

    /// The same of a namespace, or of everything: of which object.
    pub(super) fn hold_in(
        &self,
        namespace: Option<&str>,
        copy: &impl Copied,
        seal: u64,
    ) -> Option<&ObjectKey> {
        let is_in =
            |key: &ObjectKey| namespace.is_none_or(|namespace| *key.namespace == *namespace);
        let mut missed = self.missed.iter().filter(|(key, _)| is_in(key));
        missed.find(|(key, missed)| missed.holds(copy.seen(key), seal)).map(|(key, _)| key)
    }
}
