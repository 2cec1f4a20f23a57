//! The store's locks.

use crate::mistake::must_fail;
use watchkeeper_models::scenarios::every_schedule_of_the_store;
use watchkeeper_models::scenarios::store::{self, Step};

const PREEMPTIONS: usize = 3;

/// Two looks, in every order of the places.
fn seen_as_one(step: Step) {
    for first in step.places() {
        for second in step.places() {
            every_schedule_of_the_store(PREEMPTIONS, move || {
                store::a_step_is_seen_as_one(step, first, second);
            });
        }
    }
}

#[test]
fn a_list_is_seen_as_one() {
    seen_as_one(Step::List);
}

#[test]
fn an_update_is_seen_as_one() {
    seen_as_one(Step::Update);
}

#[test]
fn a_deletion_is_seen_as_one() {
    seen_as_one(Step::Delete);
}

#[test]
fn what_a_list_does_not_have_goes_with_the_rest() {
    seen_as_one(Step::Vanish);
}

#[test]
fn two_writers_take_turns() {
    every_schedule_of_the_store(PREEMPTIONS, store::two_writers_take_turns);
}

#[test]
fn a_late_index_misses_nothing() {
    every_schedule_of_the_store(PREEMPTIONS, store::a_late_index_misses_nothing);
}

#[test]
fn a_piecemeal_copy_shows_half_a_list() {
    must_fail(
        "store::a_piecemeal_copy_shows_half_a_list",
        store::a_piecemeal_copy_shows_half_a_list,
        "1 after 2",
    );
}
