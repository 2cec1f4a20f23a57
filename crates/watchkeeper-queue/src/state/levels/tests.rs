use std::collections::VecDeque;

use proptest::prelude::*;

use super::*;

/// Levels with what lies with the slots.
struct Lines {
    levels: Levels,
    nodes: Vec<Node>,
    priorities: Vec<i32>,
}

impl Nodes for Vec<Node> {
    fn node(&self, slot: u32) -> &Node {
        &self[slot as usize]
    }

    fn node_mut(&mut self, slot: u32) -> &mut Node {
        &mut self[slot as usize]
    }
}

impl Lines {
    fn push(&mut self, slot: u32, priority: i32) {
        self.priorities[slot as usize] = priority;
        self.levels.push(&mut self.nodes, slot, priority);
    }

    fn raise(&mut self, slot: u32, to: i32) {
        let from = std::mem::replace(&mut self.priorities[slot as usize], to);
        self.levels.raise(&mut self.nodes, slot, from, to);
    }

    fn pop(&mut self) -> Option<u32> {
        self.levels.pop(&mut self.nodes)
    }
}

fn every(turns: u32) -> Lines {
    let levels = Levels::new(NonZeroU32::new(turns).unwrap());
    Lines { levels, nodes: vec![Node::default(); 5000], priorities: vec![0; 5000] }
}

fn drain(lines: &mut Lines) -> Vec<u32> {
    std::iter::from_fn(|| lines.pop()).collect()
}

#[test]
fn the_oldest_leaves_each_so_many_turns() {
    let mut lines = every(3);
    for slot in 0..8 {
        lines.push(slot, if slot < 3 { -100 } else { 0 });
    }
    assert_eq!(drain(&mut lines), [3, 4, 0, 5, 6, 1, 7, 2]);
    assert!(lines.levels.levels.is_empty(), "no line is kept that is empty");
}

#[test]
fn with_a_turn_each_the_priority_does_not_count() {
    let mut lines = every(1);
    for (slot, priority) in [(0, -1), (1, 5), (2, 0)] {
        lines.push(slot, priority);
    }
    assert_eq!(drain(&mut lines), [0, 1, 2]);
}

#[test]
fn who_is_raised_goes_to_the_end_and_stays_as_old_as_it_is() {
    let mut lines = every(3);
    for slot in 0..5 {
        lines.push(slot, i32::from(slot >= 2));
    }
    lines.raise(0, 1);
    assert_eq!(drain(&mut lines), [2, 3, 0, 4, 1]);
    assert!(lines.levels.raised.is_empty(), "nothing is kept of who has left");
}

/// Raised again and again, it stands behind all others each time.
#[test]
fn who_is_raised_before_each_hand_out_leaves_in_its_turn() {
    let mut lines = every(4);
    lines.push(0, 0);
    let order = [1, 2, 3, 4].map(|round| {
        lines.push(round, round as i32);
        lines.push(round + 10, round as i32);
        lines.raise(0, round as i32);
        lines.pop().unwrap()
    });
    assert_eq!(order, [1, 2, 3, 0]);
}

#[test]
fn many_priorities_leave_in_their_order() {
    let mut lines = every(u32::MAX);
    for slot in 0..1000 {
        lines.push(slot, (slot as i32 * 7) % 1000);
    }
    assert_eq!(lines.levels.levels.len(), 1000);
    let order: Vec<_> = drain(&mut lines).into_iter().map(|slot| slot * 7 % 1000).collect();
    assert_eq!(order, (0..1000).rev().collect::<Vec<_>>());
}

/// Whoever leaves from the head, the middle or the end: the others stay in line.
#[test]
fn a_line_stays_whole_whoever_is_raised() {
    for raised in 0..4 {
        let mut lines = every(u32::MAX);
        (0..5).for_each(|slot| lines.push(slot, 0));
        assert_eq!(lines.pop(), Some(0), "the head has been another");
        lines.raise(raised + 1, 1);
        lines.push(5, 0);
        let others = (1..6).filter(|slot| *slot != raised + 1);
        let expected: Vec<_> = [raised + 1].into_iter().chain(others).collect();
        assert_eq!(drain(&mut lines), expected);
        assert!(lines.levels.levels.is_empty(), "no line is kept that is empty");
    }
}

proptest! {
    /// However many are put in, and however high: who has `n` others before it is out after
    /// `(n + 1) * every` hand-outs, whoever else is raised, and however often it is itself.
    #[test]
    fn p_10_nothing_waits_longer_than_its_bound(
        turns in 1..10_u32,
        before in prop::collection::vec(-3..3_i32, 0..20),
        load in prop::collection::vec(prop::collection::vec(-3..4_i32, 0..4), 1..40),
        raised in any::<prop::sample::Index>(),
        itself in prop::collection::vec(prop::option::of(-3..11_i32), 1..40),
    ) {
        let mut lines = every(turns);
        for (slot, priority) in (1..).zip(&before) {
            lines.push(slot, *priority);
        }
        lines.push(0, -4);
        let mut fresh = 1000_u32..;
        let mut inside: VecDeque<u32> = (0..=before.len() as u32).collect();
        let mut left = (before.len() + 1) * turns as usize;
        for round in 0.. {
            // Always something of a higher priority is there.
            for priority in load[round % load.len()].iter().chain([&9]) {
                let slot = fresh.next().unwrap() % 5000;
                if !inside.contains(&slot) {
                    lines.push(slot, *priority);
                    inside.push_back(slot);
                }
            }
            let other = inside[raised.index(inside.len())];
            if other != 0 {
                lines.raise(other, 10);
            }
            if let Some(priority) = itself[round % itself.len()] {
                lines.raise(0, priority);
            }
            let slot = lines.pop().unwrap();
            inside.retain(|other| *other != slot);
            if slot == 0 {
                prop_assert!(lines.levels.raised.len() <= inside.len());
                return Ok(());
            }
            left -= 1;
            prop_assert!(left > 0, "it still waits after {} hand-outs", round + 1);
        }
    }
}
