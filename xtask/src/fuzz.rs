//! `cargo xtask fuzz`: feeds the parsers by libFuzzer, a target after the other.
//!
//! A fuzzer needs nightly Rust; where it is missing that is an error, or with `--if-there` nothing is
//! done, and that is told: `cargo test` feeds the same functions with what it makes up itself. What a
//! run finds to be worth keeping goes to a folder of the cache, not to the repository's corpus, which
//! is kept small by hand.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::{Outcome, process, real, step, workspace};

/// The targets, as in `fuzz/Cargo.toml`.
const TARGETS: [&str; 9] = [
    "json",
    "manifests",
    "protobuf",
    "watch",
    "streams",
    "selectors",
    "quantities",
    "kubeconfig",
    "definitions",
];

/// What makes a program tell a fuzzer which of its branches it took.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares \
    -Ccodegen-units=1 -Cdebug-assertions";

/// The arguments of `cargo xtask fuzz`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How long each target is fed, with other inputs each time
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Feed so many inputs instead, the same ones each time
    #[arg(long, conflicts_with = "seconds")]
    runs: Option<u64>,
    /// Do nothing where there is no nightly Rust
    #[arg(long)]
    if_there: bool,
    /// Only these targets
    targets: Vec<String>,
    #[command(flatten)]
    cache: real::Cache,
}

impl Args {
    /// Every target, for so many seconds each.
    pub(crate) fn all(seconds: u64, cache: real::Cache) -> Self {
        Self { seconds, runs: None, if_there: false, targets: Vec::new(), cache }
    }
}

/// Runs the chore.
///
/// # Errors
/// One sentence: that nightly Rust is missing, what failed, or which target was brought down and by
/// which file.
pub(crate) fn run(args: &Args) -> Outcome {
    if !has_nightly() {
        if args.if_there {
            eprintln!("no nightly Rust: not fuzzed (cargo test feeds the same functions)");
            return Ok(ExitCode::SUCCESS);
        }
        return Err(
            "no nightly Rust: rustup toolchain install nightly --profile minimal".to_owned()
        );
    }
    for target in &args.targets {
        if !TARGETS.contains(&target.as_str()) {
            return Err(format!("no target {target}: there are {}", TARGETS.join(", ")));
        }
    }
    let folder = args.cache.folder()?.join("fuzz");
    step::timed("cargo build (nightly)", || {
        process::succeed(
            Command::new("rustup")
                .args(["run", "nightly", "cargo", "build", "--release", "--bins"])
                .args(["--target", &host()?])
                .arg("--manifest-path")
                .arg(workspace::root().join("fuzz/Cargo.toml"))
                .arg("--target-dir")
                .arg(folder.join("target"))
                .env("RUSTFLAGS", FLAGS),
        )
    })?;
    let wanted =
        |target: &&&str| args.targets.is_empty() || args.targets.iter().any(|t| t == **target);
    for target in TARGETS.iter().filter(wanted) {
        step::timed(&format!("fuzz {target}"), || feed(target, args, &folder))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs one target; new finds go to a folder of their own, the committed corpus is only read.
fn feed(target: &str, args: &Args, folder: &Path) -> Outcome<()> {
    let (grown, crashes) = (grown(target, args, folder)?, folder.join("crashes"));
    for made in [&grown, &crashes] {
        fs::create_dir_all(made).map_err(|e| format!("cannot make {}: {e}", made.display()))?;
    }
    let program = folder.join("target").join(host()?).join("release").join(target);
    let log = folder.join(format!("{target}.log"));
    let file =
        fs::File::create(&log).map_err(|e| format!("cannot write {}: {e}", log.display()))?;
    let status = process::status(
        Command::new(program)
            .args(how_long(args))
            .args(["-max_len=4096", "-rss_limit_mb=2048", "-timeout=10", "-print_final_stats=1"])
            .arg(format!("-artifact_prefix={}/{target}-", crashes.display()))
            .arg(&grown)
            .arg(workspace::root().join("fuzz/corpus").join(target))
            .stderr(file),
    )?;
    if status.success() {
        return Ok(());
    }
    Err(format!("{target} was brought down; see {} and {}", log.display(), crashes.display()))
}

/// The folder of what a target has found, which is empty before a run that is to be the same each time.
fn grown(target: &str, args: &Args, folder: &Path) -> Outcome<PathBuf> {
    if args.runs.is_none() {
        return Ok(folder.join("grown").join(target));
    }
    let grown = folder.join("grown-anew").join(target);
    match fs::remove_dir_all(&grown) {
        Err(e) if e.kind() != ErrorKind::NotFound => {
            Err(format!("cannot empty {}: {e}", grown.display()))
        }
        _ => Ok(grown),
    }
}

fn how_long(args: &Args) -> Vec<String> {
    let Some(runs) = args.runs else { return vec![format!("-max_total_time={}", args.seconds)] };
    vec![format!("-runs={runs}"), "-seed=1".to_owned()]
}

fn has_nightly() -> bool {
    let known = Command::new("rustup").args(["run", "nightly", "cargo", "--version"]).output();
    known.is_ok_and(|output| output.status.success())
}

fn host() -> Outcome<String> {
    let told = process::output(Command::new("rustc").arg("-vV"))?;
    let told = String::from_utf8_lossy(&told).into_owned();
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not tell its host".to_owned())
}
