//! What a queue tells of its work, and to whom.
//!
//! The figures are those of client-go's work queues, and are counted only in queues that somebody
//! wants to hear of. Nothing is pushed: who collects asks, so no task is needed, and what a queue
//! told is gone with it.

use std::fmt;
use std::sync::Weak;
use std::time::Duration;

/// Who collects the figures of queues: a registry's collector, say. The feature `prometheus` has
/// one for `prometheus-client`.
pub trait MetricsProvider: fmt::Debug + Send + Sync {
    /// A queue with a name was made. It can be asked until the last handle to it is dropped.
    fn queue_made(&self, name: &str, queue: Weak<dyn Measured>);
}

/// What can be asked for its figures.
pub trait Measured: Send + Sync {
    /// The figures of now.
    fn figures(&self) -> Figures;
}

/// What a queue has done since it was made, and what it has before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Keys that are to run, by their priority: those ready, and those to run again when they are
    /// given back. Each of the first 25 priorities seen has a line, also when it has no key.
    pub depth: Vec<(i32, u64)>,
    /// The same of all other priorities.
    pub depth_of_others: Option<u64>,
    /// Adds of keys that were not to run yet.
    pub adds: u64,
    /// Adds that were delayed or rate-limited.
    pub retries: u64,
    /// From the first add until the key was handed out.
    pub queue_duration: Durations,
    /// From then until it was given back.
    pub work_duration: Durations,
    /// How long the keys that are held have been, in all.
    pub unfinished_work: Duration,
    /// How long that has been held that has been the longest.
    pub longest_running: Duration,
}

/// How many durations fell into each decade from ten nanoseconds to a thousand seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Durations {
    /// How many are above the bound before and not above that of the same index; the last are
    /// above all.
    pub counts: [u64; Self::BOUNDS.len() + 1],
    /// All of them together.
    pub sum: Duration,
}

impl Durations {
    /// The bounds, as upstream's.
    pub const BOUNDS: [Duration; 12] = {
        let mut bounds = [Duration::from_nanos(10); 12];
        let mut at = 1;
        while at < bounds.len() {
            bounds[at] = match bounds[at - 1].checked_mul(10) {
                Some(bound) => bound,
                None => Duration::MAX,
            };
            at += 1;
        }
        bounds
    };

    /// Adds a duration.
    pub fn observe(&mut self, duration: Duration) {
        self.counts[Self::BOUNDS.partition_point(|bound| *bound < duration)] += 1;
        self.sum = self.sum.saturating_add(duration);
    }

    /// How many there were.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }
}

impl Figures {
    /// Adds those of another queue, as where two have one name.
    pub fn merge(&mut self, other: &Self) {
        for (priority, depth) in &other.depth {
            match self.depth.iter_mut().find(|(known, _)| known == priority) {
                Some((_, known)) => *known += depth,
                None => self.depth.push((*priority, *depth)),
            }
        }
        if let Some(depth) = other.depth_of_others {
            *self.depth_of_others.get_or_insert(0) += depth;
        }
        self.adds += other.adds;
        self.retries += other.retries;
        self.queue_duration.merge(&other.queue_duration);
        self.work_duration.merge(&other.work_duration);
        self.unfinished_work += other.unfinished_work;
        self.longest_running = self.longest_running.max(other.longest_running);
    }
}

impl Durations {
    fn merge(&mut self, other: &Self) {
        for (count, others) in self.counts.iter_mut().zip(&other.counts) {
            *count += others;
        }
        self.sum = self.sum.saturating_add(other.sum);
    }
}

#[cfg(test)]
mod tests;
