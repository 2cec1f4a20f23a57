//! `cargo xtask conformance streams`: exec, attach, logs and port-forward through a real kube-apiserver, with
//! upstream's streaming server as the kubelet of the one node. What is checked is in the example `streams` of
//! `watchkeeper-connect`; some of it is asked again by kubectl, so that a fault of the peer is not taken for
//! one of ours. client-go's executors ask the embedded server as well, which must tell them the same.

use std::fmt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use super::node;
use crate::process::Server;
use crate::{Outcome, process, programs, real, step};

mod control;
mod executors;

/// The arguments of `cargo xtask conformance streams`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cache: real::Cache,
    /// For how many seconds a program says nothing; more than 61 show that pings are answered
    #[arg(long, default_value_t = 12)]
    silence: u64,
    /// Runs with the servers up already
    #[arg(long, hide = true)]
    inside: bool,
}

impl Args {
    /// Silent for longer than a peer waits for an answer to its ping.
    pub(crate) const fn long(cache: real::Cache) -> Self {
        Self { cache, silence: 70, inside: false }
    }
}

impl fmt::Display for Args {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "silent for {} s", self.silence)
    }
}

/// Runs the comparison.
///
/// # Errors
/// What cannot be started; the example tells by its exit status that a check failed.
pub(crate) fn run(args: &Args) -> Outcome {
    if args.inside {
        return inside(args.silence);
    }
    let silence = format!("--silence={}", args.silence);
    real::run_inside(&args.cache, &["conformance", "streams", &silence])
}

fn inside(silence: u64) -> Outcome {
    let example = programs::example("watchkeeper-connect", "streams")?;
    let mut node = step::timed("node", node::start)?;
    let checks = step::timed("our client", || {
        process::succeed(Command::new(&example).arg("--silence").arg(silence.to_string()))
    });
    let control = checks.and_then(|()| step::timed("kubectl", control::run));
    let executors = control.and_then(|()| step::timed("client-go", || executors::run(silence)));
    let broken =
        executors.and_then(|()| step::timed("a kubelet that dies", || breaks(&example, &node)));
    node.stop();
    broken.map(|()| ExitCode::SUCCESS)
}

/// Kills the node when everything is under way.
fn breaks(example: &Path, node: &Server) -> Outcome<()> {
    let mut child = Command::new(example)
        .arg("--breaks")
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("{} does not start: {e}", example.display()))?;
    let out = child.stdout.take().ok_or("no standard output")?;
    for line in process::lines(out) {
        eprintln!("{line}");
        if line == "under way" {
            process::signal(node.id(), "KILL");
        }
    }
    let status = child.wait().map_err(|e| format!("the example is lost: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("the example ended with {status}")) }
}
