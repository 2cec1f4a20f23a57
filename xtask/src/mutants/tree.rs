//! A copy of the tree, in which files are changed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, process, workspace};

/// The copy, in the target folder.
#[derive(Debug)]
pub(super) struct Tree {
    root: PathBuf,
}

/// What came of a build.
#[derive(Debug)]
pub(super) enum Built {
    /// The programs of tests.
    Programs(Vec<PathBuf>),
    /// What the compiler says, a value for each error.
    Failed(Vec<serde_json::Value>),
}

impl Tree {
    /// Makes the copy as the tree is. What is so already is left, so that it need not be built again.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub(super) fn lay_out() -> Outcome<Self> {
        let tree = Self { root: workspace::target().join("mutants") };
        let mut git = Command::new("git");
        git.current_dir(workspace::root());
        let files = process::output(git.args(["ls-files", "-z", "-co", "--exclude-standard"]))?;
        let files = String::from_utf8_lossy(&files).into_owned();
        // What was deleted and not yet committed is listed, too.
        let is_there = |file: &&str| workspace::root().join(file).is_file();
        let files: BTreeSet<_> = files.split('\0').filter(is_there).map(PathBuf::from).collect();
        tree.clear(&tree.root, &files)?;
        for file in &files {
            tree.put(file, &read(&workspace::root().join(file))?)?;
        }
        Ok(tree)
    }

    /// Deletes what the tree does not have.
    fn clear(&self, folder: &Path, files: &BTreeSet<PathBuf>) -> Outcome<()> {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.map_err(|e| format!("cannot read {}: {e}", folder.display()))?.path();
            if path.is_dir() {
                self.clear(&path, files)?;
            } else if path.strip_prefix(&self.root).is_ok_and(|file| !files.contains(file)) {
                fs::remove_file(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            }
        }
        Ok(())
    }

    /// Writes a file unless it is so already.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn put(&self, file: &Path, text: &[u8]) -> Outcome<()> {
        let path = self.root.join(file);
        if fs::read(&path).is_ok_and(|there| there == text) {
            return Ok(());
        }
        let folder = path.parent().unwrap_or(&path);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, text))
            .map_err(|e| format!("cannot write {}: {e}", path.display()))
    }

    /// The folder of a package, in which its tests are run.
    pub(super) fn folder(&self, package: &str) -> PathBuf {
        self.root.join("crates").join(package)
    }

    /// Builds programs of tests of a package, in a folder of their own: cargo knows packages by their places in the
    /// workspace, and would take those of the copy for those of the tree.
    ///
    /// # Errors
    /// When cargo cannot be run, or fails without what the compiler says.
    pub(super) fn build(&self, package: &str, programs: &[&str]) -> Outcome<Built> {
        let mut cargo = Command::new("cargo");
        cargo
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", workspace::target().join("mutants-built"));
        cargo.args(["test", "--quiet", "--no-run", "--package", package]).args(programs);
        cargo.arg("--message-format=json").stderr(std::process::Stdio::null());
        let output = cargo.output().map_err(|e| format!("cannot run cargo: {e}"))?;
        let told = String::from_utf8_lossy(&output.stdout);
        let messages = told.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        of_messages(messages).ok_or_else(|| {
            let programs = programs.join(" ");
            let again = format!("cargo test {programs} --no-run --package {package}");
            format!("cannot build: `{again}` in {}", self.root.display())
        })
    }
}

/// What cargo tells, a value a line.
fn of_messages(messages: Vec<serde_json::Value>) -> Option<Built> {
    let mut errors = Vec::new();
    let mut programs = Vec::new();
    for mut message in messages {
        if let Some(path) = message.get("executable").and_then(|path| path.as_str()) {
            programs.push(PathBuf::from(path));
        }
        let level = message.pointer("/message/level").and_then(|level| level.as_str());
        if level == Some("error") {
            errors.push(message["message"].take());
        }
    }
    if !errors.is_empty() {
        return Some(Built::Failed(errors));
    }
    // In one order, whichever was ready first.
    programs.sort();
    (!programs.is_empty()).then_some(Built::Programs(programs))
}

/// Reads a file of the tree or of the copy.
///
/// # Errors
/// When it cannot be read.
pub(super) fn read(path: &Path) -> Outcome<Vec<u8>> {
    fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

#[cfg(test)]
mod tests;
