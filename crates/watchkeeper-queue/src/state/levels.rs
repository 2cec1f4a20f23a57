//! Slots that are ready, by priority and by age.

use std::num::NonZeroU32;

use self::list::{AGE, LEVEL, List, Node};

mod list;
#[cfg(test)]
mod tests;

/// Every ready slot stands in two lines: that of its priority, and that of all.
///
/// The head of the highest priority leaves first, but each so many hand-outs the head of the line
/// of all does. So a slot with `n` others before it in that line leaves with the `n + 1`st of
/// those turns at the latest, whatever comes meanwhile.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    /// Those that are not empty, the highest priority last.
    levels: Vec<Level>,
    /// All, the longest ready first.
    all: List<AGE>,
    /// Where each slot stands.
    nodes: Vec<Node>,
    /// Each so many hand-outs the oldest leaves.
    oldest_every: NonZeroU32,
    /// Hand-outs since the oldest had its turn.
    turn: u32,
}

#[derive(Clone, Debug)]
struct Level {
    priority: i32,
    line: List<LEVEL>,
}

impl Levels {
    pub(super) fn new(oldest_every: NonZeroU32) -> Self {
        let all = List::default();
        Self { levels: Vec::new(), all, nodes: Vec::new(), oldest_every, turn: 0 }
    }

    /// Adds a slot that is not here, at the end of both lines.
    pub(super) fn push(&mut self, slot: u32, priority: i32) {
        self.make_room(slot);
        self.all.push_back(&mut self.nodes, slot);
        self.push_to_level(slot, priority);
    }

    /// Moves a slot to the end of a priority's line; its age stays.
    pub(super) fn raise(&mut self, slot: u32, priority: i32) {
        self.remove_from_level(slot);
        self.push_to_level(slot, priority);
    }

    /// Takes the slot whose turn it is.
    pub(super) fn pop(&mut self) -> Option<u32> {
        let oldest = self.all.head()?;
        self.turn += 1;
        let slot = if self.turn >= self.oldest_every.get() {
            self.turn = 0;
            oldest
        } else {
            self.levels.last()?.line.head()?
        };
        self.all.remove(&mut self.nodes, slot);
        self.remove_from_level(slot);
        Some(slot)
    }

    /// Gives back the memory of a great burst. Nothing is here.
    pub(super) fn shrink(&mut self) {
        self.nodes = Vec::new();
    }

    fn push_to_level(&mut self, slot: u32, priority: i32) {
        self.nodes[slot as usize].priority = priority;
        let at = match self.levels.last() {
            Some(last) if last.priority == priority => self.levels.len() - 1,
            _ => self.level_of(priority).unwrap_or_else(|at| {
                self.levels.insert(at, Level { priority, line: List::default() });
                at
            }),
        };
        self.levels[at].line.push_back(&mut self.nodes, slot);
    }

    fn remove_from_level(&mut self, slot: u32) {
        let Ok(at) = self.level_of(self.nodes[slot as usize].priority) else { return };
        let line = &mut self.levels[at].line;
        line.remove(&mut self.nodes, slot);
        if line.head().is_none() {
            self.levels.remove(at);
        }
    }

    /// Where the level is, or would be.
    fn level_of(&self, priority: i32) -> Result<usize, usize> {
        self.levels.binary_search_by_key(&priority, |level| level.priority)
    }

    fn make_room(&mut self, slot: u32) {
        if slot as usize >= self.nodes.len() {
            self.nodes.resize(slot as usize + 1, Node::default());
        }
    }
}
