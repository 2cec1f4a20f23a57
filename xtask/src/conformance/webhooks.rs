//! `cargo xtask conformance webhooks`: a real kube-apiserver asks a program's webhooks over HTTPS, and tells the story
//! that a test of `watchkeeper-manager` has of the embedded one.

use crate::{Outcome, real};

/// The arguments of `cargo xtask conformance webhooks`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cache: real::Cache,
}

/// Runs the comparison.
///
/// # Errors
/// That the servers cannot be started; the example tells by its exit status that the stories differ.
pub(crate) fn run(args: &Args) -> Outcome {
    let example = ["run", "--quiet", "--package", "watchkeeper-manager"];
    let told = ["--example", "webhooks", "--", "--check"];
    let command = [env!("CARGO")].into_iter().chain(example).chain(told);
    let command: Vec<String> = command.map(str::to_owned).collect();
    real::run_command_on(&args.cache, &real::Options::default(), &command)
}
