//! `cargo xtask conformance admission`: webhooks, policies and plugins on the real kube-apiserver with
//! its controller manager, which must answer the cases of a test of `watchkeeper-apiserver` as the
//! embedded server does.

use crate::{Outcome, real};

use super::access;

const CASES: &str = "crates/watchkeeper-apiserver/tests/it/admission";

/// The arguments of `cargo xtask conformance admission`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cache: real::Cache,
    /// Runs with the servers up already
    #[arg(long, hide = true)]
    inside: bool,
}

/// Runs the comparison.
///
/// # Errors
/// The cases that the servers answer differently.
pub(crate) fn run(args: &Args) -> Outcome {
    if args.inside {
        return access::compare(CASES);
    }
    let chore = ["conformance", "admission"];
    real::run_inside_on(&args.cache, &real::Options::with_controllers(), &chore)
}
