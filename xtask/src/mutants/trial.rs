//! The tests of an area, run with a mutant.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use super::control::{self, MANIFEST, Test};
use super::switched::VARIABLE;
use crate::{Outcome, process};

/// So many times the processor time without a mutant may be taken with one.
const PATIENCE: f64 = 30.0;
/// So many tests that take some time are run as one.
const AT_ONCE: usize = 24;
/// In seconds: what takes no time at all may take this.
const LEAST_TIME: f64 = 2.0;
/// In kilobytes: a mutant that grows without end shall not take the machine with it.
const MEMORY: u32 = 8_000_000;
/// Between two looks at the processor time.
const LOOK: Duration = Duration::from_millis(100);
/// A program that took no processor time between so many looks waits for what never comes. Looks are counted and
/// not seconds, as the whole machine may have been halted.
const LOOKS: u32 = 200;
/// The signal for a program that took more processor time than it may.
const TOO_LONG: i32 = 24;
const KILLED: i32 = 9;

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// A test failed.
    Caught,
    /// The tests did not come to an end, which somebody would notice.
    Hung,
    /// No test noticed.
    Missed,
    /// It did not compile.
    Unviable,
}

/// The tests of an area, run with one mutant after the other.
#[derive(Debug)]
pub(super) struct Trial {
    folder: PathBuf,
    tests: Vec<Test>,
}

/// Tests of a program that are run as one.
#[derive(Debug, PartialEq)]
struct Stage<'a> {
    program: usize,
    tests: Vec<&'a str>,
    /// How many seconds of processor time they may take.
    seconds: f64,
}

impl Trial {
    /// Runs the tests whose names have one of `wanted` in them, without a mutant, to see how long they take and
    /// which mutants they get to.
    ///
    /// # Errors
    /// When one fails, or there is none.
    pub(super) fn control(programs: &[PathBuf], folder: &Path, wanted: &[&str]) -> Outcome<Self> {
        let tests = control::tests(programs, folder, wanted)?;
        let trial = Self { folder: folder.to_owned(), tests };
        // Together, and within their bounds, they must pass, too: else every mutant would be noticed.
        match trial.run(programs, None)? {
            Verdict::Missed => Ok(trial),
            verdict => Err(format!("without a mutant, all tests as one: {verdict:?}")),
        }
    }

    /// Whether any test gets to a mutant.
    pub(super) fn reaches(&self, mutant: usize) -> bool {
        self.tests.iter().any(|test| test.reaches.contains(&mutant))
    }

    /// Runs those that get to a mutant with it, or all of them, until one of them fails, or they take too long.
    ///
    /// # Errors
    /// When a program cannot be run.
    pub(super) fn run(&self, programs: &[PathBuf], mutant: Option<usize>) -> Outcome<Verdict> {
        let gets_there = |test: &&Test| mutant.is_none_or(|number| test.reaches.contains(&number));
        for stage in stages(self.tests.iter().filter(gets_there).collect()) {
            let mut tests = Command::new(&programs[stage.program]);
            tests.args(["--test-threads=1", "--exact"]).args(&stage.tests);
            tests.current_dir(&self.folder).env(MANIFEST, &self.folder);
            tests.envs(mutant.map(|n| (VARIABLE, n.to_string())));
            let verdict = judged(&tests, stage.seconds)?;
            if verdict != Verdict::Missed {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Missed)
    }
}

/// Those that take hardly any of the ticks of the kernel's clock, and then the others, the quick ones first: most
/// mutants are caught by then.
fn stages(mut tests: Vec<&Test>) -> Vec<Stage<'_>> {
    tests.sort_by_key(|test| (test.ticks, test.program));
    let quick = tests.partition_point(|test| test.ticks <= 1);
    let (quick, slow) = tests.split_at(quick);
    let parts = [quick].into_iter().chain(slow.chunks(AT_ONCE));
    parts.flat_map(by_program).collect()
}

/// A stage for each program that has one of them.
fn by_program<'a>(tests: &[&'a Test]) -> Vec<Stage<'a>> {
    let programs: BTreeSet<usize> = tests.iter().map(|test| test.program).collect();
    let stage = |program| {
        let of: Vec<_> = tests.iter().filter(|test| test.program == program).collect();
        // What took no whole tick may have taken almost one.
        let ticks: u64 = of.iter().map(|test| test.ticks + 1).sum();
        let seconds = (PATIENCE * ticks as f64 / 100.0).max(LEAST_TIME).ceil();
        Stage { program, tests: of.iter().map(|test| &*test.name).collect(), seconds }
    };
    programs.into_iter().map(stage).collect()
}

/// Runs tests until one fails, or for so many seconds of processor time.
fn judged(command: &Command, seconds: f64) -> Outcome<Verdict> {
    let mut tests = Command::new("sh");
    let limits = format!("ulimit -v {MEMORY}; ulimit -S -t {seconds}; exec \"$0\" \"$@\"");
    tests.args(["-c", &limits]).arg(command.get_program()).args(command.get_args());
    tests.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    tests.current_dir(command.get_current_dir().unwrap_or_else(|| Path::new(".")));
    // What one mutant fails with is no test of the others.
    tests.env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1").env("RUST_BACKTRACE", "0");
    tests.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut tests = tests.spawn().map_err(|e| format!("cannot run the tests: {e}"))?;
    let noticed = watch(&mut tests, LOOKS);
    if noticed.is_some() {
        // Already gone is as good.
        let _gone = tests.kill();
    }
    let status = tests.wait().map_err(|e| format!("cannot wait for the tests: {e}"))?;
    Ok(noticed.unwrap_or_else(|| verdict(status)))
}

/// Reads along. Nothing is noticed when the program ends by itself.
fn watch(tests: &mut Child, patience: u32) -> Option<Verdict> {
    let told = process::lines(tests.stdout.take()?);
    let (mut taken, mut looks) = (None, 0);
    loop {
        match told.recv_timeout(LOOK) {
            Ok(line) if line.ends_with("FAILED") => return Some(Verdict::Caught),
            Ok(_) => looks = 0,
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {
                let now = process::cpu_ticks(tests.id());
                looks = if now == taken { looks + 1 } else { 0 };
                taken = now;
                if looks == patience {
                    return Some(Verdict::Hung);
                }
            }
        }
    }
}

fn verdict(status: ExitStatus) -> Verdict {
    use std::os::unix::process::ExitStatusExt as _;
    match status.signal() {
        Some(TOO_LONG | KILLED) => Verdict::Hung,
        _ if status.success() => Verdict::Missed,
        _ => Verdict::Caught,
    }
}

#[cfg(test)]
mod tests;
