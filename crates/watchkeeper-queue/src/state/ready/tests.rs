//! What the orders keep, and tell.

use std::time::Duration;

use super::*;
use crate::State;

const NOW: Duration = Duration::ZERO;

/// What is drawn from waits in a list of its own, which the last key gives back with the rest.
#[test]
fn the_memory_of_a_burst_is_given_back_in_a_drawn_order() {
    let mut state = State::new(Order::Seeded(1));
    let waiting = |state: &State<u32>| match &state.ready {
        Ready::Drawn(drawn) => drawn.slots.capacity(),
        Ready::Levels(_) | Ready::Hook(_) => panic!("not a drawn order"),
    };
    for key in 0..100_000 {
        state.add(key, 0);
    }
    assert!(waiting(&state) >= 100_000);
    while let Some(taken) = state.take(NOW) {
        state.done_slot(taken.slot);
    }
    assert_eq!(waiting(&state), 0);
    state.add(7, 0);
    assert_eq!(state.next(NOW), Some(7));
}

/// An order of one's own may be one that cannot be printed.
#[test]
fn every_order_tells_what_it_is() {
    struct First;
    impl ReadyQueue<u32> for First {
        fn push(&mut self, _: u32, _: i32) {}
        fn touch(&mut self, _: &u32, _: i32) {}
        fn pop(&mut self) -> Option<u32> {
            None
        }
    }
    let told = |state: State<u32>| format!("{state:?}");
    assert!(told(State::default()).contains("ready: Levels"));
    assert!(told(State::new(Order::Seeded(1))).contains("ready: Drawn"));
    assert!(told(State::with_hook(First)).contains("ready: Hook"));
}
