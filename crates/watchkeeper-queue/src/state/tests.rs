//! Scripts: a call a line, and what each answers.
//!
//! `next` answers with the key and `get KEY` fails the test unless it is that one. `at N` sets the
//! time in milliseconds. Calls that answer nothing worth reading print nothing.

use std::fmt::Write as _;
use std::time::Duration;

use expect_test::{Expect, expect};

use super::*;

fn check(script: &str, expected: Expect) {
    expected.assert_eq(&run(Order::Fifo, script));
}

fn run(order: Order, script: &str) -> String {
    let mut state = State::new(order);
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
            for key in rest.split(' ') {
                state.add(key.to_owned());
            }
        }
        "later" => {
            let (key, at) = rest.split_once(' ').expect("later KEY AT");
            state.add_at(key.to_owned(), millis(at));
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

/// W-02, W-06, W-13.
#[test]
fn keys_leave_in_the_order_they_came_and_wait_once() {
    check(
        "
        add a b a c b
        len
        next
        next
        len
        next
        next
        ",
        expect![[r#"
            len 3
            a
            b
            len 1
            c
            -
        "#]],
    );
}

/// W-01, W-03, W-04.
#[test]
fn a_key_added_while_held_runs_once_more_after_done_at_the_back() {
    check(
        "
        add a b
        next
        add a a a
        len
        done a
        next
        next
        done a
        next
        ",
        expect![[r#"
            a
            len 1
            b
            a
            -
        "#]],
    );
}

/// W-05, and upstream's trap: `Done` without `Get` may not make a key wait twice.
#[test]
fn done_of_a_key_that_is_not_held_changes_nothing() {
    check(
        "
        done a
        add a
        done a
        len
        next
        done a
        next
        ",
        expect![[r#"
            len 1
            a
            -
        "#]],
    );
}

/// W-07, W-08.
#[test]
fn after_a_shutdown_nothing_is_accepted_and_what_was_queued_is_handed_out() {
    check(
        "
        add a b
        shut_down
        add c
        later d 5
        next
        next
        next
        ",
        expect![[r#"
            a
            b
            -
        "#]],
    );
}

/// W-16, W-17.
#[test]
fn delayed_keys_become_ready_by_time_and_the_earliest_time_of_a_key_wins() {
    check(
        "
        later a 30
        later b 10
        later c 20
        later d 20
        later a 15
        later b 40
        next
        at 14
        next
        next
        at 30
        len
        next
        next
        next
        next
        ",
        expect![[r#"
            - wake at 10
            b
            - wake at 15
            len 0
            a
            c
            d
            -
        "#]],
    );
}

/// W-18.
#[test]
fn a_delayed_key_added_at_once_runs_now_and_again_at_its_time() {
    check(
        "
        later a 10
        add a
        next
        done a
        next
        at 10
        next
        ",
        expect![[r#"
            a
            - wake at 10
            a
        "#]],
    );
}

#[test]
fn a_delayed_key_that_is_held_at_its_time_runs_after_done() {
    check(
        "
        add a
        next
        later a 10
        at 10
        next
        done a
        next
        ",
        expect![[r#"
            a
            -
            a
        "#]],
    );
}

/// W-19.
#[test]
fn delayed_keys_are_lost_at_a_shutdown() {
    check(
        "
        later a 10
        shut_down
        at 10
        next
        ",
        expect![[r#"
            -
        "#]],
    );
}

/// W-10.
#[test]
fn a_drain_waits_for_held_keys_and_not_for_queued_ones() {
    check(
        "
        add a b
        drained
        next
        drain
        drained
        done a
        drained
        len
        ",
        expect![[r#"
            drained false
            a
            drained false
            drained true
            len 1
        "#]],
    );
}

/// W-10, upstream's `TestQueueDrainageUsingShutDownWithDrainWithDirtyItem`.
#[test]
fn a_drain_waits_for_a_key_that_was_added_while_held() {
    check(
        "
        add a
        next
        add a
        drain
        done a
        drained
        next
        drained
        done a
        drained
        ",
        expect![[r#"
            a
            drained false
            a
            drained false
            drained true
        "#]],
    );
}

/// W-11.
#[test]
fn a_shutdown_ends_a_drain() {
    check(
        "
        add a
        next
        drain
        drained
        shut_down
        drained
        ",
        expect![[r#"
            a
            drained false
            drained true
        "#]],
    );
}

#[test]
fn a_seed_orders_what_is_ready_and_the_same_seed_does_it_again() {
    let script = "add a b c d e f\nnext\nnext\nnext\nadd g\nnext\nnext\nnext\nnext\nnext";
    let orders: Vec<_> = (0..4).map(|seed| run(Order::Seeded(seed), script)).collect();
    for (seed, order) in (0..4).zip(&orders) {
        assert_eq!(*order, run(Order::Seeded(seed), script));
        let mut keys: Vec<_> = order.lines().collect();
        keys.sort_unstable();
        assert_eq!(keys, ["-", "a", "b", "c", "d", "e", "f", "g"]);
    }
    assert!(orders.windows(2).any(|pair| pair[0] != pair[1]), "{orders:?}");
}
