//! `cargo xtask conformance kube-rs`: the defects that we tell of, shown on the published crates of kube-rs.

use std::process::{Command, ExitCode};

use crate::{Outcome, apart, pinned, process, step};

const FOLDER: &str = "conformance/kube-rs";

/// The arguments of `cargo xtask conformance kube-rs`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Also its lints
    #[arg(long)]
    lints: bool,
}

/// Runs the program, which fails when one of them is not seen any more.
///
/// # Errors
/// One sentence: what failed.
pub(crate) fn run(args: &Args) -> Outcome {
    pinned::tell(FOLDER, "kube")?;
    step::timed("cargo fmt", || process::succeed(cargo("fmt").arg("--check")))?;
    step::timed("cargo fetch", || apart::fetch(FOLDER))?;
    if args.lints {
        step::timed("cargo clippy", || {
            let clippy = ["--all-targets", "--locked", "--offline", "--", "-D", "warnings"];
            process::succeed(cargo("clippy").args(clippy))
        })?;
    }
    step::timed("defects of kube-rs", || {
        process::succeed(cargo("run").args(["--quiet", "--locked", "--offline"]))
    })?;
    Ok(ExitCode::SUCCESS)
}

fn cargo(what: &str) -> Command {
    apart::cargo(FOLDER, what)
}
