//! Keys by their places.

use super::*;

const NOW: Duration = Duration::ZERO;

#[test]
fn a_kept_place_is_the_keys() {
    let mut state = State::default();
    let slot = state.keep("a");
    assert_eq!((state.key(slot), state.len()), (Some(&"a"), 0));
    assert!(state.add_slot(slot, 3));
    assert!(!state.add("a", 1));
    assert_eq!(state.take(NOW), Some(Taken { slot, priority: 3 }));
    assert!(!state.add_slot(slot, 0));
    assert!(state.done(&"a"));
    assert_eq!(state.next(NOW), Some("a"));
    assert!(!state.done_slot(slot));
    assert_eq!(state.key(slot), Some(&"a"));
    assert!(state.add_slot_at(slot, Duration::from_millis(1), 0));
    state.let_go(slot);
    assert_eq!(state.take(Duration::from_millis(1)).unwrap().slot, slot);
    state.done_slot(slot);
    assert_eq!(state.key(slot), None);
}

#[test]
fn a_place_that_was_given_up_names_nothing() {
    let mut state = State::default();
    let slot = state.keep("a");
    state.let_go(slot);
    state.let_go(slot);
    assert!(!state.add_slot(slot, 0));
    assert!(!state.add_slot_at(slot, Duration::from_millis(1), 0));
    assert_eq!((state.len(), state.delayed()), (0, 0));
    state.add("b", 0);
    let taken = state.take(NOW).unwrap();
    assert_ne!(taken.slot, slot);
    assert!(!state.done_slot(slot));
    assert_eq!(state.held(), 1);
}

#[test]
fn after_a_shutdown_a_place_takes_nothing() {
    let mut state = State::default();
    let slot = state.keep("a");
    state.shut_down();
    assert!(!state.add_slot(slot, 0));
    assert!(!state.add_slot_at(slot, Duration::from_millis(1), 0));
    assert_eq!((state.len(), state.delayed()), (0, 0));
    assert_eq!(state.key(slot), Some(&"a"));
}

#[test]
fn the_memory_of_a_burst_is_given_back_by_the_last_key() {
    let mut state = State::default();
    for key in 0..100_000 {
        state.add(key, 0);
        state.add_at(key, Duration::from_millis(1), 0);
    }
    let at = Duration::from_millis(1);
    while let Some(taken) = state.take(at) {
        state.done_slot(taken.slot);
    }
    let told = format!("{state:?}");
    for empty in ["entries: []", "due: []"] {
        assert!(told.contains(empty), "{empty} is not in {told:.300}");
    }
    let slot = state.keep(0);
    assert!(state.add_slot(slot, 1));
    assert!(state.add_slot_at(slot, at + at, 1));
    assert_eq!(state.take(at), Some(Taken { slot, priority: 1 }));
    state.let_go(slot);
    state.done_slot(slot);
    assert_eq!(state.next(at + at), Some(0));
    state.done(&0);
    assert_eq!((state.len(), state.held(), state.delayed()), (0, 0, 0));
    assert_eq!(state.key(slot), None);
}
