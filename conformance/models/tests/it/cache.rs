//! The cache's waits.

use crate::mistake::must_deadlock;
use watchkeeper_models::scenarios::{cache, every_schedule, every_schedule_of_the_flags};

#[test]
fn a_full_delta_queue_hands_over_in_order() {
    every_schedule(cache::a_full_delta_queue_hands_over_in_order);
}

#[test]
fn a_closed_delta_queue_lets_everybody_go() {
    every_schedule(cache::a_closed_delta_queue_lets_everybody_go);
}

#[test]
fn the_end_of_a_delta_queue_is_heard() {
    every_schedule(cache::the_end_of_a_delta_queue_is_heard);
}

#[test]
fn batches_take_what_was_pushed() {
    every_schedule(cache::batches_take_what_was_pushed);
}

#[test]
fn a_careless_delta_queue_sleeps_beside_a_delta() {
    must_deadlock(
        "cache::a_careless_delta_queue_sleeps_beside_a_delta",
        cache::a_careless_delta_queue_sleeps_beside_a_delta,
    );
}

#[test]
fn a_value_reaches_everybody() {
    every_schedule(cache::a_value_reaches_everybody);
}

#[test]
fn a_careless_wait_misses_the_value() {
    must_deadlock(
        "cache::a_careless_wait_misses_the_value",
        cache::a_careless_wait_misses_the_value,
    );
}

#[test]
fn the_first_list_ends_the_wait_for_it() {
    every_schedule(cache::the_first_list_ends_the_wait_for_it);
}

#[test]
fn a_stopped_copy_ends_the_wait_for_its_first_list() {
    every_schedule(cache::a_stopped_copy_ends_the_wait_for_its_first_list);
}

#[test]
fn a_read_sees_the_write_before_it() {
    every_schedule(cache::a_read_sees_the_write_before_it);
}

#[test]
fn a_stopped_copy_ends_reads() {
    every_schedule(cache::a_stopped_copy_ends_reads);
}

#[test]
fn a_listener_is_told_and_ends() {
    every_schedule(cache::a_listener_is_told_and_ends);
}

#[test]
fn a_full_listener_makes_room() {
    every_schedule(cache::a_full_listener_makes_room);
}

#[test]
fn a_listener_that_leaves_makes_room() {
    every_schedule_of_the_flags(cache::a_listener_that_leaves_makes_room);
}

#[test]
fn a_listener_at_two_copies_is_told_of_both() {
    every_schedule_of_the_flags(cache::a_listener_at_two_copies_is_told_of_both);
}

#[test]
fn a_listener_too_slow_at_one_copy_leaves_both() {
    every_schedule_of_the_flags(cache::a_listener_too_slow_at_one_copy_leaves_both);
}
