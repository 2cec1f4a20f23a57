//! The wait for the end of a listener.

use crate::mistake::{must_deadlock, must_fail};
use watchkeeper_models::scenarios::{every_schedule_of_the_flags, listeners};

#[test]
fn the_end_of_a_listener_is_that_of_its_calls() {
    every_schedule_of_the_flags(listeners::the_end_of_a_listener_is_that_of_its_calls);
}

#[test]
fn everybody_who_waits_for_the_end_of_a_listener_hears_of_it() {
    every_schedule_of_the_flags(
        listeners::everybody_who_waits_for_the_end_of_a_listener_hears_of_it,
    );
}

#[test]
fn the_end_of_a_listener_waits_for_the_call_in_progress() {
    every_schedule_of_the_flags(listeners::the_end_of_a_listener_waits_for_the_call_in_progress);
}

#[test]
fn the_end_at_several_copies_is_that_of_all_calls() {
    every_schedule_of_the_flags(listeners::the_end_at_several_copies_is_that_of_all_calls);
}

#[test]
fn a_copy_that_comes_at_the_end_is_not_told_of() {
    every_schedule_of_the_flags(listeners::a_copy_that_comes_at_the_end_is_not_told_of);
}

#[test]
fn a_call_without_a_slip_is_over_at_the_end() {
    every_schedule_of_the_flags(listeners::a_call_without_a_slip_is_over_at_the_end);
}

#[test]
fn a_call_that_is_told_late_follows_the_end() {
    must_fail(
        "listeners::a_call_that_is_told_late_follows_the_end",
        listeners::a_call_that_is_told_late_follows_the_end,
        "called after the end",
    );
}

#[test]
fn a_call_whose_end_looks_early_leaves_who_waits() {
    must_deadlock(
        "listeners::a_call_whose_end_looks_early_leaves_who_waits",
        listeners::a_call_whose_end_looks_early_leaves_who_waits,
    );
}

#[test]
fn a_call_whose_flags_have_no_order_follows_the_end() {
    must_fail(
        "listeners::a_call_whose_flags_have_no_order_follows_the_end",
        listeners::a_call_whose_flags_have_no_order_follows_the_end,
        "called after the end",
    );
}
