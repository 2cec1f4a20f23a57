//! `cargo xtask conformance kube-rs`: the published crates of kube-rs. The defects that we tell of are shown on them,
//! and its client and runtime tell one story of the embedded server, over TLS, and of a real one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use super::serving::Serving;
use crate::{Outcome, apart, pinned, process, programs, real, step, workspace};

const FOLDER: &str = "conformance/kube-rs";

/// The program that tells the story.
const STORY: &str = "kube-rs-story";

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
    let told = step::timed("on ours", || told(serving.kubeconfig()))?;
    write("ours.txt", &told)
}

fn on_the_real_server() -> Outcome {
    let theirs = step::timed("on the real server", || told(&real::path_of("KUBECONFIG")?))?;
    write("real.txt", &theirs)?;
    let path = folder().join("ours.txt");
    let ours = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    compare(&ours, &theirs)
}

/// The story of the server of a kubeconfig.
fn told(kubeconfig: &Path) -> Outcome<String> {
    let mut story = Command::new(programs::built("debug", STORY));
    let told = process::output(story.arg(kubeconfig))?;
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
