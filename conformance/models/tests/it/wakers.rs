//! The waits for what keeps a single waker.

use crate::mistake::must_deadlock;
use watchkeeper_models::scenarios::{every_schedule, wakers};

#[test]
fn everybody_writes_to_a_link_that_keeps_one_waker() {
    every_schedule(wakers::everybody_writes_to_a_link_that_keeps_one_waker);
}

#[test]
fn who_says_late_that_it_waits_is_not_woken() {
    must_deadlock(
        "wakers::who_says_late_that_it_waits_is_not_woken",
        wakers::who_says_late_that_it_waits_is_not_woken,
    );
}

#[test]
fn who_wakes_the_others_is_woken_later() {
    every_schedule(wakers::who_wakes_the_others_is_woken_later);
}
