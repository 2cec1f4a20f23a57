//! `cargo xtask conformance crowds`: more than anybody should ask of `watchkeeper serve`, over real connections.
//!
//! In each chapter somebody else asks all the time, and must be answered; and the program may not grow beyond what
//! the chapter says. Bounds are of memory, which is about the same everywhere, and of the patience of a client;
//! times are told.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use bystander::Bystander;

use super::served::Served;
use crate::programs::command_of_ours;
use crate::{Outcome, step, workspace};

mod bombs;
mod bystander;
mod connections;
mod memory;
mod namespaces;
mod watches;

/// How long anybody else may wait for an answer: half of the time that client-go gives up a lease after.
const PATIENCE: Duration = Duration::from_secs(5);

/// The arguments of `cargo xtask conformance crowds`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How many watches, connections and namespaces
    #[arg(long, default_value_t = 10_000)]
    many: usize,
    /// Only the chapter of this name
    #[arg(long)]
    only: Option<String>,
}

/// What a crowd does to a server.
struct Chapter {
    name: &'static str,
    actors: &'static str,
    /// By how many MiB the server may grow meanwhile.
    most: u64,
    act: fn(&Address, usize) -> Outcome<()>,
}

/// Where the server answers.
type Address = str;

const CHAPTERS: [Chapter; 6] = [
    Chapter { name: "watches", actors: "none", most: 400, act: watches::all_hear },
    Chapter { name: "deaf watches", actors: "none", most: 250, act: watches::the_deaf_are_cut },
    Chapter { name: "half requests", actors: "none", most: 600, act: connections::half_requests },
    Chapter { name: "connections that go", actors: "none", most: 100, act: connections::that_go },
    Chapter { name: "namespaces", actors: "all", most: 300, act: namespaces::made_and_deleted },
    Chapter { name: "bombs", actors: "none", most: 300, act: bombs::all_at_once },
];

/// Runs the chapters, each on a new server.
///
/// # Errors
/// The chapters in which a request was answered wrongly, somebody waited too long, or the server grew too much.
pub(crate) fn run(args: &Args) -> Outcome {
    let program = command_of_ours()?;
    let wanted = |chapter: &&Chapter| args.only.as_deref().is_none_or(|only| only == chapter.name);
    let mut failed = Vec::new();
    for chapter in CHAPTERS.iter().filter(wanted) {
        let outcome = step::timed(chapter.name, || chapter.run(&program, args.many));
        failed.extend(outcome.err().map(|problem| format!("{}: {problem}", chapter.name)));
    }
    if failed.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(failed.join("\n")) }
}

impl Chapter {
    fn run(&self, program: &Path, many: usize) -> Outcome<()> {
        let folder = workspace::target().join("crowds");
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut served = Served::start(program, &folder, &["--actors", self.actors])?;
        let address = served.address()?;
        let before = memory::resident(served.id())?;
        memory::forget_peak(served.id())?;
        let bystander = Bystander::start(&address);
        let outcome = (self.act)(&address, many);
        let waited = bystander.end()?;
        outcome?;
        let grown = memory::peak(served.id())?.saturating_sub(before);
        eprintln!("  {before} MiB, and {grown} MiB more at most; {waited}");
        if grown > self.most {
            return Err(format!("it grew by {grown} MiB, and may by {}", self.most));
        }
        waited.check()
    }
}
