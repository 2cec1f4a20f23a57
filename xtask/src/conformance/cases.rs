//! `cargo xtask conformance admission`, `eviction`, `repeats`, `rules`, `tables` and `versions`: the real
//! kube-apiserver must answer the cases of a test of `watchkeeper-apiserver` as the embedded server does.

use crate::{Outcome, real};

use super::access;

/// The arguments of these chores.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cache: real::Cache,
    /// Runs with the servers up already
    #[arg(long, hide = true)]
    inside: bool,
}

/// Cases, and the servers that answer them.
pub(super) struct Cases {
    /// The chore, and the folder of the test.
    name: &'static str,
    options: fn() -> real::Options,
}

/// Webhooks, policies and plugins.
pub(super) const ADMISSION: Cases =
    Cases { name: "admission", options: real::Options::with_controllers };
/// Evictions and disruption budgets, without the controllers that would mend the budgets.
pub(super) const EVICTION: Cases = Cases { name: "eviction", options: real::Options::default };
/// Definitions with rules in CEL, and objects that keep or break them.
pub(super) const RULES: Cases = Cases { name: "rules", options: real::Options::default };
/// Lists that have one merge key twice.
pub(super) const REPEATS: Cases = Cases { name: "repeats", options: real::Options::default };
/// Definitions of several versions, and managers who wrote in different ones.
pub(super) const VERSIONS: Cases = Cases { name: "versions", options: real::Options::default };
/// Every kind as a table, without the controllers that would write the status of what is shown.
pub(super) const TABLES: Cases = Cases { name: "tables", options: real::Options::default };

/// Runs the comparison.
///
/// # Errors
/// The cases that the servers answer differently.
pub(super) fn run(cases: &Cases, args: &Args) -> Outcome {
    if args.inside {
        return access::compare(&format!("crates/watchkeeper-apiserver/tests/it/{}", cases.name));
    }
    real::run_inside_on(&args.cache, &(cases.options)(), &["conformance", cases.name])
}
