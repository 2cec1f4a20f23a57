//! The program: `cargo run --release -p pod-watcher`.
#![expect(clippy::print_stderr, reason = "a program tells its failure on stderr")]

use std::process::ExitCode;

use clap::Parser;
use pod_watcher::args::Args;
use pod_watcher::printer::Printer;
use pod_watcher::run;

#[tokio::main]
async fn main() -> ExitCode {
    match Box::pin(run::run(&Args::parse(), Printer::stdout())).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}
