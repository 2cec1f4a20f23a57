//! The waits of those who run controllers.

use crate::mistake::must_deadlock;
use watchkeeper_models::scenarios::{every_schedule, running};

#[test]
fn a_stop_is_heard_by_everybody() {
    every_schedule(running::a_stop_is_heard_by_everybody);
}

#[test]
fn a_careless_stop_is_missed() {
    must_deadlock("running::a_careless_stop_is_missed", running::a_careless_stop_is_missed);
}

#[test]
fn a_switch_tells_of_a_stop_that_is_over() {
    every_schedule(running::a_switch_tells_of_a_stop_that_is_over);
}

#[test]
fn a_switch_turned_on_again_keeps_nobody() {
    every_schedule(running::a_switch_turned_on_again_keeps_nobody);
}

#[test]
fn a_careless_switch_misses_a_stop() {
    must_deadlock(
        "running::a_careless_switch_misses_a_stop",
        running::a_careless_switch_misses_a_stop,
    );
}

#[test]
fn what_is_said_once_is_heard_by_all() {
    every_schedule(running::what_is_said_once_is_heard_by_all);
}

#[test]
fn what_is_not_passed_on_is_heard_by_one() {
    must_deadlock(
        "running::what_is_not_passed_on_is_heard_by_one",
        running::what_is_not_passed_on_is_heard_by_one,
    );
}

#[test]
fn what_is_said_once_outlives_who_turns_away() {
    every_schedule(running::what_is_said_once_outlives_who_turns_away);
}

#[test]
fn what_is_added_is_started() {
    every_schedule(running::what_is_added_is_started);
}

#[test]
fn what_is_added_between_look_and_wait_is_missed() {
    must_deadlock(
        "running::what_is_added_between_look_and_wait_is_missed",
        running::what_is_added_between_look_and_wait_is_missed,
    );
}

#[test]
fn a_fence_comes_to_rest_with_its_last_write() {
    every_schedule(running::a_fence_comes_to_rest_with_its_last_write);
}

#[test]
fn a_write_on_its_way_hears_of_the_end() {
    every_schedule(running::a_write_on_its_way_hears_of_the_end);
}

#[test]
fn a_careless_fence_sleeps_beside_no_write() {
    must_deadlock(
        "running::a_careless_fence_sleeps_beside_no_write",
        running::a_careless_fence_sleeps_beside_no_write,
    );
}
