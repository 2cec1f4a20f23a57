//! `cargo xtask conformance clients`: the family of clients on a real kube-apiserver tells the story that it
//! tells on the embedded one, which a test of `watchkeeper-connect` holds, in protobuf
//! and in JSON; and shards, of which both know only where they are asked to, are kept apart by the real one.

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
    let told = ["clients", "--", "--check"];
    let in_json = [&told[..], &["--json"]].concat();
    let usual = real::Options::default;
    // A server of its own each, since the story begins with an empty one; who knows of shards is an alpha.
    let walks =
        [(usual(), &told[..]), (usual(), &in_json), (real::Options::everything(), &["shards"])];
    for (options, arguments) in walks {
        let example = ["run", "--quiet", "--package", "watchkeeper-connect", "--example"];
        let command = [env!("CARGO")].into_iter().chain(example).chain(arguments.iter().copied());
        let command: Vec<String> = command.map(str::to_owned).collect();
        let code = real::run_command_on(&args.cache, &options, &command)?;
        if code != ExitCode::SUCCESS {
            return Ok(code);
        }
    }
    Ok(ExitCode::SUCCESS)
}
