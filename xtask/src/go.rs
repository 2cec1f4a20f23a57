//! The Go tool, for the programs of ours that are written in Go.

use crate::{Outcome, process, step};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How often a download is tried, with a longer pause each time.
const ATTEMPTS: u32 = 4;

/// The Go tool, in the folder of a module.
pub(crate) fn command(module: &Path) -> Command {
    let mut go = Command::new("go");
    go.current_dir(module);
    go
}

/// Fetches the modules that a module needs; a failed download is tried again.
///
/// # Errors
/// When Go is missing or the last attempt fails.
pub(crate) fn download(module: &Path) -> Outcome<()> {
    for attempt in 1..ATTEMPTS {
        match process::succeed(command(module).args(["mod", "download"])) {
            Ok(()) => return Ok(()),
            Err(problem) => eprintln!("{problem}; trying again"),
        }
        step::pause(Duration::from_secs(5 * u64::from(attempt)));
    }
    process::succeed(command(module).args(["mod", "download"]))
}
