//! The `watchkeeper` command: what a project of custom resources generates, and a cluster to try it on.
//!
//! The generators are calls of `watchkeeper-codegen` with files around them (docs/code-generation.md);
//! the client and its connection are for `generate --from-cluster` alone, which is why they are here
//! and not in the library that a `build.rs` calls. `serve` is `watchkeeper-cluster` with a port around it
//! (docs/api-server.md); without the feature of that name the command is built in half the time.
#![expect(clippy::print_stderr, reason = "a command line tool tells its progress on stderr")]

use clap::{Parser, Subcommand};
use std::process::ExitCode;

mod crds;
mod generate;
mod header;
mod input;
mod rbac;
#[cfg(feature = "serve")]
mod serve;

/// What a subcommand ends with: nothing more to say, or one sentence saying what went wrong.
type Outcome<T = ()> = Result<T, String>;

#[derive(Debug, Parser)]
#[command(
    name = "watchkeeper",
    about = "What a project of custom resources generates, and a cluster to try it on",
    version
)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Rust types of custom resources, from their definitions or a server's OpenAPI documents
    Generate(generate::Args),
    /// Definitions as YAML, from what programs print of their types
    Crds(crds::Args),
    /// Roles, from what a program declares and what its tests called
    Rbac(rbac::Args),
    /// A cluster for kubectl and others: an API server and the actors beside it
    #[cfg(feature = "serve")]
    Serve(serve::Args),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().task {
        Task::Generate(args) => generate::run(&args),
        Task::Crds(args) => crds::run(&args),
        Task::Rbac(args) => rbac::run(&args),
        #[cfg(feature = "serve")]
        Task::Serve(args) => serve::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("watchkeeper: {problem}");
            ExitCode::FAILURE
        }
    }
}
