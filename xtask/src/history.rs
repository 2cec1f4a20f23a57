//! `cargo xtask history`: random histories through connections that fail, held against the contract.
//!
//! The checker is a program of its own (`conformance/history`), built here as it is released: a million
//! changes take minutes so.

use std::process::{Command, ExitCode};

use crate::sample::released;
use crate::{Outcome, process, real, step, workspace};

/// The arguments of `cargo xtask history`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How many changes, in all
    #[arg(long, default_value_t = 100_000)]
    changes: u64,
    /// The dice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// So many objects, of which ranges come and go, instead of up to forty in each history
    #[arg(long)]
    names: Option<u64>,
    /// One history on a real kube-apiserver with etcd, by the world's clock
    #[arg(long)]
    real: bool,
    #[command(flatten)]
    cache: real::Cache,
    /// Runs with the servers up already; KUBECONFIG tells where
    #[arg(long, hide = true)]
    inside: bool,
}

/// Runs the chore.
///
/// # Errors
/// When the program cannot be built, a rule was broken, or faults struck too rarely.
pub(crate) fn run(args: &Args) -> Outcome {
    step::timed("cargo build (released)", || {
        let mut build = Command::new("cargo");
        build.current_dir(workspace::root()).env("CARGO_TARGET_DIR", workspace::target());
        build.args([
            "build",
            "--release",
            "--locked",
            "--package",
            "watchkeeper-history",
            "--bins",
        ]);
        process::succeed(&mut build)
    })?;
    let (changes, seed) = (args.changes.to_string(), args.seed.to_string());
    let names = args.names.map(|names| names.to_string());
    let mut numbers = vec!["--changes", &*changes, "--seed", &*seed];
    numbers.extend(names.iter().flat_map(|names| ["--names", names]));
    if args.real && !args.inside {
        let chore = [&["history", "--real"][..], &numbers].concat();
        return real::run_inside(&args.cache, &chore);
    }
    step::timed("histories", || {
        let mut run = Command::new(released("history"));
        run.args(&numbers);
        if args.inside {
            run.arg("--kubeconfig").arg(real::path_of("KUBECONFIG")?);
        }
        process::succeed(&mut run)
    })?;
    Ok(ExitCode::SUCCESS)
}
