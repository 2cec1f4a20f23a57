//! `cargo xtask conformance kube-rs`: the published crates of kube-rs. The defects that we tell of are shown on them,
//! and its client and runtime tell one story of the embedded server, over TLS, and of a real one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use super::node;
use super::serving::Serving;
use crate::process::{Lifetime, Server};
use crate::{Outcome, apart, pinned, process, programs, real, step, workspace};

const FOLDER: &str = "conformance/kube-rs";

/// The program that tells the story.
const STORY: &str = "kube-rs-story";
/// What makes it one of a pod that runs, and nothing else.
const CONTAINERS: &[&str] = &["--containers"];

/// How long our program may take to have its pod run.
const READY: Duration = Duration::from_secs(60);

/// The arguments of `cargo xtask conformance kube-rs`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cache: real::Cache,
    /// Also its lints
    #[arg(long)]
    lints: bool,
    /// Runs with the servers up already
    #[arg(long, hide = true)]
    inside: bool,
}

/// Runs the programs: one fails when a defect is not seen any more, of the other both servers must be told alike.
///
/// # Errors
/// One sentence: what failed; or the lines that differ.
pub(crate) fn run(args: &Args) -> Outcome {
    if args.inside {
        return on_the_real_server();
    }
    pinned::tell(FOLDER, "kube")?;
    pinned::tell(FOLDER, "kube-runtime")?;
    step::timed("cargo fmt", || process::succeed(cargo("fmt").arg("--check")))?;
    step::timed("cargo fetch", || apart::fetch(FOLDER))?;
    if args.lints {
        step::timed("cargo clippy", || {
            let clippy = ["--all-targets", "--locked", "--offline", "--", "-D", "warnings"];
            process::succeed(cargo("clippy").args(clippy))
        })?;
    }
    step::timed("defects of kube-rs", || {
        process::succeed(cargo("run").args(["--quiet", "--locked", "--offline"]))
    })?;
    step::timed("cargo build story", || {
        process::succeed(cargo("build").args(["--quiet", "--locked", "--offline", "--bin", STORY]))
    })?;
    on_ours(&args.cache)?;
    let options = real::Options::unaudited();
    real::run_inside_on(&args.cache, &options, &["conformance", "kube-rs"])
}

fn cargo(what: &str) -> Command {
    apart::cargo(FOLDER, what)
}

fn on_ours(cache: &real::Cache) -> Outcome<()> {
    let bin = cache.programs()?;
    let program = programs::command_of_ours()?;
    let folder = folder();
    let _last = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    // The real one has no controllers and no nodes either.
    let serving = Serving::start(&program, &bin, &folder, "none")?;
    let whole = step::timed("on ours", || told(serving.kubeconfig(), &[]))?;
    let in_pods = step::timed("in pods of ours", || in_our_pods(&folder))?;
    write("ours.txt", &(whole + &in_pods))
}

/// On a cluster whose pod has the programs of the node that the real one gets.
fn in_our_pods(folder: &Path) -> Outcome<String> {
    let kubeconfig = folder.join("kubeconfig-programs");
    let mut command = Command::new(programs::example("watchkeeper-cluster", "programs")?);
    command.arg(&kubeconfig);
    let mut server = Server::start(command, &folder.join("programs.log"), Lifetime::Ours)?;
    let ready = step::until(READY, || server.check().map(|()| kubeconfig.exists()));
    let told = ready.and_then(|()| told(&kubeconfig, CONTAINERS));
    server.stop();
    told
}

fn on_the_real_server() -> Outcome {
    let kubeconfig = real::path_of("KUBECONFIG")?;
    let whole = step::timed("on the real server", || told(&kubeconfig, &[]))?;
    let mut node = step::timed("node", node::start)?;
    let in_pods = step::timed("in pods of the real one", || told(&kubeconfig, CONTAINERS));
    node.stop();
    let theirs = whole + &in_pods?;
    write("real.txt", &theirs)?;
    let path = folder().join("ours.txt");
    let ours = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    compare(&ours, &theirs)
}

/// The story of the server of a kubeconfig.
fn told(kubeconfig: &Path, flags: &[&str]) -> Outcome<String> {
    let mut story = Command::new(programs::built("debug", STORY));
    let told = process::output(story.arg(kubeconfig).args(flags))?;
    String::from_utf8(told).map_err(|e| format!("{STORY}: {e}"))
}

fn folder() -> PathBuf {
    workspace::target().join("kube-rs")
}

fn write(name: &str, text: &str) -> Outcome<()> {
    let path = folder().join(name);
    fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
}

fn compare(ours: &str, theirs: &str) -> Outcome {
    let (ours, theirs): (Vec<&str>, Vec<&str>) = (ours.lines().collect(), theirs.lines().collect());
    if ours == theirs {
        eprintln!("{} lines: kube-rs says the same of both servers", ours.len());
        return Ok(ExitCode::SUCCESS);
    }
    let only = |name: &str, all: &[&str], others: &[&str]| -> String {
        let only = all.iter().filter(|line| !others.contains(line));
        only.map(|line| format!("\n{name}: {line}")).collect()
    };
    let differ = only("ours", &ours, &theirs) + &only("real", &theirs, &ours);
    let order = if differ.is_empty() { ": in another order" } else { "" };
    Err(format!("kube-rs does not say the same of both servers{order}{differ}"))
}
