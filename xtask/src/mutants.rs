//! `cargo xtask mutants`: whether the tests notice when a state decides otherwise.
//!
//! cargo-mutants lists changes of one place each: an operator, a condition, what a function answers. To build
//! one after the other would take hours. So a copy of the tree gets all of them, each behind a switch, and is
//! built once; the tests of the module are run with one switch after the other, and with none. A mutant that
//! no test notices has survived: either a check is missing, or the change is none. Those that are known are
//! explained in `docs/design/mutants.md`.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::thread;

use self::mutant::Mutant;
use self::program::Program;
use self::states::{STATES, States};
use self::tally::Tally;
use self::tree::Tree;
use self::trial::{Trial, Verdict};
use crate::{Outcome, process, step};

mod blame;
mod control;
mod mutant;
mod places;
mod program;
mod states;
mod switched;
mod tally;
mod tree;
mod trial;

/// The arguments of `cargo xtask mutants`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only of this package
    #[arg(long)]
    package: Option<String>,
    /// Only of this file of the package (`src/state.rs`)
    #[arg(long, requires = "package")]
    file: Option<String>,
    /// Only those of which this file says that they survived, as an earlier run has printed it
    #[arg(long, conflicts_with = "sample")]
    again: Option<PathBuf>,
    /// So many of each package, drawn by `--seed`; all of them, or as many as are usual where there are thousands
    #[arg(long)]
    sample: Option<usize>,
    /// What a sample is drawn by
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only tell which of them no test comes to, which takes minutes where they are thousands
    #[arg(long)]
    reach: bool,
    /// How many of a hundred mutants must be caught
    #[arg(long, default_value_t = LEAST)]
    at_least: f64,
}

/// Before the name of a mutant that no test has noticed.
const SURVIVED: &str = "survived: ";

/// Before the name of one to which no test comes.
const UNREACHED: &str = "unreached: ";

/// Of a hundred mutants.
const LEAST: f64 = 95.0;

/// Runs the chore.
///
/// # Errors
/// When there is no cargo-mutants, the tests fail without any change, or too many mutants survive.
pub(crate) fn run(args: &Args) -> Outcome {
    let mut few = Vec::new();
    for (package, tally) in of_all(args)? {
        if args.reach {
            eprintln!("{package}: no test comes to {} mutants", tally.sum().viable());
            continue;
        }
        let rate = tally.rate();
        eprintln!("\n{package}\n{tally}");
        if rate < args.at_least {
            few.push(format!("{package}: {rate:.1} %"));
        }
    }
    if few.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    Err(format!("less than {} % of the mutants were caught: {}", args.at_least, few.join(", ")))
}

/// Runs all of them and tells it in a line.
///
/// # Errors
/// As [`run`].
pub(crate) fn all(what: &mut String) -> Outcome<()> {
    let args = Args {
        package: None,
        file: None,
        again: None,
        sample: None,
        seed: 1,
        reach: false,
        at_least: LEAST,
    };
    let mut parts = Vec::new();
    let mut is_enough = true;
    for (package, tally) in of_all(&args)? {
        let sum = tally.sum();
        parts.push(format!("{package} {} of {}", sum.noticed(), sum.viable()));
        is_enough &= tally.rate() >= LEAST;
    }
    *what = format!("mutants of the states that the tests notice: {}", parts.join(", "));
    if is_enough { Ok(()) } else { Err(what.clone()) }
}

fn of_all(args: &Args) -> Outcome<Vec<(&'static str, Tally)>> {
    if process::answers(Command::new("cargo").args(["mutants", "--version"])) != Ok(true) {
        return Err("no cargo-mutants: cargo install cargo-mutants --locked".to_owned());
    }
    let wanted = |states: &&States| args.package.as_deref().is_none_or(|p| p == states.package);
    let states: Vec<_> = STATES.iter().filter(wanted).collect();
    if states.is_empty() {
        let known: Vec<_> = STATES.iter().map(|states| states.package).collect();
        return Err(format!("no states are known but those of {}", known.join(" and ")));
    }
    let run = |states: &&States| {
        let tally = step::timed(states.package, || mutate(states, args))?;
        Ok((states.package, tally))
    };
    states.iter().map(run).collect()
}

/// Builds the package with its mutants and runs its tests with each.
fn mutate(states: &States, args: &Args) -> Outcome<Tally> {
    let (mutants, areas) = listed(states, args)?;
    let tree = step::timed("a copy of the tree", Tree::lay_out)?;
    let folder = tree.folder(states.package);
    let program = Program::build(&tree, states, &mutants)?;
    let mut tally = Tally::default();
    let mut trials = Vec::new();
    for (number, area) in states.areas.iter().enumerate() {
        let control = || Trial::control(&program.paths, &folder, area.tests);
        let trial = step::timed("the tests without a mutant", control)?;
        let held = program.held.iter().filter(|held| areas[**held] == number);
        let held: Vec<_> = held.copied().collect();
        if args.reach {
            for held in held.into_iter().filter(|held| !trial.reaches(*held)) {
                eprintln!("{UNREACHED}{}", mutants[held].name);
                tally.add(&mutants[held], Verdict::Missed);
            }
            continue;
        }
        let name = format!("{} mutants, {}", held.len(), area.tests.join(" "));
        let each = |held: &usize| {
            let verdict = trial.run(&program.paths, Some(*held))?;
            if verdict == Verdict::Missed {
                // Now, as it takes long until the table is there.
                eprintln!("{SURVIVED}{}", mutants[*held].name);
            }
            Ok(verdict)
        };
        for (held, verdict) in step::timed(&name, || side_by_side(&held, each))? {
            tally.add(&mutants[*held], verdict);
        }
        trials.push(trial);
    }
    if args.reach {
        return Ok(tally);
    }
    for number in program.unviable {
        tally.add(&mutants[number], Verdict::Unviable);
    }
    let alone = match states.sample {
        None => program.alone,
        Some(_) => {
            // To build each of them alone would take longer than all others together.
            tally.leave_out(program.alone.len());
            Vec::new()
        }
    };
    for number in alone {
        let mutant = &mutants[number];
        let verdict = step::timed(&mutant.name, || {
            let tree = Tree::lay_out()?;
            let programs = program::alone(&tree, states, mutant)?;
            let Some(programs) = programs else { return Ok(Verdict::Unviable) };
            trials[areas[number]].run(&programs, None)
        });
        tally.add(mutant, verdict?);
    }
    if tally.sum().viable() == 0 { Err("there was no mutant at all".to_owned()) } else { Ok(tally) }
}

/// The mutants of all areas, of one file, or a sample of them, and the area of each.
fn listed(states: &States, args: &Args) -> Outcome<(Vec<Mutant>, Vec<usize>)> {
    let mut listed = Vec::new();
    let again = args.again.as_deref().map(survivors).transpose()?;
    for (number, area) in states.areas.iter().enumerate() {
        let wanted = |mutant: &Mutant| {
            args.file.as_ref().is_none_or(|file| *file == mutant.file)
                && again.as_ref().is_none_or(|names| names.contains(&mutant.name))
        };
        let mutants = mutant::list(states, area)?.into_iter().filter(wanted);
        listed.extend(mutants.map(|mutant| (mutant, number)));
    }
    let usual = states.sample.filter(|_| args.file.is_none() && again.is_none() && !args.reach);
    let sample = args.sample.or(usual);
    if let Some(sample) = sample.filter(|sample| *sample < listed.len()) {
        eprintln!("{sample} of {} mutants, drawn by {}", listed.len(), args.seed);
        listed.sort_by_cached_key(|(mutant, _)| drawn(args.seed, &mutant.name));
        listed.truncate(sample);
        listed
            .sort_by(|(one, _), (other, _)| (&one.file, one.from).cmp(&(&other.file, other.from)));
    }
    Ok(listed.into_iter().unzip())
}

/// The names that an earlier run has printed.
fn survivors(path: &Path) -> Outcome<BTreeSet<String>> {
    let text = String::from_utf8_lossy(&tree::read(path)?).into_owned();
    Ok(text.lines().filter_map(|line| line.strip_prefix(SURVIVED)).map(str::to_owned).collect())
}

/// A number for each name, another one for another seed.
fn drawn(seed: u64, name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (seed, name).hash(&mut hasher);
    hasher.finish()
}

/// Does something with each, as many at a time as there are processors.
fn side_by_side<T: Sync, U: Send>(
    all: &[T],
    each: impl Fn(&T) -> Outcome<U> + Sync,
) -> Outcome<Vec<(&T, U)>> {
    let left = Mutex::new(all.iter());
    let work = || {
        let next = || left.lock().ok()?.next();
        let done = std::iter::from_fn(next).map(|one| Ok((one, each(one)?)));
        done.collect::<Outcome<Vec<_>>>()
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let done = thread::scope(|scope| {
        let workers: Vec<_> = (0..processors).map(|_| scope.spawn(work)).collect();
        let ended = workers.into_iter().map(thread::ScopedJoinHandle::join);
        ended.map(|done| done.unwrap_or_else(|_| Err("a panic".to_owned()))).collect()
    });
    Outcome::<Vec<Vec<_>>>::map(done, |done| done.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests;
