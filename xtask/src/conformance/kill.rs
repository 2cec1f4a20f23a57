//! `cargo xtask conformance kill`: a served cluster that is kept on a disk, killed again and again.
//!
//! Another process writes and notes what it was told (`writer`). After each kill -9 the server is started
//! again on the same folder, and must have what was acknowledged, under the revisions that were told, and
//! of what was under way either all or nothing (`book`).

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;
use watchkeeper_generator::Dice;

use book::Book;

use super::served::{Killed, Served};
use crate::programs::command_of_ours;
use crate::{Outcome, step, workspace};

mod book;
mod writer;

/// How long a server may take to be there again.
const PATIENCE: Duration = Duration::from_secs(30);

/// The arguments of `cargo xtask conformance kill`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How often the server is killed
    #[arg(long, default_value_t = 30)]
    kills: u64,
    /// The dice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many write at a time
    #[arg(long, default_value_t = 8)]
    writers: u64,
    /// Writes to the server at this address until it is gone, and notes it in the file
    #[arg(long, hide = true, num_args = 2, value_names = ["ADDRESS", "LOG"])]
    write: Vec<String>,
}

impl Args {
    /// With so many kills.
    pub(crate) const fn of(kills: u64, seed: u64) -> Self {
        Self { kills, seed, writers: 8, write: Vec::new() }
    }
}

/// Runs the chore.
///
/// # Errors
/// What was acknowledged and is not there, or that the server does not come back.
pub(crate) fn run(args: &Args) -> Outcome {
    if let [address, log] = &*args.write {
        return writer::run(address, Path::new(log), args.writers, args.seed);
    }
    eprintln!("{}", killed(args)?);
    Ok(ExitCode::SUCCESS)
}

/// Kills the server, and says how much was acknowledged meanwhile.
///
/// # Errors
/// As [`run`].
pub(crate) fn killed(args: &Args) -> Outcome<String> {
    let program = command_of_ours()?;
    let folder = workspace::target().join("kill");
    let _left = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let (mut book, mut dice) = (Book::default(), Dice::new(args.seed));
    step::timed(&format!("{} kills", args.kills), || {
        for round in 0..args.kills {
            let told = |problem| format!("kill {round} of seed {}: {problem}", args.seed);
            one(&program, &folder, args, &mut book, &mut dice).map_err(told)?;
        }
        let mut last = start(&program, &folder)?;
        book.compare(&last.address()?)?;
        book.is_telling(args.kills)
    })?;
    Ok(book.to_string())
}

/// A server, what it has, writes for a while, and its end.
fn one(
    program: &Path,
    folder: &Path,
    args: &Args,
    book: &mut Book,
    dice: &mut Dice,
) -> Outcome<()> {
    let mut served = start(program, folder)?;
    if dice.below(8) == 0 {
        // Before it can be asked anything, or about then.
        step::pause(Duration::from_millis(dice.below(80)));
        return Ok(());
    }
    let address = served.address()?;
    book.compare(&address)?;
    let log = folder.join("log");
    let _last = std::fs::remove_file(&log);
    let mut writer = Command::new(std::env::current_exe().map_err(|e| e.to_string())?);
    writer.args(["conformance", "kill", "--seed", &dice.below(u64::MAX).to_string()]);
    writer.args(["--writers", &args.writers.to_string(), "--write", &address]).arg(&log);
    let mut writer = Killed(writer.spawn().map_err(|e| format!("the writer: {e}"))?);
    // Some writes later, on a fast machine and on a slow one, and then in the midst of another.
    let bytes = dice.below(8_000);
    for _ in 0..PATIENCE.as_millis() {
        if std::fs::metadata(&log).is_ok_and(|log| log.len() >= bytes) {
            break;
        }
        step::pause(Duration::from_millis(1));
    }
    step::pause(Duration::from_micros(dice.below(10_000)));
    drop(served);
    // It ends by itself once nobody answers; what had come by then is noted first.
    step::until(PATIENCE, || Ok(writer.0.try_wait().map_err(|e| e.to_string())?.is_some()))?;
    let ended = writer.0.wait().map_err(|e| e.to_string())?;
    if !ended.success() {
        return Err(format!("the writer ended with {ended}"));
    }
    book.read(&log)
}

/// A server that keeps what it has in the folder.
fn start(program: &Path, folder: &Path) -> Outcome<Served> {
    let data = folder.join("data");
    Served::start(program, folder, &["--actors", "none", "--data", &data.to_string_lossy()])
}
