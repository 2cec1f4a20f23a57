//! What a test leaves that has failed: a file with all that its cluster held.

use std::path::{Path, PathBuf};

use crate::cluster::Cluster;

/// Writes the file, and tells how to look at it.
pub(super) fn left(cluster: &Cluster) -> String {
    let file = file();
    let made = file.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written = made.map_err(|error| format!("{} cannot be made: {error}", file.display()));
    match written.and_then(|()| cluster.export_to(&file).map_err(|error| error.to_string())) {
        Ok(()) => {
            format!("# to look at it: watchkeeper serve --actors none --import {}", file.display())
        }
        Err(error) => format!("# nothing is left to look at: {error}"),
    }
}

/// The file of the test that runs: one for each test of each program, so that they do not grow without end.
pub(super) fn file() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let name = program.file_stem().unwrap_or_default().to_string_lossy();
    let thread = std::thread::current();
    // As its own thread is called; of tests that share one, only the program is known.
    let test = thread.name().unwrap_or("main").replace("::", ".");
    let test = test.replace(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '-')), "-");
    folder(&program).join(format!("{name}.{test}.yaml"))
}

/// Where Cargo builds, which is one's own and goes with `cargo clean`; elsewhere the folder of temporary files.
fn folder(program: &Path) -> PathBuf {
    let built = program.parent().filter(|folder| folder.ends_with("deps")).and_then(Path::parent);
    let folder = built.map_or_else(std::env::temp_dir, Path::to_owned);
    folder.join("watchkeeper-failed")
}
