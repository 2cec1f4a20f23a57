//! Slots that are ready, by priority and by age.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use self::list::List;
pub(super) use self::list::{Node, Nodes};

mod list;
#[cfg(test)]
mod tests;

/// A line of slots for each priority, in the order in which they came to it.
///
/// The head of the highest priority leaves first, but each so many hand-outs the slot leaves which
/// has been ready the longest. So a slot leaves, when `n` others have been ready for longer, with the
/// `n + 1`st of those turns at the latest, whatever comes meanwhile and however often it is raised.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    /// Those that are not empty, the highest priority last.
    levels: Vec<Level>,
    /// Counts the slots that became ready.
    arrivals: u64,
    /// Those that were raised, by their arrival: alone of all they may stand behind younger ones.
    raised: BTreeMap<u64, Raised>,
    /// Each so many hand-outs the oldest leaves.
    oldest_every: NonZeroU32,
    /// Hand-outs since the oldest had its turn.
    turn: u32,
}

#[derive(Clone, Debug)]
struct Level {
    priority: i32,
    line: List,
}

#[derive(Clone, Copy, Debug)]
struct Raised {
    slot: u32,
    priority: i32,
}

impl Levels {
    pub(super) fn new(oldest_every: NonZeroU32) -> Self {
        let (levels, raised) = (Vec::new(), BTreeMap::new());
        Self { levels, arrivals: 0, raised, oldest_every, turn: 0 }
    }

    /// Adds a slot that is not here, at the end of a priority's line.
    #[inline]
    pub(super) fn push(&mut self, nodes: &mut impl Nodes, slot: u32, priority: i32) {
        self.arrivals += 1;
        self.stand(nodes, slot, priority, self.arrivals);
    }

    /// Moves a slot to the end of another priority's line, as old as it is.
    pub(super) fn raise(&mut self, nodes: &mut impl Nodes, slot: u32, from: i32, to: i32) {
        let arrival = nodes.node(slot).arrival;
        self.leave(nodes, slot, from);
        self.stand(nodes, slot, to, arrival);
        self.raised.insert(arrival, Raised { slot, priority: to });
    }

    /// Takes the slot whose turn it is.
    #[inline]
    pub(super) fn pop(&mut self, nodes: &mut impl Nodes) -> Option<u32> {
        let highest = self.levels.len().checked_sub(1)?;
        self.turn += 1;
        let slot = if self.turn >= self.oldest_every.get() {
            self.turn = 0;
            self.pop_oldest(nodes)?
        } else {
            self.pop_head(nodes, highest)?
        };
        if !self.raised.is_empty() {
            self.raised.remove(&nodes.node(slot).arrival);
        }
        Some(slot)
    }

    /// Takes the slot that has been ready the longest: the head of a line, or one that was raised.
    fn pop_oldest(&mut self, nodes: &mut impl Nodes) -> Option<u32> {
        let arrival = |level: &Level| Some(nodes.node(level.line.head()?).arrival);
        let heads = self.levels.iter().enumerate().filter_map(|(at, l)| Some((arrival(l)?, at)));
        let (oldest, at) = heads.min()?;
        match self.raised.first_key_value() {
            Some((arrival, raised)) if *arrival < oldest => {
                let Raised { slot, priority } = *raised;
                self.leave(nodes, slot, priority);
                Some(slot)
            }
            Some(_) | None => self.pop_head(nodes, at),
        }
    }

    #[inline]
    fn pop_head(&mut self, nodes: &impl Nodes, at: usize) -> Option<u32> {
        let slot = self.levels[at].line.pop_front(nodes)?;
        self.clear(at);
        Some(slot)
    }

    #[inline]
    fn stand(&mut self, nodes: &mut impl Nodes, slot: u32, priority: i32, arrival: u64) {
        let at = match self.level_of(priority) {
            Ok(at) => at,
            Err(at) => {
                self.levels.insert(at, Level { priority, line: List::default() });
                at
            }
        };
        self.levels[at].line.push_back(nodes, slot, arrival);
    }

    fn leave(&mut self, nodes: &mut impl Nodes, slot: u32, priority: i32) {
        if let Ok(at) = self.level_of(priority) {
            self.levels[at].line.remove(nodes, slot);
            self.clear(at);
        }
    }

    /// Where the level is, or would be.
    #[inline]
    fn level_of(&self, priority: i32) -> Result<usize, usize> {
        match self.levels.last() {
            Some(last) if last.priority == priority => Ok(self.levels.len() - 1),
            _ => self.levels.binary_search_by_key(&priority, |level| level.priority),
        }
    }

    /// Removes a level that has become empty.
    #[inline]
    fn clear(&mut self, at: usize) {
        if self.levels[at].line.head().is_none() {
            self.levels.remove(at);
        }
    }
}
