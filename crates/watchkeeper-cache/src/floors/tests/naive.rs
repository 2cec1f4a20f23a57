//! Long random histories of a server, a copy that follows it, and own writes, against the list of all that
//! happened.
//!
//! Two things are asked of each read. If it is answered, the answer is what the server had at some time after
//! the own writes that the read was to have. If it is held, something that happened is a reason for that. And
//! once the copy has come to everything and every question was answered, nobody waits.

use proptest::prelude::*;

use super::*;
use crate::rng::Rng;

mod happens;
mod judge;

const SPACES: [&str; 2] = ["default", "shop"];
const NAMES: [&str; 3] = ["a", "b", "c"];

#[derive(Clone, Copy, Debug)]
enum Turn {
    /// An own write of an object, which is or is not selected as it is stored.
    Put(u8, bool),
    Delete(u8),
    /// One whose name the server chooses.
    Make(u8),
    DeleteMany(u8),
    /// The server carries out a write that is under way.
    CarryOut(u8),
    /// A write is over: answered, or its answer is lost.
    Answer(u8, bool),
    /// What another does.
    OtherPut(u8, bool),
    OtherDelete(u8),
    /// The copy takes in what comes next.
    Event,
    /// What comes next cannot be read, unless it is an end.
    Spoil,
    Bookmark,
    Relist,
    /// The server goes back to what it had, and the copy lists it.
    Restore(u8),
    /// A read begins that will be answered later.
    Seal,
    /// A read that begins now, or has begun.
    Read(u8, u8),
    List(u8, u8),
    Pass,
    Ask,
    /// The server answers one of the questions, if it does, with what it had at some time since it was asked.
    Tell(u8, bool, u8),
    /// It says nothing.
    Fail(u8),
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let key = || 0..6_u8;
    let turn = prop_oneof![
        8 => (key(), prop::bool::weighted(0.8)).prop_map(|(key, is_in)| Turn::Put(key, is_in)),
        4 => key().prop_map(Turn::Delete),
        2 => (0..2_u8).prop_map(Turn::Make),
        1 => (0..2_u8).prop_map(Turn::DeleteMany),
        16 => any::<u8>().prop_map(Turn::CarryOut),
        16 => (any::<u8>(), prop::bool::weighted(0.3)).prop_map(|(at, lost)| Turn::Answer(at, lost)),
        4 => (key(), prop::bool::weighted(0.8)).prop_map(|(key, is_in)| Turn::OtherPut(key, is_in)),
        3 => key().prop_map(Turn::OtherDelete),
        14 => Just(Turn::Event),
        3 => Just(Turn::Spoil),
        2 => Just(Turn::Bookmark),
        1 => Just(Turn::Relist),
        1 => prop::option::weighted(0.1, 0..20_u8).prop_map(|back| back.map_or(Turn::Event, Turn::Restore)),
        3 => Just(Turn::Seal),
        16 => (key(), any::<u8>()).prop_map(|(key, seal)| Turn::Read(key, seal)),
        6 => (0..3_u8, any::<u8>()).prop_map(|(space, seal)| Turn::List(space, seal)),
        3 => Just(Turn::Pass),
        6 => Just(Turn::Ask),
        6 => (any::<u8>(), prop::bool::weighted(0.95), any::<u8>())
            .prop_map(|(at, does, late)| Turn::Tell(at, does, late)),
        1 => any::<u8>().prop_map(Turn::Fail),
    ];
    prop::collection::vec(turn, 0..200)
}

fn key_of(number: u8) -> ObjectKey {
    let (space, name) = (usize::from(number) % SPACES.len(), usize::from(number) / SPACES.len());
    ObjectKey::from((SPACES[space], NAMES[name]))
}

/// What one version of the server changed.
#[derive(Clone, Debug)]
struct Change {
    key: ObjectKey,
    /// The life and whether it is selected; `None` once it is over.
    now: Option<(String, bool)>,
}

/// An own write: what happened, in the order of their beginnings.
#[derive(Clone, Debug)]
struct Own {
    ticket: u64,
    touched: Touched,
    what: Turn,
    /// The life that the copy showed when it began, and the one that the own write before it made.
    shown: Option<String>,
    written: Option<String>,
    /// What it changed, once it was carried out: the object, and the version.
    effects: Option<Vec<(ObjectKey, u64)>>,
    /// What its caller would be told.
    outcome: Outcome,
    /// In which turn it began, and was over.
    began: usize,
    over: Option<usize>,
    /// Nobody knows yet what became of it.
    is_doubted: bool,
    /// Since when nobody knows whether what was found, beside this end, was found before it.
    crossed: Option<usize>,
    /// The server went back, or will not tell: nobody is promised anything any more.
    is_void: bool,
}

impl Own {
    /// Whether it is an end, and a question was asked while it was under way.
    fn is_crossed_by(&self, question: &Question, turn: usize) -> bool {
        matches!(self.outcome, Outcome::Deleted { .. } | Outcome::Absent)
            && self.touched.key().is_some_and(|key| question.is_of(key))
            && self.began < turn
            && self.over.is_some_and(|over| turn <= over)
    }

    /// Whether its process knew of a life when it began.
    fn knows(&self, uid: &str) -> bool {
        [&self.shown, &self.written].into_iter().flatten().any(|known| known == uid)
    }

    /// Whether it was told of the end of what is shown of an object.
    fn has_ended(&self, key: &ObjectKey, shown: Option<&Tiny>) -> bool {
        let Some(shown) = shown else { return false };
        match &self.outcome {
            Outcome::Deleted { key: of, uid } => {
                of == key && (shown.uid == *uid || self.knows(&shown.uid))
            }
            Outcome::Absent => self.touched.holds(key) && self.knows(&shown.uid),
            _ => false,
        }
    }
}

#[derive(Debug)]
struct Naive {
    floors: Floors,
    /// Only the server knows what is selected.
    is_vague: bool,
    /// Version 1 is the first.
    server: Vec<Change>,
    lives: u64,
    names: u64,
    /// The last version that the copy has taken in, and that it knows to have.
    at: u64,
    reached: u64,
    /// Of what cannot be read, the version of which the copy shows the state.
    spoiled: BTreeMap<ObjectKey, u64>,
    own: Vec<Own>,
    seals: Vec<u64>,
    now: Duration,
    turn: usize,
    asked: Vec<Asked>,
    rng: Rng,
    /// What the server said, with its version.
    told: Vec<Told>,
}

/// A question under way.
#[derive(Clone, Debug)]
struct Asked {
    question: Question,
    moment: u64,
    /// When it was asked, and what the server had then.
    turn: usize,
    head: u64,
}

/// A question that was answered.
#[derive(Clone, Debug)]
struct Told {
    question: Question,
    version: u64,
    /// When it was asked.
    turn: usize,
}

impl Naive {
    fn new(is_vague: bool) -> Self {
        let floors = Floors::default();
        let first =
            Change { key: ObjectKey::from("first"), now: Some(("life-0".to_owned(), true)) };
        let (server, own, seals, told) = (vec![first], Vec::new(), Vec::new(), Vec::new());
        let (now, asked, rng) = (Duration::ZERO, Vec::new(), Rng::new(1));
        Self {
            floors,
            is_vague,
            server,
            lives: 0,
            names: 0,
            at: 1,
            reached: 1,
            spoiled: BTreeMap::new(),
            own,
            seals,
            now,
            turn: 0,
            asked,
            rng,
            told,
        }
    }

    fn seal(&self, which: u8) -> u64 {
        let seals = self.seals.len() + 1;
        self.seals.get(usize::from(which) % seals).copied().unwrap_or_else(|| self.floors.seal())
    }

    fn take(&mut self, turn: Turn) {
        self.turn += 1;
        match turn {
            Turn::Put(key, _) | Turn::Delete(key) => self.begin(Touched::One(key_of(key)), turn),
            Turn::Make(space) => {
                self.begin(Touched::New(SPACES[usize::from(space)].to_owned()), turn);
            }
            Turn::DeleteMany(space) => {
                self.begin(Touched::Many(SPACES[usize::from(space)].to_owned()), turn);
            }
            Turn::CarryOut(which) => {
                self.under_way(which).into_iter().for_each(|own| self.carry_out(own));
            }
            Turn::Answer(which, lost) => {
                self.under_way(which).into_iter().for_each(|own| self.answer(own, lost));
            }
            Turn::OtherPut(key, is_in) => drop(self.put(&key_of(key), is_in)),
            Turn::OtherDelete(key) => drop(self.end(&key_of(key))),
            Turn::Event => self.event(false),
            Turn::Spoil => self.event(true),
            Turn::Bookmark => {
                let is_idle = (self.at..self.head()).all(|version| {
                    let key = &self.server[usize::try_from(version).unwrap()].key;
                    self.selected(version, key) == self.selected(version + 1, key)
                });
                if is_idle {
                    self.take_in(self.head(), true);
                }
            }
            Turn::Relist => self.relist(),
            Turn::Restore(back) => self.restore(back),
            Turn::Seal => self.seals.push(self.floors.seal()),
            Turn::Read(key, seal) => _ = self.read(&key_of(key), self.seal(seal)),
            Turn::List(space, seal) => {
                _ = self.list(SPACES.get(usize::from(space)).copied(), self.seal(seal));
            }
            Turn::Pass => self.now += Duration::from_millis(600),
            Turn::Ask => self.ask(),
            Turn::Tell(which, does, late) => self.tell(which, does, late),
            Turn::Fail(which) => self.fail(which),
        }
    }

    /// Everything is answered, and the copy comes to all there is: whoever reads is answered, after few questions.
    fn end_of_all(&mut self) {
        self.turn += 1;
        while !self.asked.is_empty() {
            self.fail(0);
        }
        while let Some(open) = self.under_way(0) {
            self.answer(open, false);
        }
        for _ in 0..100 {
            self.turn += 1;
            self.relist();
            let seal = self.floors.seal();
            let reads: Vec<_> = (0..6).filter_map(|key| self.read(&key_of(key), seal)).collect();
            let lists: Vec<_> = [None, Some(SPACES[0]), Some(SPACES[1])]
                .into_iter()
                .filter_map(|space| self.list(space, seal))
                .collect();
            if reads.is_empty() && lists.is_empty() {
                return;
            }
            self.now += Duration::from_secs(1);
            self.ask();
            self.turn += 1;
            self.tell(0, true, 0);
        }
        panic!("reads are still held");
    }
}

proptest! {
    #[test]
    fn reads_have_what_was_written_and_wait_for_nothing_else(turns in turns(), is_vague in any::<bool>()) {
        let mut naive = Naive::new(is_vague);
        for turn in turns {
            naive.take(turn);
        }
        naive.end_of_all();
    }
}
