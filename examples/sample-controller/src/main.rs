//! The program: `cargo run --release -p sample-controller`.
#![expect(clippy::print_stderr, reason = "a program tells its failure on stderr")]

use std::process::ExitCode;

use clap::Parser;
use sample_controller::args::Args;
use sample_controller::run;

fn main() -> ExitCode {
    let args = Args::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("error: the runtime does not start: {error}");
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(run::run(args)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}
