//! `cargo xtask mutants`: whether the tests notice when a state decides otherwise.
//!
//! cargo-mutants changes one expression at a time in a copy of the tree and runs the crate's own tests. What
//! no test notices has survived: either a check is missing, or the change is none. Those that are known are
//! explained in `docs/design/mutants.md`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::{Outcome, process, step, workspace};

/// The modules that decide, and the tests that must notice.
struct States {
    package: &'static str,
    /// Of the package.
    files: &'static [&'static str],
    /// What `cargo test` is asked for.
    tests: &'static [&'static str],
}

const STATES: [States; 2] = [
    States {
        package: "watchkeeper-queue",
        files: &["src/state.rs", "src/state/**/*.rs"],
        tests: &["--lib"],
    },
    States {
        package: "watchkeeper-cache",
        files: &[
            "src/floors.rs",
            "src/floors/*.rs",
            "src/mailbox.rs",
            "src/store/state.rs",
            "src/reflector/state.rs",
            "src/reflector/state/*.rs",
            "src/classic/fifo/state.rs",
            "src/classic/delta_fifo/state.rs",
            "src/classic/heap/state.rs",
        ],
        tests: &["--lib"],
    },
];

/// The arguments of `cargo xtask mutants`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only of this package
    #[arg(long)]
    package: Option<String>,
    /// Only of this file of the package
    #[arg(long, requires = "package")]
    file: Option<String>,
    /// Only a sample: of so many equal parts, this one (`0/8`)
    #[arg(long)]
    shard: Option<String>,
    /// How many of a hundred mutants must be caught
    #[arg(long, default_value_t = LEAST)]
    at_least: f64,
}

/// Of a hundred mutants.
const LEAST: f64 = 95.0;

/// Runs the chore.
///
/// # Errors
/// When there is no cargo-mutants, the tests fail without any change, or too many mutants survive.
pub(crate) fn run(args: &Args) -> Outcome {
    let mut few = Vec::new();
    for (package, tally) in of_all(args)? {
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
    let args = Args { package: None, file: None, shard: None, at_least: LEAST };
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

/// Runs cargo-mutants, which ends with 2 when a mutant survived and with 3 when a test hung.
fn mutate(states: &States, args: &Args) -> Outcome<Tally> {
    let folder = workspace::target().join("mutants").join(states.package);
    fs::create_dir_all(&folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    let mut mutants = Command::new("cargo");
    mutants.current_dir(workspace::root()).args(["mutants", "--package", states.package]);
    let files = args.file.as_deref().map_or(states.files.to_vec(), |file| vec![file]);
    for file in files {
        mutants.args(["--file", &format!("crates/{}/{file}", states.package)]);
    }
    if let Some(shard) = &args.shard {
        mutants.args(["--shard", shard, "--sharding", "round-robin"]);
    }
    mutants.args(["--gitignore", "true", "--no-times", "--colors", "never"]);
    mutants.arg("--output").arg(&folder).arg("--").args(states.tests);
    // It builds in its copy of the tree, and all of that goes with it. Each build is a small step of the
    // one before.
    mutants.env_remove("CARGO_TARGET_DIR").env("CARGO_INCREMENTAL", "1");
    mutants.env("CARGO_PROFILE_TEST_DEBUG", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
    let status = process::status(&mut mutants)?;
    if !matches!(status.code(), Some(0 | 2 | 3)) {
        return Err(format!("cargo mutants ended with {status}"));
    }
    Tally::read(&folder.join("mutants.out"))
}

/// What became of the mutants, file by file.
#[derive(Debug, Default)]
struct Tally {
    files: BTreeMap<String, Counts>,
    survivors: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    caught: usize,
    /// The tests did not come to an end, which somebody would notice.
    hung: usize,
    missed: usize,
    /// Not counted: they did not compile.
    unviable: usize,
}

impl Counts {
    const fn viable(self) -> usize {
        self.noticed() + self.missed
    }

    const fn noticed(self) -> usize {
        self.caught + self.hung
    }
}

impl Tally {
    /// Reads the lists that cargo-mutants leaves: a mutant a line, `FILE:LINE:COLUMN: WHAT`.
    fn read(folder: &Path) -> Outcome<Self> {
        let mut tally = Self::default();
        for (name, count) in [
            ("caught", (|counts| &mut counts.caught) as fn(&mut Counts) -> &mut usize),
            ("timeout", |counts| &mut counts.hung),
            ("missed", |counts| &mut counts.missed),
            ("unviable", |counts| &mut counts.unviable),
        ] {
            let path = folder.join(name).with_extension("txt");
            let text = fs::read_to_string(&path)
                .map_err(|e| format!("cannot read {}: {e}", path.display()))?;
            tally.add(&text, count);
            if name == "missed" {
                tally.survivors.extend(text.lines().map(str::to_owned));
            }
        }
        if tally.sum().viable() == 0 {
            return Err("there was no mutant at all".to_owned());
        }
        Ok(tally)
    }

    fn add(&mut self, text: &str, count: fn(&mut Counts) -> &mut usize) {
        for line in text.lines() {
            let file = line.split(':').next().unwrap_or_default();
            let file = file.split_once("/src/").map_or(file, |(_, file)| file);
            *count(self.files.entry(file.to_owned()).or_default()) += 1;
        }
    }

    fn sum(&self) -> Counts {
        let mut sum = Counts::default();
        for counts in self.files.values() {
            sum.caught += counts.caught;
            sum.hung += counts.hung;
            sum.missed += counts.missed;
            sum.unviable += counts.unviable;
        }
        sum
    }

    /// How many of a hundred were noticed.
    fn rate(&self) -> f64 {
        let sum = self.sum();
        100.0 * sum.noticed() as f64 / sum.viable() as f64
    }
}

/// As in `docs/design/mutants.md`.
impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "| module | mutants | caught | hung | survived |\n|---|---|---|---|---|")?;
        let all = ("all".to_owned(), self.sum());
        let rows = self.files.iter().chain([(&all.0, &all.1)]);
        for (file, counts) in rows {
            let Counts { caught, hung, missed, .. } = *counts;
            writeln!(f, "| {file} | {} | {caught} | {hung} | {missed} |", counts.viable())?;
        }
        writeln!(f, "{:.1} % caught; {} did not compile", self.rate(), all.1.unviable)?;
        self.survivors.iter().try_for_each(|survivor| writeln!(f, "survived: {survivor}"))
    }
}

#[cfg(test)]
mod tests;
