use std::rc::Rc;

use super::*;

#[test]
fn a_place_names_its_key_and_no_later_one() {
    let mut slots = Slots::new();
    let index = slots.seat("a");
    let slot = slots.slot(index);
    assert_eq!((slots.index(slot), slots.find(&"a")), (Some(index), Some(index)));
    slots.clear(index);
    assert_eq!((slots.index(slot), slots.find(&"a")), (None, None));
    assert_eq!(slots.seat("b"), index, "places are used again");
    assert_eq!(slots.index(slot), None);
    assert_eq!(slots.key(index), Some(&"b"));
}

#[test]
fn a_key_stays_as_long_as_anybody_has_to_do_with_it() {
    let mut slots = Slots::new();
    let key = Rc::new(0);
    let index = slots.seat(Rc::clone(&key));
    assert_eq!(slots.seat(Rc::clone(&key)), index);
    slots.keep(index);
    slots.keep(index);
    slots[index].delayed = true;
    slots[index].run = Run::Held;
    slots.let_go(index);
    slots.clear(index);
    slots.let_go(index);
    slots[index].run = Run::Idle;
    slots.clear(index);
    assert_eq!(Rc::strong_count(&key), 2);
    slots[index].delayed = false;
    slots.let_go(index);
    assert_eq!(Rc::strong_count(&key), 1, "and not longer");
}

#[test]
fn who_keeps_a_place_is_counted_up_to_a_number() {
    let mut slots = Slots::new();
    let counted = slots.seat("counted");
    let for_good = slots.seat("for good");
    (1..u16::MAX).for_each(|_| slots.keep(counted));
    (0..u32::from(u16::MAX) + 5).for_each(|_| slots.keep(for_good));
    for index in [counted, for_good] {
        (1..u16::MAX).for_each(|_| slots.let_go(index));
        slots.let_go(index);
    }
    assert_eq!((slots.key(counted), slots.key(for_good)), (None, Some(&"for good")));
}

/// A key is as large as it need be: what is remembered of each counts a million times.
#[test]
fn a_place_is_small() {
    assert_eq!(size_of::<Entry<u64>>(), 48);
}

/// After four thousand million keys the numbers begin anew, and not with that of a free place.
#[test]
fn no_generation_is_that_of_a_free_place() {
    let mut slots = Slots::new();
    slots.generation = u32::MAX - 1;
    for key in ["a", "b"] {
        let index = slots.seat(key);
        let slot = slots.slot(index);
        assert_eq!(slots.index(slot), Some(index));
        slots.clear(index);
        assert_eq!(slots.index(slot), None);
    }
}

#[test]
fn the_memory_of_a_burst_is_given_back_when_the_last_key_has_gone() {
    let mut slots = Slots::new();
    let few = SPARE as u32;
    (0..few).for_each(|key| assert_eq!(slots.seat(key), key));
    let slot = slots.slot(0);
    (0..few).for_each(|index| slots.clear(index));
    assert!(!slots.shrink(), "so many places are kept");
    let indices: Vec<u32> = (0..=few).map(|key| slots.seat(key)).collect();
    let first = indices[0];
    for index in &indices[1..] {
        slots.clear(*index);
    }
    assert!(!slots.shrink(), "a key is left");
    slots.clear(first);
    assert!(slots.shrink());
    assert_eq!((slots.entries.len(), slots.len), (0, 0));
    slots.seat(0);
    assert_eq!(slots.index(slot), None, "a place of before names nothing");
    slots.clear(0);
    assert!(!slots.shrink(), "few places are kept");
}
