//! Scripts: changes that come in while the handler is busy, and what it is told when it comes back.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::testing::{Tiny, tiny};

mod room;

/// `initial a@1`, `add a@1`, `update a@1 a@2`, `delete a@3`, `vanish a@3`, `resync a@3`.
fn change(line: &str) -> Change<Tiny> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let object = |at: usize| Arc::new(tiny(words[at]));
    match words[0] {
        "initial" => Change::Added { new: object(1), initial: true },
        "add" => Change::Added { new: object(1), initial: false },
        "resync" => Change::Updated { old: object(1), new: object(1) },
        "update" => Change::Updated { old: object(1), new: object(2) },
        "delete" => Change::Deleted { last: object(1), final_state_unknown: false },
        "vanish" => Change::Deleted { last: object(1), final_state_unknown: true },
        other => panic!("unknown change {other}"),
    }
}

fn drain(mailbox: &mut Mailbox<Tiny>, log: &mut String) {
    while let Some(letter) = mailbox.pop() {
        match letter {
            Letter::Change(change) => writeln!(log, "{change}").unwrap(),
            Letter::Synced => writeln!(log, "synced").unwrap(),
        }
    }
}

/// A mailbox with room for two, after the script.
fn run(overflow: Overflow, script: &str, log: &mut String) -> Mailbox<Tiny> {
    let mut mailbox = Mailbox::new(2, overflow);
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line {
            "synced" => mailbox.push_synced(),
            "drain" => drain(&mut mailbox, log),
            line if line.contains(", ") => mailbox.push_at_one_stroke(line.split(", ").map(change)),
            line => mailbox.push(change(line)),
        }
    }
    mailbox
}

fn drain_with_state(mailbox: &mut Mailbox<Tiny>, log: &mut String) {
    writeln!(log, "- {} waiting, blocking {}", mailbox.len(), mailbox.is_blocking()).unwrap();
    drain(mailbox, log);
    writeln!(log, "- lagged {}", mailbox.is_lagged()).unwrap();
}

fn check(overflow: Overflow, script: &str, expected: Expect) {
    let mut log = String::new();
    let mut mailbox = run(overflow, script, &mut log);
    drain_with_state(&mut mailbox, &mut log);
    expected.assert_eq(&log);
}

#[test]
fn with_room_every_change_is_told() {
    check(
        Overflow::Coalesce,
        "
        add a@1
        update a@1 a@2
        drain
        update a@2 a@3
        delete a@4
        ",
        expect![[r#"
            add default/a @1
            update default/a @1 -> @2
            - 2 waiting, blocking false
            update default/a @2 -> @3
            delete default/a @4
            - lagged false
        "#]],
    );
}

#[test]
fn a_full_mailbox_merges_by_object_and_keeps_the_last_state() {
    check(
        Overflow::Coalesce,
        "
        add a@1
        add b@2
        update a@1 a@3
        add c@4
        update c@4 c@5
        update b@2 b@6
        synced
        update a@3 a@7
        ",
        expect![[r#"
            - 4 waiting, blocking false
            add default/a @7
            add default/b @6
            add default/c @5
            synced
            - lagged false
        "#]],
    );
}

/// What came and went is not told; what went and came is told as two lives.
#[test]
fn lives_are_not_mixed_up() {
    check(
        Overflow::Coalesce,
        "
        update a@1 a@2
        update b@1 b@2
        delete a@3
        add a#2@4
        update a#2@4 a#2@5
        add c@6
        delete c@7
        vanish b@2
        delete b@8
        delete a#2@9
        add a#3@10
        ",
        expect![[r#"
            - 3 waiting, blocking false
            delete default/a @3
            delete default/b @8
            add default/a @10
            - lagged false
        "#]],
    );
}

#[test]
fn blocking_keeps_everything_and_says_stop() {
    check(
        Overflow::Block,
        "
        add a@1
        update a@1 a@2
        update a@2 a@3
        ",
        expect![[r#"
            - 3 waiting, blocking true
            add default/a @1
            update default/a @1 -> @2
            update default/a @2 -> @3
            - lagged false
        "#]],
    );
}

#[test]
fn a_disconnected_handler_is_told_nothing_more() {
    check(
        Overflow::Disconnect,
        "
        add a@1
        add b@2
        add c@3
        add d@4
        synced
        ",
        expect![[r#"
            - 0 waiting, blocking false
            - lagged true
        "#]],
    );
}

/// What comes at one stroke is let in beside the buffer, whatever the policy.
#[test]
fn a_list_and_a_resync_are_let_in_whole() {
    let script = "
        initial a@1, initial b@2, initial c@3, initial d@4
        synced
        update a@1 a@5
        drain
        update b@2 b@6
        resync a@5, resync b@6, resync c@3
        drain
        update c@3 c@7, vanish d@4, update b@6 b@8
        add e@9
        ";
    let told = [
        "add default/a @1 (initial)",
        "add default/b @2 (initial)",
        "add default/c @3 (initial)",
        "add default/d @4 (initial)",
        "synced",
        "update default/a @1 -> @5",
        "update default/b @2 -> @6",
        "resync default/a @5",
        "resync default/b @6",
        "resync default/c @3",
        "- 4 waiting, blocking false",
        "update default/c @3 -> @7",
        "delete default/d last seen @4",
        "update default/b @6 -> @8",
        "add default/e @9",
        "- lagged false\n",
    ];
    for overflow in [Overflow::Coalesce, Overflow::Block, Overflow::Disconnect] {
        let mut log = String::new();
        let mut mailbox = run(overflow, script, &mut log);
        drain_with_state(&mut mailbox, &mut log);
        assert_eq!(log, told.join("\n"), "{overflow:?}");
    }
}

/// While some of a list waits, the next one counts like any other changes; nobody keeps on being told lists.
#[test]
fn a_second_list_counts_until_the_first_was_told() {
    let script = "
        initial a@1, initial b@2, initial c@3
        update a@1 a@4, update b@2 b@5, update c@3 c@6
        ";
    let after = |overflow| {
        let mailbox = run(overflow, script, &mut String::new());
        (mailbox.len(), mailbox.is_blocking(), mailbox.is_lagged())
    };
    assert_eq!(after(Overflow::Coalesce), (3, false, false), "merged");
    assert_eq!(after(Overflow::Block), (6, true, false));
    assert_eq!(after(Overflow::Disconnect), (0, false, true));
}

/// The letters are looked through once as the mailbox fills up, not again for every change.
#[test]
fn a_handler_that_is_just_too_slow_keeps_what_is_known_of_its_letters() {
    let mut mailbox = Mailbox::new(8, Overflow::Coalesce);
    (0..9).for_each(|number| mailbox.push(change(&format!("add x{number}@1"))));
    mailbox.pop();
    mailbox.pop();
    mailbox.push(change("update x8@1 x8@2"));
    assert!(mailbox.last_of.is_some());
    mailbox.push(change("update x8@2 x8@3"));
    while mailbox.len() > 5 {
        mailbox.pop();
    }
    mailbox.push(change("add y@1"));
    assert!(mailbox.last_of.is_some(), "it is more than half full");
    mailbox.pop();
    mailbox.pop();
    mailbox.push(change("add z@1"));
    assert!(mailbox.last_of.is_none(), "it is not kept for a handler that keeps up");
    let mut log = String::new();
    drain(&mut mailbox, &mut log);
    assert!(log.contains("update default/x8 @1 -> @3\n"), "{log}");
}

/// Of an object with two letters the first was handed out: the second is still the one to merge into.
#[test]
fn what_is_known_of_an_objects_last_letter_outlives_the_one_before() {
    let mut mailbox = Mailbox::new(1, Overflow::Coalesce);
    mailbox.push(change("delete a#1@2"));
    mailbox.push(change("add a#2@3"));
    assert!(mailbox.pop().is_some());
    mailbox.push(change("update a#2@3 a#2@4"));
    assert_eq!(mailbox.len(), 1, "the addition tells the newest state");
}

/// The life and the version of each object that is there: what any handler ends with.
#[derive(Default)]
struct Told(BTreeMap<String, (String, String)>);

fn state_of(object: &Tiny) -> (String, String) {
    (object.uid.clone(), object.version.clone())
}

impl Told {
    /// Takes a change that a handler was told and checks that it fits what it knows.
    fn take(&mut self, change: &Change<Tiny>) {
        let object = change.object();
        let (name, state) = (object.name.clone(), state_of(object));
        match change {
            Change::Added { .. } => assert_eq!(self.0.insert(name, state), None, "{change}"),
            Change::Updated { old, .. } => {
                assert_eq!(old.uid, object.uid, "{change}");
                assert_eq!(self.0.insert(name, state), Some(state_of(old)), "{change}");
            }
            Change::Deleted { .. } => {
                let life = self.0.remove(&name).map(|(uid, _)| uid);
                assert_eq!(life, Some(state.0), "{change}");
            }
        }
    }
}

fn count_of_those_that_count(mailbox: &Mailbox<Tiny>) -> usize {
    let numbered = (mailbox.first..).zip(&mailbox.letters);
    let waiting = numbered.filter_map(|(number, letter)| Some((number, letter.as_ref()?)));
    waiting.filter(|(number, letter)| !mailbox.is_beside(*number, letter)).count()
}

proptest! {
    /// However slow the handler is: it is told of each life once, in order, and ends with what there is;
    /// and its mailbox holds no more than its capacity, a list and two letters an object.
    #[test]
    fn a_slow_handler_ends_with_the_truth(
        steps in prop::collection::vec((0..5_usize, 0..5_u8, 0..4_usize), 0..200),
    ) {
        let names = ["a", "b", "c", "d", "e"];
        let mut mailbox = Mailbox::new(2, Overflow::Coalesce);
        let (mut truth, mut told) = (BTreeMap::new(), Told::default());
        let mut newest = 0;
        for (name, what, reads) in steps {
            newest += 1;
            let name = names[name];
            let next = match (truth.get(name).cloned(), what) {
                (None, _) => Some(format!("{name}#{newest}@{newest}")),
                (Some(_), 0) => None,
                (Some(old), _) => {
                    let (life, _) = Tiny::to_string(&old).split_once('@').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
                    Some(format!("{life}@{newest}"))
                }
            };
            let change = match (truth.get(name).cloned(), next.map(|text| tiny(&text))) {
                (None, Some(new)) => Change::Added { new: Arc::new(new), initial: false },
                (Some(old), Some(new)) => Change::Updated { old: Arc::new(old), new: Arc::new(new) },
                (Some(last), None) => Change::Deleted { last: Arc::new(last), final_state_unknown: false },
                (None, None) => continue,
            };
            if change.is_deleted() {
                truth.remove(name);
            } else {
                truth.insert(name, (**change.object()).clone());
            }
            if what == 3 {
                mailbox.push_at_one_stroke(std::iter::once(change));
            } else if what == 4 && !mailbox.has_stroke() {
                mailbox.push(change);
                let all = truth.values().map(|object: &Tiny| Arc::new(object.clone()));
                mailbox.push_at_one_stroke(
                    all.map(|old| Change::Updated { new: Arc::clone(&old), old }),
                );
            } else {
                mailbox.push(change);
            }
            prop_assert!(mailbox.len() <= 2 + 3 * names.len());
            prop_assert_eq!(mailbox.counted(), count_of_those_that_count(&mailbox));
            for _ in 0..reads {
                if let Some(Letter::Change(change)) = mailbox.pop() {
                    told.take(&change);
                }
            }
        }
        while let Some(Letter::Change(change)) = mailbox.pop() {
            told.take(&change);
        }
        let told: BTreeSet<_> = told.0.into_values().collect();
        let truth: BTreeSet<_> = truth.values().map(state_of).collect();
        prop_assert_eq!(told, truth);
    }
}

#[test]
fn a_stroke_of_nothing_takes_no_room_from_the_next() {
    let mut mailbox = Mailbox::new(2, Overflow::Disconnect);
    mailbox.push(change("add a@1"));
    mailbox.push_at_one_stroke(std::iter::empty());
    assert!(!mailbox.has_stroke());
    mailbox.push_at_one_stroke(["add b@2", "add c@3", "add d@4"].into_iter().map(change));
    assert!(!mailbox.is_lagged());
    assert_eq!(mailbox.len(), 4);
}
