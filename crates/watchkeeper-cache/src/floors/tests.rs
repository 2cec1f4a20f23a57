//! Scripts: writes and what the copy sees; `read` says whether a read beginning then is answered.

use std::collections::VecDeque;
use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::*;
use crate::item::Item;
use crate::rng::Rng;
use crate::testing::{Tiny, tiny};

mod deletions;
mod doubts;
mod everything;
mod late;
mod many;
mod naive;
mod questions;
mod selected;
mod unread;

#[derive(Default)]
struct World {
    floors: Floors,
    next: u64,
    /// The copy is before its first list.
    is_unlisted: bool,
    begun: BTreeMap<u64, Touched>,
    reached: Option<Version>,
    objects: BTreeMap<ObjectKey, Tiny>,
    now: Duration,
    /// What the server was asked, and at which moment.
    asked: VecDeque<(Question, u64)>,
}

impl Copied for BTreeMap<ObjectKey, Tiny> {
    fn seen(&self, key: &ObjectKey) -> Option<Seen<'_>> {
        self.get(key).map(|object| Seen { uid: &object.uid, version: &object.version })
    }

    fn any(&self, namespace: Option<&str>, test: impl Fn(&ObjectKey, Seen<'_>) -> bool) -> bool {
        let is_in =
            |key: &ObjectKey| namespace.is_none_or(|namespace| *key.namespace == *namespace);
        let seen = |object: &Tiny| {
            test(&object.item_key(), Seen { uid: &object.uid, version: &object.version })
        };
        self.iter().any(|(key, object)| is_in(key) && seen(object))
    }
}

fn key(name: &str) -> ObjectKey {
    let (namespace, name) = name.split_once('/').unwrap_or(("default", name));
    ObjectKey::from((namespace, name))
}

impl World {
    fn ticket(&self, word: &str) -> u64 {
        word.trim_start_matches('#').parse().unwrap()
    }

    fn reach(&mut self, version: &str) {
        self.reached = self.reached.max(Version::parse(version));
        self.reached.into_iter().for_each(|version| self.floors.reached(version));
    }

    fn reading(&self, seal: u64) -> Reading {
        Reading { seal, reached: self.reached, now: self.now }
    }

    fn read(&mut self, name: &str, seal: u64) -> String {
        let (key, reading) = (key(name), self.reading(seal));
        match self.floors.held(&key, self.objects.seen(&key), reading) {
            None => self.objects.get(&key).map_or_else(|| "nothing".to_owned(), Tiny::to_string),
            Some(held) => format!("held: {held:?}"),
        }
    }

    fn list(&mut self, namespace: Option<&str>, seal: u64) -> String {
        let reading = self.reading(seal);
        match self.floors.held_in(namespace, &self.objects, reading) {
            None => "answered".to_owned(),
            Some(held) => format!("waits for {held}"),
        }
    }

    fn finish(&mut self, ticket: &str, outcome: Outcome) {
        self.floors.finish(self.ticket(ticket), outcome, self.reached);
    }

    fn stored(&mut self, ticket: &str, object: &str, selected: Selected) {
        let object = tiny(object);
        let (key, Tiny { uid, version, .. }) = (object.item_key(), object);
        self.finish(ticket, Outcome::Stored { key, uid, version, selected });
    }

    /// What is asked of the server, and after which wait.
    fn question(&mut self) -> String {
        let Some((due, question)) = self.floors.question() else { return "none".to_owned() };
        let wait = due.saturating_sub(self.now);
        match question {
            Question::One(key) => format!("{key} after {wait:?}"),
            Question::Within(namespace) => format!("all in {namespace:?} after {wait:?}"),
        }
    }

    fn told(&mut self, version: Option<&str>, objects: &[&str]) {
        let (question, moment) = self.asked.pop_front().unwrap();
        let found = objects.iter().map(|text| tiny(text));
        let found = found.map(|o| (o.item_key(), Version::parse(&o.version).unwrap()));
        let answer = version.map(|version| Survey {
            version: Version::parse(version.trim_start_matches('@')).unwrap(),
            found: found.collect(),
        });
        self.floors.settle(&question, moment, answer, self.reached);
    }

    fn run(&mut self, words: &[&str]) -> Option<String> {
        match *words {
            ["begin", ticket, name] => {
                let touched = match name {
                    "?" => Touched::New("default".to_owned()),
                    "*" => Touched::Many("default".to_owned()),
                    name => match name.strip_suffix("/*") {
                        Some(namespace) => Touched::Many(namespace.to_owned()),
                        None => Touched::One(key(name)),
                    },
                };
                let ticket = self.ticket(ticket);
                self.next = ticket + 1;
                let held = touched.key().and_then(|key| self.objects.get(key));
                let shown = held.map(|object| object.uid.clone()).into_iter().collect();
                self.begun.insert(ticket, touched.clone());
                self.floors.begin(ticket, touched, Some(shown).filter(|_| !self.is_unlisted));
            }
            ["stored", ticket, object] => self.stored(ticket, object, Selected::Yes),
            ["stored", ticket, object, "out"] => self.stored(ticket, object, Selected::No),
            ["stored", ticket, object, "unsure"] => self.stored(ticket, object, Selected::Unsure),
            ["deleted", ticket, name, uid] => {
                self.finish(ticket, Outcome::Deleted { key: key(name), uid: uid.to_owned() });
            }
            ["deleted", ticket, name] => {
                self.finish(ticket, Outcome::Deleted { key: key(name), uid: String::new() });
            }
            ["absent", ticket] => self.finish(ticket, Outcome::Absent),
            ["refused", ticket] => self.finish(ticket, Outcome::Nothing),
            ["unknown", ticket] => {
                let touched = self.begun[&self.ticket(ticket)].clone();
                self.finish(ticket, Outcome::Unknown(touched));
            }
            ["sees", object] => {
                let object = tiny(object);
                let version = object.version.clone();
                self.floors.told(&object.item_key());
                self.objects.insert(object.item_key(), object);
                self.reach(&version);
            }
            ["spoils", object] => {
                let object = tiny(object);
                self.floors.set_aside(object.item_key());
                self.reach(&object.version);
            }
            ["lists", version, ref names @ ..] => {
                let names: Vec<ObjectKey> = names.iter().map(|name| key(name)).collect();
                self.floors.listed(&names);
                self.reach(version.trim_start_matches('@'));
            }
            ["loses", object] => {
                let object = tiny(object);
                self.floors.told(&object.item_key());
                self.objects.remove(&object.item_key());
                self.floors.lost(&object.item_key(), &object.uid, false);
                self.reach(&object.version);
            }
            ["leaves", object] => {
                let object = tiny(object);
                self.floors.told(&object.item_key());
                self.objects.remove(&object.item_key());
                self.floors.lost(&object.item_key(), &object.uid, true);
                self.reach(&object.version);
            }
            ["ahead", object] => {
                let object = tiny(object);
                self.reached = self.reached.max(Version::parse(&object.version));
                self.objects.insert(object.item_key(), object);
            }
            ["unlisted"] => self.is_unlisted = true,
            ["listed", version] => {
                self.is_unlisted = false;
                self.reach(version.trim_start_matches('@'));
            }
            ["clear"] => self.floors.clear(),
            ["wait", seconds] => self.now += Duration::from_secs(seconds.parse().unwrap()),
            ["question"] => return Some(self.question()),
            ["ask"] => {
                let (_, question) = self.floors.question().unwrap();
                let moment = self.floors.inquire(&question);
                self.asked.push_back((question, moment));
            }
            ["fails"] => {
                let (question, _) = self.asked.pop_front().unwrap();
                self.floors.postpone(&question, self.now, &mut Rng::new(1));
            }
            ["told", "nothing"] => self.told(None, &[]),
            ["told", version, ref objects @ ..] => self.told(Some(version), objects),
            ["list"] => return Some(self.list(None, self.next)),
            ["list", "in", namespace] => return Some(self.list(Some(namespace), self.next)),
            ["list", "since", ticket] => return Some(self.list(None, self.ticket(ticket))),
            ["bookmark", version] => self.reach(version.trim_start_matches('@')),
            ["read", name] => return Some(self.read(name, self.next)),
            ["read", name, "since", ticket] => return Some(self.read(name, self.ticket(ticket))),
            _ => panic!("unknown step {words:?}"),
        }
        None
    }
}

fn check(script: &str, expected: Expect) {
    let mut world = World::default();
    let mut log = String::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some(answer) = world.run(&words) {
            writeln!(log, "{line}: {answer}").unwrap();
        }
    }
    writeln!(log, "{}", if world.floors.is_empty() { "nothing left" } else { "some left" })
        .unwrap();
    expected.assert_eq(&log);
}

#[test]
fn y_02_a_read_waits_for_the_version_its_own_write_made() {
    check(
        "
        sees a@5
        begin #1 a
        read a
        stored #1 a@8
        read a
        read b
        sees b@7
        read a
        sees a@8
        read a
        ",
        expect![[r#"
            read a: held: Write
            read a: held: Version(Version(8))
            read b: nothing
            read a: held: Version(Version(8))
            read a: a@8
            nothing left
        "#]],
    );
}

/// Y-05: upstream's floors are passed by events only; a quiet kind would hold its readers for long.
#[test]
fn y_05_a_bookmark_is_as_good_as_an_event() {
    check(
        "
        sees a@5
        begin #1 a
        stored #1 a@8
        bookmark @9
        read a
        ",
        expect![[r#"
            read a: a@5
            nothing left
        "#]],
    );
}

#[test]
fn y_01_a_read_does_not_wait_for_a_write_that_began_after_it() {
    check(
        "
        sees a@5
        begin #4 a
        read a since #4
        read a since #5
        refused #4
        read a since #5
        ",
        expect![[r#"
            read a since #4: a@5
            read a since #5: held: Write
            read a since #5: a@5
            nothing left
        "#]],
    );
}

/// Under writers that never rest there is always a version that the copy has yet to come to.
#[test]
fn y_01_answers_to_later_writes_hold_no_read_that_began_before() {
    check(
        "
        sees a@5
        begin #4 a
        stored #4 a@7
        begin #5 a
        stored #5 a@9
        begin #6 b
        stored #6 b@10
        list since #5
        read a since #5
        read a since #6
        sees a@7
        list since #5
        read a since #5
        read a since #6
        list
        ",
        expect![[r#"
            list since #5: waits for version 7
            read a since #5: held: Version(Version(7))
            read a since #6: held: Version(Version(9))
            list since #5: answered
            read a since #5: a@7
            read a since #6: held: Version(Version(9))
            list: waits for version 10
            some left
        "#]],
    );
}

#[test]
fn y_01_a_seal_is_above_every_write_so_far() {
    let mut floors = Floors::default();
    assert_eq!(floors.seal(), 0);
    floors.begin(3, Touched::Many(String::new()), Some(Vec::new()));
    floors.begin(7, Touched::Many(String::new()), Some(Vec::new()));
    assert_eq!(floors.seal(), 8);
    floors.finish(7, Outcome::Nothing, None);
    assert_eq!(floors.seal(), 8);
    // One that began before there was a copy.
    floors.finish(9, Outcome::Nothing, None);
    assert_eq!(floors.seal(), 10);
}

/// Who waits for a write that is not told apart any more waits for the one after it.
#[test]
fn of_the_own_writes_to_an_object_the_newest_are_told_apart() {
    let mut world = World::default();
    world.run(&["bookmark", "@5"]);
    let mut write = |ticket: u64| {
        let (ticket, object) = (format!("#{ticket}"), format!("a@{}", 100 + ticket));
        world.run(&["begin", &ticket, "a"]);
        world.run(&["stored", &ticket, &object]);
        world.read("a", 2)
    };
    let told_apart = VERSIONS as u64;
    for ticket in 1..=told_apart {
        assert_eq!(write(ticket), "held: Version(Version(101))");
    }
    assert_eq!(write(told_apart + 1), "held: Version(Version(102))");
}

#[test]
fn an_answer_that_comes_after_the_event_holds_nobody() {
    check(
        "
        begin #1 a
        sees a@8
        stored #1 a@8
        read a
        ",
        expect![[r#"
            read a: a@8
            nothing left
        "#]],
    );
}

#[test]
fn versions_without_an_order_hold_nobody() {
    check(
        "
        sees a@x5
        begin #1 a
        stored #1 a@x8
        read a
        begin #2 a
        stored #2 a@12
        read a
        ",
        expect![[r#"
            read a: a@x5
            read a: a@x5
            some left
        "#]],
    );
}

#[test]
fn a_name_chosen_by_the_server_is_held_once_it_is_known() {
    check(
        "
        bookmark @5
        begin #1 ?
        read a-x7
        stored #1 a-x7@8
        read a-x7
        sees a-x7@8
        read a-x7
        ",
        expect![[r#"
            read a-x7: nothing
            read a-x7: held: Version(Version(8))
            read a-x7: a-x7@8
            nothing left
        "#]],
    );
}
