//! `cargo xtask conformance clients`: the family of clients on a real kube-apiserver tells the story that it
//! tells on the embedded one, which a test of `watchkeeper-connect` holds, in protobuf
//! and in JSON.

use std::process::ExitCode;

use crate::{Outcome, real};

/// The arguments of `cargo xtask conformance clients`.
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
    let example = ["run", "--quiet", "--package", "watchkeeper-connect", "--example", "clients"];
    // A server of its own each, since the story begins with an empty one.
    for codec in [&[][..], &["--json"]] {
        let flags = ["--", "--check"].into_iter().chain(codec.iter().copied());
        let command = [env!("CARGO")].into_iter().chain(example).chain(flags);
        let command: Vec<String> = command.map(str::to_owned).collect();
        let code = real::run_command(&args.cache, &command)?;
        if code != ExitCode::SUCCESS {
            return Ok(code);
        }
    }
    Ok(ExitCode::SUCCESS)
}
