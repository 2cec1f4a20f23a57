//! Runs random histories and tells what came of them: `cargo xtask history`.
#![expect(clippy::print_stdout, reason = "a program that reports")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use watchkeeper_connect::{Config, Options};
use watchkeeper_history::long::{self, Report};
use watchkeeper_history::real;
use watchkeeper_history::world::{self, Informer, Names};

#[derive(Debug, Parser)]
#[command(about = "Random histories through connections that fail, held against the contract")]
struct Args {
    /// How many changes, in all
    #[arg(long, default_value_t = 100_000)]
    changes: u64,
    /// The dice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// So many objects, of which ranges come and go, instead of up to forty
    #[arg(long, value_parser = clap::value_parser!(u64).range(4..=9_000))]
    names: Option<u64>,
    /// One history only, of this seed, as a report names it
    #[arg(long)]
    one: bool,
    /// On the server of this kubeconfig instead of the embedded one
    #[arg(long)]
    kubeconfig: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let names = args.names.map_or(Names::Few, Names::Many);
    if let Some(kubeconfig) = &args.kubeconfig {
        return match on_a_server(kubeconfig, &args, names) {
            Ok(good) => good,
            Err(problem) => {
                println!("{problem}");
                ExitCode::FAILURE
            }
        };
    }
    if args.one {
        let outcome = world::run(Informer::Ours, args.seed, args.changes, names);
        println!("{outcome:#?}");
        return if outcome.broken.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let report = long::run(args.seed, args.changes, names);
    print!("{report}");
    if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn on_a_server(kubeconfig: &Path, args: &Args, names: Names) -> Result<ExitCode, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let options = Options { path: Some(kubeconfig.to_owned()), ..Options::default() };
    let outcome = runtime.map_err(|e| e.to_string())?.block_on(async {
        let client = Config::from_kubeconfig(&options)?.client()?;
        Box::pin(real::run(&client, args.seed, args.changes, names)).await
    });
    let report = Report::of(args.seed, &outcome.map_err(|e| e.to_string())?, real::classes());
    print!("{report}");
    Ok(if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
