//! What is left of the memory of a burst.

use std::time::Duration;

use crate::State;

const NOW: Duration = Duration::ZERO;

fn work_off(state: &mut State<u32>) {
    while let Some(taken) = state.take(NOW) {
        state.done_slot(taken.slot);
    }
}

#[test]
fn the_memory_of_a_burst_is_given_back_by_a_queue_that_is_measured() {
    let mut state = State::default();
    state.measure();
    for key in 0..100_000 {
        state.add(key, 0);
    }
    let times = |state: &State<u32>| state.meter.as_ref().unwrap().times.capacity();
    assert!(times(&state) >= 100_000);
    work_off(&mut state);
    assert_eq!(times(&state), 0);
    state.add(7, 0);
    work_off(&mut state);
    assert!(times(&state) < 100);
    let figures = state.figures().unwrap();
    assert_eq!((figures.adds, figures.queue_duration.count()), (100_001, 100_001));
    assert_eq!((figures.work_duration.count(), figures.unfinished_work), (100_001, NOW));
}
