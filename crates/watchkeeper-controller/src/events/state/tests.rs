//! Scripts: `SECOND OBJECT REASON MESSAGE`, and what is stored for each.

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use watchkeeper_api::core::v1::ObjectReference;

use super::*;
use crate::events::EventType;
use crate::events::occurrence::Subject;

fn check(script: &str, expected: Expect) {
    expected.assert_eq(&run(script));
}

fn run(script: &str) -> String {
    let mut correlator = Correlator::new(Rng::named(1, "test"));
    let mut names = Vec::new();
    let mut out = String::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let mut words = line.splitn(4, ' ');
        let mut word = || words.next().expect("SECOND OBJECT REASON MESSAGE");
        let now = Duration::from_secs(word().parse().expect("seconds"));
        let answer = correlator.observe(occurrence(word(), word(), word()), now);
        writeln!(out, "{}", told(answer, &mut names)).unwrap();
    }
    out
}

fn occurrence(object: &str, reason: &str, message: &str) -> Occurrence {
    let object = Subject(ObjectReference {
        api_version: "v1".into(),
        kind: "Pod".into(),
        namespace: "default".into(),
        name: object.into(),
        uid: "1".into(),
        resource_version: "7".into(),
        ..ObjectReference::default()
    });
    let about = About { object, type_: EventType::Normal };
    let (reason, message) = (reason.to_owned(), message.to_owned());
    let (action, related, annotations) = (String::new(), None, Vec::new());
    Occurrence { about, reason, message, action, related, annotations }
}

/// Names are random: they are numbered as they first appear.
fn told(telling: Option<Telling>, names: &mut Vec<String>) -> String {
    let Some(telling) = telling else { return "-".to_owned() };
    let known = names.iter().position(|name| *name == telling.name);
    let number = known.unwrap_or_else(|| {
        names.push(telling.name.clone());
        names.len() - 1
    });
    let (first, last) = (telling.first.as_secs(), telling.last.as_secs());
    format!("#{number} x{} {first}..{last} {}", telling.count, telling.occurrence.message)
}

/// R-05.
#[test]
fn the_same_again_is_counted_on_the_first_event() {
    check(
        "
        0 a Synced fine
        5 a Synced fine
        6 a Failed bad
        9 a Synced fine
        9 b Synced fine
        ",
        expect![[r#"
            #0 x1 0..0 fine
            #0 x2 0..5 fine
            #1 x1 6..6 bad
            #0 x3 0..9 fine
            #2 x1 9..9 fine
        "#]],
    );
}

/// R-04.
#[test]
fn the_tenth_different_message_and_all_after_it_are_told_as_one() {
    let script: String = (1..=12).map(|n| format!("{n} a Failed try {n}\n")).collect();
    check(
        &script,
        expect![[r#"
            #0 x1 1..1 try 1
            #1 x1 2..2 try 2
            #2 x1 3..3 try 3
            #3 x1 4..4 try 4
            #4 x1 5..5 try 5
            #5 x1 6..6 try 6
            #6 x1 7..7 try 7
            #7 x1 8..8 try 8
            #8 x1 9..9 try 9
            #9 x1 10..10 (combined from similar events): try 10
            #9 x2 10..11 (combined from similar events): try 11
            #9 x3 10..12 (combined from similar events): try 12
        "#]],
    );
}

/// R-04: the ten minutes count from the last of the group.
#[test]
fn a_group_that_was_silent_for_ten_minutes_starts_anew() {
    let mut script: String = (1..=10).map(|n| format!("0 a Failed try {n}\n")).collect();
    script.push_str("600 a Failed try 11\n1201 a Failed try 12\n");
    let out = run(&script);
    let last: Vec<_> = out.lines().skip(9).collect();
    expect![[r##"
        [
            "#9 x1 0..0 (combined from similar events): try 10",
            "#9 x2 0..600 (combined from similar events): try 11",
            "#10 x1 1201..1201 try 12",
        ]
    "##]]
    .assert_debug_eq(&last);
}

/// R-06: the count jumps when the next one passes.
#[test]
fn an_object_that_talks_too_much_is_not_listened_to_but_counted() {
    let mut script = "0 a Synced fine\n".repeat(27);
    script.push_str("299 a Synced fine\n300 a Synced fine\n301 a Synced fine\n0 b Synced fine\n");
    let out = run(&script);
    let last: Vec<_> = out.lines().skip(24).collect();
    expect![[r##"
        [
            "#0 x25 0..0 fine",
            "-",
            "-",
            "-",
            "#0 x29 0..300 fine",
            "-",
            "#1 x1 0..0 fine",
        ]
    "##]]
    .assert_debug_eq(&last);
}

/// R-07.
#[test]
fn what_was_not_used_for_long_is_forgotten() {
    let mut lru = Lru::new(2);
    *lru.entry(&"a", || 0) += 1;
    *lru.entry(&"b", || 0) += 1;
    *lru.entry(&"a", || 0) += 1;
    *lru.entry(&"c", || 0) += 1;
    assert_eq!(*lru.entry(&"a", || 0), 2);
    assert_eq!(*lru.entry(&"b", || 0), 0);
}

/// What is stored of something that happened to `a` once more, after `events` of it and one of so many other objects.
fn after_others(events: &[(&str, &str)], others: usize, again: (&str, &str)) -> Option<Telling> {
    let mut correlator = Correlator::new(Rng::named(1, "test"));
    for (reason, message) in events {
        correlator.observe(occurrence("a", reason, message), Duration::ZERO);
    }
    for other in 0..others {
        correlator.observe(occurrence(&format!("o{other}"), "Synced", "fine"), Duration::ZERO);
    }
    correlator.observe(occurrence("a", again.0, again.1), Duration::ZERO)
}

/// R-07: an event, with its name and its count.
#[test]
fn r_07_of_4096_events_each_is_counted_and_of_one_more_the_oldest_is_told_anew() {
    let events = [("Synced", "fine")];
    let again = |others| after_others(&events, others, events[0]).expect("it is told");
    assert_eq!((again(4095).count, again(4096).count), (2, 1));
    let first = after_others(&[], 0, events[0]).expect("it is told");
    assert_eq!(again(4095).name, first.name);
    assert_ne!(again(4096).name, first.name);
}

/// R-07: a group, with its messages.
#[test]
fn r_07_of_4096_groups_the_messages_are_known_and_of_one_more_the_oldest_starts_anew() {
    let events: Vec<String> = (1..10).map(|n| format!("try {n}")).collect();
    let events: Vec<_> = events.iter().map(|message| ("Failed", &**message)).collect();
    let tenth = |others| {
        let told = after_others(&events, others, ("Failed", "try 10")).expect("it is told");
        told.occurrence.message
    };
    assert_eq!(tenth(4095), "(combined from similar events): try 10");
    assert_eq!(tenth(4096), "try 10");
}

/// R-07: an object, with how much it has said.
#[test]
fn r_07_of_4096_objects_each_is_known_to_talk_too_much_and_of_one_more_the_first_is_heard() {
    let events = [("Synced", "fine"); 25];
    let told = |others| after_others(&events, others, events[0]).is_some();
    assert_eq!((told(4095), told(4096)), (false, true));
}

/// R-08.
#[test]
fn a_name_is_the_objects_and_a_number_and_never_too_long() {
    assert_eq!(event_name("foo", 0x17), "foo.0000000000000017");
    let long = event_name(&"a.".repeat(126), 1);
    assert!(long.len() <= 253 && long.ends_with("a.0000000000000001"), "{long}");
}

#[test]
fn a_long_name_keeps_as_many_whole_characters_as_there_is_room_for() {
    let whole = "a".repeat(236);
    assert_eq!(event_name(&whole, 1), format!("{whole}.0000000000000001"));
    assert_eq!(event_name(&(whole.clone() + "b"), 1), event_name(&whole, 1));
    let halved = "a".repeat(235) + "\u{e9}";
    assert_eq!(event_name(&halved, 1), event_name(&"a".repeat(235), 1));
}
