//! Runs random histories and tells what came of them: `cargo xtask history`.
#![expect(clippy::print_stdout, reason = "a program that reports")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use watchkeeper_connect::{Config, Options};
use watchkeeper_history::journal::Journal;
use watchkeeper_history::long::{self, Plan, Report};
use watchkeeper_history::mode::Mode;
use watchkeeper_history::real;
use watchkeeper_history::world::{self, Informer, Names, Server};

#[derive(Debug, Parser)]
#[command(about = "Random histories through connections that fail, held against the contract")]
struct Args {
    /// How many changes, in all
    #[arg(long, default_value_t = 100_000)]
    changes: u64,
    /// The dice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// So many objects, of which ranges come and go, instead of up to forty
    #[arg(long, value_parser = clap::value_parser!(u64).range(4..=9_000))]
    names: Option<u64>,
    /// What is done is noted here, and not done again when the same is run once more
    #[arg(long)]
    journal: Option<PathBuf>,
    /// On a server of config maps only, which costs less than the embedded one
    #[arg(long)]
    shelf: bool,
    /// One history only, of this seed, as a report names it
    #[arg(long)]
    one: bool,
    /// The mode of that one, as a report names it, instead of what its seed draws
    #[arg(long, requires = "one", value_parser = mode)]
    mode: Option<Mode>,
    /// On the server of this kubeconfig instead of the embedded one
    #[arg(long)]
    kubeconfig: Option<PathBuf>,
    /// How many histories go on at a time on the server of a kubeconfig; without, 40 to 250, by how many there are
    #[arg(long)]
    writers: Option<usize>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let names = args.names.map_or(Names::Few, Names::Many);
    if args.one {
        let server = if args.shelf { Server::Shelf } else { Server::Embedded };
        let informer = args.mode.map_or(Informer::Ours, Informer::Of);
        let outcome = world::run_on(server, informer, args.seed, args.changes, names);
        println!("{outcome:#?}");
        return if outcome.broken.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    match many(&args, names) {
        Ok(good) => good,
        Err(problem) => {
            println!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// Reads a mode.
fn mode(name: &str) -> Result<Mode, String> {
    let mode = Mode::ALL.iter().copied().find(|mode| mode.name() == name);
    let names = || Mode::ALL.iter().map(|mode| mode.name()).collect::<Vec<_>>().join("\", \"");
    mode.ok_or_else(|| format!("there are \"{}\"", names()))
}

fn many(args: &Args, names: Names) -> Result<ExitCode, String> {
    let server = match &args.kubeconfig {
        Some(_) => Server::Real,
        None if args.shelf => Server::Shelf,
        None => Server::Embedded,
    };
    let plan = Plan { seed: args.seed, changes: args.changes, names, server };
    let mut journal = args.journal.as_ref().map(|path| open(path, &plan)).transpose()?;
    let start = now();
    let tell = |report: &Report| progress(report, start.elapsed());
    let report = match &args.kubeconfig {
        Some(path) => {
            let options = Options { path: Some(path.clone()), ..Options::default() };
            let connect = || {
                let client = Config::from_kubeconfig(&options).and_then(|config| config.client());
                client.map_err(|e| e.to_string())
            };
            let writers = args.writers.unwrap_or_else(|| real::writers(&plan));
            real::run(&connect, plan, writers, journal.as_mut(), tell)?
        }
        None => long::run(plan, journal.as_mut(), tell)?,
    };
    print!("{report}");
    Ok(if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A line, now and then.
fn progress(report: &Report, since: Duration) {
    let (worlds, changes) = (report.sums.worlds, report.sums.changes);
    let (of, broken) = (report.plan.worlds(), report.broken.len());
    let (seconds, held) = (since.as_secs(), resident().unwrap_or_default());
    println!(
        "{worlds} of {of} histories, {changes} changes, {broken} broken; {seconds} s, {held} MB held"
    );
}

/// What the process holds, where that is told.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? / 1024)
}

#[expect(clippy::disallowed_methods, reason = "a program tells how long it took")]
fn now() -> Instant {
    Instant::now()
}

/// The journal of a plan, as far as this very program has run it.
fn open(path: &Path, plan: &Plan) -> Result<Journal, String> {
    let program = std::env::current_exe().and_then(std::fs::read);
    Journal::open(path, plan, &program.map_err(|e| format!("this program: {e}"))?)
}
