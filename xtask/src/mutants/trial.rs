//! The tests of an area, run with a mutant.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use super::switched::VARIABLE;
use crate::{Outcome, process};

/// So many times the processor time without a mutant may be taken with one.
const PATIENCE: f64 = 30.0;
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

/// A test program and its tests, those that take no time before the others: most mutants are caught by then.
#[derive(Debug)]
pub(super) struct Trial {
    folder: PathBuf,
    stages: Vec<Stage>,
}

/// Tests that are run as one.
#[derive(Debug, PartialEq)]
struct Stage {
    tests: Vec<String>,
    /// How many seconds of processor time they may take.
    seconds: f64,
}

impl Trial {
    /// Runs the tests whose names have one of `tests` in them, without a mutant, to see how long they take.
    ///
    /// # Errors
    /// When one fails, or there is none.
    pub(super) fn control(program: &Path, folder: &Path, tests: &[&str]) -> Outcome<Self> {
        let mut control = Command::new(program);
        control.current_dir(folder).arg("--test-threads=1").args(tests).stdout(Stdio::piped());
        let mut control = control.spawn().map_err(|e| format!("cannot run the tests: {e}"))?;
        let mut times = Vec::new();
        let mut before = 0;
        for line in control.stdout.take().map(process::lines).into_iter().flatten() {
            let now = process::cpu_ticks(control.id()).unwrap_or(before);
            if let Some(test) = passed(&line) {
                times.push((test.to_owned(), now.saturating_sub(before)));
            }
            before = now;
        }
        let status = control.wait().map_err(|e| format!("cannot wait for the tests: {e}"))?;
        if !status.success() || times.is_empty() {
            let (count, tests) = (times.len(), tests.join(" "));
            return Err(format!("without a mutant: {tests}: {count} tests pass, {status}"));
        }
        Ok(Self { folder: folder.to_owned(), stages: stages(times) })
    }

    /// Runs them with a mutant until one of them fails, or they take too long.
    ///
    /// # Errors
    /// When the program cannot be run.
    pub(super) fn run(&self, program: &Path, mutant: Option<usize>) -> Outcome<Verdict> {
        for stage in &self.stages {
            let mut tests = Command::new(program);
            tests.args(["--test-threads=1", "--exact"]).args(&stage.tests);
            tests.current_dir(&self.folder).envs(mutant.map(|n| (VARIABLE, n.to_string())));
            let verdict = judged(&tests, stage.seconds)?;
            if verdict != Verdict::Missed {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Missed)
    }
}

/// The test that a line says has passed.
fn passed(line: &str) -> Option<&str> {
    line.strip_prefix("test ")?.strip_suffix(" ... ok")
}

/// Those that take hardly any of the ticks of the kernel's clock, and those that take more.
fn stages(times: Vec<(String, u64)>) -> Vec<Stage> {
    let (quick, slow): (Vec<_>, Vec<_>) = times.into_iter().partition(|(_, ticks)| *ticks <= 1);
    let stage = |times: Vec<(String, u64)>| {
        let ticks: u64 = times.iter().map(|(_, ticks)| ticks).sum();
        let seconds = (PATIENCE * ticks as f64 / 100.0).max(LEAST_TIME).ceil();
        Stage { tests: times.into_iter().map(|(test, _)| test).collect(), seconds }
    };
    [quick, slow].into_iter().filter(|times| !times.is_empty()).map(stage).collect()
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
