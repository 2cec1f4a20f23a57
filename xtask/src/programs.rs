//! Our own programs, built before a chore starts them. With `WATCHKEEPER_BUILT=1` they are taken as they are, which
//! saves minutes after `cargo test --workspace`: that leaves all of them behind, with the features of the whole
//! workspace, and a package by itself asks for others, which means everything below it once more.

use std::path::PathBuf;
use std::process::Command;

use crate::{Outcome, process, step, workspace};

const VARIABLE: &str = "WATCHKEEPER_BUILT";

/// Whether they are to be taken as they are.
pub(crate) fn is_built() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|value| value == "1")
}

/// A program as it is released; where programs are taken as they are, as the tests have built it.
pub(crate) fn at_hand(name: &str) -> PathBuf {
    built(if is_built() { "debug" } else { "release" }, name)
}

/// Where cargo puts programs of a profile.
pub(crate) fn built(profile: &str, name: &str) -> PathBuf {
    workspace::target().join(profile).join(name)
}

/// The `watchkeeper` command.
///
/// # Errors
/// When it cannot be built.
pub(crate) fn command_of_ours() -> Outcome<PathBuf> {
    build(&["--package", "watchkeeper-cli", "--bins"])?;
    Ok(built("debug", "watchkeeper"))
}

/// An example of a package.
///
/// # Errors
/// When it cannot be built.
pub(crate) fn example(package: &str, name: &str) -> Outcome<PathBuf> {
    build(&["--package", package, "--example", name])?;
    Ok(built("debug", &format!("examples/{name}")))
}

/// Calls `cargo build` with what is to be built.
///
/// # Errors
/// When that cannot be built.
pub(crate) fn build(what: &[&str]) -> Outcome<()> {
    if is_built() {
        return Ok(());
    }
    let mut build = Command::new("cargo");
    build.current_dir(workspace::root()).env("CARGO_TARGET_DIR", workspace::target());
    build.args(["build", "--locked"]).args(what);
    step::timed("cargo build", || process::succeed(&mut build))
}
