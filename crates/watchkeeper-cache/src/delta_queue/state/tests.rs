//! Scripts: what is pushed, and what leaves.

use std::fmt::Write as _;
use std::sync::Arc;

use expect_test::{Expect, expect};

use super::*;
use crate::delta::Replacement;
use crate::testing::{Tiny, tiny};

fn show(delta: &Delta<Tiny>) -> String {
    match delta {
        Delta::Replaced(list) => format!("list@{}", list.version),
        Delta::Bookmark(version) => format!("bookmark@{version}"),
        Delta::Added(object) => object.to_string(),
        _ => "sync".to_owned(),
    }
}

fn delta(word: &str) -> Delta<Tiny> {
    match word.split_once('@') {
        Some(("list", version)) => {
            Delta::Replaced(Replacement { version: version.to_owned(), ..Replacement::default() })
        }
        Some(("bookmark", version)) => Delta::Bookmark(version.to_owned()),
        Some(_) => Delta::Added(Arc::new(tiny(word))),
        None => Delta::Sync,
    }
}

/// `push list@1 a@2 bookmark@3 sync`, `pop`, `batch`, `applied`, `close`: what leaves, and how it is then.
fn check(script: &str, expected: Expect) {
    let (mut state, mut log) = (State::new(), String::new());
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let left: Option<Vec<Delta<Tiny>>> = match word {
            "push" => {
                rest.split(' ').for_each(|word| state.push(delta(word)));
                None
            }
            "pop" => state.pop().map(|delta| vec![delta]),
            "batch" => state.pop_batch(),
            "applied" => {
                state.applied();
                None
            }
            "close" => {
                state.close();
                None
            }
            other => panic!("unknown step {other}"),
        };
        let left: Vec<String> = left.iter().flatten().map(show).collect();
        let left = if left.is_empty() { String::new() } else { format!(" {},", left.join(" ")) };
        let synced = if state.has_synced() { ", synced" } else { "" };
        let closed = if state.is_closed() { ", closed" } else { "" };
        writeln!(log, "{line}:{left} {} wait{synced}{closed}", state.len()).unwrap();
    }
    expected.assert_eq(&log);
}

#[test]
fn c_31_the_first_list_is_applied_once_the_next_is_asked_for() {
    check(
        "
        push bookmark@1 list@2 a@3 list@4
        pop
        pop
        applied
        pop
        pop
        pop
        ",
        expect![[r#"
            push bookmark@1 list@2 a@3 list@4: 4 wait
            pop: bookmark@1, 3 wait
            pop: list@2, 2 wait
            applied: 2 wait, synced
            pop: a@3, 1 wait, synced
            pop: list@4, 0 wait, synced
            pop: 0 wait, synced
        "#]],
    );
}

#[test]
fn c_31_an_object_before_any_list_is_not_waited_for() {
    check(
        "
        push sync bookmark@1
        push a@2
        push list@3
        batch
        pop
        ",
        expect![[r#"
            push sync bookmark@1: 2 wait
            push a@2: 3 wait, synced
            push list@3: 4 wait, synced
            batch: sync, 3 wait, synced
            pop: bookmark@1, 2 wait, synced
        "#]],
    );
}

#[test]
fn c_31_an_object_after_a_list_says_nothing_of_that() {
    check(
        "
        push list@1
        push a@2
        close
        batch
        batch
        batch
        ",
        expect![[r#"
            push list@1: 1 wait
            push a@2: 2 wait
            close: 2 wait, closed
            batch: list@1, 1 wait, closed
            batch: a@2, 0 wait, synced, closed
            batch: 0 wait, synced, closed
        "#]],
    );
}

#[test]
fn c_36_a_batch_ends_before_what_comes_alone_and_before_the_same_object() {
    check(
        "
        push a@1 b@2 a@3 bookmark@4 c@5
        batch
        batch
        batch
        batch
        ",
        expect![[r#"
            push a@1 b@2 a@3 bookmark@4 c@5: 5 wait, synced
            batch: a@1 b@2, 3 wait, synced
            batch: a@3, 2 wait, synced
            batch: bookmark@4, 1 wait, synced
            batch: c@5, 0 wait, synced
        "#]],
    );
}

#[test]
fn c_36_a_batch_is_of_a_thousand_at_most() {
    let mut state = State::new();
    (0..1001).for_each(|number| state.push(delta(&format!("o{number}@1"))));
    assert_eq!(state.pop_batch().map(|batch| batch.len()), Some(1000));
    assert_eq!(state.len(), 1);
}
