//! `cargo xtask conformance webhooks`: a real kube-apiserver asks a program's webhooks over HTTPS, and tells the story
//! that a test of `watchkeeper-manager` has of the embedded one.

use crate::{Outcome, programs, real};

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
    let example = programs::example("watchkeeper-manager", "webhooks")?;
    let command = [example.to_string_lossy().into_owned(), "--check".to_owned()];
    real::run_command_on(&args.cache, &real::Options::default(), &command)
}
