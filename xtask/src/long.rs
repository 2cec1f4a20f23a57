//! `cargo xtask long`: what is too long for CI. Prints the rows for `docs/long-runs.md`.

use std::process::{Command, ExitCode};

use crate::{Outcome, process, step, workspace};

/// The arguments of `cargo xtask long`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How many seeds the sample's whole story is run with
    #[arg(long, default_value_t = 300)]
    seeds: u32,
    /// How many cases each property test draws
    #[arg(long, default_value_t = 2_000)]
    cases: u32,
}

/// Runs every long check.
///
/// # Errors
/// The first that fails.
pub(crate) fn run(args: &Args) -> Outcome {
    let commit = text(Command::new("git").args(["rev-parse", "--short", "HEAD"]))?;
    let date = text(Command::new("date").args(["-u", "+%Y-%m-%d"]))?;
    let seeds = args.seeds.to_string();
    let cases = args.cases.to_string();
    let drawn = text(Command::new("date").arg("+%s"))?;
    let mut rows = Vec::new();
    let mut check = |what: String, command: &mut Command| -> Outcome<()> {
        let (seconds, outcome) = step::measured(|| process::succeed(command));
        outcome?;
        rows.push(format!("| {date} | {commit} | {what} | {seconds:.0} s |"));
        Ok(())
    };
    check(
        format!(
            "the sample's story in paused time, {seeds} seeds: {seeds} histories, one final state"
        ),
        cargo(&["test", "--package", "sample-controller", "--test", "it", "determinism"])
            .env("WATCHKEEPER_SEEDS", &seeds),
    )?;
    check(
        format!("property tests, {cases} cases each, seed {drawn}"),
        cargo(&["test", "--package", "watchkeeper-api", "--package", "watchkeeper-queue"])
            .args(["--package", "watchkeeper-cache", "--package", "watchkeeper-apiserver", "--lib"])
            .env("PROPTEST_CASES", &cases)
            .env("PROPTEST_RNG_SEED", &drawn),
    )?;
    check(
        "the interned string under Miri".to_owned(),
        cargo(&["+nightly", "miri", "test", "--package", "watchkeeper-api", "--lib", "istr"])
            .env("MIRIFLAGS", "-Zmiri-disable-isolation")
            .env("PROPTEST_CASES", "8"),
    )?;
    check(
        "the facts, read off the Go types and a running kube-apiserver again: unchanged".to_owned(),
        cargo(&["xtask", "facts", "--check"]).env("CARGO_NET_RETRY", "10"),
    )?;
    for row in rows {
        eprintln!("{row}");
    }
    Ok(ExitCode::SUCCESS)
}

fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(workspace::root()).args(args);
    command
}

fn text(command: &mut Command) -> Outcome<String> {
    Ok(String::from_utf8_lossy(&process::output(command)?).trim().to_owned())
}
