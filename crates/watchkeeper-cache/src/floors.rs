//! How far the copy must have come before a read may be answered: the floors of this process's own writes.
//!
//! - A write under way holds reads of its key that begin after it (Y-01).
//! - A write that was answered raises the floor of its key to the version answered (Y-02).
//! - A deletion that was answered is pending until the copy has lost that uid (Y-03). So is a life that the
//!   copy knew of when a write of its name began that was answered with "there is none".
//! - A read waits for its own key only (Y-04), and for writes that began before it, never for later ones.
//!
//! Versions that are no numbers raise nothing: reads fail open. Everything here is told the facts; the
//! waiting is done by [`Watch::get`](crate::Watch::get).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use watchkeeper_api::ObjectKey;

use crate::version::Version;

/// Above this many pending deletes, those that no event will ever settle are looked for.
const SWEEP: usize = 1000;

/// What became of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The server holds this version or a newer one.
    Stored { key: ObjectKey, uid: String, version: String },
    /// This life of the name is over; without a uid, whichever was known of when the write began.
    Deleted { key: ObjectKey, uid: String },
    /// There is nothing of this name: whichever life was known of when the write began is over.
    Absent,
    /// Refused, or nobody knows.
    Nothing,
}

/// The own writes that one copy may not have seen.
#[derive(Debug, Default)]
pub(crate) struct Floors {
    /// Writes under way, by ticket.
    open: BTreeMap<u64, Open>,
    floors: BTreeMap<ObjectKey, Floor>,
    /// The same by version, to drop what the copy has reached.
    by_version: BTreeSet<(Version, ObjectKey)>,
    /// Lives that are over.
    gone: BTreeMap<ObjectKey, BTreeSet<String>>,
    /// How many of those the last sweep left.
    swept: usize,
}

/// A write under way.
#[derive(Debug)]
struct Open {
    /// None where the server chooses the name.
    key: Option<ObjectKey>,
    /// The lives of that name that were known of when it began: the one in the copy, and the one that an
    /// own write made and the copy has yet to see.
    lives: Vec<String>,
}

/// What an own write made.
#[derive(Debug)]
struct Floor {
    version: Version,
    uid: String,
}

/// What the copy has of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    pub(crate) uid: &'a str,
    pub(crate) version: &'a str,
}

impl Floors {
    /// A mark that is above every write under way: who reads now waits for those and for no later one.
    pub(crate) fn seal(&self) -> u64 {
        self.open.last_key_value().map_or(0, |(ticket, _)| ticket + 1)
    }

    /// A write starts. Later writes have greater tickets. `held` is the uid that the copy has of the key.
    pub(crate) fn begin(&mut self, ticket: u64, key: Option<ObjectKey>, held: Option<String>) {
        let written = key.as_ref().and_then(|key| self.floors.get(key));
        let written = written.map(|floor| floor.uid.clone()).filter(|uid| !uid.is_empty());
        let mut lives: Vec<String> = held.into_iter().chain(written).collect();
        lives.dedup();
        self.open.insert(ticket, Open { key, lives });
    }

    /// A write is over. `reached` is where the copy is.
    pub(crate) fn finish(&mut self, ticket: u64, outcome: Outcome, reached: Option<Version>) {
        let open = self.open.remove(&ticket);
        match outcome {
            Outcome::Stored { key, uid, version } => {
                // Whatever was told of it, it is there.
                self.lost(&key, &uid);
                match Version::parse(&version) {
                    Some(version) if reached.is_none_or(|reached| reached < version) => {
                        self.raise(key, Floor { version, uid });
                    }
                    Some(_) | None => {}
                }
            }
            Outcome::Deleted { key, uid } if !uid.is_empty() => {
                self.gone.entry(key).or_default().insert(uid);
            }
            Outcome::Deleted { .. } | Outcome::Absent => {
                if let Some(Open { key: Some(key), lives }) = open.filter(|o| !o.lives.is_empty()) {
                    self.gone.entry(key).or_default().extend(lives);
                }
            }
            Outcome::Nothing => {}
        }
    }

    fn raise(&mut self, key: ObjectKey, made: Floor) {
        if let Some(floor) = self.floors.get(&key) {
            if floor.version >= made.version {
                return;
            }
            self.by_version.remove(&(floor.version, key.clone()));
        }
        self.by_version.insert((made.version, key.clone()));
        self.floors.insert(key, made);
    }

    /// The copy has reached a version: floors at or below it have done their duty.
    pub(crate) fn reached(&mut self, version: Version) {
        while let Some((floor, _)) = self.by_version.first()
            && *floor <= version
            && let Some((_, key)) = self.by_version.pop_first()
        {
            self.floors.remove(&key);
        }
    }

    /// The copy has lost this life, or nobody has to wait for that any more.
    pub(crate) fn lost(&mut self, key: &ObjectKey, uid: &str) {
        if let Some(lives) = self.gone.get_mut(key) {
            lives.remove(uid);
            if lives.is_empty() {
                self.gone.remove(key);
            }
        }
    }

    /// Drops the pending deletes of lives that the copy does not have and never will.
    pub(crate) fn sweep(&mut self, has: impl Fn(&ObjectKey, &str) -> bool) {
        // Twice as many each time: what the copy has yet to lose is not looked at for every write.
        if self.gone.len() <= SWEEP.max(2 * self.swept) {
            return;
        }
        let floors = &self.floors;
        self.gone.retain(|key, lives| {
            lives.retain(|uid| floors.contains_key(key) || has(key, uid));
            !lives.is_empty()
        });
        self.swept = self.gone.len();
    }

    /// The server went back in time, as after a restore: versions from before mean nothing any more.
    pub(crate) fn clear(&mut self) {
        self.floors.clear();
        self.by_version.clear();
        self.gone.clear();
    }

    /// Gives up on a key: whatever it waits for may never come to this copy.
    pub(crate) fn forget(&mut self, key: &ObjectKey) {
        if let Some(floor) = self.floors.remove(key) {
            self.by_version.remove(&(floor.version, key.clone()));
        }
        self.gone.remove(key);
    }

    /// Whether nothing holds any read.
    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty() && self.floors.is_empty() && self.gone.is_empty()
    }

    /// Why a read of `key` that began at ticket `seal` must wait, if it must.
    pub(crate) fn held(
        &self,
        key: &ObjectKey,
        seal: u64,
        seen: Option<Seen<'_>>,
        reached: Option<Version>,
    ) -> Option<Held> {
        if self.open.range(..seal).any(|(_, open)| open.key.as_ref() == Some(key)) {
            return Some(Held::Write);
        }
        if let Some(floor) = self.floors.get(key).map(|floor| floor.version) {
            let newest = seen.and_then(|seen| Version::parse(seen.version)).max(reached);
            // A copy whose versions are opaque cannot tell when it has caught up: fail open.
            if newest.is_some_and(|newest| newest < floor) {
                return Some(Held::Version(floor));
            }
        }
        let lives = self.gone.get(key)?;
        seen.is_some_and(|seen| lives.contains(seen.uid)).then_some(Held::Deletion)
    }

    /// Why a read of everything must wait, if it must. `has` tells whether the copy has a life.
    pub(crate) fn held_at_all(
        &self,
        seal: u64,
        reached: Option<Version>,
        has: impl Fn(&ObjectKey, &str) -> bool,
    ) -> Option<Held> {
        if self.open.range(..seal).next().is_some() {
            return Some(Held::Write);
        }
        if let Some((floor, _)) = self.by_version.last()
            && reached.is_some_and(|reached| reached < *floor)
        {
            return Some(Held::Version(*floor));
        }
        let mut lives =
            self.gone.iter().flat_map(|(key, lives)| lives.iter().map(move |l| (key, l)));
        lives.any(|(key, uid)| has(key, uid)).then_some(Held::Deletion)
    }
}

/// What a read waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// The answer to a write.
    Write,
    /// The version that a write made.
    Version(Version),
    /// The end of an object that was deleted.
    Deletion,
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write => f.write_str("the answer to a write"),
            Self::Version(version) => write!(f, "version {version}"),
            Self::Deletion => f.write_str("the end of an object that was deleted"),
        }
    }
}

#[cfg(test)]
mod tests;
