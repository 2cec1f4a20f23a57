//! `cargo xtask history --seeded`: whether the checker finds mistakes in our own informer.
//!
//! The cache's sources are copied to the target folder, every mistake of [`BUGS`] is put into that one copy
//! behind a switch, and the checker is built against it, once. Then it runs with one switch after the other, and
//! with none. The sources themselves stay as they are.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use self::bugs::{BUGS, Bug};
use crate::programs::built;
use crate::{Outcome, process, step, workspace};

mod bugs;

/// Within so many changes of one history each mistake must be found.
const CHANGES: u64 = 1_500;
/// So many histories are tried: each is of one mode, and some mistakes need one of their own.
const SEEDS: u64 = 6;
/// The mode of histories on the classic queue.
const CLASSIC: &str = "on the classic queue";
/// What stands in a replacement where the copy asks whether this mistake is on.
const SWITCH: &str = "SEEDED";
/// The variable that tells the copy which mistake is on.
const VARIABLE: &str = "WATCHKEEPER_SEEDED";
/// The module that tells the copy the same.
const MODULE: &str = r#"//! Which mistake is on.

use std::sync::OnceLock;

pub(crate) fn is(name: &str) -> bool {
    static NAME: OnceLock<Option<String>> = OnceLock::new();
    NAME.get_or_init(|| std::env::var("WATCHKEEPER_SEEDED").ok()).as_deref() == Some(name)
}
"#;

/// Runs the chore.
///
/// # Errors
/// When a mistake does not fit into the sources any more, the copy cannot be built, a mistake is not found, or
/// something is found without one.
pub(super) fn run() -> Outcome {
    let folder = workspace::target().join("seeded");
    step::timed("a copy with mistakes", || lay_out(&folder))?;
    step::timed("cargo build", || build(&folder))?;
    let control = step::timed("without a mistake", || {
        Ok(first_broken(None, false)?.or(first_broken(None, true)?))
    })?;
    if let Some(found) = control {
        return Err(format!("found where there is no mistake: {found:?}"));
    }
    eprintln!("| mistake | in | history | found after | as |\n|---|---|---|---|---|");
    let mut missed = Vec::new();
    for bug in BUGS {
        match first_broken(Some(bug), bug.file.starts_with("classic/"))? {
            Some(Found { seed, changes, rule }) => {
                eprintln!("| {} | `{}` | {seed} | {changes} | {rule} |", bug.what, bug.file);
            }
            None => missed.push(bug.name),
        }
    }
    if missed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    Err(format!("not found within {CHANGES} changes of {SEEDS} histories: {}", missed.join(", ")))
}

/// Where a rule was broken first.
#[derive(Debug)]
struct Found {
    seed: u64,
    changes: String,
    rule: String,
}

/// Runs histories until a rule is broken, each of the mode that its seed draws or all on the classic queue, whose
/// mistakes no others meet.
fn first_broken(bug: Option<&Bug>, classic: bool) -> Outcome<Option<Found>> {
    for seed in 1..=SEEDS {
        let mut history = Command::new(built("debug", "history-seeded"));
        history.args(["--one", "--seed", &seed.to_string(), "--changes", &CHANGES.to_string()]);
        history.args(classic.then_some(["--mode", CLASSIC]).into_iter().flatten());
        history.env_remove(VARIABLE).envs(bug.map(|bug| (VARIABLE, bug.name)));
        let output = history.output().map_err(|e| format!("cannot run the checker: {e}"))?;
        let told = String::from_utf8_lossy(&output.stdout);
        match (output.status.code(), broken(&told)) {
            (Some(0), None) => {}
            (Some(1), Some((changes, rule))) => return Ok(Some(Found { seed, changes, rule })),
            (_, _) => {
                let said = String::from_utf8_lossy(&output.stderr);
                return Err(format!("the checker ended with {}: {said}", output.status));
            }
        }
    }
    Ok(None)
}

/// How many changes there were, and which rule was broken, of what the checker prints of one history.
fn broken(told: &str) -> Option<(String, String)> {
    let mut lines = told.lines().map(str::trim);
    let changes = lines.by_ref().find_map(|line| line.strip_prefix("changes: "))?;
    lines.find(|line| *line == "broken: Some(")?;
    let rule = lines.next()?.trim_matches(['"', ',']);
    // Of a handler: `handler 1 (…): what is wrong: what it was told`.
    let rule = rule.split_once("): ").map_or(rule, |(_, rule)| rule);
    let rule = rule.split_once(": ").map_or(rule, |(rule, _)| rule);
    Some((changes.trim_end_matches(',').to_owned(), rule.trim().replace("\\\"", "\"")))
}

/// Writes a workspace of two: the cache with every mistake, and the checker.
fn lay_out(folder: &Path) -> Outcome<()> {
    let root = workspace::root();
    for (name, from) in [("cache", "crates/watchkeeper-cache"), ("history", "conformance/history")]
    {
        let into = folder.join(name).join("src");
        if into.exists() {
            fs::remove_dir_all(&into).map_err(|e| format!("{}: {e}", into.display()))?;
        }
        copy(&root.join(from).join("src"), &into)?;
        let manifest = read(&root.join(from).join("Cargo.toml"))?;
        // Neither tests nor what they need.
        let manifest = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        let manifest = manifest.replace("name = \"history\"", "name = \"history-seeded\"");
        write(&folder.join(name).join("Cargo.toml"), &manifest)?;
    }
    let members = |line: &str| {
        let is = line.starts_with("members = ");
        if is { r#"members = ["cache", "history"]"#.to_owned() } else { line.to_owned() }
    };
    let manifest = read(&root.join("Cargo.toml"))?;
    let manifest: Vec<_> = manifest.lines().map(members).collect();
    let manifest = manifest
        .join("\n")
        .replace("\"crates/watchkeeper-cache\"", "\"cache\"")
        .replace("\"crates/", &format!("\"{}/crates/", root.display()));
    write(&folder.join("Cargo.toml"), &manifest)?;
    write(&folder.join("Cargo.lock"), &read(&root.join("Cargo.lock"))?)?;
    plant(&folder.join("cache/src"))
}

/// Puts the mistakes in.
fn plant(sources: &Path) -> Outcome<()> {
    write(&sources.join("seeded.rs"), MODULE)?;
    let lib = sources.join("lib.rs");
    write(&lib, &read(&lib)?.replacen("\nmod ", "\nmod seeded;\nmod ", 1))?;
    let mut files: Vec<_> = BUGS.iter().map(|bug| bug.file).collect();
    files.sort_unstable();
    files.dedup();
    for file in files {
        let path = sources.join(file);
        write(&path, &with_bugs(file, &read(&path)?)?)?;
    }
    Ok(())
}

/// A file with its mistakes, each where its text was found, and found once.
fn with_bugs(file: &str, text: &str) -> Outcome<String> {
    let mut places = Vec::new();
    for bug in BUGS.iter().filter(|bug| bug.file == file) {
        let found: Vec<_> = text.match_indices(bug.find).map(|(at, _)| at).collect();
        match *found {
            [at] => places.push((at, bug)),
            _ => return Err(format!("{}: found {} times in {file}", bug.name, found.len())),
        }
    }
    places.sort_by_key(|(at, _)| *at);
    let (mut seeded, mut done) = (String::new(), 0);
    for (at, bug) in places {
        let between = text.get(done..at).ok_or_else(|| format!("{}: in another one", bug.name))?;
        let switch = format!("crate::seeded::is({:?})", bug.name);
        seeded += &(between.to_owned() + &bug.put.replace(SWITCH, &switch));
        done = at + bug.find.len();
    }
    Ok(seeded + text.get(done..).unwrap_or_default())
}

fn build(folder: &Path) -> Outcome<()> {
    let mut build = Command::new("cargo");
    build.current_dir(workspace::root()).env("CARGO_TARGET_DIR", workspace::target());
    build.args(["build", "--package", "watchkeeper-history", "--bins", "--manifest-path"]);
    process::succeed(build.arg(folder.join("Cargo.toml")))
}

fn copy(from: &Path, into: &Path) -> Outcome<()> {
    let problem = |e| format!("cannot copy {}: {e}", from.display());
    fs::create_dir_all(into).map_err(problem)?;
    for entry in fs::read_dir(from).map_err(problem)? {
        let path = entry.map_err(problem)?.path();
        let into = into.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &into)?;
        } else {
            fs::copy(&path, &into).map_err(problem)?;
        }
    }
    Ok(())
}

fn read(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

fn write(path: &Path, text: &str) -> Outcome<()> {
    fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

#[cfg(test)]
mod tests;
