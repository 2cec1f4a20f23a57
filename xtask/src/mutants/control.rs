//! Each test by itself, without a mutant: how long it takes, and which mutants it gets to.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::side_by_side;
use super::switched::REACHED;
use crate::{Outcome, process, workspace};

/// By which a test finds its files, as cargo sets it: those of the copy.
pub(super) const MANIFEST: &str = "CARGO_MANIFEST_DIR";

/// A test that passes without a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Test {
    /// Its place among the programs.
    pub(super) program: usize,
    pub(super) name: String,
    /// Of the kernel's clock, that it took of the processor.
    pub(super) ticks: u64,
    /// The mutants that it gets to.
    pub(super) reaches: BTreeSet<usize>,
}

/// Runs the tests whose names have one of `wanted` in them, or all of them without any.
///
/// # Errors
/// When one fails, or there is none.
pub(super) fn tests(programs: &[PathBuf], folder: &Path, wanted: &[&str]) -> Outcome<Vec<Test>> {
    let mut named = Vec::new();
    for (number, program) in programs.iter().enumerate() {
        named.extend(names(program, folder, wanted)?.into_iter().map(|name| (number, name)));
    }
    if named.is_empty() {
        return Err(format!("without a mutant: there is no test of {}", wanted.join(" ")));
    }
    let tests =
        side_by_side(&named, |(number, name)| test(&programs[*number], *number, folder, name))?;
    Ok(tests.into_iter().map(|(_, test)| test).collect())
}

/// The tests of a program.
fn names(program: &Path, folder: &Path, wanted: &[&str]) -> Outcome<Vec<String>> {
    let mut list = Command::new(program);
    list.current_dir(folder).args(["--list", "--format", "terse"]).args(wanted);
    let list = process::output(&mut list)?;
    let list = String::from_utf8_lossy(&list);
    Ok(list.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// Runs one.
fn test(program: &Path, number: usize, folder: &Path, name: &str) -> Outcome<Test> {
    let reached = reached_file()?;
    let mut test = Command::new(program);
    test.current_dir(folder).args(["--test-threads=1", "--exact", name]);
    test.env(REACHED, &reached).env(MANIFEST, folder);
    test.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut test = test.spawn().map_err(|e| format!("cannot run {name}: {e}"))?;
    // It has ended when it prints nothing more; until it is waited for, the kernel knows of it.
    for _line in test.stdout.take().map(process::lines).into_iter().flatten() {}
    let ticks = process::cpu_ticks(test.id()).unwrap_or(0);
    let status = test.wait().map_err(|e| format!("cannot wait for {name}: {e}"))?;
    // One that gets to no mutant writes nothing.
    let text = fs::read_to_string(&reached).unwrap_or_default();
    let _none = fs::remove_file(&reached);
    if !status.success() {
        return Err(format!("without a mutant: {name}: {status}"));
    }
    let reaches = text.lines().filter_map(|line| line.parse().ok()).collect();
    Ok(Test { program: number, name: name.to_owned(), ticks, reaches })
}

/// A file that is nobody's.
fn reached_file() -> Outcome<PathBuf> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let folder = workspace::target().join("mutants-reached");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    Ok(folder.join(format!("{}-{next}", std::process::id())))
}
