//! The servers that `up` left running, remembered by process id.

use super::cluster::Cluster;
use super::files;
use crate::{Outcome, process, step};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Writes down what was started.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn remember(dir: &Path, cluster: &Cluster) -> Outcome<()> {
    let mut lines = String::new();
    for server in cluster.servers() {
        // Writing to a String does not fail.
        let _ok = writeln!(lines, "{} {}", server.id(), server.name());
    }
    files::write(&dir.join("pids"), &lines)
}

/// Stops what an earlier `up` started, the last first; nothing there is fine.
///
/// # Errors
/// When a server does not end.
pub(crate) fn down(dir: &Path, bin: &Path) -> Outcome<()> {
    let pids = dir.join("pids");
    let Ok(lines) = fs::read_to_string(&pids) else { return Ok(()) };
    for line in lines.lines().rev() {
        let Some((id, name)) = line.split_once(' ') else { continue };
        let Ok(id) = id.parse() else { continue };
        let program = bin.join(name);
        if !process::runs(id, &program) {
            continue;
        }
        process::terminate(id);
        step::timed(&format!("stop {name}"), || {
            step::until(Duration::from_secs(30), || Ok(!process::runs(id, &program)))
        })?;
    }
    fs::remove_file(&pids).map_err(|e| format!("cannot remove {}: {e}", pids.display()))
}
