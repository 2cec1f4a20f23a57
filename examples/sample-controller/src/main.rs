//! The program: `cargo run --release -p sample-controller`.
#![expect(clippy::print_stderr, reason = "a program tells its failure on stderr")]

use std::process::ExitCode;

use clap::Parser;
use sample_controller::args::{Args, Output};
use sample_controller::run;
use sample_controller::story::{Line, Teller};
use tokio::time::Instant;

fn main() -> ExitCode {
    let (start, args) = (Instant::now(), Args::parse());
    let output = args.output;
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
            match output {
                Output::Text => eprintln!("error: {problem}"),
                Output::Json => Teller::new(output).print_aside(&Line {
                    at: start.elapsed(),
                    subject: "error",
                    name: String::new(),
                    text: problem.to_string(),
                }),
            }
            ExitCode::FAILURE
        }
    }
}
