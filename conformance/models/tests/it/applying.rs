//! A copy between its queue, its alarm and those who come to listen.

use watchkeeper_models::scenarios::applying::Step::{Alarm, Delta, Listener};
use watchkeeper_models::scenarios::applying::{self, Step};
use watchkeeper_models::scenarios::every_schedule;

use crate::mistake::must_deadlock;

fn nothing_is_overlooked<const N: usize>(steps: [Step; N]) {
    every_schedule(move || applying::nothing_that_comes_is_overlooked(&steps));
}

#[test]
fn a_listener_that_comes_moves_the_alarm() {
    nothing_is_overlooked([Listener]);
}

#[test]
fn of_a_delta_and_a_listener_neither_is_overlooked() {
    nothing_is_overlooked([Delta, Listener]);
    nothing_is_overlooked([Listener, Delta]);
}

#[test]
fn of_an_alarm_and_a_listener_neither_is_overlooked() {
    nothing_is_overlooked([Alarm, Listener]);
    nothing_is_overlooked([Listener, Alarm]);
}

#[test]
fn of_all_three_none_is_overlooked() {
    nothing_is_overlooked([Delta, Alarm, Listener]);
    nothing_is_overlooked([Alarm, Listener, Delta]);
    nothing_is_overlooked([Listener, Delta, Alarm]);
}

#[test]
fn a_careless_copy_overlooks_a_listener() {
    must_deadlock(
        "applying::a_careless_copy_overlooks_a_listener",
        applying::a_careless_copy_overlooks_a_listener,
    );
}
