//! Many histories, one after another on each of several threads.

use std::fmt;
use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::faults::{Counts, Fault, Pace};
use crate::world::{self, Informer, Names, Outcome};

/// Changes of one history. What it takes to know the truth is forgotten with it.
const CHANGES_A_WORLD: u64 = 10_000;

/// Of so many changes, each class of faults must have struck at least once.
pub const CHANGES_A_FAULT: u64 = 2_000;
/// The same where there are many objects: a range of them is many changes, and little time for faults.
const CHANGES_A_FAULT_OF_MANY: u64 = 10_000;

/// What many histories came to.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The seed of the first.
    pub seed: u64,
    /// How many there were.
    pub worlds: u64,
    /// The sums of all.
    pub changes: u64,
    /// How many changes handlers were told of.
    pub heard: u64,
    /// How many handlers there were.
    pub handlers: u64,
    /// How often copies were looked at.
    pub looks: u64,
    /// How many own writes were read back.
    pub reads: u64,
    /// The time in the worlds.
    pub time: Duration,
    /// How often each class struck.
    pub struck: Counts,
    /// The classes that it must have seen.
    pub classes: Vec<Fault>,
    /// Of so many changes each class must have struck once; the page of a list that has expired, of five times
    /// as many. Without, each must have struck.
    pub changes_a_fault: Option<u64>,
    /// The seeds of histories in which a rule was broken, and which.
    pub broken: Vec<(u64, String)>,
}

/// Runs histories of so many changes in all. The same seed is the same run, however many threads there are.
#[must_use]
pub fn run(seed: u64, changes: u64, names: Names) -> Report {
    let worlds = changes.div_ceil(CHANGES_A_WORLD).max(1);
    let each = changes.div_ceil(worlds);
    let classes = world::classes(Pace::Paused);
    let changes_a_fault = Some(match names {
        Names::Few => CHANGES_A_FAULT,
        Names::Many(_) => CHANGES_A_FAULT_OF_MANY,
    });
    let report = Report { seed, worlds, classes, changes_a_fault, ..Report::default() };
    let report = Mutex::new(report);
    let next = AtomicU64::new(0);
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let world = next.fetch_add(1, Ordering::Relaxed);
                    if world >= worlds {
                        return;
                    }
                    let seed = seed.wrapping_add(world);
                    let outcome = world::run(Informer::Ours, seed, each, names);
                    report.lock().unwrap_or_else(PoisonError::into_inner).add(seed, &outcome);
                }
            });
        }
    });
    let mut report = report.into_inner().unwrap_or_else(PoisonError::into_inner);
    report.broken.sort();
    report
}

impl Report {
    /// The report of one history, in which each class must have struck.
    #[must_use]
    pub fn of(seed: u64, outcome: &Outcome, classes: Vec<Fault>) -> Self {
        let mut report = Self { seed, worlds: 1, classes, ..Self::default() };
        report.add(seed, outcome);
        report
    }

    fn add(&mut self, seed: u64, outcome: &Outcome) {
        self.changes += outcome.changes;
        self.heard += outcome.heard;
        self.handlers += outcome.handlers;
        self.looks += outcome.looks;
        self.reads += outcome.reads;
        self.time += outcome.time;
        self.struck.add(&outcome.struck);
        self.broken.extend(outcome.broken.clone().map(|broken| (seed, broken)));
    }

    /// How often each class must have struck, but for expired pages, or the run does not count.
    #[must_use]
    pub fn least(&self) -> u64 {
        self.one_of(1)
    }

    /// The same for the page of a list that has expired: most lists are not asked for in pages.
    #[must_use]
    pub fn least_pages(&self) -> u64 {
        self.one_of(5)
    }

    fn one_of(&self, times: u64) -> u64 {
        self.changes_a_fault.map_or(1, |changes| (self.changes / (times * changes)).max(1))
    }

    /// The classes that struck too rarely.
    #[must_use]
    pub fn rare(&self) -> Vec<Fault> {
        let pages = self.least_pages();
        let mut rare = self.struck.rare(self.least(), &self.classes);
        rare.retain(|fault| *fault != Fault::PageExpired || self.struck.of(*fault) < pages);
        rare
    }

    /// Whether no rule was broken, and the run counts.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.broken.is_empty() && self.rare().is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, worlds, changes, heard, handlers, looks, reads, .. } = self;
        let days = self.time.as_secs() / 86_400;
        writeln!(
            f,
            "seed {seed}: {worlds} histories, {changes} changes, {days} days of their time"
        )?;
        writeln!(f, "{handlers} handlers were told {heard} changes")?;
        writeln!(f, "{looks} looks at copies, {reads} own writes read back")?;
        let (each, pages) = (self.least(), self.least_pages());
        writeln!(f, "faults, each at least {each} times, expired pages {pages}:")?;
        write!(f, "{}", self.struck)?;
        for fault in self.rare() {
            writeln!(f, "the run does not count: too rarely: {}", fault.name())?;
        }
        for (seed, broken) in &self.broken {
            writeln!(f, "BROKEN with seed {seed}: {broken}")?;
        }
        Ok(())
    }
}
