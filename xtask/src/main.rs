//! The chores of the workspace, run as `cargo xtask <chore>`.
//!
//! Each command has a file of its own; what several share is in `step` (timed
//! steps), `process` (programs that are started, waited for and stopped),
//! `go`, `apart` (workspaces of their own), `pinned` (which releases they build)
//! and `workspace` (where things are).
#![expect(clippy::print_stderr, reason = "a command line tool tells its progress on stderr")]

use clap::{Parser, Subcommand};
use std::process::ExitCode;

mod apart;
mod bench;
mod codegen;
mod conformance;
mod docs;
mod facts;
mod fuzz;
mod go;
mod groups;
mod guide;
mod history;
mod interop;
mod kernel;
mod kubectl;
mod long;
mod mutants;
mod pinned;
mod process;
mod programs;
mod real;
mod sample;
mod sample_real;
mod size;
mod step;
mod workspace;

/// What a chore ends with: an exit code, or one sentence saying what went wrong.
type Outcome<T = ExitCode> = Result<T, String>;

#[derive(Debug, Parser)]
#[command(name = "cargo xtask", about = "The chores of the workspace", version)]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// A real etcd and kube-apiserver, built from the module proxy, to compare with
    Real(real::Args),
    /// The facts of the Kubernetes API, from Go's types and a running server
    Facts(facts::Args),
    /// The released sample controller, run to convergence some times and timed from outside
    Once(sample::Once),
    /// An unmodified kubectl against the sample controller's embedded cluster
    Kubectl(kubectl::Args),
    /// docs/first-operator.md, followed from an empty folder
    Guide(guide::Args),
    /// The sample controller and our actors on a real kube-apiserver
    SampleReal(sample_real::Args),
    /// How big the released programs are, and what they hold when idle
    Size(size::Args),
    /// What each group of the API costs to build and in a program
    Groups(groups::Args),
    /// What is too long for CI, with the rows for docs/long-runs.md
    Long(long::Args),
    /// Whether the tests notice when a state decides otherwise, for which cargo-mutants is needed
    Mutants(mutants::Args),
    /// Random histories through connections that fail, held against the contract of the informers
    History(history::Args),
    /// Our code beside programs that we did not write
    Conformance(conformance::Args),
    /// The tests of what is built beside kube and k8s-openapi, in a workspace of its own
    Interop(interop::Args),
    /// The pages of each crate, built as docs.rs builds them
    Docs(docs::Args),
    /// Our figures beside those of others, in runs that take turns
    Bench(bench::Args),
    /// Write the API types and the features of watchkeeper-api from the facts
    Codegen(codegen::Args),
    /// The parsers, fed by a fuzzer, for which nightly Rust is needed
    Fuzz(fuzz::Args),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().chore {
        Chore::Real(args) => real::run(&args),
        Chore::Facts(args) => facts::run(&args),
        Chore::Once(args) => sample::once(&args),
        Chore::Kubectl(args) => kubectl::run(&args),
        Chore::Guide(args) => guide::run(&args),
        Chore::SampleReal(args) => sample_real::run(&args),
        Chore::Size(args) => size::run(&args),
        Chore::Groups(args) => groups::run(&args),
        Chore::Long(args) => long::run(&args),
        Chore::Mutants(args) => mutants::run(&args),
        Chore::History(args) => history::run(&args),
        Chore::Conformance(args) => conformance::run(&args),
        Chore::Interop(args) => interop::run(&args),
        Chore::Docs(args) => docs::run(&args),
        Chore::Bench(args) => bench::run(&args),
        Chore::Codegen(args) => codegen::run(&args),
        Chore::Fuzz(args) => fuzz::run(&args),
    };
    outcome.unwrap_or_else(|problem| {
        eprintln!("xtask: {problem}");
        ExitCode::FAILURE
    })
}
