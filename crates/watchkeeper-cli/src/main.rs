//! The `watchkeeper` command: what a project of custom resources generates, and a cluster to try it on.
//!
//! The generators are calls of `watchkeeper-codegen` with files around them (docs/code-generation.md);
//! the client and its connection are for `generate --from-cluster` alone, which is why they are here
//! and not in the library that a `build.rs` calls. `serve` is `watchkeeper-cluster` with a port around it
//! (docs/api-server.md); without the feature of that name the command is built in half the time. By the
//! names `etcd` and `kube-apiserver` it is what envtest starts (`envtest`).
#![expect(clippy::print_stderr, reason = "a command line tool tells its progress on stderr")]

use clap::{Parser, Subcommand};
use std::process::ExitCode;

mod crds;
#[cfg(feature = "serve")]
mod envtest;
mod generate;
mod header;
mod input;
#[cfg(feature = "serve")]
mod log;
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
    /// A folder for KUBEBUILDER_ASSETS: an etcd and a kube-apiserver by which envtest suites run on this server
    #[cfg(feature = "serve")]
    EnvtestAssets(envtest::assets::Args),
}

fn main() -> ExitCode {
    #[cfg(feature = "serve")]
    if let Some(program) = envtest::Program::called(std::env::args_os().next()) {
        return end(program.name(), envtest::run(program, std::env::args_os().skip(1)));
    }
    let outcome = match Cli::parse().task {
        Task::Generate(args) => generate::run(&args),
        Task::Crds(args) => crds::run(&args),
        Task::Rbac(args) => rbac::run(&args),
        #[cfg(feature = "serve")]
        Task::Serve(args) => serve::run(&args),
        #[cfg(feature = "serve")]
        Task::EnvtestAssets(args) => envtest::assets::run(&args),
    };
    end("watchkeeper", outcome)
}

/// What the program ends with; what went wrong is told by the name that it was called by.
fn end(name: &str, outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{name}: {problem}");
            ExitCode::FAILURE
        }
    }
}
