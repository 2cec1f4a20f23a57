use std::collections::VecDeque;

use proptest::prelude::*;

use super::*;

fn every(turns: u32) -> Levels {
    Levels::new(NonZeroU32::new(turns).unwrap())
}

fn drain(levels: &mut Levels) -> Vec<u32> {
    std::iter::from_fn(|| levels.pop()).collect()
}

#[test]
fn the_oldest_leaves_each_so_many_turns() {
    let mut levels = every(3);
    for slot in 0..8 {
        levels.push(slot, if slot < 3 { -100 } else { 0 });
    }
    assert_eq!(drain(&mut levels), [3, 4, 0, 5, 6, 1, 7, 2]);
    assert!(levels.levels.is_empty(), "no line is kept that is empty");
}

#[test]
fn with_a_turn_each_the_priority_does_not_count() {
    let mut levels = every(1);
    for (slot, priority) in [(0, -1), (1, 5), (2, 0)] {
        levels.push(slot, priority);
    }
    assert_eq!(drain(&mut levels), [0, 1, 2]);
}

#[test]
fn who_is_raised_stands_anew() {
    let mut levels = every(3);
    for slot in 0..5 {
        levels.push(slot, i32::from(slot >= 2));
    }
    levels.raise(0, 1);
    assert_eq!(drain(&mut levels), [2, 3, 1, 4, 0]);
}

#[test]
fn many_priorities_leave_in_their_order() {
    let mut levels = every(u32::MAX);
    for slot in 0..1000 {
        levels.push(slot, (slot as i32 * 7) % 1000);
    }
    assert_eq!(levels.levels.len(), 1000);
    let order: Vec<_> = drain(&mut levels).into_iter().map(|slot| slot * 7 % 1000).collect();
    assert_eq!(order, (0..1000).rev().collect::<Vec<_>>());
}

proptest! {
    /// However many are put in, and however high: who has `n` others before it is out after
    /// `(n + 1) * every` hand-outs.
    #[test]
    #[test]
    fn p_10_nothing_waits_longer_than_its_bound(
        turns in 1..10_u32,
        before in prop::collection::vec(-3..3_i32, 0..20),
        load in prop::collection::vec(prop::collection::vec(-3..4_i32, 0..4), 1..40),
        raised in any::<prop::sample::Index>(),
    ) {
        let mut levels = every(turns);
        for (slot, priority) in (1..).zip(&before) {
            levels.push(slot, *priority);
        }
        levels.push(0, -4);
        let mut fresh = 1000_u32..;
        let mut inside: VecDeque<u32> = (0..=before.len() as u32).collect();
        let bound = (before.len() + 1) * turns as usize;
        for round in 0..bound {
            // Always something of a higher priority is there.
            for priority in load[round % load.len()].iter().chain([&9]) {
                let slot = fresh.next().unwrap() % 5000;
                if !inside.contains(&slot) {
                    levels.push(slot, *priority);
                    inside.push_back(slot);
                }
            }
            let other = inside[raised.index(inside.len())];
            if other != 0 {
                levels.raise(other, 10);
            }
            let slot = levels.pop().unwrap();
            inside.retain(|other| *other != slot);
            if slot == 0 {
                return Ok(());
            }
        }
        prop_assert!(false, "it still waits after {} hand-outs", bound);
    }
}
