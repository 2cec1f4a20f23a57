//! Scripts: a call a line, and what each answers.
//!
//! `next` answers with the key, and with what it waits for when there is none. `at N` sets the
//! time in milliseconds. `add KEYS` and `add KEYS at PRIORITY`; `later KEY TIME [PRIORITY]`. Calls
//! that answer nothing worth reading print nothing.

use std::fmt::Write as _;
use std::num::NonZeroU32;
use std::time::Duration;

use expect_test::{Expect, expect};

use super::*;

mod delays;
mod ending;
mod hook;
mod places;
mod priorities;

fn check(script: &str, expected: Expect) {
    expected.assert_eq(&run(State::default(), script));
}

fn run(mut state: State<String>, script: &str) -> String {
    let mut now = Duration::ZERO;
    let mut out = String::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (call, rest) = line.split_once(' ').unwrap_or((line, ""));
        if call == "at" {
            now = millis(rest);
        } else if let Some(answer) = step(&mut state, now, call, rest) {
            writeln!(out, "{answer}").unwrap();
        }
    }
    out
}

fn step(state: &mut State<String>, now: Duration, call: &str, rest: &str) -> Option<String> {
    match call {
        "add" => {
            let (keys, priority) = rest.split_once(" at ").unwrap_or((rest, "0"));
            for key in keys.split(' ') {
                state.add(key.to_owned(), priority.parse().unwrap());
            }
        }
        "later" => {
            let words: Vec<_> = rest.split(' ').collect();
            let priority = words.get(2).map_or(0, |priority| priority.parse().unwrap());
            state.add_at(words[0].to_owned(), millis(words[1]), priority);
        }
        "done" => {
            state.done(&rest.to_owned());
        }
        "next" => return Some(state.next(now).unwrap_or_else(|| nothing(state))),
        "len" => return Some(format!("len {}", state.len())),
        "shut_down" => state.shut_down(),
        "drain" => state.drain(),
        "drained" => return Some(format!("drained {}", state.is_drained())),
        _ => panic!("no such call: {call}"),
    }
    None
}

fn nothing(state: &State<String>) -> String {
    match state.wake_at() {
        Some(at) => format!("- wake at {}", at.as_millis()),
        None => "-".to_owned(),
    }
}

fn millis(text: &str) -> Duration {
    Duration::from_millis(text.parse().expect("milliseconds"))
}

#[test]
fn w_01_a_key_is_never_handed_out_while_it_is_held() {
    check(
        "
        add a
        next
        add a
        next
        later a 0
        next
        done a
        next
        next
        ",
        expect![[r#"
            a
            -
            -
            a
            -
        "#]],
    );
}

#[test]
fn w_02_a_key_that_is_queued_stays_where_it_is() {
    check(
        "
        add a b a c b
        len
        next
        next
        next
        next
        ",
        expect![[r#"
            len 3
            a
            b
            c
            -
        "#]],
    );
}

#[test]
fn w_03_a_key_added_while_held_runs_after_done_at_the_back() {
    check(
        "
        add a b
        next
        add a
        done a
        next
        next
        ",
        expect![[r#"
            a
            b
            a
        "#]],
    );
}

#[test]
fn w_04_however_often_a_held_key_is_added_it_runs_once_more() {
    check(
        "
        add a
        next
        add a a a
        done a
        next
        done a
        next
        ",
        expect![[r#"
            a
            a
            -
        "#]],
    );
}

/// And upstream's trap: `Done` without `Get` may not make a key wait twice.
#[test]
fn w_05_done_lets_a_key_go_and_changes_nothing_of_one_that_is_not_held() {
    check(
        "
        done a
        add a
        done a
        len
        next
        done a
        next
        done a
        add a
        next
        ",
        expect![[r#"
            len 1
            a
            -
            a
        "#]],
    );
}

#[test]
fn w_06_keys_leave_in_the_order_they_came() {
    check(
        "
        add c a b
        next
        add d c
        next
        next
        next
        done c
        next
        ",
        expect![[r#"
            c
            a
            b
            d
            c
        "#]],
    );
}

#[test]
fn w_13_neither_held_nor_delayed_keys_count() {
    let mut state = State::default();
    let counts = |state: &State<_>| (state.len(), state.held(), state.delayed());
    for key in ["a", "b", "b"] {
        state.add(key, 0);
    }
    state.add_at("c", Duration::from_millis(5), 0);
    assert_eq!(counts(&state), (2, 0, 1));
    assert!(!state.is_empty());
    state.next(Duration::ZERO);
    state.add("a", 0);
    assert_eq!(counts(&state), (1, 1, 1));
    state.advance(Duration::from_millis(5));
    assert_eq!(counts(&state), (2, 1, 0));
    state.done(&"a");
    assert_eq!(counts(&state), (3, 0, 0));
    for _ in 0..3 {
        state.next(Duration::ZERO);
    }
    assert_eq!(counts(&state), (0, 3, 0));
    assert!(state.is_empty());
}

/// Upstream's `TestGarbageCollection`.
#[test]
fn w_14_a_key_that_is_done_is_freed() {
    let key = std::sync::Arc::new("a");
    let mut state = State::default();
    state.add(key.clone(), 0);
    let taken = state.next(Duration::ZERO).unwrap();
    state.add_at(key.clone(), Duration::from_millis(1), 0);
    state.done(&taken);
    drop(taken);
    assert!(std::sync::Arc::strong_count(&key) > 1, "it waits for its time");
    let taken = state.next(Duration::from_millis(1)).unwrap();
    state.done(&taken);
    drop(taken);
    assert_eq!(std::sync::Arc::strong_count(&key), 1);
}

#[test]
fn what_a_call_answers_is_whether_somebody_has_to_be_woken() {
    let ms = Duration::from_millis;
    let mut state = State::default();
    assert_eq!([state.add("a", 0), state.add("a", 1)], [true, false]);
    assert_eq!(state.next(ms(0)), Some("a"));
    assert!(!state.add("a", 0));
    assert!(state.done(&"a"));
    assert_eq!(state.next(ms(0)), Some("a"));
    assert!(!state.done(&"a"));
    let sooner = [10, 20, 5, 5, 9].map(|at| state.add_at("a", ms(at), 0));
    assert_eq!(sooner, [true, false, true, false, false]);
    assert!(!state.add_at("b", ms(6), 0));
}

#[test]
fn a_seed_orders_what_is_ready_and_the_same_seed_does_it_again() {
    let script = "add a b c d e f\nnext\nnext\nnext\nadd g\nnext\nnext\nnext\nnext\nnext";
    let seeded = |seed| run(State::new(Order::Seeded(seed)), script);
    let orders: Vec<_> = (0..4).map(seeded).collect();
    for (seed, order) in (0..4).zip(&orders) {
        assert_eq!(*order, seeded(seed));
        let mut keys: Vec<_> = order.lines().collect();
        keys.sort_unstable();
        assert_eq!(keys, ["-", "a", "b", "c", "d", "e", "f", "g"]);
    }
    assert!(orders.windows(2).any(|pair| pair[0] != pair[1]), "{orders:?}");
}

/// What seeds meant stays, so that a failure that was written down can be run again.
#[test]
fn a_seed_hands_out_what_it_always_did() {
    let script = "add a b c d e f\nnext\nnext\nnext\nadd g\nnext\nnext\nnext\nnext";
    let order = run(State::new(Order::Seeded(1)), script);
    expect![[r#"
        f
        e
        c
        g
        a
        b
        d
    "#]]
    .assert_eq(&order);
}
