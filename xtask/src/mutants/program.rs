//! The test programs of a package with all of its mutants in them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::blame::blamed;
use super::mutant::Mutant;
use super::states::States;
use super::switched::{Held, module, replaced, switched};
use super::tree::{Built, Tree, read};
use crate::{Outcome, step};

/// The programs, and what is in them. A mutant's number is its place among all.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) paths: Vec<PathBuf>,
    pub(super) held: Vec<usize>,
    /// Those that no switch can hold; they are built alone.
    pub(super) alone: Vec<usize>,
    /// Those that do not compile.
    pub(super) unviable: BTreeSet<usize>,
}

impl Program {
    /// Builds it again and again, without those that do not compile.
    ///
    /// # Errors
    /// When it does not compile for another reason.
    pub(super) fn build(tree: &Tree, states: &States, mutants: &[Mutant]) -> Outcome<Self> {
        let package = states.package;
        let mut sources = Sources { tree, package, mutants, out: BTreeSet::new() };
        loop {
            let (files, alone) = sources.write()?;
            let name = format!("cargo test --no-run, {} out", sources.out.len());
            match step::timed(&name, || tree.build(package, states.programs))? {
                Built::Programs(paths) => {
                    let held = files.values().flatten().map(|held| held.number).collect();
                    return Ok(Self { paths, held, alone, unviable: sources.out });
                }
                Built::Failed(errors) => sources.leave_out(&errors, &files)?,
            }
        }
    }
}

/// Builds it with one mutant in place, without a switch; nothing when that does not compile.
///
/// # Errors
/// When the copy cannot be written.
pub(super) fn alone(
    tree: &Tree,
    states: &States,
    mutant: &Mutant,
) -> Outcome<Option<Vec<PathBuf>>> {
    let path = folder(states.package).join(&mutant.file);
    let text = text(&path)?;
    tree.put(&path, replaced(&text, mutant)?.as_bytes())?;
    let built = tree.build(states.package, states.programs);
    tree.put(&path, text.as_bytes())?;
    match built? {
        Built::Programs(paths) => Ok(Some(paths)),
        Built::Failed(_) => Ok(None),
    }
}

struct Sources<'a> {
    tree: &'a Tree,
    package: &'a str,
    mutants: &'a [Mutant],
    /// Those that do not compile.
    out: BTreeSet<usize>,
}

/// The mutants of each file, as the compiler names it.
type Files = BTreeMap<String, Vec<Held>>;

impl Sources<'_> {
    /// Writes every file with its mutants. Tells which are in, and which no switch can hold.
    fn write(&mut self) -> Outcome<(Files, Vec<usize>)> {
        let mut by_file: BTreeMap<&str, Vec<(usize, &Mutant)>> = BTreeMap::new();
        for (number, mutant) in self.mutants.iter().enumerate() {
            let mutants = by_file.entry(&mutant.file).or_default();
            if !self.out.contains(&number) {
                mutants.push((number, mutant));
            }
        }
        let (mut files, mut alone) = (Files::new(), Vec::new());
        for (file, mutants) in by_file {
            let path = folder(self.package).join(file);
            let switched = switched(&text(&path)?, &mutants).map_err(|e| format!("{file}: {e}"))?;
            self.tree.put(&path, switched.text.as_bytes())?;
            self.out.extend(switched.never);
            alone.extend(switched.alone);
            files.insert(path.to_string_lossy().into_owned(), switched.held);
        }
        let lib = folder(self.package).join("src/lib.rs");
        let with_module = text(&lib)? + "\nmod mutant;\n";
        self.tree.put(&lib, with_module.as_bytes())?;
        self.tree.put(&folder(self.package).join("src/mutant.rs"), module().as_bytes())?;
        Ok((files, alone))
    }

    fn leave_out(&mut self, errors: &[serde_json::Value], files: &Files) -> Outcome<()> {
        let before = self.out.len();
        self.out.extend(errors.iter().flat_map(|error| blamed(error, files)));
        if self.out.len() > before {
            return Ok(());
        }
        let told = |error: &serde_json::Value| error["rendered"].as_str().map(str::to_owned);
        let told: Vec<_> = errors.iter().filter_map(told).collect();
        Err(format!("this is no mutant's:\n{}", told.join("\n")))
    }
}

fn folder(package: &str) -> PathBuf {
    Path::new("crates").join(package)
}

/// Of the tree, not of the copy.
fn text(file: &Path) -> Outcome<String> {
    let text = read(&crate::workspace::root().join(file))?;
    String::from_utf8(text).map_err(|e| format!("{}: {e}", file.display()))
}
