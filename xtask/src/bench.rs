//! `cargo xtask bench`: our figures beside others', in runs that take turns.
//!
//! Each command measures one thing (`decode`, `sync`, `store`, `queue`; `informers` is `sync` and `store`) and writes its
//! chapter of `docs/benchmarks.md` (`page`) with its plot (`plot`). The programs are in `bench/`, each built by itself (`build`).

use clap::Subcommand;
use std::process::ExitCode;

use crate::Outcome;

mod build;
mod decode;
mod page;
mod plot;
mod queue;
mod store;
mod sync;
mod talk;
#[cfg(test)]
mod tests;

/// The arguments of `cargo xtask bench`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Pods decoded and encoded, by us, k8s-openapi and client-go
    Decode(decode::Args),
    /// Pods followed by an informer of ours, of kube-rs and of client-go
    Sync(sync::Args),
    /// Stores that are read and written, and informers beside readers
    Store(store::Args),
    /// Both: `sync`, then `store`
    Informers(Both),
    /// Keys that go through work queues, of ours, kube-rs, client-go and controller-runtime
    Queue(queue::Args),
}

#[derive(Debug, clap::Args)]
struct Both {
    #[command(flatten)]
    sync: sync::Args,
    #[command(flatten)]
    store: store::Args,
}

/// Which pods: eight replicas of a workload one after another, or a workload each.
const SETS: [&str; 2] = ["alike", "unlike"];

/// Builds, measures, and writes what was seen.
///
/// # Errors
/// When a program cannot be built, or does something else than asked.
pub(crate) fn run(args: &Args) -> Outcome {
    match &args.what {
        What::Decode(args) => decode::run(args)?,
        What::Sync(args) => sync::run(args)?,
        What::Store(args) => store::run(args)?,
        What::Informers(both) => {
            sync::run(&both.sync)?;
            store::run(&both.store)?;
        }
        What::Queue(args) => queue::run(args)?,
    }
    Ok(ExitCode::SUCCESS)
}
