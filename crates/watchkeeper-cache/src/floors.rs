//! How far the copy must have come before a read may be answered: the floors of this process's own writes.
//!
//! - A write under way holds reads of what it may change that begin after it (Y-01).
//! - A write that was answered raises the floor of its key to the version answered (Y-02). An object that
//!   is not selected at that version holds reads only while the copy shows an older state of it.
//! - A deletion that was answered is pending until the copy has lost that uid (Y-03). So is a life that the
//!   copy knew of when a write of its name began that was answered with "there is none".
//! - A write of which nobody knows what became holds reads of what it may have changed, until the server was
//!   asked and the copy has what it said ([`doubts`]).
//! - A write that came in a state of the object that cannot be read is not in the copy, and no waiting brings it:
//!   who reads the object is told so ([`unread`]).
//! - A read of one object waits for its own key only (Y-04), a list for those of its namespace, and both for
//!   writes that began before, never for later ones.
//!
//! Versions that are no numbers raise nothing: reads fail open. Everything here is told the facts; the
//! waiting is done by [`Watch::get`](crate::Watch::get) and its siblings.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use watchkeeper_api::ObjectKey;

use crate::selection::Selected;
use crate::version::Version;

mod doubts;
mod ends;
mod floor;
mod held;
mod questions;
mod touched;
mod unread;

use doubts::Doubts;
pub(crate) use doubts::Survey;
use ends::{End, Ends};
use floor::{Floor, has_unsure, newest};
pub(crate) use held::Held;
pub(crate) use touched::{Question, Touched};
use unread::{Over, Unread};

/// Of one object, so many versions are told apart, each with when its write began.
const VERSIONS: usize = 16;

/// What became of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The server holds this version or a newer one. `selected` is of that version.
    Stored { key: ObjectKey, uid: String, version: String, selected: Selected },
    /// This life of the name is over; without a uid, whichever was known of when the write began.
    Deleted { key: ObjectKey, uid: String },
    /// There is nothing of this name: whichever life was known of when the write began is over.
    Absent,
    /// Refused.
    Nothing,
    /// It was carried out or not, and no answer tells what there is now.
    Unknown(Touched),
}

/// The own writes that one copy may not have seen.
#[derive(Debug, Default)]
pub(crate) struct Floors {
    /// Writes under way, by ticket.
    open: BTreeMap<u64, Open>,
    /// Above every ticket so far.
    next: u64,
    /// In the order of their versions.
    floors: BTreeMap<ObjectKey, Vec<Floor>>,
    /// The same by version, to drop what the copy has reached.
    by_version: BTreeSet<(Version, ObjectKey)>,
    ends: Ends,
    doubts: Doubts,
    unread: Unread,
}

/// A write under way.
#[derive(Debug)]
struct Open {
    touched: Touched,
    /// The lives of its name that were known of when it began: the one in the copy, and the one that an
    /// own write made and the copy has yet to see. `None` before the first list.
    lives: Option<Vec<String>>,
    /// The moment of its beginning, among those of doubts.
    began: u64,
}

/// An own write after which there was nothing of a name.
#[derive(Clone, Copy, Debug)]
struct Ended {
    ticket: u64,
    /// The moment of its beginning.
    began: u64,
}

/// What the copy has of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    pub(crate) uid: &'a str,
    pub(crate) version: &'a str,
}

/// What the copy has.
pub(crate) trait Copied {
    fn seen(&self, key: &ObjectKey) -> Option<Seen<'_>>;
    /// Whether `test` holds for any object, of one namespace if one is given.
    fn any(&self, namespace: Option<&str>, test: impl Fn(&ObjectKey, Seen<'_>) -> bool) -> bool;
}

/// Who reads, and how far the copy has come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// What was under way when the read began: see [`Floors::seal`].
    pub(crate) seal: u64,
    pub(crate) reached: Option<Version>,
    pub(crate) now: Duration,
}

impl Floors {
    /// A mark that is above every write so far: who reads now waits for those and for no later one.
    pub(crate) const fn seal(&self) -> u64 {
        self.next
    }

    /// A write starts. Later writes have greater tickets. `shown` is the uid that the copy has of its key, if
    /// any; `None` while there is no copy.
    pub(crate) fn begin(&mut self, ticket: u64, touched: Touched, shown: Option<Vec<String>>) {
        self.next = self.next.max(ticket + 1);
        let written = touched.key().and_then(|key| self.floors.get(key)?.last());
        let written = written.map(|floor| floor.uid.clone()).filter(|uid| !uid.is_empty());
        let lives = shown.map(|shown| shown.into_iter().chain(written).collect());
        let began = self.doubts.moment();
        self.open.insert(ticket, Open { touched, lives, began });
    }

    /// A write is over. `reached` is where the copy is.
    pub(crate) fn finish(&mut self, ticket: u64, outcome: Outcome, reached: Option<Version>) {
        self.next = self.next.max(ticket + 1);
        let open = self.open.remove(&ticket);
        match outcome {
            Outcome::Stored { key, uid, version, selected } => {
                let began = open.map(|open| open.began);
                let known = self.doubts.known(&key, began);
                let ticket = known.map_or(ticket, |doubted| doubted.min(ticket));
                self.ends.revive(&key, &uid);
                if let Some(version) = Version::parse(&version) {
                    began.into_iter().for_each(|began| self.ends.later(began, version));
                    let over = self.ends.of(&key, &uid).map(|end| end.ticket);
                    let made = self.doubts.next_moment();
                    self.raise(key, Floor { ticket, version, uid, selected, made, over }, reached);
                }
            }
            Outcome::Deleted { key, uid } if !uid.is_empty() => self.ended(ticket, open, key, uid),
            Outcome::Deleted { .. } | Outcome::Absent => match open {
                Some(Open { touched: Touched::One(key), lives: Some(lives), began }) => {
                    self.over(&key, Ended { ticket, began }, "");
                    let told = self.doubts.next_moment();
                    self.ends.end(End::new(ticket, false, told), key, lives);
                }
                Some(Open { touched, .. }) => self.doubts.raise(touched, ticket),
                None => {}
            },
            Outcome::Nothing => {}
            Outcome::Unknown(touched) => self.doubts.raise(touched, ticket),
        }
    }

    /// A life is over, and so is any that was known of before it.
    fn ended(&mut self, ticket: u64, open: Option<Open>, key: ObjectKey, uid: String) {
        let (lives, began) = open.map_or((None, None), |open| (open.lives, Some(open.began)));
        let mut lives = lives.unwrap_or_default();
        self.over(&key, Ended { ticket, began: began.unwrap_or_default() }, &uid);
        let mut first = ticket;
        if lives.contains(&uid) {
            let known = self.doubts.known(&key, began);
            first = known.map_or(ticket, |doubted| doubted.min(ticket));
        } else {
            // The copy has yet to come to it, through whatever had the name before: what is in doubt stays so.
            lives.push(uid);
        }
        let told = self.doubts.next_moment();
        self.ends.end(End::new(first, true, told), key, lives);
    }

    /// There was nothing of that name, or no more: what was made of it before is no state that is missed.
    fn over(&mut self, key: &ObjectKey, ended: Ended, uid: &str) {
        self.unread.ended(key, ended, uid);
        self.doubts.ended(key, ended);
        let mut is_in_doubt = false;
        for floor in self.floors.get_mut(key).into_iter().flatten() {
            if ended.began >= floor.made || floor.is_of(uid) {
                floor.over.get_or_insert(ended.ticket);
            }
            // The server was asked beside the end, and nobody knows which came first.
            is_in_doubt |= floor.over.is_none() && floor.uid.is_empty();
        }
        if is_in_doubt {
            self.doubts.raise(Touched::One(key.clone()), ended.ticket);
        }
    }

    /// Since which own write there is nothing of what was made of an object.
    fn over_of(&self, key: &ObjectKey, made: &Floor) -> Option<Over> {
        let ended = made.over.map(|ticket| Over { ticket, at: None });
        let left = || {
            let mut later = self.floors.get(key)?.iter().filter(|later| later.leaves(made));
            later.next().map(|left| Over { ticket: left.ticket, at: Some(left.version) })
        };
        ended.or_else(left)
    }

    fn raise(&mut self, key: ObjectKey, made: Floor, reached: Option<Version>) {
        if made.selected == Selected::No {
            self.unread.left(&key, made.ticket, made.version);
        }
        if reached.is_some_and(|reached| reached >= made.version) {
            self.unread.came_to(&key, &made, self.over_of(&key, &made));
            return;
        }
        let floors = self.floors.entry(key.clone()).or_default();
        match floors.binary_search_by_key(&made.version, |floor| floor.version) {
            Ok(at) => floors[at].ticket = floors[at].ticket.min(made.ticket),
            Err(at) => {
                self.by_version.insert((made.version, key.clone()));
                floors.insert(at, made);
            }
        }
        if floors.len() > VERSIONS {
            // Who waits for the oldest waits for the next one instead.
            let oldest = floors.remove(0);
            floors[0].ticket = floors[0].ticket.min(oldest.ticket);
            self.by_version.remove(&(oldest.version, key));
        }
    }

    fn lower(&mut self, key: &ObjectKey, is_lowered: impl Fn(&Floor) -> bool) {
        let Some(floors) = self.floors.get_mut(key) else { return };
        floors.retain(|floor| {
            if is_lowered(floor) {
                self.by_version.remove(&(floor.version, key.clone()));
            }
            !is_lowered(floor)
        });
        if floors.is_empty() {
            self.floors.remove(key);
        }
    }

    /// The copy has reached a version: floors at or below it have done their duty.
    pub(crate) fn reached(&mut self, version: Version) {
        while let Some((floor, _)) = self.by_version.first()
            && *floor <= version
            && let Some((_, key)) = self.by_version.pop_first()
        {
            let floors = self.floors.get(&key).into_iter().flatten();
            for floor in floors.filter(|floor| floor.version <= version) {
                self.unread.came_to(&key, floor, self.over_of(&key, floor));
            }
            self.lower(&key, |floor| floor.version <= version);
        }
        self.doubts.reached(version);
        self.ends.reached(version);
    }

    /// The copy has lost this life, which may come back if it only left what the copy selects.
    pub(crate) fn lost(&mut self, key: &ObjectKey, uid: &str, may_return: bool) {
        self.ends.lost(key, uid, may_return);
    }

    /// Drops the pending deletes of lives that the copy does not have and never will.
    pub(crate) fn sweep(&mut self, has: impl Fn(&ObjectKey, &str) -> bool) {
        let floors = &self.floors;
        self.ends.sweep(|key, uid| floors.contains_key(key) || has(key, uid));
    }

    /// The newest state of an object cannot be read: the copy keeps what it has of it.
    pub(crate) fn set_aside(&mut self, key: ObjectKey) {
        self.unread.set_aside(key);
    }

    /// Of all that there is these cannot be read.
    pub(crate) fn listed(&mut self, unreadable: &[ObjectKey]) {
        self.unread.listed(unreadable);
    }

    /// A later state of an object was read, or it is gone.
    pub(crate) fn told(&mut self, key: &ObjectKey) {
        self.unread.told(key);
    }

    /// Whether everything can be read.
    pub(crate) fn is_all_readable(&self) -> bool {
        self.unread.is_nothing()
    }

    /// The server went back in time, as after a restore: versions from before mean nothing any more.
    pub(crate) fn clear(&mut self) {
        self.floors.clear();
        self.by_version.clear();
        self.ends.clear();
        self.doubts.clear();
        self.unread.clear();
    }

    /// Whether nothing holds any read.
    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
            && self.floors.is_empty()
            && self.ends.is_empty()
            && self.doubts.is_empty()
            && self.unread.is_empty()
    }

    /// Why a read of `key` must wait, if it must.
    pub(crate) fn held(
        &mut self,
        key: &ObjectKey,
        seen: Option<Seen<'_>>,
        reading: Reading,
    ) -> Option<Held> {
        let Reading { seal, reached, now } = reading;
        if self.open.range(..seal).any(|(_, open)| open.touched.holds(key)) {
            return Some(Held::Write);
        }
        if self.doubts.hold(key, seen.is_some(), now) {
            return Some(Held::Unknown);
        }
        let floor = self.floors.get(key).and_then(|floors| newest(floors, seal));
        if let Some(floor) = floor.filter(|floor| floor.holds(seen, reached)) {
            if floor.selected == Selected::Unsure {
                self.doubts.ask(Question::One(key.clone()), now);
                return Some(Held::Unsure(floor.version));
            }
            return Some(Held::Version(floor.version));
        }
        if let Some(version) = self.doubts.version_for(key, seen, reached) {
            return Some(Held::Version(version));
        }
        if self.ends.hold(key, seen, seal) {
            return Some(Held::Deletion);
        }
        self.unread.hold(key, seen, seal).then(|| Held::Unread(key.clone()))
    }

    /// Why a read of everything, or of a namespace, must wait, if it must.
    pub(crate) fn held_in(
        &mut self,
        namespace: Option<&str>,
        copy: &impl Copied,
        reading: Reading,
    ) -> Option<Held> {
        let Reading { seal, reached, now } = reading;
        if self.open.range(..seal).any(|(_, open)| open.touched.may_be_in(namespace)) {
            return Some(Held::Write);
        }
        if self.doubts.hold_in(namespace, now) {
            return Some(Held::Unknown);
        }
        if let Some(floor) = self.floor_in(namespace, copy, reading) {
            let (version, selected) = (floor.version, floor.selected);
            if selected != Selected::Unsure {
                return Some(Held::Version(version));
            }
            self.ask_of_unsure(namespace, now);
            return Some(Held::Unsure(version));
        }
        if let Some(version) = self.doubts.version_in(namespace, copy, reached) {
            return Some(Held::Version(version));
        }
        let is_in =
            |key: &ObjectKey| namespace.is_none_or(|namespace| *key.namespace == *namespace);
        let mut ended = self.ends.keys().filter(|key| is_in(key));
        if ended.any(|key| self.ends.hold(key, copy.seen(key), seal)) {
            return Some(Held::Deletion);
        }
        self.unread.hold_in(namespace, copy, seal).cloned().map(Held::Unread)
    }

    /// The highest floor that the copy has yet to come to.
    fn floor_in(
        &self,
        namespace: Option<&str>,
        copy: &impl Copied,
        reading: Reading,
    ) -> Option<&Floor> {
        let is_in =
            |key: &ObjectKey| namespace.is_none_or(|namespace| *key.namespace == *namespace);
        let floors = self.by_version.iter().rev().filter(|(_, key)| is_in(key));
        let floors = floors.filter_map(|(version, key)| {
            let floor = newest(self.floors.get(key)?, reading.seal)?;
            (floor.version == *version).then_some((key, floor))
        });
        let mut holding =
            floors.filter(|(key, floor)| floor.holds(copy.seen(key), reading.reached));
        holding.next().map(|(_, floor)| floor)
    }

    /// Of all of them at once, rather than of one after another.
    fn ask_of_unsure(&mut self, namespace: Option<&str>, now: Duration) {
        let is_in =
            |key: &ObjectKey| namespace.is_none_or(|namespace| *key.namespace == *namespace);
        let unsure = self.floors.iter().filter(|(key, floors)| is_in(key) && has_unsure(floors));
        let questions = unsure.map(|(key, _)| Question::One(key.clone())).collect();
        self.doubts.ask_all(questions, now);
    }
}

#[cfg(test)]
mod tests;
