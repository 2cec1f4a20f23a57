//! Slots that are ready, by priority and by age.

use std::num::NonZeroU32;

use self::list::List;
pub(super) use self::list::{Node, Nodes};

mod list;
#[cfg(test)]
mod tests;

/// A line of slots for each priority, in the order in which they came to it.
///
/// The head of the highest priority leaves first, but each so many hand-outs that head leaves which
/// has been in its line the longest. So a slot leaves, when `n` others have been in theirs for
/// longer, with the `n + 1`st of those turns at the latest, whatever comes meanwhile.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    /// Those that are not empty, the highest priority last.
    levels: Vec<Level>,
    /// Counts the slots that came to a line.
    arrivals: u64,
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

impl Levels {
    pub(super) fn new(oldest_every: NonZeroU32) -> Self {
        Self { levels: Vec::new(), arrivals: 0, oldest_every, turn: 0 }
    }

    /// Adds a slot that is not here, at the end of a priority's line.
    #[inline]
    pub(super) fn push(&mut self, nodes: &mut impl Nodes, slot: u32, priority: i32) {
        self.arrivals += 1;
        let at = match self.level_of(priority) {
            Ok(at) => at,
            Err(at) => {
                self.levels.insert(at, Level { priority, line: List::default() });
                at
            }
        };
        self.levels[at].line.push_back(nodes, slot, self.arrivals);
    }

    /// Moves a slot to the end of another priority's line, where its wait begins anew.
    pub(super) fn raise(&mut self, nodes: &mut impl Nodes, slot: u32, from: i32, to: i32) {
        if let Ok(at) = self.level_of(from) {
            self.levels[at].line.remove(nodes, slot);
            self.clear(at);
        }
        self.push(nodes, slot, to);
    }

    /// Takes the slot whose turn it is.
    #[inline]
    pub(super) fn pop(&mut self, nodes: &impl Nodes) -> Option<u32> {
        let highest = self.levels.len().checked_sub(1)?;
        self.turn += 1;
        let at = if self.turn >= self.oldest_every.get() {
            self.turn = 0;
            self.oldest(nodes)?
        } else {
            highest
        };
        let slot = self.levels[at].line.pop_front(nodes)?;
        self.clear(at);
        Some(slot)
    }

    /// Which level has the head that has been in its line the longest.
    fn oldest(&self, nodes: &impl Nodes) -> Option<usize> {
        let arrival = |level: &Level| Some(nodes.node(level.line.head()?).arrival);
        (0..self.levels.len()).min_by_key(|at| arrival(&self.levels[*at]))
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
