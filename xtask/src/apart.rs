//! Cargo in the workspaces that nothing else builds: `interop/` and `conformance/kube-rs/`.

use std::process::Command;
use std::time::Duration;

use crate::{Outcome, process, step, workspace};

/// How often a download is tried, with a longer pause each time.
const ATTEMPTS: u32 = 4;

/// Cargo in a folder with a workspace of its own. What is built alike in several is built once.
pub(crate) fn cargo(folder: &str, what: &str) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(workspace::root().join(folder)).arg(what);
    if what != "fmt" {
        cargo.env("CARGO_TARGET_DIR", workspace::target());
    }
    cargo
}

/// Downloads what is used; a failed download is tried again.
///
/// # Errors
/// One sentence: what failed.
pub(crate) fn fetch(folder: &str) -> Outcome<()> {
    for attempt in 1..ATTEMPTS {
        match process::succeed(cargo(folder, "fetch").arg("--locked")) {
            Ok(()) => return Ok(()),
            Err(problem) => eprintln!("{problem}; trying again"),
        }
        step::pause(Duration::from_secs(5 * u64::from(attempt)));
    }
    process::succeed(cargo(folder, "fetch").arg("--locked"))
}
