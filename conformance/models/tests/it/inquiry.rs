//! The waits of who asks the server for reads.

use crate::mistake::must_deadlock;
use watchkeeper_models::scenarios::{every_schedule, inquiry};

#[test]
fn a_question_that_takes_long_holds_up_no_other() {
    every_schedule(inquiry::a_question_that_takes_long_holds_up_no_other);
}

#[test]
fn answers_that_come_at_once_are_all_heeded() {
    every_schedule(inquiry::answers_that_come_at_once_are_all_heeded);
}

#[test]
fn a_question_beside_an_answer_is_asked() {
    every_schedule(inquiry::a_question_beside_an_answer_is_asked);
}

#[test]
fn a_doubt_beside_the_answer_is_asked_about_again() {
    every_schedule(inquiry::a_doubt_beside_the_answer_is_asked_about_again);
}

#[test]
fn each_that_is_over_is_found() {
    every_schedule(inquiry::each_that_is_over_is_found);
}

#[test]
fn who_finds_one_a_wake_up_sleeps_beside_the_other() {
    must_deadlock(
        "inquiry::who_finds_one_a_wake_up_sleeps_beside_the_other",
        inquiry::who_finds_one_a_wake_up_sleeps_beside_the_other,
    );
}

#[test]
fn who_asks_one_by_one_sleeps_beside_a_question() {
    must_deadlock(
        "inquiry::who_asks_one_by_one_sleeps_beside_a_question",
        inquiry::who_asks_one_by_one_sleeps_beside_a_question,
    );
}
