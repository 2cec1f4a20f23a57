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

/// `go build`, the same on every machine: nothing is written to `go.mod`, nothing asked of git.
pub(crate) fn build(module: &Path) -> Command {
    let mut go = command(module);
    go.args(["build", "-trimpath", "-mod=readonly", "-buildvcs=false"]);
    go
}

/// Wants a Go that is new enough for a module.
///
/// # Errors
/// When Go is missing or too old, which says what is needed.
pub(crate) fn check(module: &Path) -> Outcome<()> {
    let file = module.join("go.mod");
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let needed = needed(&text).ok_or_else(|| format!("{} names no Go", file.display()))?;
    let missing =
        |problem: &str| format!("Go {needed} or newer is needed ({problem}): https://go.dev/dl");
    // Asked outside of the module: inside, an old Go refuses to answer, or fetches another.
    let found = Command::new("go").current_dir("/").args(["env", "GOVERSION"]).output();
    let found = found.map_err(|e| missing(&format!("go: {e}")))?;
    let found = String::from_utf8_lossy(&found.stdout).trim().to_owned();
    if version(&found) >= version(needed) {
        return Ok(());
    }
    // A Go of 1.21 or newer may fetch the one that the module names.
    match command(module).args(["env", "GOVERSION"]).output() {
        Ok(output)
            if output.status.success()
                && version(&String::from_utf8_lossy(&output.stdout)) >= version(needed) =>
        {
            Ok(())
        }
        _ => Err(missing(&format!("this is {found}"))),
    }
}

/// The version that a `go.mod` asks for.
fn needed(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.strip_prefix("go ")).map(str::trim)
}

/// `go1.26.8` or `1.26.0` as numbers; what is none counts as zero.
fn version(text: &str) -> Vec<u32> {
    let text = text.trim().trim_start_matches("go");
    let text = text.split([' ', '-']).next().unwrap_or_default();
    text.split('.').map(|part| part.parse().unwrap_or(0)).collect()
}

/// Fetches the modules that a module needs; a failed download is tried again.
///
/// # Errors
/// When Go is missing or too old, or the last attempt fails.
pub(crate) fn download(module: &Path) -> Outcome<()> {
    check(module)?;
    for attempt in 1..ATTEMPTS {
        match process::succeed(command(module).args(["mod", "download"])) {
            Ok(()) => return Ok(()),
            Err(problem) => eprintln!("{problem}; trying again"),
        }
        step::pause(Duration::from_secs(5 * u64::from(attempt)));
    }
    process::succeed(command(module).args(["mod", "download"]))
}

#[cfg(test)]
mod tests;
