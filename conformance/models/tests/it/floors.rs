//! Reads that wait for own writes: with the steps of the store as one each, where a wake-up may be lost; and
//! with its locks in sight, where a read may see what is between them.

use watchkeeper_models::scenarios::{every_schedule, every_schedule_of_the_store, floors};

/// Enough to come between two looks at the store, and back.
const FEW: usize = 2;

fn both(scenario: fn()) {
    every_schedule(scenario);
    every_schedule_of_the_store(FEW, scenario);
}

#[test]
fn a_write_is_seen_by_the_read_after_it() {
    both(floors::a_write_is_seen_by_the_read_after_it);
}

#[test]
fn a_bookmark_ends_the_wait_for_a_write() {
    both(floors::a_bookmark_ends_the_wait_for_a_write);
}

#[test]
fn what_cannot_be_read_is_not_taken_for_what_was_there() {
    both(floors::what_cannot_be_read_is_not_taken_for_what_was_there);
}

#[test]
fn a_read_waits_for_the_end_of_what_was_deleted() {
    both(floors::a_read_waits_for_the_end_of_what_was_deleted);
}

#[test]
fn everything_is_there_after_the_wait_for_it() {
    both(floors::everything_is_there_after_the_wait_for_it);
}

#[test]
fn everybody_who_waits_for_a_write_hears_of_it() {
    both(floors::everybody_who_waits_for_a_write_hears_of_it);
}

#[test]
fn a_list_from_before_lets_reads_go() {
    both(floors::a_list_from_before_lets_reads_go);
}

#[test]
fn a_lost_answer_is_asked_for_once_a_read_waits() {
    every_schedule(floors::a_lost_answer_is_asked_for_once_a_read_waits);
}

#[test]
fn everybody_who_waits_for_a_lost_answer_hears_of_it() {
    every_schedule(floors::everybody_who_waits_for_a_lost_answer_hears_of_it);
}
