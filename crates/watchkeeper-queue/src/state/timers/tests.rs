use super::*;

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn due(timers: &mut Timers, now: Duration) -> Vec<(u32, i32)> {
    std::iter::from_fn(|| timers.pop(now)).map(|due| (due.slot, due.priority)).collect()
}

#[test]
fn the_earliest_time_and_the_highest_priority_of_a_slot_win() {
    let mut timers = Timers::default();
    assert!(timers.set(1, ms(30), 5));
    assert!(!timers.set(2, ms(30), 0), "the alarm is set for that time already");
    assert!(timers.set(3, ms(20), 0));
    assert!(!timers.set(3, ms(25), 7));
    assert!(timers.set(1, ms(10), -5));
    assert_eq!((timers.len(), timers.wake_at()), (3, Some(ms(10))));
    assert_eq!(due(&mut timers, ms(9)), []);
    assert_eq!(due(&mut timers, ms(20)), [(1, 5), (3, 7)]);
    assert_eq!((timers.len(), timers.wake_at()), (1, Some(ms(30))));
    assert_eq!(due(&mut timers, ms(30)), [(2, 0)]);
    assert_eq!((timers.len(), timers.wake_at()), (0, None));
}

#[test]
fn a_slot_that_was_due_starts_anew() {
    let mut timers = Timers::default();
    timers.set(0, ms(1), 9);
    assert_eq!(due(&mut timers, ms(1)), [(0, 9)]);
    timers.set(0, ms(5), -1);
    assert_eq!(due(&mut timers, ms(5)), [(0, -1)]);
}

/// A slot whose time is moved forward again and again leaves its old alarms behind, until they are the most.
#[test]
fn alarms_that_were_replaced_do_not_pile_up() {
    let mut timers = Timers::default();
    timers.set(1, ms(50), 0);
    timers.set(2, ms(60), 0);
    let move_forward = |at| {
        timers.set(0, ms(at), 0);
        timers.heap.len()
    };
    let most = (100..10_000).rev().map(move_forward).max();
    assert_eq!(most, Some(2 * 3 + FEW));
    assert_eq!(due(&mut timers, ms(10_000)), [(1, 0), (2, 0), (0, 0)]);
    assert!(timers.heap.is_empty());
}

#[test]
fn all_are_taken_once() {
    let mut timers = Timers::default();
    for slot in [4, 2, 7] {
        timers.set(slot, ms(20), 0);
        timers.set(slot, ms(10), 0);
    }
    let mut taken = timers.take_all();
    taken.sort_unstable();
    assert_eq!(taken, [2, 4, 7]);
    assert_eq!((timers.len(), timers.wake_at()), (0, None));
}

/// After four thousand million alarms the numbers begin anew: those of one time keep their order, also with those
/// that come later, and alarms that were replaced stay so.
#[test]
fn numbers_begin_anew() {
    let mut timers = Timers { number: u32::MAX - 4, ..Timers::default() };
    for slot in [5, 3, 9] {
        timers.set(slot, ms(10), 0);
    }
    timers.set(3, ms(9), 1);
    assert_eq!((timers.number, timers.heap.len()), (u32::MAX, 4));
    timers.set(1, ms(10), 0);
    assert_eq!((timers.number, timers.heap.len()), (4, 4));
    timers.set(0, ms(10), 0);
    assert_eq!(due(&mut timers, ms(10)), [(3, 1), (5, 0), (9, 0), (1, 0), (0, 0)]);
}

/// The alarm that is replaced is not counted among those that keep their numbers.
#[test]
fn a_replaced_alarm_is_set_at_the_turn_of_numbers() {
    let mut timers = Timers { number: u32::MAX - 2, ..Timers::default() };
    timers.set(7, ms(30), 0);
    timers.set(8, ms(20), 0);
    assert!(timers.set(7, ms(10), 2));
    assert_eq!(timers.len(), 2);
    assert_eq!(due(&mut timers, ms(30)), [(7, 2), (8, 0)]);
}

/// What is known of each slot counts a million times.
#[test]
fn alarms_and_slots_take_little_more_than_they_need() {
    let mut timers = Timers::default();
    for slot in 0..10_000_u32 {
        timers.set(slot, ms(slot.into()), 0);
    }
    assert!((10_000..=11_000).contains(&timers.due.capacity()), "{}", timers.due.capacity());
    assert!((10_000..=11_000).contains(&timers.heap.capacity()), "{}", timers.heap.capacity());
    assert_eq!((size_of::<Alarm>(), size_of::<Due>()), (16, 16));
}

#[test]
fn times_beyond_all_time_are_one() {
    let mut timers = Timers::default();
    timers.set(0, Duration::MAX, 0);
    timers.set(1, Duration::from_secs(u64::MAX / 1_000_000_000), 0);
    timers.set(2, Duration::new(1, 1), 0);
    assert_eq!(timers.wake_at(), Some(Duration::new(1, 1)));
    assert_eq!(due(&mut timers, Duration::from_secs(u64::MAX / 1_000_000_000)), [(2, 0), (1, 0)]);
    assert_eq!(timers.wake_at(), Some(Duration::from_nanos(u64::MAX)));
}
