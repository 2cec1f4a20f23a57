//! The work queue's waits.

use crate::mistake::must_deadlock;
use watchkeeper_models::scenarios::{every_schedule, queue};

#[test]
fn each_worker_gets_a_key() {
    every_schedule(queue::each_worker_gets_a_key);
}

#[test]
fn each_worker_gets_a_key_of_a_batch() {
    every_schedule(queue::each_worker_gets_a_key_of_a_batch);
}

#[test]
fn a_late_count_loses_a_wake_up() {
    must_deadlock("queue::a_late_count_loses_a_wake_up", queue::a_late_count_loses_a_wake_up);
}

#[test]
fn a_careless_shell_loses_a_wake_up() {
    must_deadlock(
        "queue::a_careless_shell_loses_a_wake_up",
        queue::a_careless_shell_loses_a_wake_up,
    );
}

#[test]
fn a_cancelled_worker_leaves_its_wake_up() {
    every_schedule(queue::a_cancelled_worker_leaves_its_wake_up);
}

#[test]
fn a_key_added_while_held_comes_again() {
    every_schedule(queue::a_key_added_while_held_comes_again);
}

#[test]
fn a_shutdown_wakes_every_worker() {
    every_schedule(queue::a_shutdown_wakes_every_worker);
}

#[test]
fn a_drain_ends_with_the_last_key() {
    every_schedule(queue::a_drain_ends_with_the_last_key);
}

#[test]
fn a_shutdown_ends_a_drain() {
    every_schedule(queue::a_shutdown_ends_a_drain);
}
