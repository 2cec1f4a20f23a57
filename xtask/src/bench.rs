//! `cargo xtask bench`: our figures beside others', in runs that take turns.
//!
//! Each command measures one thing (`decode`, `sync`, `store`, `queue`; `informers` is `sync` and `store`, `all`
//! is all of them) and writes its chapter of `docs/benchmarks.md` (`page`) with its plot (`plot`); `controllers` and
//! `server` have pages of their own. The programs are in `bench/`, each built by itself (`build`).

use clap::Subcommand;
use std::process::ExitCode;

use crate::{Outcome, step};

mod build;
mod controllers;
mod decode;
mod page;
mod plot;
mod queue;
mod server;
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
    /// Controllers that do nothing, of ours, kube-rs and controller-runtime: `docs/benchmarks-controllers.md`
    Controllers(controllers::Args),
    /// The embedded API server, in the process and beside a real kube-apiserver: `docs/benchmarks-server.md`
    Server(server::Args),
    /// The whole page: `decode`, `sync`, `store`, `queue`, as they usually are
    All(All),
}

#[derive(Debug, clap::Args)]
struct All {
    /// How often each figure of each chapter is measured
    #[arg(long)]
    rounds: Option<usize>,
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
        What::Controllers(args) => controllers::run(args)?,
        What::Server(args) => server::run(args)?,
        What::All(all) => all.run()?,
    }
    Ok(ExitCode::SUCCESS)
}

impl All {
    /// A chapter is written when it is measured, so what comes before one that fails is there.
    fn run(&self) -> Outcome<()> {
        let (mut decode, mut sync) = (decode::Args::default(), sync::Args::default());
        let (mut store, mut queue) = (store::Args::default(), queue::Args::default());
        if let Some(rounds) = self.rounds {
            (decode.rounds, sync.rounds) = (rounds, rounds);
            (store.store_rounds, queue.rounds) = (rounds, rounds);
        }
        step::timed("decode", || decode::run(&decode))?;
        step::timed("sync", || sync::run(&sync))?;
        step::timed("store", || store::run(&store))?;
        step::timed("queue", || queue::run(&queue))
    }
}
