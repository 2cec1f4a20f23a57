use super::super::*;
use crate::metrics::Figures;

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// Upstream's `TestMetrics`, call by call.
#[test]
fn w_33_each_accepted_add_counts_once() {
    let mut state = State::default();
    state.measure();
    let counts = |state: &State<&str>| {
        let Figures { adds, depth, .. } = state.figures().unwrap();
        (adds, depth.iter().map(|(_, depth)| depth).sum::<u64>())
    };
    state.add("a", 0);
    assert_eq!(counts(&state), (1, 1));
    state.add("a", 0);
    state.add("a", 5);
    assert_eq!(counts(&state), (1, 1), "it is to run already");
    state.next(ms(0));
    assert_eq!(counts(&state), (1, 0));
    state.add("a", 0);
    state.add("a", 3);
    assert_eq!(counts(&state), (2, 1), "it is held, and to run again");
    state.done(&"a");
    assert_eq!(counts(&state), (2, 1));
    state.next(ms(0));
    state.done(&"a");
    assert_eq!(counts(&state), (2, 0));
    state.shut_down();
    state.add("a", 0);
    state.count_retry();
    assert_eq!((counts(&state), state.figures().unwrap().retries), ((2, 0), 0));
}

#[test]
fn w_33_a_key_counts_when_its_time_has_come() {
    let mut state = State::default();
    state.measure();
    state.add_at("a", ms(10), 0);
    assert_eq!(state.figures().unwrap().adds, 0);
    state.tell_time(ms(10));
    state.advance(ms(10));
    assert_eq!(state.figures().unwrap().adds, 1);
}

#[test]
fn w_34_a_key_waits_from_its_first_add_and_works_until_done() {
    let mut state = State::default();
    state.measure();
    let sums = |state: &State<&str>| {
        let Figures { queue_duration, work_duration, .. } = state.figures().unwrap();
        (queue_duration.sum, queue_duration.count(), work_duration.sum, work_duration.count())
    };
    state.add("a", 0);
    state.tell_time(ms(30));
    state.add("a", 0);
    state.tell_time(ms(50));
    state.next(ms(0));
    assert_eq!(sums(&state), (ms(50), 1, ms(0), 0));
    state.tell_time(ms(75));
    state.add("a", 0);
    state.tell_time(ms(100));
    state.done(&"a");
    assert_eq!(sums(&state), (ms(50), 1, ms(50), 1));
    state.tell_time(ms(175));
    state.next(ms(0));
    assert_eq!(sums(&state), (ms(150), 2, ms(50), 1));
}

#[test]
fn w_32_unfinished_work_is_what_is_held() {
    let mut state = State::default();
    state.measure();
    let held = |state: &State<u32>| {
        let Figures { unfinished_work, longest_running, .. } = state.figures().unwrap();
        (unfinished_work, longest_running)
    };
    (0..3).for_each(|key| assert!(state.add(key, 0)));
    for at in [10, 20] {
        state.tell_time(ms(at));
        state.next(ms(0));
    }
    state.tell_time(ms(25));
    assert_eq!(held(&state), (ms(20), ms(15)));
    state.done(&0);
    assert_eq!(held(&state), (ms(5), ms(5)));
    state.done(&1);
    assert_eq!(held(&state), (ms(0), ms(0)));
}

#[test]
fn p_09_the_depth_is_told_by_priority_up_to_25_of_them() {
    let mut state = State::default();
    state.measure();
    for key in 0..28 {
        state.add(key, key);
    }
    state.add(0, 5);
    state.add(1, 100);
    state.add(27, 26);
    state.add(26, 6);
    let Figures { depth, depth_of_others, .. } = state.figures().unwrap();
    assert_eq!(depth.len(), 25);
    assert_eq!([depth[0], depth[1], depth[5], depth[6]], [(0, 0), (1, 0), (5, 2), (6, 1)]);
    assert_eq!(depth_of_others, Some(4));
    while state.next(ms(0)).is_some() {}
    let Figures { depth, depth_of_others, .. } = state.figures().unwrap();
    assert_eq!(depth.iter().map(|(_, depth)| depth).sum::<u64>(), 0);
    assert_eq!((depth.len(), depth_of_others), (25, Some(0)));
}

#[test]
fn w_33_each_retry_counts_while_keys_are_accepted() {
    let mut state = State::<&str>::default();
    state.measure();
    state.count_retry();
    state.count_retry();
    state.shut_down();
    state.count_retry();
    assert_eq!(state.figures().unwrap().retries, 2);
}

#[test]
fn nothing_is_counted_for_nobody() {
    let mut state = State::default();
    assert!(!state.is_measured());
    state.add("a", 0);
    assert_eq!(state.figures(), None);
    state.measure();
    assert!(state.is_measured());
}
