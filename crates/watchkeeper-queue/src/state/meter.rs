//! Counts what happens to the keys, for those who want to know.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::metrics::Figures;

#[cfg(test)]
mod shrinking;
#[cfg(test)]
mod tests;

/// How many priorities are told one by one, as controller-runtime does.
const PRIORITIES: usize = 25;

/// The figures of a queue, and what they are made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Meter {
    /// When all that is counted happens.
    pub(super) now: Duration,
    /// Without what depends on the time at which they are asked for.
    figures: Figures,
    /// The times of each slot.
    times: Vec<Times>,
    /// What is held, the longest first.
    held: BTreeSet<(Duration, u32)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Times {
    added: Duration,
    taken: Duration,
}

impl Meter {
    /// A slot is to run.
    pub(super) fn accepted(&mut self, slot: u32, priority: i32) {
        self.figures.adds += 1;
        *self.depth(priority) += 1;
        self.times(slot).added = self.now;
    }

    /// A slot that is to run has another priority.
    pub(super) fn raised(&mut self, from: i32, to: i32) {
        self.leave(from);
        *self.depth(to) += 1;
    }

    /// A slot was handed out.
    pub(super) fn taken(&mut self, slot: u32, priority: i32) {
        self.leave(priority);
        let now = self.now;
        let times = self.times(slot);
        times.taken = now;
        let waited = now.saturating_sub(times.added);
        self.figures.queue_duration.observe(waited);
        self.held.insert((now, slot));
    }

    /// A slot was given back.
    pub(super) fn returned(&mut self, slot: u32) {
        let taken = self.times(slot).taken;
        self.held.remove(&(taken, slot));
        self.figures.work_duration.observe(self.now.saturating_sub(taken));
    }

    /// A slot was added for later, or as its failures deserve.
    pub(super) fn retried(&mut self) {
        self.figures.retries += 1;
    }

    /// Gives back the memory of a great burst. No slot is to run, or held.
    pub(super) fn shrink(&mut self) {
        self.times = Vec::new();
    }

    /// The figures of now.
    pub(super) fn figures(&self) -> Figures {
        let mut figures = self.figures.clone();
        let durations = self.held.iter().map(|(since, _)| self.now.saturating_sub(*since));
        figures.longest_running = durations.clone().max().unwrap_or_default();
        figures.unfinished_work = durations.sum();
        figures
    }

    fn times(&mut self, slot: u32) -> &mut Times {
        if slot as usize >= self.times.len() {
            self.times.resize(slot as usize + 1, Times::default());
        }
        &mut self.times[slot as usize]
    }

    /// One less; those that came before anything was counted are in no count.
    fn leave(&mut self, priority: i32) {
        let depth = self.depth(priority);
        *depth = depth.saturating_sub(1);
    }

    fn depth(&mut self, priority: i32) -> &mut u64 {
        let depth = &mut self.figures.depth;
        let known = depth.iter().position(|(known, _)| *known == priority);
        match known {
            Some(at) => &mut depth[at].1,
            None if depth.len() < PRIORITIES => {
                depth.push((priority, 0));
                let last = depth.len() - 1;
                &mut depth[last].1
            }
            None => self.figures.depth_of_others.get_or_insert(0),
        }
    }
}
