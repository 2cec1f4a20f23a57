//! `cargo xtask size`: how big the released programs are, and how much memory they hold when idle.
//!
//! As it is shipped (`--profile dist`), the smallest one is held to the goal: the chore fails above it.
//!
//! Builds nothing. For true figures build each program by itself: two in one `cargo build` share
//! the features of both. The servers are started by `cargo xtask real run`, which runs this chore
//! again with `--inside`.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use serde_json::Value;

use crate::process::{Lifetime, Server};
use crate::programs::built;
use crate::sample::Sample;
use crate::{Outcome, kernel, real, step};

#[cfg(test)]
mod tests;

/// The profile of what is shipped.
const SHIPPED: &str = "dist";
/// How many bytes the smallest program that is shipped may have, and may hold.
const MOST: u64 = 10_000_000;

/// The arguments of `cargo xtask size`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cache: real::Cache,
    /// How many seconds a program idles before it is looked at
    #[arg(long, default_value_t = 20)]
    idle: u64,
    /// The profile that the programs were built with: release, or dist for what is shipped
    #[arg(long, default_value = "release")]
    profile: String,
    /// Leaves the sample controller out, which takes minutes to link as it is shipped
    #[arg(long)]
    minimal: bool,
    /// Runs with the servers up already; KUBECONFIG and REAL_AUDIT_LOG tell where
    #[arg(long, hide = true)]
    inside: bool,
}

/// Measures the programs and prints the table.
///
/// # Errors
/// When a program is not built or does not do what it is measured at, or the smallest one that is shipped is too large.
pub(crate) fn run(args: &Args) -> Outcome {
    if !args.inside {
        let idle = format!("--idle={}", args.idle);
        let profile = format!("--profile={}", args.profile);
        let mut chore = vec!["size", &idle, &profile];
        chore.extend(args.minimal.then_some("--minimal"));
        return real::run_inside(&args.cache, &chore);
    }
    let idle = Duration::from_secs(args.idle);
    let smallest = built(&args.profile, "minimal");
    // They idle side by side.
    let (watching, converged) = std::thread::scope(|scope| {
        let watching = scope.spawn(|| minimal(&smallest, idle));
        let converged = (!args.minimal).then(|| whole(&args.profile, idle));
        (watching.join(), converged)
    });
    let watching = watching.map_err(|_| "the measuring panicked".to_owned())??;
    let file = size_of(&smallest)?;
    let mut rows = vec![row(&smallest, "watches a real kube-apiserver", file, &watching)];
    rows.extend(converged.transpose()?);
    eprintln!(
        "| program ({}) | file | resident, idle {} s | of it private | doing |",
        args.profile, args.idle
    );
    eprintln!("|---|---|---|---|---|");
    for row in rows {
        eprintln!("{row}");
    }
    if args.profile == SHIPPED {
        within(file, &watching)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What a process holds, in bytes.
#[derive(Debug, PartialEq)]
struct Memory {
    /// In memory, with the pages of the program's file.
    resident: u64,
    /// Of it, what the process made itself: heap and stacks.
    private: u64,
}

/// That the smallest program is no larger than the goal, in its file and in memory.
fn within(file: u64, memory: &Memory) -> Outcome<()> {
    let measured = [("the file", file), ("resident memory", memory.resident)];
    let above = measured.into_iter().filter(|(_, bytes)| *bytes > MOST);
    let above: Vec<_> = above
        .map(|(what, bytes)| {
            let [has, most] = [bytes, MOST].map(megabytes);
            format!(
                "minimal, as it is shipped: {what} has {has}, {} bytes above {most}",
                bytes - MOST
            )
        })
        .collect();
    if above.is_empty() { Ok(()) } else { Err(above.join("\n")) }
}

fn size_of(program: &Path) -> Outcome<u64> {
    let file = fs::metadata(program).map_err(|e| format!("{}: {e}", program.display()))?;
    Ok(file.len())
}

fn row(program: &Path, doing: &str, file: u64, memory: &Memory) -> String {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let [file, resident, private] = [file, memory.resident, memory.private].map(megabytes);
    format!("| {name} | {file} | {resident} | {private} | {doing} |")
}

/// With one digit after the point.
fn megabytes(bytes: u64) -> String {
    let tenths = (bytes + 50_000) / 100_000;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

/// The row of the sample controller.
fn whole(profile: &str, idle: Duration) -> Outcome<String> {
    let program = built(profile, "sample-controller");
    let memory = sample(&program, idle)?;
    Ok(row(&program, "its Foo converged, cluster inside", size_of(&program)?, &memory))
}

/// The minimal controller against the real server, once its watch is open.
fn minimal(program: &Path, idle: Duration) -> Outcome<Memory> {
    let log = real::own_folder()?.join("minimal.log");
    let mut program = Server::start(Command::new(program), &log, Lifetime::Ours)?;
    let audit = real::path_of("REAL_AUDIT_LOG")?;
    let measured = step::timed("minimal, idle", || {
        step::until(Duration::from_secs(30), || {
            program.check().map_err(|e| format!("{e}; see {}", log.display()))?;
            watches(&audit, "minimal", "configmaps")
        })
        .map_err(|e| format!("minimal does not watch: {e}"))?;
        step::pause(idle);
        program.check()?;
        memory(program.id())
    });
    program.stop();
    measured
}

/// The sample controller on its embedded cluster, once its Foo has converged.
fn sample(program: &Path, idle: Duration) -> Outcome<Memory> {
    let sample = Sample::start_program(program, &[])?;
    let measured = step::timed("sample-controller, idle", || {
        step::pause(idle);
        memory(sample.id())
    })?;
    sample.stop()?;
    Ok(measured)
}

/// Whether the audit log tells of a watch by this user agent.
fn watches(audit: &Path, agent: &str, resource: &str) -> Outcome<bool> {
    let text = fs::read_to_string(audit).map_err(|e| format!("{}: {e}", audit.display()))?;
    let entries = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    Ok(entries.into_iter().any(|entry| {
        let theirs = entry["userAgent"].as_str().is_some_and(|name| name.starts_with(agent));
        theirs && entry["verb"] == "watch" && entry["objectRef"]["resource"] == resource
    }))
}

/// What the kernel says that a process holds.
fn memory(id: u32) -> Outcome<Memory> {
    Ok(Memory { resident: kernel::resident(id)?, private: kernel::private(id)? })
}
