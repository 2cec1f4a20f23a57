//! How far the copy must have come before a read may be answered: the floors of this process's own writes.
//!
//! - A write under way holds reads of what it may change that begin after it (Y-01).
//! - A write that was answered raises the floor of its key to the version answered (Y-02). An object that
//!   is not selected at that version holds reads only while the copy shows an older state of it.
//! - A deletion that was answered is pending until the copy has lost that uid (Y-03). So is a life that the
//!   copy knew of when a write of its name began that was answered with "there is none".
//! - A write of which nobody knows what became holds reads of what it may have changed, until the server was
//!   asked and the copy has what it said ([`doubts`]).
//! - A read of one object waits for its own key only (Y-04), a list for those of its namespace, and both for
//!   writes that began before, never for later ones.
//!
//! Versions that are no numbers raise nothing: reads fail open. Everything here is told the facts; the
//! waiting is done by [`Watch::get`](crate::Watch::get) and its siblings.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use watchkeeper_api::ObjectKey;

use crate::selection::Selected;
use crate::version::Version;

mod doubts;
mod touched;

use doubts::Doubts;
pub(crate) use doubts::Survey;
pub(crate) use touched::{Question, Touched};

/// Of one object, so many versions are told apart, each with when its write began.
const VERSIONS: usize = 16;

/// Above this many pending deletes, those that no event will ever settle are looked for.
const SWEEP: usize = 1000;

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
    /// Lives that are over, each with the ticket of the write that ended it.
    gone: BTreeMap<ObjectKey, BTreeMap<String, u64>>,
    /// How many of those the last sweep left.
    swept: usize,
    doubts: Doubts,
}

/// A write under way.
#[derive(Debug)]
struct Open {
    touched: Touched,
    /// The lives of its name that were known of when it began: the one in the copy, and the one that an
    /// own write made and the copy has yet to see.
    lives: Vec<String>,
    /// The moment of its beginning, among those of doubts.
    began: u64,
}

/// What an own write made.
#[derive(Debug)]
struct Floor {
    ticket: u64,
    version: Version,
    uid: String,
    selected: Selected,
}

/// The newest of an object that is from before the seal: who reads waits for no later write.
fn newest(floors: &[Floor], seal: u64) -> Option<&Floor> {
    floors.iter().rev().find(|floor| floor.ticket < seal)
}

impl Floor {
    /// Whether the copy has yet to come to it.
    fn holds(&self, seen: Option<Seen<'_>>, reached: Option<Version>) -> bool {
        let shown = seen.and_then(|seen| Version::parse(seen.version));
        // A copy whose versions are opaque cannot tell when it has caught up: fail open.
        let is_behind = shown.max(reached).is_some_and(|newest| newest < self.version);
        is_behind && (self.selected != Selected::No || shown.is_some())
    }
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

    /// A write starts. Later writes have greater tickets. `held` is the uid that the copy has of its key.
    pub(crate) fn begin(&mut self, ticket: u64, touched: Touched, held: Option<String>) {
        self.next = self.next.max(ticket + 1);
        let written = touched.key().and_then(|key| self.floors.get(key)?.last());
        let written = written.map(|floor| floor.uid.clone()).filter(|uid| !uid.is_empty());
        let mut lives: Vec<String> = held.into_iter().chain(written).collect();
        lives.dedup();
        let began = self.doubts.moment();
        self.open.insert(ticket, Open { touched, lives, began });
    }

    /// A write is over. `reached` is where the copy is.
    pub(crate) fn finish(&mut self, ticket: u64, outcome: Outcome, reached: Option<Version>) {
        self.next = self.next.max(ticket + 1);
        let open = self.open.remove(&ticket);
        match outcome {
            Outcome::Stored { key, uid, version, selected } => {
                self.doubts.known(&key, open.map(|open| open.began));
                // Whatever was told of it, it is there.
                self.lost(&key, &uid);
                if let Some(version) = Version::parse(&version) {
                    self.raise(key, Floor { ticket, version, uid, selected }, reached);
                }
            }
            Outcome::Deleted { key, uid } if !uid.is_empty() => {
                self.doubts.known(&key, open.map(|open| open.began));
                self.gone.entry(key).or_default().insert(uid, ticket);
            }
            Outcome::Deleted { .. } | Outcome::Absent => {
                if let Some(Open { touched: Touched::One(key), lives, .. }) = open
                    && !lives.is_empty()
                {
                    self.gone
                        .entry(key)
                        .or_default()
                        .extend(lives.into_iter().map(|uid| (uid, ticket)));
                }
            }
            Outcome::Nothing => {}
            Outcome::Unknown(touched) => self.doubts.raise(touched),
        }
    }

    fn raise(&mut self, key: ObjectKey, made: Floor, reached: Option<Version>) {
        if reached.is_some_and(|reached| reached >= made.version) {
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
            self.lower(&key, |floor| floor.version <= version);
        }
        self.doubts.reached(version);
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
            lives.retain(|uid, _| floors.contains_key(key) || has(key, uid));
            !lives.is_empty()
        });
        self.swept = self.gone.len();
    }

    /// The server went back in time, as after a restore: versions from before mean nothing any more.
    pub(crate) fn clear(&mut self) {
        self.floors.clear();
        self.by_version.clear();
        self.gone.clear();
        self.doubts.clear();
    }

    /// Whether nothing holds any read.
    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
            && self.floors.is_empty()
            && self.gone.is_empty()
            && self.doubts.is_empty()
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
        if self.doubts.hold(key, now) {
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
        let lives = self.gone.get(key)?;
        let ended = seen.and_then(|seen| lives.get(seen.uid));
        ended.is_some_and(|ticket| *ticket < seal).then_some(Held::Deletion)
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
        let mut gone = self.gone.iter().filter(|(key, _)| is_in(key));
        gone.any(|(key, lives)| {
            let ended = copy.seen(key).and_then(|seen| lives.get(seen.uid));
            ended.is_some_and(|ticket| *ticket < seal)
        })
        .then_some(Held::Deletion)
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
        for (key, floors) in &self.floors {
            let is_in = namespace.is_none_or(|namespace| *key.namespace == *namespace);
            if is_in && floors.iter().any(|floor| floor.selected == Selected::Unsure) {
                self.doubts.ask(Question::One(key.clone()), now);
            }
        }
    }

    // ---- what only the server knows ----------------------------------------------------------------

    /// What to ask the server for a read that waits, and when.
    pub(crate) fn question(&mut self) -> Option<(Duration, Question)> {
        let floors = &self.floors;
        let unsure = |key: &ObjectKey| {
            let of = floors.get(key).into_iter().flatten();
            of.into_iter().any(|floor| floor.selected == Selected::Unsure)
        };
        self.doubts.question(unsure)
    }

    /// The server gave no answer: other questions are asked first now.
    pub(crate) fn postpone(&mut self, question: &Question, now: Duration) {
        self.doubts.postpone(question, now);
    }

    /// The server is about to be asked: what is in doubt later is not answered by that.
    pub(crate) const fn inquire(&mut self) -> u64 {
        self.doubts.next_moment()
    }

    /// The server was asked at a [moment](Self::inquire), and said what it has; `None` if it will not say:
    /// then nobody waits for it.
    pub(crate) fn settle(
        &mut self,
        question: &Question,
        moment: u64,
        answer: Option<Survey>,
        reached: Option<Version>,
    ) {
        self.doubts.settle(question, moment);
        let told = answer.as_ref().map(|survey| survey.version);
        let settled = |floor: &Floor| {
            floor.selected == Selected::Unsure
                && told.is_none_or(|version| version >= floor.version)
        };
        let asked = self
            .floors
            .iter()
            .filter(|(key, floors)| question.is_of(key) && floors.iter().any(settled));
        let unsure: Vec<ObjectKey> = asked.map(|(key, _)| key.clone()).collect();
        unsure.iter().for_each(|key| self.lower(key, settled));
        let Some(survey) = answer else { return };
        match question {
            Question::One(key) => {
                let found = survey.found.get(key).copied();
                let selected = if found.is_some() { Selected::Yes } else { Selected::No };
                let version = found.unwrap_or(survey.version);
                let floor = Floor { ticket: 0, version, uid: String::new(), selected };
                self.raise(key.clone(), floor, reached);
            }
            Question::Within(namespace) => self.doubts.heed(namespace.clone(), survey, reached),
        }
    }
}

/// What a read waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// The answer to a write.
    Write,
    /// The version that a write made.
    Version(Version),
    /// The version that a write made, which may be one that is not selected.
    Unsure(Version),
    /// The end of an object that was deleted.
    Deletion,
    /// What the server says of a write whose answer was lost, or does not tell.
    Unknown,
}

impl Held {
    /// Whether it may take an answer of the server to go on.
    pub(crate) const fn is_question(self) -> bool {
        matches!(self, Self::Unsure(_) | Self::Unknown)
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write => f.write_str("the answer to a write"),
            Self::Version(version) => write!(f, "version {version}"),
            Self::Unsure(version) => write!(f, "version {version}, if that is selected"),
            Self::Deletion => f.write_str("the end of an object that was deleted"),
            Self::Unknown => f.write_str("what became of a write whose answer did not tell"),
        }
    }
}

#[cfg(test)]
mod tests;
