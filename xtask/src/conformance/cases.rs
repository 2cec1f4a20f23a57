//! `cargo xtask conformance admission`, `eviction`, `past`, `repeats`, `requests`, `rules`, `shards`, `tables` and
//! `versions`: the real kube-apiserver must answer the cases of a test of `watchkeeper-apiserver` as the embedded server does.

use crate::{Outcome, real};

use super::access::{self, Patience};

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
    patience: Patience,
}

impl Cases {
    const fn new(name: &'static str, options: fn() -> real::Options) -> Self {
        Self { name, options, patience: Patience::LONG }
    }

    /// Nothing that writes are judged by is behind.
    const fn at_once(self) -> Self {
        Self { patience: Patience::READS, ..self }
    }
}

/// Webhooks, policies and plugins.
pub(super) const ADMISSION: Cases = Cases::new("admission", real::Options::with_controllers);
/// Evictions and disruption budgets, without the controllers that would mend the budgets.
pub(super) const EVICTION: Cases = Cases::new("eviction", real::Options::default);
/// Definitions with rules in CEL, and objects that keep or break them.
pub(super) const RULES: Cases = Cases::new("rules", real::Options::default);
/// Lists that have one merge key twice.
pub(super) const REPEATS: Cases = Cases::new("repeats", real::Options::default);
/// Definitions of several versions, and managers who wrote in different ones.
pub(super) const VERSIONS: Cases = Cases::new("versions", real::Options::default);
/// Every kind as a table, without the controllers that would write the status of what is shown.
pub(super) const TABLES: Cases = Cases::new("tables", real::Options::default);

/// Requests of each kind, one after the other.
pub(super) const REQUESTS: Cases = Cases::new("requests", real::Options::alone).at_once();
/// Revisions that are no longer known.
pub(super) const PAST: Cases = Cases::new("past", real::Options::forgetful);
/// Lists and watches of a part of the objects.
pub(super) const SHARDS: Cases = Cases::new("shards", real::Options::everything).at_once();

/// Runs the comparison.
///
/// # Errors
/// The cases that the servers answer differently.
pub(super) fn run(cases: &Cases, args: &Args) -> Outcome {
    if args.inside {
        let folder = format!("crates/watchkeeper-apiserver/tests/it/{}", cases.name);
        return access::compare(&folder, cases.patience);
    }
    real::run_inside_on(&args.cache, &(cases.options)(), &["conformance", cases.name])
}
