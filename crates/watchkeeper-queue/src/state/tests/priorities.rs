//! Keys that leave before others.

use std::collections::VecDeque;

use proptest::prelude::*;

use super::*;

#[test]
fn p_02_a_key_has_one_entry_with_the_highest_priority_it_was_added_with() {
    let mut state = State::default();
    for (key, priority) in [("a", 1), ("b", 2), ("a", 3), ("a", -1), ("b", 2)] {
        state.add(key, priority);
    }
    let mut taken = || state.take(Duration::ZERO).map(|taken| taken.priority);
    assert_eq!([taken(), taken(), taken()], [Some(3), Some(2), None]);
}

#[test]
fn p_02_a_later_add_raises_what_is_queued_and_the_earliest_time_wins() {
    check(
        "
        add a b c
        later c 20 5
        next
        later c 10 1
        at 10
        next
        done c
        at 20
        next
        next
        ",
        expect![[r#"
            c
            a
            c
            b
        "#]],
    );
}

#[test]
fn p_02_a_key_added_while_held_comes_back_with_the_highest_priority() {
    check(
        "
        add a at 9
        next
        add a at -1
        add b
        add a at 2
        later a 50 1
        add c at 1
        done a
        next
        next
        next
        ",
        expect![[r#"
            a
            a
            c
            b
        "#]],
    );
}

#[test]
fn p_02_a_priority_lasts_for_one_run() {
    check(
        "
        add a at 9
        next
        done a
        add b c
        add a
        next
        next
        next
        ",
        expect![[r#"
            a
            b
            c
            a
        "#]],
    );
}

#[test]
fn p_03_higher_priorities_leave_first_and_equals_in_the_order_they_came() {
    check(
        "
        add l1 l2 at -100
        add n1 n2
        add h1 h2 at 7
        add n3
        next
        next
        next
        next
        next
        next
        next
        ",
        expect![[r#"
            h1
            h2
            n1
            n2
            n3
            l1
            l2
        "#]],
    );
}

#[test]
fn p_04_a_key_that_is_raised_goes_to_the_end_of_its_new_level() {
    check(
        "
        add a b
        add c d at 1
        add a at 1
        add c at 1
        next
        next
        next
        next
        ",
        expect![[r#"
            c
            d
            a
            b
        "#]],
    );
}

#[test]
fn p_05_a_delayed_key_queues_up_when_it_becomes_ready() {
    check(
        "
        later a 10 1
        later b 20 1
        at 15
        add c at 1
        at 20
        next
        next
        next
        ",
        expect![[r#"
            c
            a
            b
        "#]],
    );
}

#[test]
fn p_07_a_time_for_a_ready_key_leaves_it_ready() {
    check(
        "
        add a
        later a 10
        len
        next
        ",
        expect![[r#"
            len 1
            a
        "#]],
    );
}

/// controller-runtime's queue scans over what is locked, and its order with it; here what is held
/// stands in no line.
#[test]
fn p_07_a_held_key_that_is_added_stands_in_nobodys_way() {
    let mut state = State::default();
    for key in 0..1000 {
        state.add(key, 5);
        state.next(Duration::ZERO);
        state.add(key, 5);
    }
    assert_eq!((state.len(), state.held()), (0, 1000));
    state.add(1000, -1);
    assert_eq!(state.next(Duration::ZERO), Some(1000));
    state.done(&7);
    assert_eq!(state.next(Duration::ZERO), Some(7));
}

#[test]
fn p_10_the_oldest_leaves_each_eighth_time_under_a_load_that_never_ends() {
    let mut state = State::default();
    for key in 0..3 {
        state.add(key, -100);
    }
    let order: Vec<_> = (100..124)
        .map(|key| {
            state.add(key, 0);
            state.next(Duration::ZERO).unwrap()
        })
        .collect();
    let low: Vec<_> = order.iter().enumerate().filter(|(_, key)| **key < 3).collect();
    assert_eq!(low, [(7, &0), (15, &1), (23, &2)]);
}

#[test]
fn how_often_the_oldest_leaves_can_be_chosen() {
    let order = |turns| {
        let oldest_every = NonZeroU32::new(turns).unwrap();
        let mut state = State::new(Order::Priority { oldest_every });
        (0..4).for_each(|key| assert!(state.add(key, key)));
        [(); 4].map(|()| state.next(Duration::ZERO).unwrap())
    };
    assert_eq!(order(1), [0, 1, 2, 3]);
    assert_eq!(order(2), [3, 0, 2, 1]);
    assert_eq!(order(9), [3, 2, 1, 0]);
}

#[derive(Clone, Debug)]
enum Load {
    Add(u32, i32),
    AddIn(u32, u64, i32),
    Done,
    Batch(usize),
    Pass(u64),
}

fn load() -> impl Strategy<Value = Load> {
    let (key, priority) = (0..30_u32, -8..8_i32);
    prop_oneof![
        6 => (key.clone(), priority.clone()).prop_map(|(key, priority)| Load::Add(key, priority)),
        3 => (key, 0..9_u64, priority)
            .prop_map(|(key, wait, priority)| Load::AddIn(key, wait, priority)),
        3 => Just(Load::Done),
        2 => (1..5_usize).prop_map(Load::Batch),
        2 => (0..6_u64).prop_map(Load::Pass),
    ]
}

proptest! {
    /// Keys that are added, at once and for later, become due, run again as they are given back, and leave in
    /// batches; and the key itself (0) is raised as often as anybody likes. A shutdown in the middle
    /// changes nothing for what is ready.
    #[test]
    fn p_10_no_call_makes_a_ready_key_wait_longer(
        oldest_every in 1..9_u32,
        before in 0..15_u32,
        calls in prop::collection::vec(load(), 1..80),
        closes_after in prop::option::of(0..80_usize),
    ) {
        let every = NonZeroU32::new(oldest_every).unwrap();
        let mut state = State::new(Order::Priority { oldest_every: every });
        (1..=before).for_each(|key| assert!(state.add(key, 0)));
        state.add(0, -9);
        let bound = (before + 1) * oldest_every;
        let (mut now, mut left, mut held) = (0, 0, VecDeque::new());
        for (step, call) in calls.iter().cycle().enumerate() {
            let mut hand_outs = 1;
            match *call {
                Load::Add(key, priority) => drop(state.add(key, priority)),
                Load::AddIn(key, wait, priority) => {
                    state.add_at(key, Duration::from_millis(now + wait), priority);
                }
                Load::Done => {
                    if let Some(key) = held.pop_front() {
                        state.done(&key);
                    }
                }
                Load::Batch(most) => hand_outs = most,
                Load::Pass(time) => now += time,
            }
            // Always something new of a higher priority, until nothing new is taken.
            state.add(100 + step as u32, 9);
            if closes_after == Some(step) {
                state.shut_down();
            }
            for _ in 0..hand_outs {
                let key = state.next(Duration::from_millis(now)).expect("0 is ready");
                left += 1;
                if key == 0 {
                    prop_assert!(left <= bound, "it left with hand-out {left} of {bound}");
                    return Ok(());
                }
                held.push_back(key);
            }
            prop_assert!(left < bound, "it still waits after {left} hand-outs of {bound}");
        }
    }
}
