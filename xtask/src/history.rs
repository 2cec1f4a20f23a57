//! `cargo xtask history`: random histories through connections that fail, held against the contract.
//!
//! The checker is a program of its own (`conformance/history`), built here as it is released: a million
//! changes take minutes so.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::programs::at_hand;
use crate::{Outcome, process, programs, real, step};

mod seeded;

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
    /// On a server of config maps only, which costs less than the embedded one
    #[arg(long, conflicts_with = "real")]
    shelf: bool,
    /// A file: what is done is noted there, and not done again when the same is run once more
    #[arg(long)]
    journal: Option<PathBuf>,
    /// The checker proves itself: mistakes are put into a copy of our informer, and each must be found
    #[arg(long, conflicts_with_all = ["changes", "seed", "names", "shelf", "journal", "real"])]
    seeded: bool,
    /// On a real kube-apiserver with etcd, by the world's clock
    #[arg(long)]
    real: bool,
    /// How many histories go on at a time there; without, 40 to 250, by how many there are
    #[arg(long)]
    writers: Option<usize>,
    #[command(flatten)]
    cache: real::Cache,
    /// Runs with the servers up already; KUBECONFIG tells where
    #[arg(long, hide = true)]
    inside: bool,
}

impl Args {
    /// So many changes on the embedded server.
    pub(crate) fn of(changes: u64, cache: real::Cache) -> Self {
        Self {
            changes,
            seed: 1,
            names: None,
            shelf: false,
            journal: None,
            seeded: false,
            real: false,
            writers: None,
            cache,
            inside: false,
        }
    }

    /// The same on a real kube-apiserver with etcd.
    pub(crate) const fn on_the_real_server(mut self) -> Self {
        self.real = true;
        self
    }

    /// With mistakes put into a copy of our informer instead.
    pub(crate) const fn with_mistakes(mut self) -> Self {
        self.seeded = true;
        self
    }
}

/// Runs the chore.
///
/// # Errors
/// When the program cannot be built, a rule was broken, or faults struck too rarely.
pub(crate) fn run(args: &Args) -> Outcome {
    if args.seeded {
        return seeded::run();
    }
    programs::build(&["--release", "--package", "watchkeeper-history", "--bins"])?;
    let (changes, seed) = (args.changes.to_string(), args.seed.to_string());
    let names = args.names.map(|names| names.to_string());
    let mut numbers = vec!["--changes", &*changes, "--seed", &*seed];
    numbers.extend(names.iter().flat_map(|names| ["--names", names]));
    let journal = args.journal.as_ref().map(|path| path.to_string_lossy());
    numbers.extend(journal.iter().flat_map(|path| ["--journal", path]));
    numbers.extend(args.shelf.then_some("--shelf"));
    let writers = args.writers.map(|writers| writers.to_string());
    numbers.extend(writers.iter().flat_map(|writers| ["--writers", writers]));
    if args.real && !args.inside {
        let chore = [&["history", "--real"][..], &numbers].concat();
        return real::run_inside_on(&args.cache, &real::Options::unaudited(), &chore);
    }
    step::timed("histories", || {
        let mut run = Command::new(at_hand("history"));
        run.args(&numbers);
        if args.inside {
            run.arg("--kubeconfig").arg(real::path_of("KUBECONFIG")?);
        }
        process::succeed(&mut run)
    })?;
    Ok(ExitCode::SUCCESS)
}
