//! `cargo xtask conformance eviction`: evictions and disruption budgets on the real kube-apiserver, without the
//! controllers that would mend the budgets, which must answer the cases of a test of `watchkeeper-apiserver`
//! as the embedded server does.

use crate::{Outcome, real};

use super::access;

const CASES: &str = "crates/watchkeeper-apiserver/tests/it/eviction";

/// The arguments of `cargo xtask conformance eviction`.
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
    real::run_inside(&args.cache, &["conformance", "eviction"])
}
