//! Scripts: `SECOND OBJECT REASON NOTE`, `SECOND refresh` or `SECOND finish`, and what is written for each.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::object;

use super::*;
use crate::events::EventType::Normal;

fn check(script: &str, expected: Expect) {
    let mut series = Series::new(Rng::named(1, "test"));
    let mut names = Vec::new();
    let mut out = String::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<_> = line.splitn(4, ' ').collect();
        let now = Duration::from_secs(words[0].parse().expect("seconds"));
        let tellings = match words[1..] {
            ["refresh"] => series.refresh(),
            ["finish"] => series.finish(now),
            [object, reason, note] => {
                series.observe(occurrence(object, reason, note), now).into_iter().collect()
            }
            _ => panic!("{line}"),
        };
        let told: Vec<_> = tellings.iter().map(|telling| told(telling, &mut names)).collect();
        writeln!(out, "{}", if told.is_empty() { "-".to_owned() } else { told.join(", ") })
            .unwrap();
    }
    expected.assert_eq(&out);
}

fn occurrence(object: &str, reason: &str, note: &str) -> Occurrence {
    let pod =
        object!(Pod { metadata: { name: object, namespace: "shop", resource_version: note } });
    Occurrence::of(&pod, Normal, reason, note)
}

/// Names are random: they are numbered as they first appear.
fn told(telling: &Telling, names: &mut Vec<String>) -> String {
    let number = names.iter().position(|name| *name == telling.name).unwrap_or_else(|| {
        names.push(telling.name.clone());
        names.len() - 1
    });
    let first = telling.first.as_secs();
    match telling.series {
        None => format!("#{number} made {first} {}", telling.occurrence.message),
        Some(Repeated { count, last }) => format!("#{number} x{count} {first}..{}", last.as_secs()),
    }
}

#[test]
fn e_01_the_second_makes_a_series_and_more_are_counted() {
    check(
        "
        0 a Synced fine
        1 a Synced better
        2 a Synced fine
        3 a Synced fine
        3 a Failed bad
        3 b Synced fine
        ",
        expect![[r#"
            #0 made 0 fine
            #0 x2 0..1
            -
            -
            #1 made 3 bad
            #2 made 3 fine
        "#]],
    );
}

#[test]
fn e_01_what_is_done_and_what_is_related_tell_events_apart() {
    let mut series = Series::new(Rng::named(1, "test"));
    let now = Duration::ZERO;
    let plain = occurrence("a", "Synced", "fine");
    let others = [
        plain.clone().action("Syncing"),
        plain.clone().related(&object!(Pod { metadata: { name: "b" } })),
        Occurrence {
            about: About { type_: crate::events::EventType::Warning, ..plain.about.clone() },
            ..plain.clone()
        },
    ];
    for happened in others.iter().chain([&plain]) {
        let told = series.observe(happened.clone(), now).expect("a new event");
        assert_eq!(told.series, None, "{happened:?}");
    }
    let annotated = plain.annotation("a", "b");
    let told = series.observe(annotated, now).expect("a series");
    assert_eq!(told.series.map(|series| series.count), Some(2));
}

#[test]
fn e_02_a_refresh_tells_what_was_counted_since() {
    check(
        "
        0 a Synced fine
        1 a Synced fine
        1 b Synced fine
        2 refresh
        3 a Synced fine
        4 a Synced fine
        5 refresh
        6 refresh
        ",
        expect![[r#"
            #0 made 0 fine
            #0 x2 0..1
            #1 made 1 fine
            -
            -
            -
            #0 x4 0..4
            -
        "#]],
    );
}

#[test]
fn e_02_what_was_silent_for_six_minutes_is_over() {
    check(
        "
        0 a Synced fine
        0 a Synced fine
        0 b Synced fine
        10 a Synced fine
        360 finish
        361 finish
        361 b Synced fine
        370 finish
        371 finish
        371 a Synced fine
        ",
        expect![[r#"
            #0 made 0 fine
            #0 x2 0..0
            #1 made 0 fine
            -
            -
            -
            #2 made 361 fine
            -
            #0 x3 0..10
            #3 made 371 fine
        "#]],
    );
}

#[test]
fn of_too_many_the_oldest_is_forgotten() {
    let mut series = Series::new(Rng::named(1, "test"));
    let mut told = |name: &str| {
        let occurrence = occurrence(name, "Synced", "fine");
        series.observe(occurrence, Duration::ZERO).and_then(|telling| telling.series)
    };
    for number in 0..=REMEMBERED {
        assert_eq!(told(&number.to_string()), None);
    }
    assert!(told(&REMEMBERED.to_string()).is_some());
    assert!(told("1").is_some());
    assert_eq!(told("0"), None, "it begins anew");
}
