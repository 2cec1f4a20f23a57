//! `cargo xtask interop`: what is built beside kube and k8s-openapi, in the workspace `interop/`.

use std::process::{Command, ExitCode};
use std::time::Duration;

use crate::{Outcome, process, step, workspace};

/// How often a download is tried, with a longer pause each time.
const ATTEMPTS: u32 = 4;

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
    step::timed("cargo fmt", || process::succeed(cargo("fmt").args(["--all", "--check"])))?;
    step::timed("cargo fetch", fetch)?;
    step::timed("cargo test", || process::succeed(cargo("test").args(["--locked", "--offline"])))?;
    if args.lints {
        step::timed("cargo clippy", || {
            let clippy = ["--all-targets", "--locked", "--offline", "--", "-D", "warnings"];
            process::succeed(cargo("clippy").args(clippy))
        })?;
        step::timed("cargo doc", || {
            let mut doc = cargo("doc");
            doc.args(["--no-deps", "--locked", "--offline"]);
            // A library chooses no release of Kubernetes; documentation needs one.
            doc.env("K8S_OPENAPI_ENABLED_VERSION", "1.37").env("RUSTDOCFLAGS", "-D warnings");
            process::succeed(&mut doc)
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Cargo in the workspace. What both workspaces build alike is built once.
fn cargo(what: &str) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(workspace::root().join("interop")).arg(what);
    if what != "fmt" {
        cargo.env("CARGO_TARGET_DIR", workspace::target());
    }
    cargo
}

/// Downloads what is used; a failed download is tried again.
fn fetch() -> Outcome<()> {
    for attempt in 1..ATTEMPTS {
        match process::succeed(cargo("fetch").arg("--locked")) {
            Ok(()) => return Ok(()),
            Err(problem) => eprintln!("{problem}; trying again"),
        }
        step::pause(Duration::from_secs(5 * u64::from(attempt)));
    }
    process::succeed(cargo("fetch").arg("--locked"))
}
