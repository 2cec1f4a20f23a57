//! `cargo xtask conformance envtest`: a Go suite on controller-runtime's envtest, on the real programs and on ours.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::programs::command_of_ours;
use crate::{Outcome, go, pinned, process, real, step, workspace};

mod upstream;

/// What envtest starts.
const PROGRAMS: [&str; 2] = ["etcd", "kube-apiserver"];

/// Where the suite is.
const MODULE: &str = "conformance/envtest";

/// The arguments of `cargo xtask conformance envtest`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Those of controller-runtime's own tests as well that take minutes
    #[arg(long)]
    long: bool,
    /// Write the flags of the real programs again, instead of comparing ours with them
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    cache: real::Cache,
}

impl Args {
    /// With all of controller-runtime's own tests that start an environment.
    pub(crate) const fn long(cache: real::Cache) -> Self {
        Self { long: true, write: false, cache }
    }
}

/// Runs the suite.
///
/// # Errors
/// That a test fails, that other tests ran than on the real programs, or that ours have other flags.
pub(crate) fn run(args: &Args) -> Outcome {
    let folder = workspace::target().join("envtest");
    let _last = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let theirs = args.cache.programs()?;
    for program in PROGRAMS {
        flags(&theirs, program, args.write)?;
    }
    if args.write {
        return Ok(ExitCode::SUCCESS);
    }
    pinned::tell(MODULE, "sigs.k8s.io/controller-runtime")?;
    let suite = build(&folder)?;
    let real = real_assets(&folder, &theirs)?;
    let ours = our_assets(&folder, &theirs)?;
    let outcome = compare(args, &folder, &suite, &real, &ours);
    // A test that fails, and some of controller-runtime's, never stop what they started.
    end_all(&real)?;
    end_all(&ours)?;
    outcome
}

fn compare(args: &Args, folder: &Path, suite: &Path, real: &Path, ours: &Path) -> Outcome {
    let expected = step::timed("on the real programs", || tests(suite, real, folder))?;
    let passed = step::timed("on ours", || tests(suite, ours, folder))?;
    if passed.names != expected.names {
        return Err(format!("other tests passed than on the real programs: {:?}", passed.names));
    }
    let otherwise: Vec<&String> = passed.told.symmetric_difference(&expected.told).collect();
    if !otherwise.is_empty() {
        return Err(format!("one of the servers tells otherwise: {otherwise:#?}"));
    }
    let log = folder.join("controller-runtime.log");
    let theirs = step::timed("controller-runtime's on ours", || {
        upstream::run(&module(), ours, &log, args.long)
    })?;
    let (own, told) = (passed.names.len(), passed.told.len());
    eprintln!(
        "{own} tests of a suite on envtest pass on both, which tell {told} things; {theirs} packages of \
         controller-runtime on ours"
    );
    Ok(ExitCode::SUCCESS)
}

fn module() -> PathBuf {
    workspace::root().join(MODULE)
}

fn build(folder: &Path) -> Outcome<PathBuf> {
    let suite = folder.join("suite");
    step::timed("go mod download", || go::download(&module()))?;
    step::timed("go test -c", || {
        let mut test = go::command(&module());
        test.args(["test", "-c", "-trimpath", "-mod=readonly", "-buildvcs=false", "-o"]);
        process::succeed(test.arg(&suite).arg("."))
    })?;
    Ok(suite)
}

/// Ends the programs of a folder that still run.
fn end_all(assets: &Path) -> Outcome<()> {
    let all = fs::read_dir("/proc").map_err(|e| format!("/proc: {e}"))?;
    let ids = all.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    for id in ids {
        if PROGRAMS.iter().any(|program| process::runs(id, &assets.join(program))) {
            process::terminate(id);
        }
    }
    Ok(())
}

/// What a suite came to.
struct Passed {
    /// The tests.
    names: BTreeSet<String>,
    /// What they say that must be the same on both.
    told: BTreeSet<String>,
}

/// The tests of the suite that passed: all of them, and there must be some.
fn tests(suite: &Path, assets: &Path, folder: &Path) -> Outcome<Passed> {
    let name = assets.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    let log = folder.join(format!("{name}.log"));
    let file = fs::File::create(&log).map_err(|e| format!("{}: {e}", log.display()))?;
    let copy = file.try_clone().map_err(|e| format!("{}: {e}", log.display()))?;
    let mut command = Command::new(suite);
    command.current_dir(module()).args(["-test.v", "-test.timeout=5m"]).stdout(file).stderr(copy);
    command
        .env("KUBEBUILDER_ASSETS", assets)
        .env("KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT", "true");
    let outcome = process::succeed(&mut command);
    let told = fs::read_to_string(&log).map_err(|e| format!("{}: {e}", log.display()))?;
    if let Err(problem) = outcome {
        return Err(format!("{problem}\n{}\n(all of it is in {})", failures(&told), log.display()));
    }
    let passed = told.lines().filter_map(|line| line.strip_prefix("--- PASS: "));
    let passed = passed.filter_map(|line| line.split(' ').next());
    let passed: BTreeSet<String> = passed.map(str::to_owned).collect();
    let started = |line: &&str| line.starts_with("=== RUN ") && !line.contains('/');
    let of_all = told.lines().filter(started).count();
    if passed.is_empty() || passed.len() != of_all {
        return Err(format!("{} of {of_all} tests passed: {}", passed.len(), log.display()));
    }
    let lines = told.lines().filter(|line| line.starts_with("told: ")).map(str::to_owned);
    Ok(Passed { names: passed, told: lines.collect() })
}

/// What a log says of tests that failed, and of a panic.
fn failures(told: &str) -> String {
    let (mut failed, mut of_this): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for line in told.lines() {
        if line.starts_with("=== RUN ") || line.starts_with("--- PASS: ") {
            of_this.clear();
        } else if line.starts_with("--- FAIL: ") {
            failed.push(line);
            failed.append(&mut of_this);
        } else if line.starts_with("panic: ") {
            failed.push(line);
        } else if line.starts_with("    ") {
            of_this.push(line);
        }
    }
    failed.join("\n")
}

/// The real programs under the names that envtest looks for.
fn real_assets(folder: &Path, theirs: &Path) -> Outcome<PathBuf> {
    let assets = folder.join("real");
    fs::create_dir_all(&assets).map_err(|e| format!("{}: {e}", assets.display()))?;
    for program in PROGRAMS.into_iter().chain(["kubectl"]) {
        let (from, to) = (theirs.join(program), assets.join(program));
        symlink(from, &to).map_err(|e| format!("{}: {e}", to.display()))?;
    }
    Ok(assets)
}

/// What `watchkeeper envtest-assets` makes, beside the kubectl of the real programs.
fn our_assets(folder: &Path, theirs: &Path) -> Outcome<PathBuf> {
    let ours = command_of_ours()?;
    let assets = folder.join("ours");
    let mut make = Command::new(ours);
    make.arg("envtest-assets").arg(&assets).env("PATH", theirs);
    let told = String::from_utf8_lossy(&process::output(&mut make)?).trim().to_owned();
    let wanted = format!("export KUBEBUILDER_ASSETS='{}'", assets.display());
    if told != wanted {
        return Err(format!("it says {told} and not {wanted}"));
    }
    Ok(assets)
}

/// Compares the flags that ours knows with those that the real program has.
fn flags(theirs: &Path, program: &str, write: bool) -> Outcome<()> {
    // etcd writes a part of it to standard error, which is of no use.
    let help = Command::new(theirs.join(program)).arg("--help").output();
    let help = help.map_err(|e| format!("{program} --help: {e}"))?;
    let real = listed(&String::from_utf8_lossy(&help.stdout));
    let name = program.replace('-', "_");
    let file = format!("crates/watchkeeper-cli/src/envtest/{name}/flags.txt");
    let path = workspace::root().join(&file);
    if write {
        return fs::write(&path, real).map_err(|e| format!("cannot write {file}: {e}"));
    }
    if fs::read_to_string(&path).is_ok_and(|known| known == real) {
        return Ok(());
    }
    Err(format!("stale: {file}; cargo xtask conformance envtest --write writes it again"))
}

/// The flags that a help has, a line each: the name, and what its value is unless that is yes or no.
fn listed(help: &str) -> String {
    let flags = help.lines().filter_map(flag);
    let flags: BTreeSet<String> = flags.filter(|flag| flag != "help").collect();
    flags.into_iter().fold(String::new(), |text, flag| text + &flag + "\n")
}

fn flag(line: &str) -> Option<String> {
    let line = line.trim_start();
    // pflag has shorthands before some.
    let long = line.split_once(", --").filter(|(short, _)| short.len() == 2);
    let line = long.map_or_else(|| line.strip_prefix("--"), |(_, long)| Some(long))?;
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let kind = match rest.split(' ').next().unwrap_or_default() {
        "" | "'true'" | "'false'" => return Some(name.to_owned()),
        // etcd has what holds without the flag behind it.
        value if value.starts_with('\'') => "value",
        kind => kind,
    };
    Some(format!("{name} {kind}"))
}

#[cfg(test)]
mod tests;
