//! The program: `cargo run --release -p pod-watcher`.
#![expect(clippy::print_stderr, reason = "a program tells its failure on stderr")]

use std::process::ExitCode;

use clap::Parser;
use pod_watcher::args::Args;
use pod_watcher::log;
use pod_watcher::printer::Printer;
use pod_watcher::run;

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    let outcome = match log::install() {
        Ok(()) => Box::pin(run::run(&args, Printer::stdout())).await,
        Err(problem) => Err(problem),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}
