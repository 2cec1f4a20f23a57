//! `cargo xtask conformance clients`: the family of clients on a real kube-apiserver tells the stories that it
//! tells on the embedded one, which tests of `watchkeeper-connect` and `watchkeeper-cluster` hold, in protobuf
//! and in JSON: one of all that clients ask, and one of containers, whose node is upstream's code as well. Shards,
//! of which both know only where they are asked to, are kept apart by the real one.

use std::process::{Command, ExitCode};

use super::node;
use crate::{Outcome, pinned, process, programs, real, step};

/// The arguments of `cargo xtask conformance clients`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cache: real::Cache,
    /// Asks for JSON, with `--inside`
    #[arg(long, hide = true)]
    json: bool,
    /// Runs with the servers up already
    #[arg(long, hide = true)]
    inside: bool,
}

impl Args {
    /// On servers that are started for it.
    pub(super) fn of(cache: real::Cache) -> Self {
        Self { cache, json: false, inside: false }
    }
}

/// Runs the comparison.
///
/// # Errors
/// That the servers cannot be started; the example tells by its exit status that the stories differ.
pub(crate) fn run(args: &Args) -> Outcome {
    if args.inside {
        return inside(args.json);
    }
    // Ours is the workspace's own.
    pinned::tell("", "watchkeeper-client")?;
    // A server of its own each, since the stories begin with an empty one.
    for chore in [&["conformance", "clients"][..], &["conformance", "clients", "--json"]] {
        let code = real::run_inside(&args.cache, chore)?;
        if code != ExitCode::SUCCESS {
            return Ok(code);
        }
    }
    if args.cache.minor()? < SHARDS {
        return Ok(ExitCode::SUCCESS);
    }
    // Who knows of shards is an alpha.
    let command = programs::example(PACKAGE, "shards")?.to_string_lossy().into_owned();
    real::run_command_on(&args.cache, &real::Options::everything(), &[command])
}

/// The first minor version that has shards (KEP-5866); older ones leave out what they do not know.
const SHARDS: u32 = 36;

const PACKAGE: &str = "watchkeeper-connect";

fn inside(json: bool) -> Outcome {
    let codec: &[&str] = if json { &["--json"] } else { &[] };
    let example = programs::example(PACKAGE, "clients")?;
    let told = |story: &[&str]| {
        process::succeed(Command::new(&example).arg("--check").args(story).args(codec))
    };
    step::timed("what clients ask", || told(&[]))?;
    let mut node = step::timed("node", node::start)?;
    let outcome = step::timed("containers", || told(&["--containers"]));
    node.stop();
    outcome.map(|()| ExitCode::SUCCESS)
}
