//! The waits of the classic queues.

use watchkeeper_models::scenarios::{classic, every_schedule};

#[test]
fn a_full_delta_fifo_hands_over_in_order() {
    every_schedule(classic::a_full_delta_fifo_hands_over_in_order);
}

#[test]
fn a_delta_fifo_tells_how_far_it_is() {
    every_schedule(classic::a_delta_fifo_tells_how_far_it_is);
}

#[test]
fn a_closed_delta_fifo_lets_everybody_go() {
    every_schedule(classic::a_closed_delta_fifo_lets_everybody_go);
}

#[test]
fn everybody_who_waits_for_a_fifo_is_woken() {
    every_schedule(classic::everybody_who_waits_for_a_fifo_is_woken);
}

#[test]
fn everybody_who_waits_for_a_heap_is_woken() {
    every_schedule(classic::everybody_who_waits_for_a_heap_is_woken);
}
