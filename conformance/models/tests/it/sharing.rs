//! The waits of those who share objects.

use crate::mistake::must_deadlock;
use watchkeeper_models::scenarios::{every_schedule, sharing};

#[test]
fn the_last_of_two_reconciles_is_heard() {
    every_schedule(sharing::the_last_of_two_reconciles_is_heard);
}

#[test]
fn a_loss_ends_what_is_under_way() {
    every_schedule(sharing::a_loss_ends_what_is_under_way);
}

#[test]
fn what_is_gained_is_told() {
    every_schedule(sharing::what_is_gained_is_told);
}

#[test]
fn the_end_of_the_last_reconcile_is_missed() {
    must_deadlock(
        "sharing::the_end_of_the_last_reconcile_is_missed",
        sharing::the_end_of_the_last_reconcile_is_missed,
    );
}
