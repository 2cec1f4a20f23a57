//! `cargo xtask interop`: what is built beside kube and k8s-openapi, in the workspace `interop/`.

use std::process::{Command, ExitCode};

use crate::{Outcome, apart, docs, pinned, process, step};

const FOLDER: &str = "interop";

/// The arguments of `cargo xtask interop`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Also its lints and its documentation
    #[arg(long)]
    lints: bool,
}

/// Runs the tests.
///
/// # Errors
/// One sentence: what failed.
pub(crate) fn run(args: &Args) -> Outcome {
    pinned::tell(FOLDER, "kube")?;
    step::timed("cargo fmt", || process::succeed(cargo("fmt").args(["--all", "--check"])))?;
    step::timed("cargo fetch", || apart::fetch(FOLDER))?;
    step::timed("cargo test", || process::succeed(cargo("test").args(["--locked", "--offline"])))?;
    if args.lints {
        step::timed("cargo clippy", || {
            let clippy = ["--all-targets", "--locked", "--offline", "--", "-D", "warnings"];
            process::succeed(cargo("clippy").args(clippy))
        })?;
        docs::pages(FOLDER)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn cargo(what: &str) -> Command {
    apart::cargo(FOLDER, what)
}
