//! Many histories, one after another on each of several threads.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::faults::{Fault, Faults, Pace};
use crate::journal::Journal;
use crate::mode::Mode;
use crate::sums::{Sums, Tally};
use crate::world::{self, Informer, Names, Outcome, Server};

/// Changes of one history. What it takes to know the truth is forgotten with it.
const CHANGES_A_WORLD: u64 = 10_000;
/// The same on the real server ([`real`](crate::real)).
const CHANGES_A_REAL_WORLD: u64 = 1_000;
/// Histories between two words on how it goes.
const WORLDS_A_PART: u64 = 100;
/// The same on the real server, whose histories take minutes.
const WORLDS_A_REAL_PART: u64 = 10;

/// Of so many changes, each class of faults must have struck at least once.
pub const CHANGES_A_FAULT: u64 = 2_000;
/// The same where there are many objects: a range of them is many changes, and little time for faults.
const CHANGES_A_FAULT_OF_MANY: u64 = 10_000;

/// Of so many histories one at least must be of each mode; one of fourteen is.
const WORLDS_A_MODE: u64 = 50;

/// Which histories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The seed of the first; each further one has the next.
    pub seed: u64,
    /// Changes of all.
    pub changes: u64,
    /// How many objects each has.
    pub names: Names,
    /// What they are on.
    pub server: Server,
}

impl Plan {
    /// How many histories it is.
    #[must_use]
    pub fn worlds(&self) -> u64 {
        self.changes.div_ceil(self.changes_a_world()).max(1)
    }

    /// Changes of one.
    #[must_use]
    pub fn each(&self) -> u64 {
        self.changes.min(self.changes_a_world())
    }

    const fn worlds_a_part(&self) -> u64 {
        match self.server {
            Server::Embedded | Server::Shelf => WORLDS_A_PART,
            Server::Real => WORLDS_A_REAL_PART,
        }
    }

    const fn changes_a_world(&self) -> u64 {
        match self.server {
            Server::Embedded | Server::Shelf => CHANGES_A_WORLD,
            Server::Real => CHANGES_A_REAL_WORLD,
        }
    }
}

/// What a run must have had, or it does not count.
#[derive(Clone, Debug)]
pub struct Minimums {
    /// The classes of faults that must have struck.
    pub classes: Vec<Fault>,
    /// The modes that histories must have been of.
    pub modes: Vec<Mode>,
    /// Of so many changes each class must have struck once; the page of a list that has expired, of five times
    /// as many.
    pub changes_a_fault: u64,
}

/// What many histories came to.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was meant to be run.
    pub plan: Plan,
    /// What was seen so far.
    pub sums: Sums,
    /// What it must have had.
    pub minimums: Minimums,
    /// The seeds of histories in which a rule was broken, and which.
    pub broken: Vec<(u64, String)>,
}

/// Runs the histories of a plan, on every processor. The same plan is the same run, however many threads there
/// are. `tell` is told now and then how it goes.
///
/// What a `journal` has of the same plan is not run again.
///
/// # Errors
/// The journal cannot be written.
pub fn run(
    plan: Plan,
    journal: Option<&mut Journal>,
    tell: impl FnMut(&Report),
) -> Result<Report, String> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let minimums = Minimums {
        classes: Faults::classes(Pace::Paused),
        modes: Mode::ALL.to_vec(),
        changes_a_fault: match plan.names {
            Names::Few => CHANGES_A_FAULT,
            Names::Many(_) => CHANGES_A_FAULT_OF_MANY,
        },
    };
    let history =
        |seed, changes| Ok(world::run_on(plan.server, Informer::Ours, seed, changes, plan.names));
    Report::new(plan, minimums).run(threads, &history, journal, tell)
}

impl Report {
    /// A report of nothing yet.
    #[must_use]
    pub fn new(plan: Plan, minimums: Minimums) -> Self {
        Self { plan, sums: Sums::default(), minimums, broken: Vec::new() }
    }

    /// Runs what is left of the plan: `history` is given a seed, and how many changes.
    pub(crate) fn run(
        mut self,
        threads: usize,
        history: &(impl Fn(u64, u64) -> Result<Outcome, String> + Sync),
        mut journal: Option<&mut Journal>,
        mut tell: impl FnMut(&Self),
    ) -> Result<Self, String> {
        if let Some(journal) = &journal {
            self.sums = journal.sums().clone();
            self.broken = journal.broken().to_vec();
        }
        let plan = self.plan;
        let seed_of = |world| plan.seed.wrapping_add(world);
        let run = |world| history(seed_of(world), plan.each());
        let mut part = Part::default();
        in_turn(self.sums.worlds..plan.worlds(), threads, &run, |world, outcome| {
            part.count(seed_of(world), outcome);
            if part.sums.worlds < plan.worlds_a_part() && world + 1 < plan.worlds() {
                return Ok(());
            }
            let Part { sums, broken } = std::mem::take(&mut part);
            if let Some(journal) = &mut journal {
                journal.note(&sums, &broken)?;
            }
            self.sums.add(&sums);
            self.broken.extend(broken);
            tell(&self);
            Ok(())
        })?;
        Ok(self)
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
        (self.sums.changes / (times * self.minimums.changes_a_fault)).max(1)
    }

    /// The classes that struck too rarely.
    #[must_use]
    pub fn rare(&self) -> Vec<Fault> {
        let pages = self.least_pages();
        let mut rare = self.sums.struck.rare(self.least(), &self.minimums.classes);
        rare.retain(|fault| *fault != Fault::PageExpired || self.sums.struck.of(*fault) < pages);
        rare
    }

    /// How many histories there must have been of each mode, or the run does not count: of few objects, and
    /// fifty histories or more.
    #[must_use]
    pub const fn least_modes(&self) -> u64 {
        match self.plan.names {
            Names::Few => self.sums.worlds / WORLDS_A_MODE,
            Names::Many(_) => 0,
        }
    }

    /// The modes that came too rarely.
    #[must_use]
    pub fn rare_modes(&self) -> Vec<Mode> {
        let of = |mode: Mode| self.sums.modes.get(mode.name()).copied().unwrap_or(0);
        self.minimums.modes.iter().copied().filter(|mode| of(*mode) < self.least_modes()).collect()
    }

    /// Whether no rule was broken, and the run counts.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.broken.is_empty() && self.rare().is_empty() && self.rare_modes().is_empty()
    }
}

/// What some of the histories came to.
#[derive(Default)]
struct Part {
    sums: Sums,
    broken: Vec<(u64, String)>,
}

impl Part {
    /// One history more.
    fn count(&mut self, seed: u64, outcome: Result<Outcome, String>) {
        let broken = match outcome {
            Ok(outcome) => {
                self.sums.count(&outcome);
                outcome.broken
            }
            Err(problem) => {
                self.sums.worlds += 1;
                Some(problem)
            }
        };
        self.broken.extend(broken.map(|broken| (seed, broken)));
    }
}

/// Runs each number on one of several threads, and tells what came of it in the order of the numbers, whichever is
/// over first. No more are begun once `tell` has failed.
fn in_turn<T: Send>(
    numbers: Range<u64>,
    threads: usize,
    run: &(impl Fn(u64) -> T + Sync),
    mut tell: impl FnMut(u64, T) -> Result<(), String>,
) -> Result<(), String> {
    let next = &AtomicU64::new(numbers.start);
    let end = numbers.end;
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= end || sender.send((number, run(number))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        // Dropped when telling fails, which ends the threads.
        let receiver = receiver;
        let mut early = BTreeMap::new();
        let mut turn = numbers.start;
        for (number, outcome) in &receiver {
            early.insert(number, outcome);
            while let Some(outcome) = early.remove(&turn) {
                tell(turn, outcome)?;
                turn += 1;
            }
        }
        Ok(())
    })
}

/// How many of each.
fn listed(tally: &Tally) -> String {
    let each = tally.iter().map(|(of, count)| format!("{count} {of}"));
    each.collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sums { worlds, changes, heard, looks, reads, .. } = &self.sums;
        let handlers: u64 = self.sums.handlers.values().sum();
        let days = self.sums.seconds / 86_400;
        writeln!(
            f,
            "seed {}: {worlds} histories, {changes} changes, {days} days of their time",
            self.plan.seed
        )?;
        writeln!(
            f,
            "histories, each sort at least {} times: {}",
            self.least_modes(),
            listed(&self.sums.modes)
        )?;
        writeln!(
            f,
            "{handlers} handlers were told {heard} changes: {}",
            listed(&self.sums.handlers)
        )?;
        writeln!(f, "{looks} looks at copies, {reads} own writes read back")?;
        let (each, pages) = (self.least(), self.least_pages());
        writeln!(f, "faults, each at least {each} times, expired pages {pages}:")?;
        write!(f, "{}", self.sums.struck)?;
        for mode in self.rare_modes() {
            writeln!(f, "the run does not count: too rarely: {}", mode.name())?;
        }
        for fault in self.rare() {
            writeln!(f, "the run does not count: too rarely: {}", fault.name())?;
        }
        for (seed, broken) in &self.broken {
            writeln!(f, "BROKEN with seed {seed}: {broken}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::in_turn;

    #[test]
    fn all_are_told_in_their_order_whichever_is_over_first() {
        let first_is_last = std::sync::Barrier::new(2);
        let run = |number: u64| {
            if number == 3 || number == 9 {
                first_is_last.wait();
            }
            number * 2
        };
        let mut told = Vec::new();
        in_turn(3..10, 4, &run, |number, twice| {
            told.push((number, twice));
            Ok(())
        })
        .expect("nothing fails");
        assert_eq!(told, (3..10).map(|number| (number, number * 2)).collect::<Vec<_>>());
    }

    #[test]
    fn no_more_are_begun_once_telling_has_failed() {
        let begun = std::sync::atomic::AtomicU64::new(0);
        let run = |number: u64| begun.fetch_max(number, std::sync::atomic::Ordering::Relaxed);
        let failed = in_turn(0..u64::MAX, 2, &run, |number, _| {
            if number < 5 { Ok(()) } else { Err("no more".to_owned()) }
        });
        assert_eq!(failed, Err("no more".to_owned()));
        assert!(begun.into_inner() >= 5);
    }
}
