//! The programs of `bench/`, each a package or module of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, go, process, workspace};

/// Where what the bench makes is.
pub(super) fn folder() -> PathBuf {
    workspace::target().join("bench")
}

/// Builds a package with everything in it, and tells where its programs are.
pub(super) fn rust(package: &str) -> Outcome<PathBuf> {
    let is_ours = package != "kube-rs";
    // What ours have in common is built once. The rival has programs of the same names.
    let target = folder().join(if is_ours { "ours" } else { package });
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release"]).current_dir(source(package));
    if !is_ours {
        // The lock files of ours follow the workspace's crates, which may have come to need others.
        cargo.arg("--locked");
    }
    process::succeed(cargo.env("CARGO_TARGET_DIR", &target))?;
    Ok(target.join("release"))
}

/// Builds the released program of that name of the workspace.
pub(super) fn ours(name: &str) -> Outcome<PathBuf> {
    // What it has in common with the bench's own programs is built once.
    let target = folder().join("ours");
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--locked", "--bin", name]).current_dir(workspace::root());
    process::succeed(cargo.env("CARGO_TARGET_DIR", &target))?;
    Ok(target.join("release").join(name))
}

/// Builds the program in Go.
pub(super) fn go() -> Outcome<PathBuf> {
    let (module, program) = (source("go"), folder().join("go-bench"));
    go::download(&module)?;
    process::succeed(go::build(&module).arg("-o").arg(&program).arg("."))?;
    Ok(program)
}

fn source(package: &str) -> PathBuf {
    workspace::root().join("bench").join(package)
}

/// A measured program. Go would collect garbage on the other core, which the others leave to the
/// server: each has one.
pub(super) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("GOMAXPROCS", "1");
    command
}
