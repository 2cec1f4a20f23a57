//! Scripts of clusters that come, fail and go.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;

/// Runs a script, and tells what is to be done after each line.
fn check(script: &str, expected: &Expect) {
    let (mut state, mut told) = (State::default(), String::new());
    let begun = Instant::now();
    let mut now = begun;
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<_> = line.split(' ').collect();
        match words[..] {
            ["engage", name, version] => _ = state.engage(name, version, version.to_owned()),
            ["disengage", name] => _ = state.disengage(name),
            ["clear"] => state.clear(),
            ["ended", name] => state.ended(name, Ok(()), now),
            ["failed", name] => state.ended(name, Err("no way".to_owned()), now),
            ["after", seconds] => now += Duration::from_secs(seconds.parse().unwrap()),
            _ => panic!("what is {line}?"),
        }
        writeln!(told, "{line}").unwrap();
        while let Some(step) = state.next(now) {
            match step {
                Step::Start(name, version) => writeln!(told, "  start {name} {version}").unwrap(),
                Step::Stop(name) => writeln!(told, "  stop {name}").unwrap(),
            }
        }
        if let Some(wake) = state.wake() {
            writeln!(told, "  look again at {}s", (wake - begun).as_secs()).unwrap();
        }
    }
    let left: Vec<_> = state.lives().map(|(name, _, _)| name).collect();
    writeln!(told, "left: {}", left.join(" ")).unwrap();
    expected.assert_eq(&told);
}

#[test]
fn a_cluster_that_leaves_is_stopped_and_forgotten_when_it_has_ended() {
    check(
        "
        engage north 1
        engage south 1
        engage north 1
        disengage north
        disengage north
        ended north
        disengage west
        ",
        &expect![[r#"
            engage north 1
              start north 1
            engage south 1
              start south 1
            engage north 1
            disengage north
              stop north
            disengage north
            ended north
            disengage west
            left: south
        "#]],
    );
}

#[test]
fn another_version_begins_when_the_one_before_has_ended() {
    check(
        "
        engage north 1
        engage north 2
        engage north 3
        ended north
        disengage north
        engage north 3
        failed north
        ",
        &expect![[r#"
            engage north 1
              start north 1
            engage north 2
              stop north
            engage north 3
            ended north
              start north 3
            disengage north
              stop north
            engage north 3
            failed north
              start north 3
            left: north
        "#]],
    );
}

#[test]
fn what_fails_rests_longer_each_time_and_other_credentials_end_that() {
    check(
        "
        engage north 1
        failed north
        after 1
        failed north
        engage north 1
        after 1
        after 1
        failed north
        engage north 2
        failed north
        disengage north
        after 600
        ",
        &expect![[r#"
            engage north 1
              start north 1
            failed north
              look again at 1s
            after 1
              start north 1
            failed north
              look again at 3s
            engage north 1
              look again at 3s
            after 1
              look again at 3s
            after 1
              start north 1
            failed north
              look again at 7s
            engage north 2
              start north 2
            failed north
              look again at 4s
            disengage north
            after 600
            left: 
        "#]],
    );
}

#[test]
fn who_ran_well_rests_shortly_again() {
    check(
        "
        engage north 1
        failed north
        after 1
        failed north
        after 2
        after 300
        failed north
        ",
        &expect![[r#"
            engage north 1
              start north 1
            failed north
              look again at 1s
            after 1
              start north 1
            failed north
              look again at 3s
            after 2
              start north 1
            after 300
            failed north
              look again at 304s
            left: north
        "#]],
    );
    assert_eq!(rest(40), LONGEST_REST);
}

/// Nothing runs any more, and who comes again is news.
#[test]
fn what_was_forgotten_begins_anew() {
    check(
        "
        engage north 1
        engage south 1
        clear
        engage north 1
        ",
        &expect![[r#"
            engage north 1
              start north 1
            engage south 1
              start south 1
            clear
            engage north 1
              start north 1
            left: north
        "#]],
    );
}
